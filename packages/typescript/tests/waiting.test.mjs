// Waiting for a render whose events do not arrive as they should, against a server that plays a service behind a proxy.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { NotFoundError, RateLimitError, RenderFailedError, Rondo, WaitTimeoutError } from "../dist/index.js";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../../web/openapi/api.json"), "utf8"));
const job = (status, progressPercentage) => ({
  jobId: "job_1",
  status,
  progressPercentage,
  outputUrl: "http://x/1.mp4",
});
const event = (...state) => `event: progress\ndata: ${JSON.stringify(job(...state))}\n\n`;
const refusal = (response, status, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ success: false, error: "No.", details: { reason: "RATE_LIMITED" } }));
};
/** Starts a refusal that does not end. */
const half = (response, status) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.write('{"success":false,"error":');
};
/** Starts a stream of events with a text. */
const stream = (response, text = "") => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  response.write(text);
};

/**
 * A client of a server that answers requests for events with these functions, and polls with these states, one after another; the last
 * holds for all that follow. `events` and `polls` are the requests.
 */
async function served(answers, states, options = {}) {
  const events = [];
  const polls = [];
  const nth = (list, count) => list[Math.min(count, list.length) - 1];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://127.0.0.1");
    if (url.pathname.endsWith("/events")) return nth(answers, events.push(url))(response);
    const state = nth(states, polls.push(url));
    if (typeof state === "function") return state(response);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data: job(...state) }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const client = new Rondo({ apiKey: "rnd_x", baseUrl: `http://127.0.0.1:${server.address().port}`, ...options });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { client, events, polls, close };
}

const STATES = [
  ["PROCESSING", 40],
  ["COMPLETED", 100],
];

for (const [name, answer] of [
  ["502", (response) => refusal(response, 502)],
  ["503 that asks for an hour", (response) => refusal(response, 503, { "retry-after": "3600" })],
  ["429 that asks for an hour", (response) => refusal(response, 429, { "retry-after": "3600" })],
  ["a broken connection", (response) => response.socket.destroy()],
])
  test(`a render is polled where its events are answered with ${name}`, async () => {
    const { client, events, polls, close } = await served([answer], STATES);
    const seen = [];
    const done = await client.renders.wait("job_1", (now) => seen.push(now.progressPercentage));
    assert.equal(done.outputUrl, "http://x/1.mp4");
    assert.deepEqual(seen, [40, 100]);
    // Each is asked for once before a poll: the client repeats no request for events.
    assert.deepEqual([events.length, polls.length], [2, 2]);
    close();
  });

test("polls ask for all fields but the composition", async () => {
  const { client, polls, close } = await served([(response) => refusal(response, 502)], STATES);
  await client.renders.wait("job_1");
  const fields = Object.keys(document.components.schemas.RenderJob.properties).filter((name) => name !== "inputProps");
  for (const url of polls) assert.deepEqual(url.searchParams.get("fields").split(",").sort(), fields.sort());
  close();
});

for (const [name, answer] of [
  ["start and stay silent", (response) => stream(response)],
  ["are not answered", () => undefined],
])
  test(`a render is polled where its events ${name}, and not followed again`, async () => {
    const { client, events, polls, close } = await served([answer], STATES, { timeout: 1000 });
    assert.equal((await client.renders.wait("job_1")).status, "COMPLETED");
    assert.deepEqual([events.length, polls.length], [1, 2]);
    close();
  });

test("a render is polled and followed again after its events broke off", async () => {
  const cut = (response) => {
    const whole = event("PROCESSING", 10);
    stream(response, whole + whole.slice(0, 30));
    setTimeout(() => response.socket.destroy(), 200);
  };
  const quiet = (response) => stream(response, event("PROCESSING", 50));
  const { client, events, polls, close } = await served([cut, quiet], STATES, { timeout: 1000 });
  const seen = [];
  const done = await client.renders.wait("job_1", ({ progressPercentage }) => seen.push(progressPercentage));
  assert.equal(done.status, "COMPLETED");
  assert.deepEqual(seen, [10, 40, 50, 100]);
  assert.deepEqual([events.length, polls.length], [2, 2]);
  close();
});

test("comments keep the stream of events alive", async () => {
  const slow = (response) => {
    stream(response, event("PENDING", 0));
    const comments = setInterval(() => response.write(":\n\n"), 300);
    setTimeout(() => {
      clearInterval(comments);
      response.end(event("COMPLETED", 100));
    }, 2500);
  };
  const { client, events, polls, close } = await served([slow], STATES, { timeout: 1000 });
  assert.equal((await client.renders.wait("job_1")).status, "COMPLETED");
  assert.deepEqual([events.length, polls.length], [1, 0]);
  close();
});

test("events that tell of no job are left for a poll", async () => {
  for (const data of ["<html>", "null", '{"queue": 3}']) {
    const answer = (response) => stream(response, `event: progress\ndata: ${data}\n\n`);
    const { client, polls, close } = await served([answer], [["COMPLETED", 100]]);
    try {
      const told = [];
      assert.equal((await client.renders.wait("job_1", (job) => told.push(job.status))).status, "COMPLETED");
      assert.deepEqual([told, polls.length], [["COMPLETED"], 1], data);
    } finally {
      close();
    }
  }
});

test("waiting fails with what a poll says", async () => {
  for (const [state, kind] of [
    [["FAILED", 0], RenderFailedError],
    [(response) => refusal(response, 404), NotFoundError],
    [(response) => refusal(response, 429, { "retry-after": "3600" }), RateLimitError],
  ]) {
    const { client, polls, close } = await served([(response) => refusal(response, 404)], [state]);
    await assert.rejects(client.renders.wait("job_1"), (error) => error instanceof kind);
    assert.equal(polls.length, 1);
    close();
  }
});

test("a wait ends in time, and with the reason when it is aborted, while a refusal arrives", async () => {
  const stop = new AbortController();
  const reason = new Error("Enough.");
  for (const [options, act, isRight] of [
    [{ timeout: 500 }, () => {}, (error) => error instanceof WaitTimeoutError && error.jobId === "job_1"],
    [{ signal: stop.signal }, () => stop.abort(reason), (error) => error === reason],
  ]) {
    const slow = (response) => {
      half(response, 404);
      setTimeout(act, 200);
    };
    const { client, polls, close } = await served([(response) => refusal(response, 404)], [slow]);
    await assert.rejects(client.renders.wait("job_1", options), isRight);
    assert.equal(polls.length, 1);
    close();
  }
});

test("a refusal that does not end is given up, with its connection", async () => {
  let closed = 0;
  const answer = (response) => {
    response.on("close", () => closed++);
    half(response, 502);
  };
  const { client, events, polls, close } = await served([answer], STATES, { timeout: 1000 });
  assert.equal((await client.renders.wait("job_1")).status, "COMPLETED");
  assert.deepEqual([events.length, polls.length], [1, 2]);
  for (const start = Date.now(); closed === 0; await new Promise((done) => setTimeout(done, 20)))
    assert.ok(Date.now() - start < 5000, "the connection was not closed within 5 seconds");
  close();
});

test("an error of the caller ends the wait", async () => {
  const { client, polls, close } = await served([(response) => stream(response, event("PENDING", 0))], STATES);
  const mistake = new TypeError("A mistake of the caller.");
  const waits = client.renders.wait("job_1", () => {
    throw mistake;
  });
  await assert.rejects(waits, (error) => error === mistake);
  assert.equal(polls.length, 0);
  close();
});
