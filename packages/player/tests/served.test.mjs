// The service paints frames with video that the browser cannot decode: as they were saved, so only while nothing else is set here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { clipFilm, startService, textFilm } from "./site.mjs";

const folder = mkdtempSync(join(tmpdir(), "rondo-served-"));
let service;
let browser;

before(async () => {
  service = await startService({ "/files/": folder });
  browser = await startBrowser();
  const source = ["-f", "lavfi", "-i", "color=0x336699:s=320x180,format=rgb24", "-frames:v", "1"];
  const picture = execFileSync("ffmpeg", ["-v", "error", ...source, "-f", "image2pipe", "-c:v", "png", "-"]);
  const film = textFilm("Over");
  Object.assign(film.overlays[0], { isDynamic: true, name: "title" });
  film.overlays.push({ ...clipFilm("/clips/none.mp4", 320, 180, 30).overlays[0], id: 9, row: 3 });
  const said = { startMs: 0, endMs: 2000, confidence: 1 };
  film.overlays.unshift({
    ...{ id: 2, type: "caption", from: 0, durationInFrames: 60, row: 0, left: 10, top: 110, width: 300, height: 60 },
    captions: [{ ...said, text: "Said", timestampMs: null, words: [{ ...said, word: "Said" }] }],
  });
  service.pages["/preview/prv_1"] = JSON.stringify({ composition: film });
  service.pages["/preview/prv_1.png"] = picture;
  // No browser has the codec.
  const clip = ["-f", "lavfi", "-i", "color=red:s=320x180:r=30:d=1", "-c:v", "prores_ks", join(folder, "prores.mov")];
  execFileSync("ffmpeg", ["-v", "error", ...clip]);
  service.pages["/preview/prv_2"] = JSON.stringify({ composition: clipFilm("/files/prores.mov", 320, 180, 30) });
  service.pages["/preview/prv_2.png"] = picture;
});

after(async () => {
  await browser?.close();
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page, without WebCodecs by default. */
async function open(t, decodes = false) {
  const page = await browser.newPage();
  t.after(() => page.close());
  if (!decodes)
    await page.addInitScript(() => {
      delete globalThis.VideoDecoder;
    });
  await page.goto(service.url);
  await page.evaluate(() => {
    globalThis.player = document.querySelector("rondo-player");
    globalThis.once = (type) =>
      Promise.race([
        new Promise((resolve) => player.addEventListener(type, resolve, { once: true })),
        new Promise((_, reject) => setTimeout(() => reject(new Error(`${type} did not come.`)), 15_000)),
      ]);
    /** Makes a change, and tells what is shown once it is ready. */
    globalThis.shown = async (change) => {
      const ready = once("ready");
      change();
      await ready;
      return state();
    };
    globalThis.state = async () => {
      // Time to bring the canvas to the page.
      await new Promise((resolve) => setTimeout(resolve, 400));
      const canvas = player.shadowRoot.querySelector("canvas");
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const codes = new Set(player.warnings.map(({ code }) => code));
      return { pixel: [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)], exact: player.exact, codes: [...codes] };
    };
  });
  return page;
}

const SERVED = { pixel: [0x33, 0x66, 0x99], exact: true, codes: [] };
/** Without the video. */
const PAINTED = { pixel: [0x10, 0x20, 0x30], exact: false, codes: ["media-missing"] };

test("frames of the service are not shown for other values, and again without them", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async () => [
    await shown(() => {
      player.src = "/preview/prv_1";
    }),
    await shown(() => {
      player.replacements = { title: "Typed" };
    }),
    [...(await player.frame(5)).data.slice(0, 3)],
    await shown(() => {
      player.replacements = {};
    }),
  ]);
  assert.deepEqual(told, [SERVED, PAINTED, PAINTED.pixel, SERVED]);
});

test("nor for values that were set before the film was loaded", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(() =>
    shown(() => {
      player.replacements = { title: "Typed" };
      player.src = "/preview/prv_1";
    }),
  );
  assert.deepEqual(told, PAINTED);
});

test("captions that are turned off do not come back in frames of the service", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async () => {
    await shown(() => {
      player.src = "/preview/prv_1";
    });
    const states = [];
    for (let turn = 0; turn < 2; turn++) {
      const frame = once("frame");
      player.focus();
      player.dispatchEvent(new KeyboardEvent("keydown", { key: "c" }));
      await frame;
      const { pixel, exact } = await state();
      states.push({ pixel, exact });
    }
    return states;
  });
  const of = ({ pixel, exact }) => ({ pixel, exact });
  assert.deepEqual(told, [of(PAINTED), of(SERVED)]);
});

test("frames with a codec that the browser lacks come from the service; without it the video is missing", async (t) => {
  const page = await open(t, true);
  const told = await page.evaluate(async () => {
    const served = await shown(() => {
      player.src = "/preview/prv_2";
    });
    await player.seek(20);
    return [
      served,
      await state(),
      [...(await player.frame(5)).data.slice(0, 3)],
      await shown(() => {
        player.replacements = { title: "Typed" };
      }),
      await shown(() => {
        player.replacements = {};
      }),
    ];
  });
  const painted = { ...PAINTED, pixel: [0, 0, 0] };
  assert.deepEqual(told, [SERVED, SERVED, SERVED.pixel, painted, SERVED]);
});
