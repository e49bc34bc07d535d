/** The API reference: a page for each tag of the OpenAPI document. */
import { codeBlock, tabs } from "../code.mjs";
import { placeOf } from "../format/pages.mjs";
import { factsOf, fieldList, limitsOf, typeOf } from "../format/schema.mjs";
import { escapeHtml, slug } from "../html.mjs";
import { inline } from "../markdown.mjs";
import { entry } from "../search.mjs";
import { sample } from "./sample.mjs";
import { requestOf, snippets } from "./snippets.mjs";

const resolve = (schema, schemas) => (schema?.$ref ? schemas[schema.$ref.split("/").pop()] : schema);
const LONGEST_SAMPLE = 60;

/** Lists longer than this are cut: the fields of an answer are listed beside it. */
function shorten(code) {
  const lines = code.split("\n");
  return lines.length <= LONGEST_SAMPLE ? code : [...lines.slice(0, LONGEST_SAMPLE), "  …"].join("\n");
}

/** The fields of a schema with those of the schemas inside it, which open on demand. */
function fields(schema, { schemas, prefix, seen = [] }) {
  const parts = (schema.allOf ?? [schema]).map((part) => resolve(part, schemas));
  return parts
    .filter((part) => part.properties)
    .map((part) => {
      const listed = fieldList(part, { prefix, link: placeOf });
      const inner = Object.entries(part.properties).map(([name, field]) => {
        const target = (field.$ref ?? field.items?.$ref)?.split("/").pop();
        if (!target || placeOf(target) || seen.includes(target) || !schemas[target]?.properties) return "";
        const nested = fields(schemas[target], { schemas, prefix: `${prefix}${name}.`, seen: [...seen, target] });
        return `<details class="nested"><summary><code>${name}</code> fields</summary>${nested}</details>`;
      });
      return listed + inner.join("");
    })
    .join("");
}

function parameters(operation, id) {
  const rows = (operation.parameters ?? []).map((parameter) => {
    const facts = [escapeHtml(parameter.in), factsOf(parameter.schema ?? {}, parameter.required, placeOf)].join(" · ");
    const place = `${id}-${parameter.name}`;
    return `<div class="field" id="${place}"><dt><a href="#${place}"><code>${escapeHtml(parameter.name)}</code></a> <span class="facts">${facts}</span></dt><dd>${inline(parameter.description ?? "")}</dd></div>`;
  });
  return rows.length ? `<h4>Parameters</h4><dl class="fields">${rows.join("")}</dl>` : "";
}

function responses(operation) {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(
      ([status, { description }]) => `<tr><td><code>${status}</code></td><td>${inline(description ?? "")}</td></tr>`,
    );
  return `<details class="nested"><summary>Errors</summary><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">status</th><th scope="col">when</th></tr></thead><tbody>${rows.join("")}</tbody></table></div><p>The reasons are in <a href="/docs/errors">Errors</a>.</p></details>`;
}

/** A form that sends the request. client/send.js works it. */
function form(request, id) {
  const body =
    request.body === undefined
      ? ""
      : `<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="8" spellcheck="false">${escapeHtml(JSON.stringify(request.body, null, 2))}</textarea>`;
  return `<details class="nested send"><summary>Send this request</summary><form data-send data-method="${request.method}"><label for="${id}-path">Path</label><input id="${id}-path" name="path" value="${escapeHtml(request.path)}" autocomplete="off" spellcheck="false">${body}<label for="${id}-key">API key <span>not needed where you are signed in to the dashboard</span></label><input id="${id}-key" name="key" type="password" autocomplete="off" placeholder="rnd_…"><button type="submit">Send ${request.method}</button><pre tabindex="0" hidden aria-live="polite" aria-label="Answer"></pre></form></details>`;
}

function operationHtml({ method, path, operation, schemas }) {
  const id = operation.operationId;
  const request = requestOf(method, path, operation);
  const sent = resolve(operation.requestBody?.content?.["application/json"]?.schema, schemas);
  const [status, answer] = Object.entries(operation.responses).find(([code]) => Number(code) < 300) ?? ["200", {}];
  const schema = answer.content?.["application/json"]?.schema;
  const data = schema ? resolve(resolve(schema, schemas).properties?.data ?? schema, schemas) : null;
  const shown = schema ? shorten(JSON.stringify(sample(schema, schemas), null, 2)) : "";
  const about = [operation.summary, operation.description].filter(Boolean).map((text) => text.replace(/\.$/, ""));
  return `<section class="operation" id="${id}"><div class="operation-text">
<h2><a href="#${id}">${escapeHtml(about[0])}</a></h2><p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></p>
${about[1] ? `<p>${inline(`${about[1]}.`)}</p>` : ""}
${parameters(operation, id)}${sent ? `<h4>Body</h4>${sent.description ? `<p>${inline(sent.description)}</p>` : ""}${fields(sent, { schemas, prefix: `${id}-body-` })}` : ""}
${data ? `<h4>Answer</h4>${answer.description ? `<p>${inline(answer.description)}.</p>` : ""}<details class="nested"><summary>Fields of <code>data</code></summary>${fields(data, { schemas, prefix: `${id}-data-` })}</details>` : ""}
${responses(operation)}</div>
<div class="operation-code">${tabs(snippets(method, path, operation))}${shown ? codeBlock({ language: "json", code: shown, title: `Answer ${status}` }) : ""}${operation.servers ? "" : form(request, id)}</div></section>`;
}

/** The pages by tag. */
export function apiPages(document) {
  const { schemas } = document.components;
  return document.tags.map((tag) => {
    const path = `/docs/api/${slug(tag.name)}`;
    const listed = [entry(path, tag.name, "API", tag.description)];
    const operations = [];
    for (const [route, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.tags?.[0] === tag.name) operations.push({ method, path: route, operation, schemas });
    for (const { method, path: route, operation } of operations)
      listed.push(
        entry(
          `${path}#${operation.operationId}`,
          `${method.toUpperCase()} ${route}`,
          "API",
          `${operation.summary} ${operation.operationId}`,
        ),
      );
    const summary = operations.map(
      ({ method, path: route, operation }) =>
        `<li><a href="#${operation.operationId}"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(route)}</code></a></li>`,
    );
    const html = `<h1>${escapeHtml(tag.name)}</h1><p class="lead">${inline(tag.description)}.</p><ul class="routes">${summary.join("")}</ul>${operations.map(operationHtml).join("")}`;
    return { path, title: tag.name, about: tag.description, html, entries: listed, operations };
  });
}

/** The same as Markdown, for models. */
export function apiMarkdown({ title, about, operations }) {
  const parts = operations.map(({ method, path, operation, schemas }) => {
    const sent = resolve(operation.requestBody?.content?.["application/json"]?.schema, schemas);
    const line = (name, schema, required) =>
      `- \`${name}\` (${[typeOf(schema, () => null).replace(/<[^>]*>/g, ""), limitsOf(schema), required ? "required" : ""].filter(Boolean).join(", ")}): ${schema.description ?? ""}`;
    const lines = [
      ...(operation.parameters ?? []).map((it) =>
        line(it.name, { ...it.schema, description: it.description }, it.required),
      ),
      ...Object.entries(sent?.properties ?? {}).map(([name, field]) =>
        line(name, field, sent.required?.includes(name)),
      ),
    ];
    const [[, { code }]] = snippets(method, path, operation);
    return `## ${method.toUpperCase()} ${path}\n\n${operation.summary}.\n\n${lines.join("\n")}\n\n\`\`\`sh\n${code}\n\`\`\`\n`;
  });
  return `# ${title}\n\n${about}.\n\n${parts.join("\n")}`;
}
