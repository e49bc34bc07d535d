// The media worker: which frame is shown at a time, and the bytes of its planes.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { serve, startBrowser } from "./browser.mjs";
import { frameAt, framesOf, makeClips } from "./clips.mjs";

const folder = join(tmpdir(), "rondo-player-clips");
const SEEKS = 300;
let clips;
let server;
let browser;
let page;

/** Numbers that are the same in each run. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Runs in the page: a media worker and functions to ask it. */
function client() {
  const worker = new Worker("/media-worker.js", { type: "module" });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  const last = {};
  let id = 0;
  const hash = async (planes) =>
    [...new Uint8Array(await crypto.subtle.digest("SHA-256", planes))]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
  const waiting = new Map();
  port1.onmessage = async ({ data }) => {
    if (data.type === "picture" && !data.exact) return;
    if (data.planes) last[data.src] = hash(data.planes);
    const key = data.id ?? data.src;
    waiting.get(key)?.(data);
  };
  const ask = (key, message) =>
    new Promise((resolve) => {
      waiting.set(key, resolve);
      port1.postMessage(message);
    });
  globalThis.openClip = (src) => ask(src, { type: "open", src, addresses: [new URL(src, location.href).href] });
  globalThis.pictureAt = async (src, time, hurry) => {
    const answer = await ask(++id, { type: "picture", id, src, time, hurry });
    if (answer.type !== "picture") return { message: answer.message ?? answer.type };
    return { facts: answer.facts, hash: await last[src] };
  };
  globalThis.soundOf = async (src, from, to) => {
    const answer = await ask(++id, { type: "samples", id, src, from, to });
    return { ...answer, data: [...new Float32Array(answer.data)] };
  };
}

before(async () => {
  clips = makeClips(folder);
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../src/media-worker.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  server = await serve({
    folders: { "/clips/": folder },
    pages: { "/": "<!doctype html><title>media</title>", "/media-worker.js": outputFiles[0].text },
  });
  browser = await startBrowser();
  page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  page.on("console", (message) => console.error(message.text()));
  await page.goto(server.url);
  await page.evaluate(client);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

test("random seeks give the frame FFmpeg shows, byte for byte", async (t) => {
  for (const { kind, name, path } of clips) {
    await t.test(kind, async () => {
      const expected = framesOf(path);
      const src = `/clips/${name}`;
      const opened = await page.evaluate((src) => openClip(src), src);
      assert.equal(opened.type, "opened", opened.message);
      const end = expected.frames.at(-1).time + 0.3;
      const numbers = random(kind.length);
      let wrong = 0;
      const started = Date.now();
      for (let seek = 0; seek < SEEKS / clips.length; seek++) {
        // Half of the times are those of a frame of a film at 30 frames per second.
        const value = numbers.next().value * end;
        const time = seek % 2 ? Math.round(value * 30) / 30 : value;
        const got = await page.evaluate(([src, time]) => pictureAt(src, time, false), [src, time]);
        assert.equal(got.message, undefined);
        if (got.hash !== frameAt(expected, time).hash) wrong++;
      }
      t.diagnostic(`${kind}: ${Date.now() - started} ms, ${JSON.stringify(opened.facts)}`);
      assert.equal(wrong, 0, `${wrong} wrong frames`);
    });
  }
});

test("reading forward gives each frame of a film at 30 frames per second", async () => {
  for (const { name, path } of clips) {
    const expected = framesOf(path);
    const src = `/clips/${name}`;
    for (let frame = 0; frame < 60; frame++) {
      const got = await page.evaluate(([src, time]) => pictureAt(src, time, false), [src, frame / 30]);
      assert.equal(got.hash, frameAt(expected, frame / 30).hash, `${name}, frame ${frame}`);
    }
  }
});
