// Decoders of video: one for each clip on screen, which goes on; none for clips that are not seen.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { makeClips, makeSounds } from "./clips.mjs";
import { gridFilm, startService, textFilm, twiceFilm } from "./site.mjs";

const folder = join(tmpdir(), "rondo-player-clips");
const dist = join(import.meta.dirname, "../dist");
let service;
let browser;

/** Runs in the media worker first: tells the page which decoders are open and how often they were started. */
function watch() {
  const channel = new BroadcastChannel("decoders");
  const open = new Set();
  let starts = 0;
  const { configure, close } = VideoDecoder.prototype;
  const tell = () => channel.postMessage({ open: open.size, starts });
  VideoDecoder.prototype.configure = function (config) {
    open.add(this);
    starts++;
    tell();
    return configure.call(this, config);
  };
  VideoDecoder.prototype.close = function () {
    open.delete(this);
    tell();
    return close.call(this);
  };
}

/** Runs in the page. */
function prepare() {
  globalThis.decoders = { open: 0, starts: 0 };
  new BroadcastChannel("decoders").onmessage = ({ data }) => {
    globalThis.decoders = data;
  };
  globalThis.show = (film) => {
    const player = document.querySelector("rondo-player");
    const ready = new Promise((resolve, reject) => {
      player.addEventListener("ready", resolve, { once: true });
      player.addEventListener("error", ({ detail }) => reject(new Error(detail.message)), { once: true });
    });
    player.composition = film;
    return ready;
  };
}

before(async () => {
  makeClips(folder);
  makeSounds(folder);
  service = await startService({ "/clips/": folder });
  const name = readdirSync(dist).find((file) => /^media-worker-\w+\.js$/.test(file));
  service.pages[`/player/${name}`] = `(${watch})();\n${readFileSync(join(dist, name), "utf8")}`;
  browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
});

after(async () => {
  await browser?.close();
  await service?.close();
});

async function open(t) {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.addInitScript(prepare);
  await page.goto(service.url);
  return page;
}

/** Plays a film for a while: what was shown, and what its decoders did. */
const play = (page, film) =>
  page.evaluate(async (film) => {
    const player = document.querySelector("rondo-player");
    await show(film);
    const before = { ...decoders };
    const shown = [];
    player.addEventListener("frame", ({ detail }) => !player.paused && shown.push(detail.exact));
    await player.play();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await player.pause();
    return { before, after: { ...decoders }, shown, warnings: player.warnings };
  }, film);

/** Waits until so many decoders are open. */
const openCount = (page, count) =>
  page
    .waitForFunction((count) => decoders.open === count, count, { timeout: 10_000 })
    .catch(async () => {
      const { open } = await page.evaluate(() => decoders);
      assert.fail(`${open} decoders are open, not ${count}`);
    });

for (const [name, film, count] of [
  ["four clips, with two sounds,", gridFilm("/clips/", true), 4],
  ["one clip at two times", twiceFilm("/clips/b-frames.mkv"), 2],
])
  test(`${name} play with a decoder each, which are not started again`, async (t) => {
    const page = await open(t);
    const { before, after, shown, warnings } = await play(page, film);
    assert.deepEqual(before, { open: count, starts: count });
    assert.deepEqual(after, before);
    const exact = shown.filter(Boolean).length;
    t.diagnostic(`${shown.length} frames, ${exact} exact`);
    assert.ok(shown.length >= 40, `${shown.length} frames in 2.5 seconds`);
    assert.ok(exact >= shown.length * 0.8, `${exact} of ${shown.length} frames are exact`);
    assert.deepEqual(warnings, []);
  });

test("decoders are closed when their clips are no longer on screen, and others at once when there are many", async (t) => {
  const page = await open(t);
  const film = gridFilm("/clips/");
  // One clip after the other, then none.
  for (const [index, overlay] of film.overlays.entries())
    Object.assign(overlay, { from: index * 10, durationInFrames: 10 });
  await page.evaluate((film) => show(film), film);
  await openCount(page, 1);
  for (const frame of [15, 25, 35])
    await page.evaluate((frame) => document.querySelector("rondo-player").seek(frame), frame);
  await openCount(page, 1);
  await page.evaluate(() => document.querySelector("rondo-player").seek(50));
  await openCount(page, 0);
  await page.evaluate((film) => show(film), film);
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").warnings.length), 0);
  await page.evaluate(() => document.querySelector("rondo-player").seek(5));
  await openCount(page, 1);
  await page.evaluate((film) => show(film), textFilm());
  await openCount(page, 0);
});

test("clips that come and go while they are decoded are never missing", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(
    async ([grid, text]) => {
      const player = document.querySelector("rondo-player");
      for (let turn = 0; turn < 12; turn++) {
        player.composition = grid;
        await new Promise((resolve) => setTimeout(resolve, turn * 15));
        void player.seek(turn * 7).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, turn * 5));
        player.composition = text;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await show(grid);
      const seen = (await player.outlines(10)).map(({ seen }) => seen);
      return { warnings: player.warnings, seen };
    },
    [gridFilm("/clips/"), textFilm()],
  );
  assert.deepEqual(told, { warnings: [], seen: [true, true, true, true] });
});
