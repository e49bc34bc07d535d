// The n8n node, compiled: executed with the functions that n8n gives a node, which send real requests to a service.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startService } from "../../packages/typescript/tests/service.mjs";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "integrations/n8n");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The part of n8n-workflow that the node uses when it runs. */
class NodeOperationError extends Error {
  constructor(node, error, options = {}) {
    super(error instanceof Error ? error.message : error);
    this.node = node;
    this.context = { itemIndex: options.itemIndex };
  }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === "n8n-workflow" ? { NodeOperationError } : load(name, ...rest));
const require = createRequire(import.meta.url);
const { RondoApi } = require(join(folder, manifest.n8n.credentials[0]));
const { Rondo } = require(join(folder, manifest.n8n.nodes[0]));
const credential = new RondoApi();
const node = new Rondo();

let service;
before(async () => {
  service = await startService();
});
after(() => service?.stop());

/** Fills in an expression such as `=Bearer {{$credentials.apiKey}}`. */
const resolved = (text, credentials) =>
  text.startsWith("=")
    ? text.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code) => new Function("$credentials", `return ${code}`)(credentials))
    : text;

/** A request as n8n sends it. */
async function httpRequest({ method = "GET", url, baseURL = "", headers = {}, qs, body, json, encoding }) {
  const search = qs ? `?${new URLSearchParams(qs)}` : "";
  const isText = body !== undefined && !Buffer.isBuffer(body);
  const response = await fetch(baseURL + url + search, {
    method,
    headers: { ...headers, ...(isText ? { "content-type": "application/json" } : {}) },
    body: isText ? JSON.stringify(body) : body,
  });
  if (!response.ok) throw new Error(`Request failed with status code ${response.status}: ${await response.text()}`);
  if (encoding === "arraybuffer") return Buffer.from(await response.arrayBuffer());
  return json ? response.json() : response.text();
}

function withCredential(options, credentials) {
  const added = Object.entries(credential.authenticate.properties.headers);
  const headers = Object.fromEntries(added.map(([name, value]) => [name, resolved(value, credentials)]));
  return httpRequest({ ...options, headers: { ...options.headers, ...headers } });
}

/** A field with its default value, as n8n shows it for these parameters. */
function defaultOf(name, parameters) {
  const isShown = ({ displayOptions }) =>
    Object.entries(displayOptions?.show ?? {}).every(([other, values]) => values.includes(fieldOf(other, parameters)));
  return node.description.properties.find((field) => field.name === name && isShown(field))?.default;
}
const fieldOf = (name, parameters) => parameters[name] ?? defaultOf(name, parameters);

function functions(parameters, { items = [{ json: {} }], continues = false, apiKey = service.apiKey } = {}) {
  const credentials = { url: `${service.url}/`, apiKey };
  return {
    getInputData: () => items,
    getNodeParameter(name, _item, fallback) {
      const value = fieldOf(name, parameters) ?? fallback;
      assert.notEqual(value, undefined, `the node has no field ${name}`);
      return value;
    },
    getCurrentNodeParameter: (name) => parameters[name],
    getCredentials: async (name) => {
      assert.equal(name, credential.name);
      return credentials;
    },
    getNode: () => ({ id: "1", name: "Rondo" }),
    continueOnFail: () => continues,
    helpers: {
      httpRequest,
      httpRequestWithAuthentication(name, options) {
        assert.equal(name, credential.name);
        return withCredential(options, credentials);
      },
      assertBinaryData: (item, property) => items[item].binary[property],
      getBinaryDataBuffer: async (item, property) => Buffer.from(items[item].binary[property].data, "base64"),
      prepareBinaryData: async (data, fileName) => ({ data: data.toString("base64"), fileName }),
    },
  };
}
const execute = async (parameters, more) => (await node.execute.call(functions(parameters, more)))[0];

const FAST = { output: '{"format": "gif", "scale": 0.1, "range": [0, 3]}', draft: true };

test("n8n finds the node, its credential and their icon", () => {
  assert.ok(manifest.keywords.includes("n8n-community-node-package"));
  assert.deepEqual(
    node.description.credentials.map(({ name }) => name),
    [credential.name],
  );
  assert.match(readFileSync(join(folder, "dist/nodes/Rondo", node.description.icon.slice(5)), "utf8"), /^<svg/);
  assert.ok(existsSync(join(folder, "dist/credentials", credential.icon.slice(5))));
  const { node: name } = JSON.parse(readFileSync(join(folder, "dist/nodes/Rondo/Rondo.node.json"), "utf8"));
  assert.equal(name, `${manifest.name}.${node.description.name}`);
});

test("every operation that the node shows can be executed", async () => {
  for (const { displayOptions, options, name } of node.description.properties)
    if (name === "operation")
      for (const { value } of options) {
        const resource = displayOptions.show.resource[0];
        const [{ json }] = await execute(
          { resource, operation: value, jobId: "job_0", templateId: "tpl_0" },
          { continues: true },
        ).catch((error) => [{ json: { error: error.message } }]);
        assert.doesNotMatch(String(json.error), /is not known/, `${resource}.${value}`);
      }
});

test("the test of the credential accepts a good key and refuses a wrong one", async () => {
  const { baseURL, url } = credential.test.request;
  const ask = (apiKey) => {
    const credentials = { url: service.url, apiKey };
    return withCredential({ baseURL: resolved(baseURL, credentials), url, json: true }, credentials);
  };
  assert.equal((await ask(service.apiKey)).data.email, "ada@example.com");
  await assert.rejects(ask("rnd_wrong"), /401/);
});

test("the menus offer the templates, and the variables of the chosen one", async () => {
  const { getTemplates, getVariables } = node.methods.loadOptions;
  const templates = await getTemplates.call(functions({}));
  assert.ok(templates.some(({ value }) => value === "tpl_quote_card"));
  const variables = await getVariables.call(functions({ templateId: "tpl_quote_card" }));
  assert.ok(variables.some(({ value, name }) => value === "quote" && name));
  assert.deepEqual(await getVariables.call(functions({})), []);
});

test("templates are listed up to the limit, or all of them", async () => {
  const some = await execute({ resource: "template", operation: "getAll", limit: 3 });
  assert.equal(some.length, 3);
  const all = await execute({ resource: "template", operation: "getAll", returnAll: true });
  assert.ok(all.length >= 40, `${all.length} templates`);
  assert.equal(new Set(all.map(({ json }) => json.id)).size, all.length);
  const variables = await execute({ resource: "template", operation: "getVariables", templateId: "tpl_quote_card" });
  assert.ok(variables.some(({ json }) => json.name === "quote"));
});

test("every item becomes a film of a template, which is downloaded", async () => {
  const parameters = {
    templateId: "tpl_quote_card",
    variables: { values: [{ name: "quote", value: "From n8n" }] },
    replacements: { author: "n8n" },
    download: true,
    options: { ...FAST, metadata: '{"flow": "films"}' },
  };
  const made = await execute(parameters, { items: [{ json: {} }, { json: {} }] });
  assert.equal(made.length, 2);
  for (const [item, { json, binary, pairedItem }] of made.entries()) {
    assert.deepEqual(pairedItem, { item });
    assert.equal(json.status, "COMPLETED");
    assert.deepEqual(json.metadata, { flow: "films" });
    assert.match(binary.data.fileName, /\.gif$/);
    const film = Buffer.from(binary.data.data, "base64");
    assert.equal(film.subarray(0, 4).toString(), "GIF8");
    assert.equal(film.length, json.outputSize);
  }
});

test("a composition is started, looked at, waited for", async () => {
  const shape = {
    id: 1,
    type: "shape",
    content: "heart",
    row: 0,
    from: 0,
    durationInFrames: 10,
    left: 0,
    top: 0,
    width: 90,
    height: 90,
  };
  const composition = JSON.stringify({ width: 90, height: 90, durationInFrames: 10, overlays: [shape] });
  const [{ json: started }] = await execute({ source: "composition", composition, wait: false });
  assert.match(started.jobId, /^job_/);
  const [{ json: seen }] = await execute({ operation: "get", jobId: started.jobId });
  assert.equal(seen.jobId, started.jobId);
  const [{ json: done, binary }] = await execute({ operation: "wait", jobId: started.jobId });
  assert.equal(done.status, "COMPLETED");
  assert.equal(binary, undefined);
});

test("a render is cancelled, and waiting for it fails with its message", async () => {
  const confetti = { type: "effect", content: "confetti", from: 0, durationInFrames: 3000, row: 0, left: 0, top: 0 };
  const overlays = [{ ...confetti, id: 1, width: 1920, height: 1080, styles: { particleCount: 300 } }];
  const composition = { width: 1920, height: 1080, durationInFrames: 3000, overlays };
  const [{ json }] = await execute({ source: "composition", composition, wait: false });
  const [{ json: cancelled }] = await execute({ operation: "cancel", jobId: json.jobId });
  assert.equal(cancelled.status, "FAILED");
  await assert.rejects(
    execute({ operation: "wait", jobId: json.jobId }),
    (error) =>
      error instanceof NodeOperationError && /failed: Cancelled/.test(error.message) && error.context.itemIndex === 0,
  );
});

test("a file of an item is uploaded and used in a film", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>';
  const file = { data: Buffer.from(svg).toString("base64"), mimeType: "image/svg+xml", fileName: "red.svg" };
  const [{ json }] = await execute(
    { resource: "upload", operation: "create" },
    { items: [{ json: {}, binary: { data: file } }] },
  );
  assert.equal(json.uploadUrl, undefined);
  assert.equal(await (await fetch(json.fileUrl)).text(), svg);
});

test("errors stop the flow, or become items where the node goes on", async () => {
  const parameters = { source: "project", projectId: "prj_nothing" };
  await assert.rejects(execute(parameters), /404/);
  const made = await execute(parameters, { continues: true, items: [{ json: {} }, { json: {} }] });
  assert.deepEqual(
    made.map(({ pairedItem }) => pairedItem.item),
    [0, 1],
  );
  for (const { json } of made) assert.match(json.error, /404/);
  await assert.rejects(execute({ source: "composition", composition: "{" }), /Composition is not JSON/);
});
