/** What the OpenAPI document says about operations and webhook events, for the pages, their Markdown and the search. */
import { dataOf, fieldTree, resolve } from "./fields.mjs";

/** What the document refers to by name, such as headers. */
const named = (it, document) =>
  it.$ref
    ? it.$ref
        .slice(2)
        .split("/")
        .reduce((place, name) => place[name], document)
    : it;

/** The headers of all answers: name, the statuses that have it (null for all of them), and its sentence. */
function headersOf(operation, document) {
  const found = new Map();
  const answers = Object.entries(operation.responses);
  for (const [status, { headers = {} }] of answers)
    for (const [name, header] of Object.entries(headers)) {
      const known = found.get(name) ?? { name, about: named(header, document).description ?? "", statuses: [] };
      found.set(name, { ...known, statuses: [...known.statuses, status] });
    }
  return [...found.values()].map((it) => ({
    ...it,
    statuses: it.statuses.length < answers.length ? it.statuses : null,
  }));
}

/** The example of an answer that is an object of this schema. */
function exampleOf(schema, document) {
  for (const methods of Object.values(document.paths))
    for (const { responses } of Object.values(methods))
      for (const { content } of Object.values(responses ?? {})) {
        const { schema: envelope, example } = content?.["application/json"] ?? {};
        if (example?.data && dataOf(envelope, document.components.schemas) === schema) return example.data;
      }
  return {};
}

/** Server-sent events as they arrive. `schema` has the names of the events and the schema of their data. */
function streamExample(schema, document) {
  const { event, data } = schema.properties;
  const { jobId, status, progressPercentage, outputUrl } = exampleOf(
    resolve(data.contentSchema, document.components.schemas),
    document,
  );
  const [first, last] = event.enum;
  const said = (name, it) => `event: ${name}\ndata: ${JSON.stringify(it).replace(/\}$/, ",…}")}`;
  return [
    said(first, { jobId, status: "PROCESSING", progressPercentage: 40, outputUrl: null }),
    said(last, { jobId, status, progressPercentage, outputUrl }),
  ].join("\n\n");
}

/** The answer of an operation that succeeds: status, type, sentence, fields and example. */
function answerOf(operation, document, prefix) {
  const { schemas } = document.components;
  const [status, answer] = Object.entries(operation.responses).find(([code]) => Number(code) < 300) ?? [];
  const [type, content] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (!content) return null;
  const isStream = type === "text/event-stream";
  const schema = isStream ? resolve(content.schema, schemas) : dataOf(content.schema, schemas);
  return {
    status,
    type,
    about: answer.description,
    isStream,
    fields: fieldTree(schema, { schemas, prefix }),
    example: isStream ? streamExample(schema, document) : JSON.stringify(content.example, null, 2),
  };
}

/** The operations of a tag. */
export function operationsOf(tag, document) {
  const { schemas } = document.components;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.[0] === tag)
      .map(([method, operation]) => {
        const id = operation.operationId;
        const [sent] = Object.values(operation.requestBody?.content ?? {});
        const schema = operation.requestBody?.content?.["application/json"] && resolve(sent.schema, schemas);
        return {
          id,
          method,
          path,
          operation,
          title: `${method.toUpperCase()} ${path}`,
          parameters: (operation.parameters ?? []).map((it) => ({ ...it, id: `${id}-${it.name}` })),
          body: schema && { about: schema.description, fields: fieldTree(schema, { schemas, prefix: `${id}-body-` }) },
          types: Object.keys(operation.requestBody?.content ?? {}),
          answer: answerOf(operation, document, `${id}-data-`),
          headers: headersOf(operation, document),
          errors: Object.entries(operation.responses).filter(([status]) => Number(status) >= 400),
        };
      }),
  );
}

/** Whether an object of an example has what a schema requires. */
const fits = (schema, value) => (schema.required ?? []).every((name) => name in (value ?? {}));

/** The events that a tag's webhooks receive. */
export function eventsOf(tag, document) {
  const { schemas } = document.components;
  return Object.entries(document.webhooks ?? {})
    .map(([name, { post }]) => ({ name, event: post }))
    .filter(({ event }) => event.tags?.[0] === tag)
    .map(({ name, event }) => {
      const id = event.operationId;
      const { schema, example } = event.requestBody.content["application/json"];
      // Of several objects, those that the example of this event is one of.
      const choose = (path, names) =>
        names.length < 2 ? names : names.filter((it) => fits(schemas[it], example?.[path]));
      const body = resolve(schema, schemas);
      return {
        id,
        name,
        event,
        headers: (event.parameters ?? []).map((it) => ({ ...it, id: `${id}-${it.name}` })),
        body: { about: body.description, fields: fieldTree(body, { schemas, prefix: `${id}-body-`, choose }) },
        example: JSON.stringify(example, null, 2),
        answers: Object.entries(event.responses),
      };
    });
}
