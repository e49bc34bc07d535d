// The client against a real service.
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { areCurrent } from "../../names.mjs";
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  Film,
  InsufficientCreditsError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  RenderFailedError,
  Rondo,
  RondoError,
  verifyWebhook,
  WaitTimeoutError,
  WebhookError,
} from "../dist/index.js";
import { film, LONG } from "./films.mjs";
import { program, startService } from "./service.mjs";

let service;
let rondo;
const folder = mkdtempSync(join(tmpdir(), "rondo-sdk-test-"));

before(async () => {
  service = await startService();
  rondo = new Rondo({ apiKey: service.apiKey, baseUrl: service.url });
});
after(() => service?.stop());

/** Sound of so many bytes, no two parts of which are equal. */
function wav(bytes) {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(36 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(48000, 24);
  header.writeUInt32LE(96000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, randomBytes(bytes)]);
}

/** What may become of an attempt to send a file: `send` sends it. */
const FAILURES = {
  cut: (_, url, init) => {
    const half = init.body
      .slice(0, init.body.size / 2)
      .stream()
      .getReader();
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await half.read();
        if (done) controller.error(new Error("The connection broke off."));
        else controller.enqueue(value);
      },
    });
    return fetch(url, { ...init, body, duplex: "half" });
  },
  lost: async (send) => {
    await send();
    throw new TypeError("The answer was lost.");
  },
  mute: () => new Promise(() => {}),
  busy: () => Response.json({ success: false, error: "Later." }, { status: 503 }),
};

/** A client whose first attempts to send files fail so, one after another. `ranges` tells what it sent. */
function unreliable(...failures) {
  const ranges = [];
  const client = new Rondo({
    apiKey: service.apiKey,
    baseUrl: service.url,
    timeout: failures[0] === "mute" ? 1000 : 60_000,
    fetch(url, init) {
      const send = () => fetch(url, init);
      if (init.method !== "PUT") return send();
      ranges.push(init.headers["content-range"]);
      const failure = FAILURES[failures.shift()];
      return failure ? failure(send, url, init) : send();
    },
  });
  return { client, ranges };
}

/** A server that answers with the responses given, one after another. */
async function scripted(...responses) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const [status, body, headers] = responses[Math.min(requests.length, responses.length) - 1];
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const client = new Rondo({ apiKey: "rnd_x", baseUrl: `http://127.0.0.1:${server.address().port}`, retries: 2 });
  return { client, requests, close: () => server.close() };
}

test("one call renders a composition into a file", async () => {
  const seen = [];
  const output = join(folder, "film.mp4");
  const job = await rondo.render({ inputProps: film("Hello") }, { output, onProgress: (job) => seen.push(job.status) });
  assert.equal(job.status, "COMPLETED");
  assert.equal(readFileSync(output).subarray(4, 8).toString(), "ftyp");
  assert.equal(readFileSync(output).length, job.outputSize);
  assert.equal(seen.at(-1), "COMPLETED");
  assert.deepEqual(readdirSync(folder), ["film.mp4"]);
});

test("no render starts for a path that cannot be written", async () => {
  const { total } = await rondo.renders.list();
  const output = join(folder, "none/film.mp4");
  await assert.rejects(rondo.render({ inputProps: film("Nowhere") }, { output }), /ENOENT.*none/);
  await assert.rejects(rondo.render({ inputProps: film("Nowhere") }, { output: folder }), /is a folder/);
  assert.equal((await rondo.renders.list()).total, total);
});

test("a template renders with replacements", async () => {
  const [template] = await rondo.templates.list().all();
  const variables = await rondo.templates.variables(template.id);
  const name = variables.find(({ overlayType }) => overlayType === "text").name;
  const preview = await rondo.previews.create({ templateId: template.id, replacements: { [name]: "Made by a test" } });
  const resolved = preview.resolved.variables.find((variable) => variable.name === name);
  assert.deepEqual([resolved.value, resolved.source], ["Made by a test", "replacement"]);
  const output = join(folder, "poster.jpg");
  const job = await rondo.render(
    { templateId: template.id, replacements: { [name]: "Made by a test" }, output: { format: "jpg", scale: 0.25 } },
    { output },
  );
  assert.equal(job.format, "jpg");
  assert.deepEqual([...readFileSync(output).subarray(0, 2)], [0xff, 0xd8]);
});

test("lists are iterated page by page", async () => {
  const page = await rondo.templates.list({ limit: 2 });
  assert.equal(page.items.length, 2);
  assert.ok(page.hasMore && page.total > 2);
  const ids = new Set();
  for await (const template of rondo.templates.list({ limit: 7 })) ids.add(template.id);
  assert.equal(ids.size, page.total);
});

test("a file is uploaded with progress, and can be used and deleted", async () => {
  const path = join(folder, "tone.wav");
  writeFileSync(path, wav(600_000));
  const steps = [];
  const upload = await rondo.uploads.put(path, { onProgress: (sent, total) => steps.push([sent, total]) });
  assert.deepEqual(steps.at(-1), [600_044, 600_044]);
  assert.ok(steps.length > 1);
  const [listed] = await rondo.uploads.list({ search: "tone" }).all();
  assert.deepEqual([listed.id, listed.name, listed.contentType], [upload.id, "tone.wav", "audio/wav"]);
  assert.equal((await fetch(upload.fileUrl)).headers.get("content-type"), "audio/wav");
  await rondo.uploads.delete(upload.id);
  assert.equal((await rondo.uploads.list({ search: "tone" }).all()).length, 0);
});

test("bytes are uploaded as a Blob", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>';
  const upload = await rondo.uploads.put(new Blob([svg], { type: "image/svg+xml" }), { name: "square.svg" });
  assert.match(upload.fileUrl, /^http/);
});

test("a file is sent again after attempts that fail", async () => {
  const sound = wav(100_000);
  const { client, ranges } = unreliable("busy", "busy");
  const upload = await client.uploads.put(sound, { name: "small.wav", idempotencyKey: "small" });
  const [part, question] = [`bytes 0-${sound.length - 1}/${sound.length}`, `bytes */${sound.length}`];
  assert.deepEqual(ranges, [part, question, question, part]);
  assert.equal((await rondo.uploads.put(sound, { name: "small.wav", idempotencyKey: "small" })).id, upload.id);
  assert.ok(Buffer.from(await (await fetch(upload.fileUrl)).arrayBuffer()).equals(sound));
});

test("a file is sent again after an attempt that is not answered in time", async () => {
  const sound = wav(10_000);
  const { client, ranges } = unreliable("mute");
  const upload = await client.uploads.put(sound, { name: "mute.wav" });
  assert.equal(ranges.length, 3);
  assert.ok(Buffer.from(await (await fetch(upload.fileUrl)).arrayBuffer()).equals(sound));
});

test("a file with progress goes on after the bytes that arrived", async () => {
  const sound = wav(900_000);
  const { client, ranges } = unreliable("lost", "none", "cut");
  const steps = [];
  const onProgress = (sent, total) => steps.push([sent, total]);
  const upload = await client.uploads.put(sound, { name: "parts.wav", onProgress });
  assert.deepEqual(steps.at(-1), [sound.length, sound.length]);
  assert.deepEqual(
    steps.map(([sent]) => sent),
    steps.map(([sent]) => sent).sort((one, other) => one - other),
  );
  const step = 256 * 1024;
  const starts = ranges.map((range) => Number(/\d+/.exec(range)));
  assert.deepEqual(ranges[1], `bytes */${sound.length}`);
  assert.deepEqual([starts[0], starts[2], starts[4]], [0, step, 1.5 * step]);
  assert.ok(Buffer.from(await (await fetch(upload.fileUrl)).arrayBuffer()).equals(sound));
});

test("a file for a bucket is sent whole, and again after an attempt that fails", async () => {
  const sent = [];
  const client = new Rondo({
    apiKey: "rnd_x",
    baseUrl: "https://rondo.test",
    async fetch(url, init) {
      if (init.method !== "PUT")
        return Response.json({ success: true, data: { id: "upl_1", uploadUrl: "https://bucket.test/upl_1.wav?X=1" } });
      sent.push([url, init.headers, await new Response(init.body).text()]);
      if (sent.length === 1) throw new TypeError("The connection broke off.");
      return new Response();
    },
  });
  await client.uploads.put(new Blob(["sound"], { type: "audio/wav" }));
  const whole = ["https://bucket.test/upl_1.wav?X=1", { "content-type": "audio/wav" }, "sound"];
  assert.deepEqual(sent, [whole, whole]);
});

test("an upload that never arrives fails", async () => {
  const { client, ranges } = unreliable(...Array(8).fill(["busy", "none"]).flat());
  await assert.rejects(client.uploads.put(wav(1000), { name: "never.wav" }), ConnectionError);
  assert.equal(ranges.length, 8);
});

test("a large file is sent in parts", async () => {
  const path = join(folder, "large.wav");
  const sound = wav(34 * 1024 * 1024);
  writeFileSync(path, sound);
  const { client, ranges } = unreliable("none", "none", "none", "none", "lost");
  const upload = await client.uploads.put(path);
  assert.equal(ranges[0], `bytes 0-${8 * 1024 * 1024 - 1}/${sound.length}`);
  assert.equal(ranges.length, 6);
  assert.ok(Buffer.from(await (await fetch(upload.fileUrl)).arrayBuffer()).equals(sound));
});

test("renders are found by their metadata, and looked at while they last", async () => {
  const start = (order) => rondo.renders.create({ inputProps: film("Order"), metadata: { order, paid: true } });
  const [{ jobId }] = [await start(4711), await start(4712)];
  const found = await rondo.renders.list({ metadata: { order: 4711, paid: true } }).all();
  assert.deepEqual(
    found.map((job) => job.jobId),
    [jobId],
  );
  assert.deepEqual(await rondo.renders.list({ metadata: { order: "none" } }).all(), []);
  const job = await rondo.renders.get(jobId, { wait: 60, fields: "jobId,status" });
  assert.deepEqual(job, { jobId, status: "COMPLETED" });
});

test("a request that waits may take longer than others", async () => {
  const { jobId } = await rondo.renders.create({ inputProps: LONG });
  const impatient = new Rondo({ apiKey: service.apiKey, baseUrl: service.url, timeout: 2000, retries: 0 });
  assert.equal((await impatient.renders.get(jobId, { wait: 3 })).jobId, jobId);
  await rondo.renders.cancel(jobId);
});

test("renders are listed and cancelled, and their files deleted", async () => {
  const { jobId } = await rondo.renders.create({ inputProps: LONG });
  const stopped = await rondo.renders.cancel(jobId);
  assert.equal(stopped.status, "FAILED");
  await assert.rejects(
    rondo.renders.wait(jobId),
    (error) => error instanceof RenderFailedError && error.jobId === jobId,
  );
  assert.equal((await rondo.renders.get(jobId)).creditsUsed, 0);
  assert.ok((await rondo.renders.list({ status: "FAILED" }).all()).some((job) => job.jobId === jobId));
  const [completed] = await rondo.renders.list({ status: "COMPLETED" }).all();
  assert.equal((await rondo.renders.delete(completed.jobId)).outputUrl, null);
  assert.equal((await fetch(completed.outputUrl)).status, 404);
  await assert.rejects(rondo.renders.get("job_none"), NotFoundError);
});

test("a project is changed, edited, restored, published and deleted", async () => {
  const made = await rondo.projects.create({ name: "Made", composition: film("One") });
  assert.equal((await rondo.projects.get(made.id)).etag, made.etag);
  assert.deepEqual(await rondo.projects.get(made.id, { fields: "name" }), { name: "Made" });
  const { id: kept } = await rondo.projects.createVersion(made.id, "First");
  const edited = await rondo.projects.applyEdits(made.id, [{ op: "set", id: 1, path: "content", value: "Two" }], {
    ifMatch: made.etag,
    name: "Second",
  });
  assert.equal(edited.composition.overlays[0].content, "Two");
  await assert.rejects(rondo.projects.update(made.id, { name: "Stale" }, { ifMatch: made.etag }), (error) => {
    assert.ok(error instanceof ConflictError);
    return error.reason === "PROJECT_CHANGED" && error.details.etag === edited.etag;
  });
  assert.equal((await rondo.projects.update(made.id, { name: "Now" }, { ifMatch: edited.etag })).name, "Now");
  assert.equal((await rondo.projects.getVersion(made.id, kept)).composition.overlays[0].content, "One");
  assert.equal((await rondo.projects.restoreVersion(made.id, kept)).composition.overlays[0].content, "One");
  assert.ok((await rondo.projects.versions(made.id).all()).some(({ name }) => name === "Second"));
  const copy = await rondo.projects.duplicate(made.id, "Copy");
  assert.deepEqual([copy.name, copy.composition.overlays[0].content], ["Copy", "One"]);
  const template = await rondo.templates.publish({ projectId: made.id, name: "Mine" });
  assert.deepEqual([template.own, template.visibility], [true, "private"]);
  assert.equal((await rondo.templates.update(template.id, { name: "Ours" })).name, "Ours");
  await rondo.templates.unpublish(template.id);
  for (const { id } of [made, copy]) await rondo.projects.delete(id);
  await assert.rejects(rondo.projects.get(made.id), NotFoundError);
});

test("errors have a class, a reason and the path of the field", async () => {
  const wrong = film("Wrong", { fps: 1000 });
  await assert.rejects(rondo.renders.create({ inputProps: wrong }), (error) => {
    assert.ok(error instanceof InvalidRequestError && error instanceof ApiError);
    assert.deepEqual([error.status, error.reason, error.issues[0].path], [422, "VALUE_OUT_OF_RANGE", "inputProps.fps"]);
    assert.ok(error.requestId);
    return true;
  });
  const stranger = new Rondo({ apiKey: "rnd_wrong", baseUrl: service.url });
  await assert.rejects(stranger.account.get(), AuthenticationError);
  const nowhere = new Rondo({ apiKey: "rnd_x", baseUrl: "http://127.0.0.1:9", retries: 0 });
  await assert.rejects(nowhere.account.get(), ConnectionError);
  await assert.rejects(rondo.render({ inputProps: film("Dear", { durationInFrames: 90_000 }) }), (error) => {
    assert.ok(error instanceof InsufficientCreditsError);
    return error.creditsNeeded > error.creditsAvailable;
  });
});

test("a request that failed temporarily is repeated with the same idempotency key", async () => {
  const failure = { success: false, error: "Try later.", details: { reason: "STOPPING" } };
  const { client, requests, close } = await scripted(
    [503, failure],
    [200, { success: true, data: { jobId: "job_1" } }],
  );
  assert.equal((await client.renders.create({ templateId: "x" })).jobId, "job_1");
  const keys = requests.map((request) => request.headers["idempotency-key"]);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  close();
});

test("a request is repeated while an earlier attempt is being answered, and not after other conflicts", async () => {
  const running = { success: false, error: "Wait.", details: { reason: "IDEMPOTENCY_IN_PROGRESS" } };
  const done = { success: true, data: { jobId: "job_1" } };
  const first = await scripted([409, running, { "retry-after": "1" }], [200, done]);
  assert.equal((await first.client.renders.create({ templateId: "x" })).jobId, "job_1");
  assert.equal(first.requests.length, 2);
  first.close();
  const second = await scripted([409, { ...running, details: { reason: "PROJECT_CHANGED" } }], [200, done]);
  await assert.rejects(second.client.renders.create({ templateId: "x" }), ConflictError);
  second.close();
});

test("a request that is refused is not repeated, and Retry-After is told", async () => {
  const refusal = { success: false, error: "No.", details: { reason: "INVALID_REQUEST" } };
  const first = await scripted([400, refusal]);
  await assert.rejects(first.client.account.get(), InvalidRequestError);
  assert.equal(first.requests.length, 1);
  first.close();
  const limited = { success: false, error: "Slow down.", details: { reason: "RATE_LIMITED" } };
  const second = await scripted([429, limited, { "retry-after": "1" }]);
  await assert.rejects(
    second.client.account.get(),
    (error) => error instanceof RateLimitError && error.retryAfter === 1,
  );
  assert.equal(second.requests.length, 3);
  second.close();
});

test("a request is not repeated where Retry-After is longer than a minute", async () => {
  const limited = { success: false, error: "Come back in an hour.", details: { reason: "RATE_LIMITED" } };
  const { client, requests, close } = await scripted([429, limited, { "retry-after": "3600" }]);
  const start = Date.now();
  await assert.rejects(
    client.render({ templateId: "x" }),
    (error) => error instanceof RateLimitError && error.retryAfter === 3600 && error.jobId === undefined,
  );
  assert.equal(requests.length, 1);
  assert.ok(Date.now() - start < 5000);
  close();
});

test("an answer that is no JSON is an error of the connection", async () => {
  const client = new Rondo({
    apiKey: "rnd_x",
    baseUrl: "http://rondo.test",
    fetch: async () => new Response("<html>"),
  });
  await assert.rejects(client.account.get(), ConnectionError);
});

test("a runtime that is too old is named at once", () => {
  const { any } = AbortSignal;
  try {
    AbortSignal.any = undefined;
    assert.throws(() => new Rondo({ apiKey: "rnd_x" }), {
      name: "RondoError",
      message: "Node 20.3 or newer is needed.",
    });
  } finally {
    AbortSignal.any = any;
  }
});

test("waiting ends with an error of its own when the time is up, and with its reason when it is aborted", async () => {
  const late = (jobId) => (error) => {
    assert.ok(error instanceof WaitTimeoutError && error instanceof RondoError);
    assert.deepEqual(
      [error.cause.name, error.message],
      ["TimeoutError", `The render ${error.jobId} did not end in time.`],
    );
    return jobId === undefined || error.jobId === jobId;
  };
  const { jobId } = await rondo.renders.create({ inputProps: LONG });
  await assert.rejects(rondo.renders.wait(jobId, { timeout: 20 }), late(jobId));
  await assert.rejects(rondo.renders.wait(jobId, { timeout: 1500 }), late(jobId));
  await rondo.renders.cancel(jobId);
  let started;
  const waits = rondo.render({ inputProps: LONG }, { timeout: 1000 });
  await assert.rejects(waits, (error) => {
    started = error.jobId;
    return late()(error);
  });
  await rondo.renders.cancel(started);
  const stop = new AbortController();
  const reason = new Error("Enough.");
  const onProgress = (job) => {
    started = job.jobId;
    stop.abort(reason);
  };
  const aborted = rondo.render({ inputProps: LONG }, { timeout: 60_000, signal: stop.signal, onProgress });
  // The reason may have stopped other renders, too.
  await assert.rejects(aborted, (error) => error === reason && !("jobId" in error));
  await rondo.renders.cancel(started);
});

test("a batch from sets is waited for, and its renders are read page by page", async () => {
  const { id: projectId } = await rondo.projects.create({ name: "Batch", composition: film("Batch") });
  const sets = ["one", "two", "three"].map((name) => ({ metadata: { name } }));
  const { batchId, jobIds } = await rondo.batches.create({ projectId, output: { format: "jpg" }, sets });
  const seen = [];
  const batch = await rondo.batches.wait(batchId, { onProgress: (now) => seen.push(now.status), timeout: 60_000 });
  assert.deepEqual([batch.batchId, batch.status, batch.counts.completed], [batchId, "COMPLETED", 3]);
  assert.ok(!("renders" in batch) && !("nextCursor" in batch));
  assert.equal(seen.at(-1), "COMPLETED");
  const renders = await rondo.batches.renders(batchId, { limit: 2 }).all();
  assert.deepEqual(
    renders.map(({ jobId, status, metadata }) => [jobId, status, metadata.name]),
    jobIds.map((jobId, index) => [jobId, "COMPLETED", sets[index].metadata.name]),
  );
  assert.equal((await rondo.batches.renders(batchId, { limit: 2 })).renders.length, 2);
  assert.deepEqual(
    await rondo.batches.renders(batchId, { fields: "status" }).all(),
    Array(3).fill({ status: "COMPLETED" }),
  );
});

test("a batch from a table is created from text and from a Blob", async () => {
  const { id: projectId } = await rondo.projects.create({
    name: "Table",
    composition: film("Table", { overlays: [{ ...film("Table").overlays[0], isDynamic: true, name: "title" }] }),
  });
  const csv = 'title,metadata.day\n"Zoë, hello",monday\nTwo,\n';
  for (const table of [csv, new Blob([csv])]) {
    const { batchId, total } = await rondo.batches.create({ csv: table, projectId });
    assert.equal(total, 2);
    await assert.rejects(rondo.batches.wait(batchId, { timeout: 1 }), (error) => {
      assert.equal(error.message, `The batch ${batchId} did not end in time.`);
      return error instanceof WaitTimeoutError && error.jobId === undefined;
    });
    const [{ jobId, metadata }] = await rondo.batches.renders(batchId).all();
    assert.deepEqual(metadata, { day: "monday" });
    assert.equal((await rondo.renders.get(jobId)).inputProps.overlays[0].content, "Zoë, hello");
    await rondo.batches.cancel(batchId);
  }
});

test("a delivery is verified by its signature, and by that of the body only where it is asked for", async () => {
  const secret = `whsec_${Buffer.from("a secret of some length").toString("base64")}`;
  const body = JSON.stringify({
    event: "render.completed",
    deliveryId: "del_1",
    timestamp: "",
    data: { jobId: "job_1" },
  });
  const now = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice(6), "base64");
  const signed = createHmac("sha256", key).update(`del_1.${now}.${body}`).digest("base64");
  const standard = {
    "webhook-id": "del_1",
    "webhook-timestamp": String(now),
    "webhook-signature": `v1,AAAA v1,${signed}`,
  };
  assert.equal((await verifyWebhook(body, standard, secret)).data.jobId, "job_1");
  assert.equal((await verifyWebhook(Buffer.from(body), new Headers(standard), secret)).deliveryId, "del_1");
  const plain = {
    "X-Rondo-Timestamp": String(now),
    "X-Rondo-Signature": createHmac("sha256", secret).update(body).digest("hex"),
  };
  await assert.rejects(verifyWebhook(body, plain, secret), /timestamp/);
  // An old delivery without its Standard Webhooks headers, and with a new timestamp.
  await assert.rejects(verifyWebhook(body, { ...plain, "webhook-timestamp": String(now) }, secret), /signature/);
  const relaxed = { acceptBodySignature: true };
  assert.equal((await verifyWebhook(body, plain, secret, relaxed)).event, "render.completed");
  assert.equal((await verifyWebhook(body, standard, secret, relaxed)).event, "render.completed");
  await assert.rejects(verifyWebhook(`${body} `, plain, secret, relaxed), /signature/);
  await assert.rejects(
    verifyWebhook(body, { ...plain, "X-Rondo-Timestamp": String(now - 400) }, secret, relaxed),
    /timestamp/,
  );
  const wrong = { ...plain, ...standard, "webhook-signature": "v1,AAAA" };
  await assert.rejects(verifyWebhook(body, wrong, secret, relaxed), /signature/);
  await assert.rejects(verifyWebhook(`${body} `, standard, secret), /signature/);
  await assert.rejects(
    verifyWebhook(body, { ...standard, "webhook-timestamp": String(now - 400) }, secret),
    /timestamp/,
  );
  await assert.rejects(verifyWebhook(body, {}, secret), /timestamp/);
  for (const refused of [{}, wrong])
    await assert.rejects(verifyWebhook(body, refused, secret), (error) => error instanceof WebhookError);
});

test("webhooks, the brand kit, the registry and the account are read and changed", async () => {
  const webhook = await rondo.webhooks.create({ url: `${service.url}/nowhere`, events: ["render.failed"] });
  assert.match(webhook.secret, /^whsec_/);
  assert.equal((await rondo.webhooks.list())[0].id, webhook.id);
  assert.notEqual((await rondo.webhooks.rotate(webhook.id)).secret, webhook.secret);
  await rondo.webhooks.delete(webhook.id);
  assert.equal((await rondo.webhooks.list()).length, 0);
  const brand = await rondo.brand.set({ colors: [{ name: "Accent", value: "#7c3aed" }] });
  assert.equal(brand.colors[0].value, "#7c3aed");
  assert.ok((await rondo.registry("fonts", "Inter")).entries.some(({ name }) => name === "Inter"));
  const account = await rondo.account.get();
  assert.ok(account.credits > 0);
  assert.equal((await rondo.account.verify()).userId, account.userId);
  assert.ok((await rondo.account.usage()).renders >= 2);
  assert.ok(Array.isArray(await rondo.ai.voices()));
});

test("a film built in code is rendered as it was written", async () => {
  const made = new Film({ width: 320, height: 180, backgroundColor: "#000" });
  made
    .shape("rectangle", { left: 10, width: 100, styles: { fill: "#ff0000" } })
    .text("Built", { durationInFrames: made.frames(1), styles: { fontFamily: "Inter", animation: { enter: "fade" } } });
  const composition = made.toJSON();
  assert.equal(composition.durationInFrames, 30);
  const [shape, text] = composition.overlays;
  assert.deepEqual([shape.row, shape.left, shape.width, shape.durationInFrames], [1, 10, 100, 30]);
  assert.deepEqual([text.row, text.id, text.width, text.height], [0, 2, 320, 180]);
  const preview = await rondo.previews.create({ inputProps: composition });
  assert.deepEqual(preview.warnings, []);
});

test("the names in the types are those of the program", () => {
  assert.ok(areCurrent(program), "run packages/names.mjs PROGRAM");
});
