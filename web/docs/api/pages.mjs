/** The API reference: a page for each tag of the OpenAPI document. */
import { codeBlock, tabs } from "../code.mjs";
import { placeOf } from "../format/pages.mjs";
import { factsOf } from "../format/schema.mjs";
import { escapeHtml, slug } from "../html.mjs";
import { inline } from "../markdown.mjs";
import { entry } from "../search.mjs";
import { everyField, fieldsHtml } from "./fields.mjs";
import { eventsOf, operationsOf } from "./read.mjs";
import { requestOf, snippets } from "./snippets.mjs";

const LONGEST_SAMPLE = 60;

/** Answers longer than this are cut: their fields are listed beside them. */
function shorten(code) {
  const lines = code.split("\n");
  return lines.length <= LONGEST_SAMPLE ? code : [...lines.slice(0, LONGEST_SAMPLE), "  …"].join("\n");
}

function table(head, rows) {
  const cells = (row, tag) => row.map((cell) => `<${tag}>${cell}</${tag.split(" ")[0]}>`).join("");
  return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(head, 'th scope="col"')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table></div>`;
}
const folded = (title, html) => `<details class="nested"><summary>${title}</summary>${html}</details>`;
const code = (text) => `<code>${escapeHtml(text)}</code>`;

/** Parameters of a request, or headers of an event. */
function parameterList(title, parameters) {
  const rows = parameters.map(({ id, name, description, required, schema = {}, in: place }) => {
    const facts = [escapeHtml(place), factsOf(schema, required, placeOf)].join(" · ");
    return `<div class="field" id="${id}"><dt><a href="#${id}">${code(name)}</a> <span class="facts">${facts}</span></dt><dd>${inline(description ?? "")}</dd></div>`;
  });
  return rows.length ? `<h4>${title}</h4><dl class="fields">${rows.join("")}</dl>` : "";
}

function headerTable(headers) {
  if (headers.length === 0) return "";
  const rows = headers.map(({ name, statuses, about }) => [
    code(name),
    statuses ? statuses.map(code).join(" ") : "all",
    inline(about),
  ]);
  return folded("Headers of the answer", table(["header", "with status", "meaning"], rows));
}

function errorTable(errors) {
  const rows = errors.map(([status, { description }]) => [code(status), inline(description ?? "")]);
  return folded(
    "Errors",
    `${table(["status", "when"], rows)}<p>The reasons are in <a href="/docs/errors">Errors</a>.</p>`,
  );
}

/** A form that sends the request. client/send.js works it. */
function form(request, id) {
  const body =
    request.body === undefined
      ? ""
      : `<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="8" spellcheck="false">${escapeHtml(JSON.stringify(request.body, null, 2))}</textarea>`;
  return `<details class="nested send"><summary>Send this request</summary><form data-send data-method="${request.method}"><label for="${id}-path">Path</label><input id="${id}-path" name="path" value="${escapeHtml(request.path)}" autocomplete="off" spellcheck="false">${body}<label for="${id}-key">API key <span>not needed where you are signed in to the dashboard</span></label><input id="${id}-key" name="key" type="password" autocomplete="off" placeholder="rnd_…"><button type="submit">Send ${request.method}</button><pre tabindex="0" hidden aria-live="polite" aria-label="Answer"></pre></form></details>`;
}

const sentence = (text) => (text ? `<p>${inline(`${text.replace(/\.$/, "")}.`)}</p>` : "");

function bodyHtml(body, id) {
  return body
    ? `<h4>Body</h4>${body.about ? `<p>${inline(body.about)}</p>` : ""}${fieldsHtml(body.fields, `${id}-body-`)}`
    : "";
}

function answerHtml(answer, id) {
  if (!answer) return "";
  const fields = fieldsHtml(answer.fields, `${id}-data-`);
  const title = answer.isStream ? "Fields of an event" : `Fields of ${code("data")}`;
  const type = answer.isStream
    ? `<p>The answer is a stream of server-sent events (${code(answer.type)}). Each is a line ${code("event:")} with its name and a line ${code("data:")} with JSON, followed by an empty line. Lines that begin with a colon keep the connection open; ignore them.</p>`
    : "";
  return `<h4>Answer</h4>${sentence(answer.about)}${type}${fields ? folded(title, fields) : ""}`;
}

function operationHtml({ id, method, path, operation, parameters, body, answer, headers, errors }) {
  const shown = answer?.example
    ? codeBlock({
        language: answer.isStream ? "text" : "json",
        code: shorten(answer.example),
        title: `Answer ${answer.status}`,
      })
    : "";
  return `<section class="operation" id="${id}"><div class="operation-text">
<h2><a href="#${id}">${escapeHtml(operation.summary.replace(/\.$/, ""))}</a></h2><p class="route"><span class="method ${method}">${method.toUpperCase()}</span> ${code(path)}</p>
${sentence(operation.description)}
${parameterList("Parameters", parameters)}${bodyHtml(body, id)}
${answerHtml(answer, id)}
${headerTable(headers)}${errorTable(errors)}</div>
<div class="operation-code">${tabs(snippets(method, path, operation))}${shown}${operation.servers ? "" : form(requestOf(method, path, operation), id)}</div></section>`;
}

function eventHtml({ id, name, event, headers, body, example, answers }) {
  const rows = answers.map(([status, { description }]) => [code(status), inline(description ?? "")]);
  return `<section class="operation" id="${id}"><div class="operation-text">
<h2><a href="#${id}">${escapeHtml(event.summary.replace(/\.$/, ""))}</a></h2><p class="route"><span class="method post">POST</span> ${code(name)} to your URL</p>
${sentence(event.description)}
${parameterList("Headers", headers)}${bodyHtml(body, id)}
<h4>Your answer</h4>${table(["status", "meaning"], rows)}</div>
<div class="operation-code">${codeBlock({ language: "json", code: example, title: name })}</div></section>`;
}

/** The entries of the search: the page, its operations and events, and each of their parameters, headers and fields. */
function entriesOf(path, tag, operations, events) {
  const names = (fields) => everyField(fields ?? []).map((it) => it.path);
  const place = (id) => `${path}#${id}`;
  const fieldEntries = (fields, title) =>
    everyField(fields ?? []).map((it) => entry(place(it.id), it.path, title, it.schema.description));
  return [
    entry(path, tag.name, "API", tag.description),
    ...operations.flatMap(({ id, title, operation, parameters, body, answer, headers }) => [
      entry(
        place(id),
        title,
        "API",
        [
          `${operation.summary.replace(/\.$/, "")}.`,
          operation.description,
          id,
          ...names(answer?.fields),
          ...headers.map((it) => it.name),
        ].join(" "),
      ),
      ...parameters.map((it) => entry(place(it.id), it.name, title, it.description)),
      ...fieldEntries(body?.fields, title),
    ]),
    ...events.flatMap(({ id, name, event, headers, body }) => [
      entry(
        place(id),
        name,
        "Webhook event",
        [`${event.summary}.`, event.description, id, ...names(body.fields)].join(" "),
      ),
      ...headers.map((it) => entry(place(it.id), it.name, name, it.description)),
    ]),
  ];
}

/** The pages by tag. */
export function apiPages(document) {
  return document.tags.map((tag) => {
    const path = `/docs/api/${slug(tag.name)}`;
    const operations = operationsOf(tag.name, document);
    const events = eventsOf(tag.name, document);
    const summary = operations.map(
      ({ id, method, path: route }) =>
        `<li><a href="#${id}"><span class="method ${method}">${method.toUpperCase()}</span> ${code(route)}</a></li>`,
    );
    const listed = events.map(
      ({ id, name }) => `<li><a href="#${id}"><span class="method post">EVENT</span> ${code(name)}</a></li>`,
    );
    const html = `<h1>${escapeHtml(tag.name)}</h1><p class="lead">${inline(tag.description)}.</p><ul class="routes">${[...summary, ...listed].join("")}</ul>${operations.map(operationHtml).join("")}${events.map(eventHtml).join("")}`;
    return {
      path,
      title: tag.name,
      about: tag.description,
      html,
      entries: entriesOf(path, tag, operations, events),
      operations,
      events,
    };
  });
}
