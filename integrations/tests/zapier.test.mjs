// The samples for Zapier and Make: what they send is sent to a service, and what they expect is compared with its deliveries.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startService } from "../../packages/typescript/tests/service.mjs";
import { startReceiver } from "./receiver.mjs";

const root = join(import.meta.dirname, "..");
const json = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
/** Drafts of a few pictures, so that the tests are quick: the samples ask for whole films. */
const SMALL = { output: { scale: 0.1, range: [0, 9] } };

let service;
let receiver;
let webhook;
before(async () => {
  service = await startService();
  receiver = await startReceiver();
  const events = ["render.completed", "render.failed", "batch.completed"];
  webhook = await call("POST", "/webhooks", { url: receiver.url, events });
});
after(async () => {
  receiver?.stop();
  await service?.stop();
});

async function send({ method, url, headers, body }) {
  const own = {};
  for (const [name, value] of Object.entries(headers)) own[name] = value.replace("rnd_…", service.apiKey);
  const response = await fetch(url.replace("https://video.example.com", service.url), { method, headers: own, body });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}
const call = async (method, path, body) => {
  const headers = { Authorization: "Bearer rnd_…", "Content-Type": "application/json" };
  return (await send({ method, url: `${service.url}/api/v1${path}`, headers, body: JSON.stringify(body) })).data;
};

/** The names and types of everything in a value. Metadata hold what the caller gives. */
function shapeOf(value) {
  if (Array.isArray(value)) return value.length ? [shapeOf(value[0])] : [];
  if (typeof value !== "object" || value === null) return typeof value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, it]) => [name, name === "metadata" ? "metadata" : shapeOf(it)]));
}
const assertLike = (sample, delivery) => {
  assert.deepEqual(shapeOf(json(`zapier/samples/${sample}.json`)), shapeOf(delivery.event));
  assert.equal(json(`zapier/samples/${sample}.json`).event, delivery.event.event);
};

test("the request for Zapier starts a film, and its delivery is like the sample", async () => {
  const { method, url, headers, data } = json("zapier/request.json");
  const { data: job } = await send({ method, url, headers, body: JSON.stringify({ ...data, ...SMALL }) });
  const delivery = await receiver.received("render.completed", ({ jobId }) => jobId === job.jobId);
  assertLike("render.completed", delivery);
  assert.deepEqual(delivery.event.data.metadata, data.metadata);
});

test("the delivery of a failed render is like the sample", async () => {
  const { data } = json("zapier/request.json");
  const { jobId } = await call("POST", "/renders", data);
  await call("POST", `/renders/${jobId}/cancel`);
  const delivery = await receiver.received("render.failed", (it) => it.jobId === jobId);
  // Only a render that had begun took time.
  delete delivery.event.data.duration;
  assertLike("render.failed", delivery);
});

test("the delivery of a batch is like the sample", async () => {
  const sets = [{ replacements: { quote: "Start small." } }, { replacements: { quote: "Keep going." } }];
  const batch = { templateId: "tpl_quote_card", sets, metadata: { campaign: "quotes" }, ...SMALL };
  const { batchId } = await call("POST", "/renders/batch", batch);
  assertLike("batch.completed", await receiver.received("batch.completed", (it) => it.batchId === batchId));
});

test("the code step for Zapier accepts a delivery, and refuses a changed one", async () => {
  const { headers, body } = await receiver.received("render.completed");
  // Zapier runs the text of a step as a function, with its input data.
  const code = readFileSync(join(root, "zapier/verify.js"), "utf8");
  const step = new Function("require", "inputData", `let output;\n${code}\nreturn output;`);
  const given = {
    body,
    id: headers["webhook-id"],
    timestamp: headers["webhook-timestamp"],
    signature: headers["webhook-signature"],
    secret: webhook.secret,
  };
  const require = createRequire(import.meta.url);
  const made = step(require, given);
  assert.equal(made.event, "render.completed");
  assert.match(made.outputUrl, /^http/);
  assert.throws(() => step(require, { ...given, body: body.replace("COMPLETED", "FAILED") }), /signature/);
  assert.throws(() => step(require, { ...given, timestamp: String(given.timestamp - 1) }), /signature/);
});

/** Fills in `{{1.data.jobId}}` with the outputs of the modules before, as Make does. */
const mapped = (text, outputs) =>
  text.replace(/\{\{(\d+)\.([\w.]+)\}\}/g, (_, id, path) =>
    path.split(".").reduce((it, name) => it[name], outputs[id]),
  );

test("the blueprint for Make renders a film and waits for it", async () => {
  const { flow } = json("make/render.blueprint.json");
  const outputs = {};
  for (const { id, module, mapper } of flow) {
    assert.equal(module, "http:ActionSendData");
    const { url, method, headers, qs, data, contentType } = mapper;
    const search = qs.length ? `?${new URLSearchParams(qs.map(({ name, value }) => [name, value]))}` : "";
    const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    if (contentType) given["Content-Type"] = contentType;
    const body = data && JSON.stringify({ ...JSON.parse(mapped(data, outputs)), ...SMALL });
    const request = { method: method.toUpperCase(), url: mapped(url, outputs) + search, headers: given, body };
    outputs[id] = { data: await send(request) };
  }
  assert.equal(outputs[2].data.data.status, "COMPLETED");
});

test("the blueprint for Make takes the film of a delivery", async () => {
  const { event } = await receiver.received("render.completed");
  const [hook, file] = json("make/film-completed.blueprint.json").flow;
  assert.equal(hook.module, "gateway:CustomWebHook");
  const outputs = { [hook.id]: event };
  for (const [{ a, b }] of file.filter.conditions) assert.equal(mapped(a, outputs), b);
  const film = Buffer.from(await (await fetch(mapped(file.mapper.url, outputs))).arrayBuffer());
  assert.equal(film.subarray(4, 8).toString(), "ftyp");
});
