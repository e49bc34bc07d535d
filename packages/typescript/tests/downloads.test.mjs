// Downloads that break off, through a proxy in front of a real service.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ApiError, ConnectionError, NotFoundError, Rondo } from "../dist/index.js";
import { film } from "./films.mjs";
import { startService } from "./service.mjs";

let service;
let rondo;
const folder = mkdtempSync(join(tmpdir(), "rondo-sdk-downloads-"));

before(async () => {
  service = await startService();
  rondo = new Rondo({ apiKey: service.apiKey, baseUrl: service.url });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

/** Bytes of a film that arrive before its download is cut. */
const CUT = 700;

/**
 * A client whose downloads are redirected to a proxy, where they fare so, one after another: `cut`, `silent` (cut at once), `still`
 * (nothing follows), `mute` (there is no answer), `untagged` (cut, and without an `ETag`), `unranged` (the `Range` is ignored), `replaced` (so it is, and the `ETag` is
 * another one), `misplaced` (other bytes than asked for), or a status. `asked` holds the headers of the requests, `closed` how many answers have ended.
 */
async function interrupted(options, ...fates) {
  const asked = [];
  const closed = { count: 0 };
  const proxy = createServer(async ({ url, headers }, response) => {
    if (headers.host === `127.0.0.1:${port}`) {
      response.writeHead(307, { location: `http://localhost:${port}${url}` });
      return response.end();
    }
    asked.push(headers);
    const fate = fates[asked.length - 1];
    response.on("close", () => closed.count++);
    if (fate === "mute") return;
    if (typeof fate === "number") {
      response.writeHead(fate);
      return response.end();
    }
    const range = fate === "misplaced" ? "bytes=1-" : headers.range;
    const isWhole = ["unranged", "replaced"].includes(fate) || !range;
    const film = await fetch(service.url + url, { headers: isWhole ? {} : { range, "if-range": headers["if-range"] } });
    const sent = new Headers(film.headers);
    if (fate === "untagged") sent.delete("etag");
    if (fate === "replaced") sent.set("etag", '"another"');
    response.writeHead(film.status, Object.fromEntries(sent));
    const body = Buffer.from(await film.arrayBuffer());
    if (!["cut", "silent", "still", "untagged"].includes(fate)) return response.end(body);
    response.flushHeaders();
    if (fate !== "silent") response.write(body.subarray(0, CUT));
    if (fate !== "still") setTimeout(() => response.socket.resetAndDestroy(), 300);
  });
  await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address();
  const client = new Rondo({
    apiKey: service.apiKey,
    baseUrl: service.url,
    ...options,
    fetch: (url, init) => fetch(url.replace(`${service.url}/files/`, `http://127.0.0.1:${port}/files/`), init),
  });
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { client, asked, closed, close };
}

/** Files that are not complete. */
const parts = () => readdirSync(folder).filter((name) => name.endsWith(".part"));

/** The bytes of a response, or what it holds at an address. */
const bytesOf = async (response) => Buffer.from(await (await response).arrayBuffer());

test("a download that is cut goes on where it stopped", async () => {
  const { client, asked, close } = await interrupted({ retries: 1 }, "cut", "cut");
  const output = join(folder, "cut.mp4");
  const { outputUrl } = await client.render({ inputProps: film("Cut") }, { output });
  const whole = await fetch(outputUrl);
  const tag = whole.headers.get("etag");
  assert.deepEqual(
    asked.map((headers) => [headers.range, headers["if-range"]]),
    [
      [undefined, undefined],
      [`bytes=${CUT}-`, tag],
      [`bytes=${2 * CUT}-`, tag],
    ],
  );
  assert.ok(asked.every(({ authorization }) => authorization === undefined));
  assert.ok(readFileSync(output).equals(Buffer.from(await whole.arrayBuffer())));
  assert.deepEqual(parts(), []);
  close();
});

test("a download in which nothing arrives any more goes on over another connection", async () => {
  const { client, asked, close } = await interrupted({ timeout: 3000 }, "still");
  const output = join(folder, "still.mp4");
  const { outputUrl } = await client.render({ inputProps: film("Still") }, { output });
  assert.deepEqual(
    asked.map(({ range }) => range),
    [undefined, `bytes=${CUT}-`],
  );
  assert.ok(readFileSync(output).equals(Buffer.from(await (await fetch(outputUrl)).arrayBuffer())));
  close();
});

test("a download starts again where the rest cannot be had", async () => {
  const rest = `bytes=${CUT}-`;
  for (const [fates, ranges] of [
    [
      ["cut", "unranged"],
      [undefined, rest],
    ],
    [["untagged"], [undefined, undefined]],
    [
      ["cut", "misplaced"],
      [undefined, rest, undefined],
    ],
  ]) {
    const { client, asked, close } = await interrupted({ retries: 3 }, ...fates);
    const output = join(folder, "again.mp4");
    const { outputUrl } = await client.render({ inputProps: film("Again") }, { output });
    assert.deepEqual(
      asked.map(({ range }) => range),
      ranges,
    );
    assert.ok(readFileSync(output).equals(Buffer.from(await (await fetch(outputUrl)).arrayBuffer())));
    close();
  }
});

test("a download that cannot go on fails and leaves no file", async () => {
  for (const [fates, kind, pattern] of [
    [["cut", "silent"], ConnectionError, /broke off/],
    [["untagged", "untagged"], ConnectionError, /broke off/],
    [["cut", 404], NotFoundError, /404/],
    [["cut", 410], NotFoundError, /410/],
    [["cut", 416], ApiError, /416/],
  ]) {
    const { client, asked, close } = await interrupted({ retries: 1 }, ...fates);
    const output = join(folder, "never.mp4");
    await assert.rejects(client.render({ inputProps: film("Never") }, { output }), (error) => {
      assert.match(error.message, pattern);
      assert.match(error.jobId, /^job_/);
      return error instanceof kind;
    });
    assert.equal(asked.length, fates.length);
    assert.ok(!existsSync(output));
    assert.deepEqual(parts(), []);
    close();
  }
});

test("a download that is not answered in time is asked for again", async () => {
  const { client, asked, close } = await interrupted({ timeout: 1000 }, "mute");
  const job = await rondo.render({ inputProps: film("Mute") });
  assert.ok((await bytesOf(client.renders.download(job))).equals(await bytesOf(fetch(job.outputUrl))));
  assert.equal(asked.length, 2);
  close();
});

test("each of several files is saved to a path", async () => {
  const output = { also: [{ format: "gif", scale: 0.5 }] };
  const { outputs } = await rondo.render({ inputProps: film("Also"), output });
  const { client, asked, close } = await interrupted({}, "cut");
  const path = join(folder, "also.gif");
  assert.equal(await client.renders.download(outputs[1], path), undefined);
  assert.equal(asked.length, 2);
  assert.equal(readFileSync(path).length, outputs[1].size);
  assert.equal(readFileSync(path).subarray(0, 3).toString(), "GIF");
  assert.equal((await bytesOf(rondo.renders.download(outputs[1]))).length, outputs[1].size);
  await assert.rejects(rondo.renders.download(outputs[1], folder), /is a folder/);
  assert.deepEqual(parts(), []);
  close();
});

test("an error of a download names the render, and one of an item of its outputs does not", async () => {
  const job = await rondo.render({ inputProps: film("Named") });
  const path = join(folder, "named.mp4");
  const { client, close } = await interrupted({}, 404, 404, 404);
  for (const [source, ...to] of [
    [job, path],
    [job],
    [job, folder],
    [{ ...job, outputUrl: null }, path],
    [{ url: job.outputUrl }, path],
  ])
    await assert.rejects(client.renders.download(source, ...to), (error) => error.jobId === source.jobId);
  assert.deepEqual([existsSync(path), parts()], [false, []]);
  close();
});

test("the body of a download resumes, and skips what was handed out where the file starts again", async () => {
  const job = await rondo.render({ inputProps: film("Stream") });
  const whole = await bytesOf(fetch(job.outputUrl));
  for (const [fates, requests] of [
    [["cut", "cut"], 3],
    [["cut", "unranged"], 2],
    [["cut", "misplaced"], 3],
    [["silent"], 2],
  ]) {
    const { client, asked, close } = await interrupted({}, ...fates);
    const response = await client.renders.download(job);
    assert.deepEqual(
      [response.status, response.headers.get("content-type"), response.headers.get("content-length")],
      [200, "video/mp4", String(whole.length)],
    );
    assert.ok((await bytesOf(response)).equals(whole), fates.join());
    assert.equal(asked.length, requests);
    close();
  }
});

test("the body of a download fails where the rest of the same file cannot be had", async () => {
  const job = await rondo.render({ inputProps: film("Changed") });
  for (const [fates, kind, pattern] of [
    [["cut", "replaced"], ConnectionError, /cannot be resumed/],
    [["untagged"], ConnectionError, /cannot be resumed/],
    // The headers are those of the first answer.
    [["silent", "replaced"], ConnectionError, /cannot be resumed/],
    [["cut", "silent", "silent"], ConnectionError, /broke off/],
    [["cut", 404], NotFoundError, /404/],
  ]) {
    const { client, close } = await interrupted({ retries: 1 }, ...fates);
    await assert.rejects(bytesOf(client.renders.download(job)), (error) => {
      assert.match(error.message, pattern);
      assert.equal(error.jobId, job.jobId);
      return error instanceof kind;
    });
    close();
  }
  const { client, asked, close } = await interrupted({}, 404);
  await assert.rejects(client.renders.download(job), NotFoundError);
  assert.equal(asked.length, 1);
  close();
});

test("a download ends when it is aborted, and when its body is cancelled", async () => {
  const job = await rondo.render({ inputProps: film("Stopped") });
  const stop = new AbortController();
  const ways = {
    aborted: async (_, reader) => {
      const reason = new Error("Enough.");
      stop.abort(reason);
      await assert.rejects(reader.read(), (error) => error === reason && !("jobId" in error));
    },
    cancelled: (_, reader) => reader.cancel(),
    unread: (response) => response.body.cancel(),
  };
  for (const [way, end] of Object.entries(ways)) {
    const { client, asked, closed, close } = await interrupted({}, "still");
    const response = await client.renders.download(job, way === "aborted" ? { signal: stop.signal } : {});
    const reader = way === "unread" ? undefined : response.body.getReader();
    if (reader) assert.equal((await reader.read()).value.length, CUT);
    await end(response, reader);
    for (const start = Date.now(); closed.count === 0; await new Promise((done) => setTimeout(done, 20)))
      assert.ok(Date.now() - start < 5000, `${way}: the connection was not closed within 5 seconds`);
    assert.equal(asked.length, 1, way);
    close();
  }
});
