// The references of the documentation: everything in the OpenAPI document is on a page, in HTML and in Markdown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everyField, fieldTree } from "../docs/api/fields.mjs";
import { eventsOf, operationsOf } from "../docs/api/read.mjs";
import { placeOf } from "../docs/format/pages.mjs";
import { slug } from "../docs/html.mjs";
import { buildSite } from "../docs/site.mjs";
import { sources } from "../docs/sources.mjs";
import { toMarkdown } from "../docs/to-markdown.mjs";

const { document, schemas } = sources();
const files = buildSite();
const texts = [...files].filter(([address]) => /\.(md|txt)$/.test(address));
const pageOf = (tag, kind = ".md") => files.get(`/docs/api/${slug(tag)}${kind}`);

/** Says what of a long text was found, and not the whole text. */
const lacks = (text, pattern, address) => {
  const found = pattern.exec(text);
  assert.equal(
    found,
    null,
    `${address}: ${text.slice(Math.max(0, (found?.index ?? 0) - 60), (found?.index ?? 0) + 60)}`,
  );
};

/** Calls `look` with everything in a schema that refers to another. */
function references(schema, look) {
  if (schema === null || typeof schema !== "object") return;
  if (typeof schema.$ref === "string") look(schema.$ref.split("/").pop());
  for (const part of Object.values(schema)) references(part, look);
}

test("every object of the format has a place", () => {
  const known = new Set();
  const visit = (name) => {
    if (known.has(name)) return;
    known.add(name);
    references(schemas[name], visit);
  };
  visit("Composition");
  assert.ok(known.has("FontFace") && known.size > 30);
  for (const name of known) {
    const place = placeOf(name);
    assert.ok(place, `web/docs/format/pages.mjs: PLACES has no ${name}`);
    const [path, anchor] = place.split("#");
    if (anchor) assert.ok(files.get(`${path}/index.html`).includes(` id="${anchor}"`), place);
  }
  assert.match(files.get("/docs/format/composition/index.html"), /id="FontFace-src"/);
});

test("no Markdown has entities of HTML, tags, or links that begin with a space", () => {
  assert.ok(texts.length > 90);
  for (const [address, text] of texts) {
    const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, "").replace(/`[^`\n]+`/g, "");
    lacks(text, /&(quot|amp|lt|gt|nbsp|#\d+|#x[\da-f]+);/i, address);
    lacks(prose, /^- \[ /m, address);
    lacks(prose, /<\/?(li|p|td|tr|dd|dt|span|a|code|strong)\b/, address);
  }
});

test("generated Markdown has no stray blank lines, and names the language of its code", () => {
  const guides = texts.filter(
    ([address]) => /^\/docs\/(format|api|cookbook)\//.test(address) || /(index|cookbook)\.md$/.test(address),
  );
  assert.ok(guides.length > 60);
  for (const [address, text] of guides) {
    const prose = text.replace(/^```\w+\n[\s\S]*?^```$/gm, "");
    lacks(prose, /```/, address);
    lacks(prose, /[ \t]$/m, address);
    lacks(text, /\n\n\n|\n\n$/, address);
    assert.match(text, /^# \S/, address);
  }
});

test("HTML becomes Markdown", () => {
  const text = toMarkdown(
    '<p class="crumb"><a href="/docs">Up</a></p><h1>A &amp; B</h1>\n<p>Some <code>x &lt; 1</code>, <a href="/docs/y">a page</a>.</p>\n' +
      '<div class="code"><div class="code-head"><span>JSON</span></div><pre tabindex="0" data-language="json" aria-label="JSON"><code>{\n  <span class="t-p">&quot;a&quot;</span>: 1\n}</code></pre></div>' +
      '<dl><div id="f"><dt><a href="#f"><code>f</code></a> <span class="facts">string · default <code>&quot;z&quot;</code></span></dt><dd></dd></div></dl>' +
      '<ul><li><a href="/docs/z"><figure><img></figure><strong>Z</strong><span>About z.</span></a></li><li>Two</li></ul>',
  );
  assert.equal(
    text,
    '# A & B\n\nSome `x < 1`, [a page](/docs/y).\n\n```json\n{\n  "a": 1\n}\n```\n\n- `f` (string · default "z")\n- [Z](/docs/z): About z.\n- Two\n',
  );
});

test("the Markdown of an operation has its parameters, every field, an example and an answer", () => {
  for (const { name: tag } of document.tags)
    for (const { title, parameters, body, answer, errors } of operationsOf(tag, document)) {
      const [, part] = pageOf(tag).split(`\n## ${title}\n`);
      const text = part.split("\n## ")[0];
      for (const { name } of parameters) assert.ok(text.includes(`- \`${name}\` (`), `${title}: ${name}`);
      for (const { path } of everyField(body?.fields ?? []))
        assert.ok(text.includes(`- \`${path}\` (`), `${title}: ${path}`);
      for (const { path } of everyField(answer?.fields ?? []))
        assert.ok(text.includes(`- \`${path}\` (`), `${title}: ${path}`);
      assert.match(text, /^```sh\ncurl /m, title);
      assert.match(text, /^### Answer 200\n[\s\S]*?^```(json\n\{\n {2}"success": true|text\nevent: )/m, title);
      assert.ok(errors.length > 0 && text.includes(`- ${errors[0][0]}: `), title);
    }
});

test("fields of objects inside a request are on the page of renders", () => {
  const text = pageOf("Renders");
  for (const path of ["output.format", "output.also[].format", "audio.loudness", "audio.ducking.amount"])
    assert.ok(text.includes(`- \`${path}\` (`), path);
  const html = pageOf("Renders", "/index.html");
  for (const path of [
    "output.format",
    "output.also.format",
    "audio.ducking.amount",
    "replacements.NarrationValue.tts.voice",
  ])
    assert.ok(html.includes(` id="createRender-body-${path}"`), path);
  // The words of a list are shown, not the name of their schema.
  assert.match(text, /- `status` \("PENDING" "PROCESSING" "COMPLETED" "FAILED", required\)/);
});

test("an object that holds itself ends", () => {
  const part = {
    type: "object",
    properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/x/Part" } } },
  };
  const fields = fieldTree({ properties: { part: { $ref: "#/x/Part" } } }, { schemas: { Part: part } });
  assert.deepEqual(
    everyField(fields).map((it) => it.path),
    ["part", "part.name", "part.parts"],
  );
});

test("every webhook event has its headers, its payload and its fields on the page of webhooks", () => {
  const html = pageOf("Webhooks", "/index.html");
  const text = pageOf("Webhooks");
  const events = eventsOf("Webhooks", document);
  assert.deepEqual(
    events.map((it) => it.name),
    Object.keys(document.webhooks),
  );
  for (const { id, name, headers, body, example } of events) {
    assert.ok(html.includes(`<section class="operation" id="${id}">`), name);
    assert.ok(text.includes(`\n## Event ${name}\n`), name);
    assert.ok(text.includes(`\`\`\`json\n${example}\n\`\`\``), name);
    assert.ok(headers.length >= 4);
    for (const it of headers) {
      assert.ok(html.includes(` id="${id}-${it.name}"`), `${name}: ${it.name}`);
      assert.ok(text.includes(`- \`${it.name}\` (`), `${name}: ${it.name}`);
    }
    for (const { path, id: place } of everyField(body.fields)) {
      assert.ok(html.includes(` id="${place}"`), place);
      assert.ok(text.includes(`- \`${path}\` (`), path);
    }
  }
  const paths = (name) => everyField(events.find((it) => it.name === name).body.fields).map((it) => it.path);
  assert.ok(paths("render.completed").includes("data.outputUrl") && paths("render.completed").includes("data.batchId"));
  // The fields of an event are those of its own payload.
  assert.ok(paths("batch.completed").includes("data.batchId") && !paths("batch.completed").includes("data.jobId"));
});

test("the headers of answers are on the page, with their meaning", () => {
  for (const [name, { description }] of Object.entries(document.components.headers)) {
    const pages = document.tags.filter(({ name: tag }) => pageOf(tag).includes(`- \`${name}\`: ${description}`));
    assert.ok(pages.length > 0, name);
  }
  assert.match(
    pageOf("Renders", "/index.html"),
    /<td><code>Retry-After<\/code><\/td><td>[^/]*<code>429<\/code>.*?<\/td><td>Seconds to wait before trying again\.<\/td>/,
  );
});

test("the event stream is shown as it arrives", () => {
  const text = pageOf("Renders");
  assert.match(
    text,
    /```text\nevent: progress\ndata: \{"jobId":"job_.*\n\nevent: completed\ndata: \{"jobId":"job_.*"status":"COMPLETED".*\n```/,
  );
  const [operation] = operationsOf("Renders", document).filter((it) => it.id === "followRender");
  const paths = everyField(operation.answer.fields).map((it) => it.path);
  for (const path of ["event", "data", "data.jobId", "data.progressPercentage"]) assert.ok(paths.includes(path), path);
  assert.match(pageOf("Renders", "/index.html"), /text\/event-stream/);
});

test("every operation that answers with JSON has an example of its answer", () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const [status, { content = {} }] of Object.entries(responses))
        if (Number(status) < 300 && content["application/json"])
          assert.ok(content["application/json"].example, `${method} ${path} ${status}`);
});
