// AVIF images: the browser decodes their AV1 pictures, the engine does the rest, and the pixels are those of a render.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

const program = process.env.RONDO_PROGRAM;
const pictures = join(import.meta.dirname, "../../../crates/media/tests/pictures");
const folder = mkdtempSync(join(tmpdir(), "rondo-avif-"));
const drawn = join(folder, "drawn");
let browser;
let service;

/** Images that FFmpeg makes: name and pixel format, with colours at every edge. */
const MADE = { photo: "yuv420p", odd: "yuv420p", sharp: "yuv444p", bright: "yuvj420p", grey: "gray" };

before(async () => {
  mkdirSync(drawn);
  for (const [name, format] of Object.entries(MADE)) {
    const size = name === "odd" ? "95x53" : "160x90";
    const source = ["-f", "lavfi", "-i", `testsrc2=s=${size},format=${format}`, "-frames:v", "1"];
    const range = name === "bright" || name === "grey" ? ["-color_range", "pc"] : [];
    const coder = ["-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", "-crf", "20", "-pix_fmt", format];
    execFileSync("ffmpeg", ["-v", "error", "-y", ...source, ...range, ...coder, join(folder, `${name}.avif`)]);
  }
  service = await startService({ "/pictures/": pictures, "/made/": folder });
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** A film with images beside each other, at their own size. */
const filmOf = (sources) => ({
  ...textFilm("", 10),
  overlays: sources.map((src, index) => ({
    id: index + 1,
    type: "image",
    from: 0,
    durationInFrames: 10,
    row: index,
    left: (index % 2) * 160,
    top: Math.floor(index / 2) * 90,
    width: 160,
    height: 90,
    src,
    styles: { objectFit: "fill" },
  })),
});

/** Runs in the page: some pixels of the first frame, and what was warned of. */
async function paint([film, places]) {
  const player = document.querySelector("rondo-player");
  const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
  if (typeof film === "string") player.src = film;
  else player.composition = film;
  await ready;
  const { data, width } = await player.frame(0);
  const pixels = places.map(([x, y]) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)]);
  return { exact: player.exact, pixels, warnings: player.warnings.map(({ code }) => code) };
}

async function openPage(t, prepare) {
  const page = await browser.newPage();
  t.after(() => page.close());
  if (prepare) await page.addInitScript(prepare);
  await page.goto(service.url);
  return page;
}

const close = (got, wanted, by) => got.every((value, index) => Math.abs(value - wanted[index]) <= by);

test("colour, alpha and rotation are seen", async (t) => {
  const page = await openPage(t);
  const film = filmOf(["/pictures/red.avif", "/pictures/alpha.avif", "/pictures/turned.avif"]);
  const places = [
    [80, 45],
    [240, 45],
    [80, 100],
    [80, 170],
  ];
  const { exact, pixels, warnings } = await page.evaluate(paint, [film, places]);
  assert.deepEqual({ exact, warnings }, { exact: true, warnings: [] });
  // Half of the second one is the ground, #102030.
  const wanted = [
    [200, 40, 40],
    [108, 36, 44],
    [20, 60, 220],
    [200, 40, 40],
  ];
  for (const [index, pixel] of pixels.entries())
    assert.ok(close(pixel, wanted[index], 8), `${pixel} instead of ${wanted[index]}`);
});

test("the pixels are those of a render", { skip: !program && "RONDO_PROGRAM is not set" }, async (t) => {
  const page = await openPage(t);
  for (const names of [["photo", "odd", "sharp", "bright"], ["grey"], ["red", "alpha", "turned"]]) {
    const [path, from] = names.includes("red") ? [pictures, "/pictures"] : [folder, "/made"];
    const file = join(folder, `${names[0]}.json`);
    writeFileSync(file, JSON.stringify(filmOf(names.map((name) => join(path, `${name}.avif`)))));
    execFileSync(program, ["frame", file, "--frames", "0", "-o", join(drawn, names[0])], { stdio: "ignore" });
    const differing = await page.evaluate(
      async ([film, address]) => {
        const player = document.querySelector("rondo-player");
        const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
        player.composition = film;
        await ready;
        const picture = await createImageBitmap(await (await fetch(address)).blob(), { premultiplyAlpha: "none" });
        const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        const expected = context.getImageData(0, 0, picture.width, picture.height).data;
        const { data } = await player.frame(0);
        return data.reduce((count, value, index) => count + (value !== expected[index] ? 1 : 0), 0);
      },
      [filmOf(names.map((name) => `${from}/${name}.avif`)), `/made/drawn/${names[0]}/frame-0.png`],
    );
    assert.equal(differing, 0, `${names}: ${differing} values differ`);
  }
});

const withoutDecoder = () => {
  delete globalThis.VideoDecoder;
};

test("without WebCodecs, frames of a preview come from the service", async (t) => {
  const page = await openPage(t, withoutDecoder);
  const source = ["-f", "lavfi", "-i", "color=0x336699:s=320x180,format=rgb24", "-frames:v", "1"];
  const picture = execFileSync("ffmpeg", ["-v", "error", ...source, "-f", "image2pipe", "-c:v", "png", "-"]);
  service.pages["/preview/prv_avif"] = JSON.stringify({ composition: filmOf(["/pictures/red.avif"]) });
  service.pages["/preview/prv_avif.png"] = picture;
  const { exact, pixels, warnings } = await page.evaluate(paint, ["/preview/prv_avif", [[80, 45]]]);
  assert.deepEqual({ exact, pixels, warnings }, { exact: true, pixels: [[0x33, 0x66, 0x99]], warnings: [] });
  // Playing goes on, too.
  const last = await page.evaluate(async () => {
    const player = document.querySelector("rondo-player");
    const ended = new Promise((resolve) => player.addEventListener("ended", resolve, { once: true }));
    await player.play();
    await ended;
    return player.currentFrame;
  });
  assert.equal(last, 9);
});

test("without WebCodecs and a service, they are left out with a warning", async (t) => {
  const page = await openPage(t, withoutDecoder);
  const { pixels, warnings } = await page.evaluate(paint, [filmOf(["/pictures/red.avif"]), [[80, 45]]]);
  assert.deepEqual({ pixels, warnings }, { pixels: [[0x10, 0x20, 0x30]], warnings: ["media-missing"] });
});

test("without AV1 they are left out with a warning, and the frame is not called exact", async (t) => {
  const dist = join(import.meta.dirname, "../dist");
  const name = readdirSync(dist).find((name) => /^media-worker-.*\.js$/.test(name));
  service.pages[`/player/${name}`] = `VideoDecoder.isConfigSupported = async () => ({ supported: false });
VideoDecoder.prototype.configure = () => { throw new Error("No AV1."); };
${readFileSync(join(dist, name), "utf8")}`;
  t.after(() => delete service.pages[`/player/${name}`]);
  const page = await openPage(t);
  const told = await page.evaluate(paint, [filmOf(["/pictures/red.avif"]), [[80, 45]]]);
  assert.deepEqual(told, { exact: false, pixels: [[0x10, 0x20, 0x30]], warnings: ["media-missing"] });
});

test("a damaged file is left out with a warning", async (t) => {
  const page = await openPage(t);
  service.pages["/broken.avif"] = Buffer.concat([
    execFileSync("head", ["-c", "300", join(folder, "photo.avif")]),
    Buffer.alloc(200),
  ]);
  const { pixels, warnings } = await page.evaluate(paint, [filmOf(["/broken.avif"]), [[80, 45]]]);
  assert.deepEqual({ pixels, warnings }, { pixels: [[0x10, 0x20, 0x30]], warnings: ["media-missing"] });
});
