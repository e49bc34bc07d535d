// The player paints what the program paints, byte for byte. RONDO_PROGRAM names the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { framesOf, makeClips } from "./clips.mjs";
import { benchFilms, clipFilm, gridFilm, paragraphFilm, paragraphs, startService, twiceFilm } from "./site.mjs";

const program = process.env.RONDO_PROGRAM;
const clipFolder = join(tmpdir(), "rondo-player-clips");
/** Random seeks into all clips together, and frames of each bench film. */
const SEEKS = Number(process.env.PLAYER_SEEKS ?? 300);
const FRAMES = Number(process.env.PLAYER_FRAMES ?? 60);
const folder = mkdtempSync(join(tmpdir(), "rondo-parity-"));
const drawn = join(folder, "drawn");
let service;
let browser;
let page;

before(async () => {
  mkdirSync(drawn);
  service = await startService({ "/clips/": clipFolder, "/drawn/": drawn });
  browser = await startBrowser();
  page = await browser.newPage();
  await page.goto(service.url);
  await page.evaluate(() => {
    const player = document.querySelector("rondo-player");
    const hash = async ({ data }) =>
      [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
    const drawn = async (address) => {
      const blob = await (await fetch(address)).blob();
      const picture = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
      const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      return context.getImageData(0, 0, picture.width, picture.height);
    };
    /** Frames whose pixels differ from those in a folder. */
    globalThis.differing = async (set, frames, address) => {
      const ready = new Promise((resolve, reject) => {
        player.addEventListener("ready", resolve, { once: true });
        player.addEventListener("error", ({ detail }) => reject(new Error(detail.message)), { once: true });
      });
      if (typeof set === "string") player.src = set;
      else player.composition = set;
      await ready;
      const wrong = [];
      for (const frame of frames) {
        const [painted, expected] = [await player.frame(frame), await drawn(`${address}/frame-${frame}.png`)];
        if ((await hash(painted)) === (await hash(expected))) continue;
        let most = 0;
        let count = 0;
        painted.data.forEach((value, index) => {
          const off = Math.abs(value - expected.data[index]);
          most = Math.max(most, off);
          if (off) count++;
        });
        wrong.push(`frame ${frame}: ${count} values differ by up to ${most}`);
      }
      return wrong;
    };
  });
});

after(async () => {
  await browser?.close();
  await service?.close();
  rmSync(folder, { recursive: true });
});

function draw(film, frames, name) {
  const out = join(drawn, name);
  execFileSync(program, ["frame", film, "--frames", frames.join(","), "-o", out], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return `/drawn/${name}`;
}

test("seeks into clips of every kind", { skip: !program && "RONDO_PROGRAM is not set" }, async (t) => {
  const clips = makeClips(clipFolder);
  let state = 7;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (const { kind, name, path } of clips) {
    await t.test(kind, async () => {
      const { frames, width, height } = framesOf(path);
      const size = kind === "rotated" ? [height, width] : [width, height];
      const length = Math.max(2, Math.floor(frames.at(-1).time * 30));
      const film = clipFilm(path, ...size, length);
      const file = join(folder, `${kind}.json`);
      writeFileSync(file, JSON.stringify(film));
      const wanted = Array.from({ length: Math.ceil(SEEKS / clips.length) }, () => random(length));
      const address = draw(file, [...new Set(wanted)], kind);
      film.overlays[0].src = `/clips/${name}`;
      const wrong = await page.evaluate(
        ([film, frames, address]) => differing(film, frames, address),
        [film, wanted, address],
      );
      assert.deepEqual(wrong, []);
    });
  }
});

test("four clips at once, and one clip at two times", { skip: !program && "RONDO_PROGRAM is not set" }, async (t) => {
  makeClips(clipFolder);
  const films = {
    grid: [gridFilm(`${clipFolder}/`), gridFilm("/clips/")],
    twice: [twiceFilm(`${clipFolder}/b-frames.mkv`), twiceFilm("/clips/b-frames.mkv")],
  };
  for (const [name, [local, served]] of Object.entries(films)) {
    await t.test(name, async () => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(local));
      const frames = Array.from({ length: local.durationInFrames }, (_, frame) => frame);
      const address = draw(file, frames, name);
      // All frames in order, and some of them back and forth.
      const wanted = [...frames, 70, 3, 4, 40, 5, 6, 41];
      const wrong = await page.evaluate(
        ([film, frames, address]) => differing(film, frames, address),
        [served, wanted, address],
      );
      assert.deepEqual(wrong, []);
    });
  }
});

test("lines of text without spaces", { skip: !program && "RONDO_PROGRAM is not set" }, async () => {
  const film = paragraphFilm(Object.values(paragraphs));
  const file = join(folder, "words.json");
  writeFileSync(file, JSON.stringify(film));
  const address = draw(file, [0, 15], "words");
  const wrong = await page.evaluate(([film, address]) => differing(film, [0, 15], address), [film, address]);
  assert.deepEqual(wrong, []);
});

test("frames of the bench films", { skip: !program && "RONDO_PROGRAM is not set" }, async (t) => {
  if (!existsSync(join(benchFilms, "media/clip_1080p.mp4"))) return t.skip("bench/make-media makes their media");
  for (const name of ["text", "slides", "static", "effects", "video"]) {
    await t.test(name, async () => {
      const frames = Array.from({ length: FRAMES }, (_, index) => Math.floor((index * 300) / FRAMES));
      const address = draw(join(benchFilms, `${name}.json`), frames, `film-${name}`);
      const wrong = await page.evaluate(
        ([src, frames, address]) => differing(src, frames, address),
        [`/films/${name}.json`, frames, address],
      );
      assert.deepEqual(wrong, []);
    });
  }
});
