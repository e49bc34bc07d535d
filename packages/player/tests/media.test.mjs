// The media worker: which frame is shown at a time, and the bytes of its planes.
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { serve, startBrowser } from "./browser.mjs";
import { frameAt, framesOf, keysOf, makeClips, makeSounds, onsets, samplesOf } from "./clips.mjs";

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
  globalThis.openClip = (src, addresses = [src]) =>
    ask(src, { type: "open", src, addresses: addresses.map((address) => new URL(address, location.href).href) });
  globalThis.pictureAt = async (src, time, hurry) => {
    const answer = await ask(++id, { type: "picture", id, src, time, times: 1, hurry });
    if (answer.type !== "picture") return { message: answer.message ?? answer.type };
    return { facts: answer.facts, hash: await last[src] };
  };
  globalThis.pictureAfter = async (src, later, time) => {
    port1.postMessage({ type: "picture", id: ++id, src, time: later, times: 1, hurry: false });
    await new Promise((resolve) => setTimeout(resolve, 8));
    port1.postMessage({ type: "forget", below: id + 1 });
    return pictureAt(src, time, false);
  };
  globalThis.soundOf = async (src, from, to) => {
    const answer = await ask(++id, { type: "samples", id, src, from, to });
    const { from: start, rate, channels, data } = answer;
    return { rate, channels, heard: onsets(new Float32Array(data), rate).map((time) => time + start) };
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
  await page.goto(server.url);
  await page.evaluate(`globalThis.onsets = ${onsets}`);
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
        const hurry = seek % 4 > 1;
        const got = await page.evaluate(([src, time, hurry]) => pictureAt(src, time, hurry), [src, time, hurry]);
        assert.equal(got.message, undefined);
        if (got.hash !== frameAt(expected, time).hash) wrong++;
      }
      t.diagnostic(`${kind}: ${Date.now() - started} ms, ${JSON.stringify(opened.facts)}`);
      assert.equal(wrong, 0, `${wrong} wrong frames`);
    });
  }
});

test("in a hurry, the frames around a key frame are those FFmpeg shows, forwards and backwards", async () => {
  for (const { kind, name, path } of clips) {
    const expected = framesOf(path);
    const src = `/clips/${name}?hurry`;
    await page.evaluate((src) => openClip(src), src);
    const keys = keysOf(path).filter((key) => key > 0);
    for (const key of keys.slice(0, 2))
      for (const step of [-1, 0, 1, -2, -1, -1, -4, -3, -2, -1, 2, 1, 0]) {
        const frame = expected.frames[key + step];
        if (!frame) continue;
        const got = await page.evaluate(([src, time]) => pictureAt(src, time, true), [src, frame.time]);
        assert.equal(got.hash, frame.hash, `${kind}, ${step} frames from key frame ${key}`);
      }
  }
});

test("a frame asked for while a later one is decoded is still that frame", async () => {
  const clip = clips.find(({ kind }) => kind === "b-frames");
  const expected = framesOf(clip.path);
  const src = `/clips/${clip.name}?crossing`;
  await page.evaluate((src) => openClip(src), src);
  for (let frame = 5; frame < 80; frame += 3) {
    const got = await page.evaluate(
      ([src, later, time]) => pictureAfter(src, later, time),
      [src, (frame + 4) / 30, frame / 30],
    );
    assert.equal(got.hash, frameAt(expected, frame / 30).hash, `frame ${frame}`);
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

/** Kind of clip, and the facts of its planes. */
const FACTS = {
  "untagged-sd": { matrix: "bt601", full: false, rotation: 0, flip: false },
  "untagged-hd": { matrix: "bt709", full: false, rotation: 0, flip: false },
  full: { matrix: "bt709", full: true, rotation: 0, flip: false },
  tagged: { matrix: "bt601", full: false, rotation: 0, flip: false },
  fcc: { matrix: "fcc", full: false, rotation: 0, flip: false },
};

test("colours are those of the tags; without tags, of the height", async () => {
  for (const { kind, name } of clips) {
    if (!FACTS[kind]) continue;
    const src = `/clips/${name}?colour`;
    await page.evaluate((src) => openClip(src), src);
    const { facts } = await page.evaluate((src) => pictureAt(src, 0, false), src);
    const { matrix, full, rotation, flip } = facts;
    assert.deepEqual({ matrix, full, rotation, flip }, FACTS[kind], kind);
  }
});

test("sound begins where FFmpeg's does, from any second on", async () => {
  for (const { name, path } of makeSounds(folder)) {
    const src = `/clips/${name}`;
    const opened = await page.evaluate((src) => openClip(src), src);
    assert.equal(opened.type, "opened", opened.message);
    for (const [from, to] of [
      [0, 2],
      [2, 3.5],
      [1, 1.7],
    ]) {
      const got = await page.evaluate(([src, from, to]) => soundOf(src, from, to), [src, from, to]);
      assert.equal(got.channels, 2);
      const expected = onsets(samplesOf(path, got.rate), got.rate).filter((time) => time >= from && time < to);
      const { heard } = got;
      assert.equal(heard.length, expected.length, name);
      for (const [index, time] of heard.entries())
        assert.ok(Math.abs(time - expected[index]) < 0.001, `${name}: ${time} s, not ${expected[index]} s`);
    }
  }
});

test("a file that cannot be read directly is read through its second address", async () => {
  const opened = await page.evaluate((src) => openClip(src, ["/nothing.mp4", src]), `/clips/${clips[0].name}?second`);
  assert.equal(opened.type, "opened", opened.message);
  const failed = await page.evaluate(() => openClip("/nothing-at-all.mp4"));
  assert.equal(failed.type, "failed");
});
