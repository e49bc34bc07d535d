// The page of `rondo dev` in Chromium: it plays the file, follows it, and lists what is found in it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";

const program = process.env.RONDO_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "rondo-dev-"));
const file = join(folder, "composition.json");
let child;
let browser;
let page;

/** The first line names the address. */
const addressOf = (stream) =>
  new Promise((resolve, reject) => {
    let text = "";
    stream.on("data", (part) => {
      text += part;
      const found = /http:\/\/[0-9.:]+\d/.exec(text);
      if (found) resolve(found[0]);
    });
    stream.on("end", () => reject(new Error(`rondo dev ended: ${text}`)));
  });

before(async () => {
  if (!program) return;
  execFileSync(program, ["init", folder]);
  child = spawn(program, ["dev", file, "--port", "0"], { stdio: ["ignore", "inherit", "pipe"] });
  const address = await addressOf(child.stderr);
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
  page.setDefaultTimeout(60_000);
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.goto(address);
});

after(async () => {
  await browser?.close();
  child?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The frame at the playhead, once the version is painted. */
const pixels = async (version) => {
  await page.waitForFunction((wanted) => Number(document.documentElement.dataset.ready) >= wanted, version);
  return page.evaluate(async () => {
    const player = document.querySelector("rondo-player");
    const { data, width, height } = await player.frame(60);
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) sum += data[at];
    return { width, height, red: sum / (width * height) };
  });
};

const version = () => page.evaluate(() => Number(document.documentElement.dataset.version));

test("the page plays the film and follows the file", { skip: !program }, async () => {
  const first = await pixels(1);
  assert.deepEqual([first.width, first.height], [1920, 1080]);
  assert.equal(await page.textContent("#state"), "Live");
  assert.equal(await page.isVisible("#none"), true);
  assert.match(await page.textContent("#length"), /6\.00 s · 180 frames/);

  const film = JSON.parse(readFileSync(file, "utf8"));
  film.overlays = film.overlays.filter(({ type }) => type !== "image" && type !== "sound");
  film.backgroundColor = "#ff0000";
  film.overlays = [];
  writeFileSync(file, JSON.stringify(film));
  await page.waitForFunction((known) => Number(document.documentElement.dataset.version) > known, await version());
  const second = await pixels(await version());
  assert.equal(second.red, 255);
  assert.ok(first.red < 200);
});

test("findings are listed, and the last valid film stays", { skip: !program }, async () => {
  const known = await version();
  writeFileSync(file, '{"width": 1920, "height": 1080, "fps": -3, "durationInFrames": 90, "overlays": []}');
  await page.waitForFunction((before) => Number(document.documentElement.dataset.version) > before, known);
  assert.match(await page.textContent("#findings li[data-severity=error]"), /`fps` must be/);
  assert.equal(await page.textContent("#state"), "The last valid film is shown");
  assert.equal((await pixels(known)).red, 255);
  assert.deepEqual(page.errors, []);
});
