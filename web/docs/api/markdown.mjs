/** The API reference as Markdown, for language models and people who copy it. */
import { aboutOf, factsOf } from "../format/schema.mjs";
import { textOf } from "../html.mjs";
import { everyField } from "./fields.mjs";
import { snippets } from "./snippets.mjs";

const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;
const ended = (text) => `${text.trim().replace(/\.$/, "")}.`;
const flat = (text) => text.replace(/\s*\n\s*/g, " ").trim();

function fieldLine(name, schema, isRequired) {
  const facts = textOf(factsOf(schema, isRequired, () => null)).replaceAll(" · ", ", ");
  return `- \`${name}\` (${facts})${aboutOf(schema) ? `: ${flat(aboutOf(schema))}` : ""}`;
}
const fieldLines = (fields) =>
  everyField(fields)
    .map((it) => fieldLine(it.path, it.schema, it.isRequired))
    .join("\n");
const parameterLines = (parameters) =>
  parameters
    .map(({ name, schema = {}, description, required }) => fieldLine(name, { ...schema, description }, required))
    .join("\n");
const statusLines = (answers) =>
  answers.map(([status, { description }]) => `- ${status}: ${flat(description ?? "")}`).join("\n");

/** The fields of an answer, after what they are the fields of. */
function fieldsOf({ isStream, fields }) {
  const lines = fieldLines(fields);
  if (!lines) return "";
  return `${isStream ? "Fields of an event:" : "Fields of `data`:"}\n\n${lines}`;
}

/** Paragraphs under a heading. Those that are empty are left out, and the heading with them. */
const part = (title, ...paragraphs) => {
  const kept = paragraphs.filter(Boolean);
  return kept.length ? `### ${title}\n\n${kept.join("\n\n")}` : "";
};

const about = ({ summary, description }) =>
  [ended(summary), description && flat(description)].filter(Boolean).join(" ");

function operationText({ method, path, operation, title, parameters, body, types, answer, headers, errors }) {
  const [[, { code }]] = snippets(method, path, operation);
  const kinds = types.length > 1 ? `Content types: ${types.join(", ")}.` : "";
  const example = answer?.example && fence(answer.isStream ? "text" : "json", answer.example);
  const stream = answer?.isStream ? `A stream of server-sent events (\`${answer.type}\`).` : "";
  return [
    `## ${title}`,
    about(operation),
    part("Parameters", parameterLines(parameters)),
    part("Body", body?.about && flat(body.about), kinds, fieldLines(body?.fields ?? [])),
    part("Example", fence("sh", code)),
    answer && part(`Answer ${answer.status}`, ended(flat(answer.about)), stream, example, fieldsOf(answer)),
    part("Headers of the answer", headers.map(({ name }) => `\`${name}\``).join(", ")),
    part("Errors", statusLines(errors)),
  ];
}

function eventText({ name, event, headers, body, example, answers }) {
  return [
    `## Event ${name}`,
    about(event),
    part("Headers", parameterLines(headers)),
    part("Body", body.about && flat(body.about), fence("json", example), fieldLines(body.fields)),
    part("Your answer", statusLines(answers)),
  ];
}

export function apiMarkdown({ title, about: lead, operations, events }) {
  const headers = new Map(operations.flatMap((it) => it.headers).map(({ name, about: sentence }) => [name, sentence]));
  const lines = [...headers].map(([name, sentence]) => `- \`${name}\`: ${flat(sentence)}`);
  const all = [
    `# ${title}`,
    ended(lead),
    ...operations.flatMap(operationText),
    ...events.flatMap(eventText),
    lines.length ? `## Headers of answers\n\n${lines.join("\n")}` : "",
  ];
  return `${all.filter(Boolean).join("\n\n")}\n`;
}
