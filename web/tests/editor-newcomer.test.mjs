// From sign-in to a rendered film of one's own, in the interface only: two photos, a clip, music, captions, an animated title.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertNoConsoleErrors, openPage, startBrowser } from "./browser.mjs";
import { startService } from "./service.mjs";

const media = (path) => join(import.meta.dirname, "../../templates", path);
const FILES = {
  "photo-1.jpg": media("city-guide/media/photo-1.jpg"),
  "photo-2.jpg": media("city-guide/media/photo-2.jpg"),
  "footage.mp4": media("news-pack-9x16/media/footage.mp4"),
  "music.m4a": media("city-guide/media/music.m4a"),
};
/** Where the pictures of the walk go, if RONDO_PICTURES is set. */
const pictures = join(import.meta.dirname, "../../docs/editor");
const MINUTES = 5;

let service, browser, page;
before(async () => {
  [service, browser] = await Promise.all([startService("--sign-up-credits", "40"), startBrowser()]);
  page = await openPage(browser, service.url);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

let step = 0;
/** Keeps a picture of a step. */
async function shoot(name) {
  step++;
  if (!process.env.RONDO_PICTURES) return;
  mkdirSync(pictures, { recursive: true });
  await page.waitForTimeout(1200);
  const path = join(pictures, `${String(step).padStart(2, "0")}-${name}.jpg`);
  await page.screenshot({ path, type: "jpeg", quality: 80 });
}

const region = (name) => page.getByRole("region", { name });
const library = (name) => region("Library").getByRole("button", { name, exact: true });
const film = () => page.evaluate(() => window.rondo.editor.document());
const overlays = async (type) => (await film()).overlays.filter((overlay) => overlay.type === type);
const until = (count) =>
  page.waitForFunction((wanted) => window.rondo.editor.document().overlays.length === wanted, count);

test(`a newcomer renders a film of 20 seconds within ${MINUTES} minutes`, { timeout: 540_000 }, async () => {
  await page.goto("/");
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Create operator account" }).click();
  await page.getByRole("heading", { level: 1, name: "Hello, Ada" }).waitFor();
  await page.context().clearCookies();

  const started = Date.now();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Hello, Ada" }).waitFor();
  await page.getByRole("link", { name: "Projects" }).first().click();
  await page.getByRole("link", { name: "New film" }).first().click();
  await page.getByRole("heading", { level: 1, name: "New film" }).waitFor();
  await shoot("new-film");
  await page.getByRole("button", { name: /Vertical 9:16/ }).click();
  await region("Library").waitFor();
  await shoot("empty");

  await page.getByLabel("Files to upload").setInputFiles(Object.values(FILES));
  for (const name of Object.keys(FILES)) await library(`Add ${name}`).waitFor({ timeout: 60_000 });
  await shoot("media");
  // One after another: each is added at the end of the film.
  for (const [count, name] of ["photo-1.jpg", "photo-2.jpg", "footage.mp4"].entries()) {
    if (count) await page.keyboard.press("End");
    await library(`Add ${name}`).click();
    await until(count + 1);
  }
  // The clip is cut at 20 seconds, and the film with it.
  await page.keyboard.press("End");
  for (const key of ["Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowRight", "W"]) await page.keyboard.press(key);
  await page.keyboard.press("Control+K");
  await page.getByRole("dialog", { name: "Search actions" }).getByRole("combobox").fill("Fit length");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.rondo.editor.document().durationInFrames === 600);
  await page.keyboard.press("Home");
  await library("Add music.m4a").click();
  await until(4);
  await shoot("pictures-and-music");

  await page.getByRole("tab", { name: "Text" }).click();
  await library("Add text: Word by word").click();
  await until(5);
  await page
    .getByRole("region", { name: "Inspector" })
    .getByRole("textbox", { name: "Text" })
    .first()
    .fill("Porto in two days");
  await shoot("title");

  await page.getByRole("tab", { name: "Captions" }).click();
  await page.keyboard.press("Escape");
  await library("Narrate").click();
  const narration = page.getByRole("dialog", { name: "Narrate a text" });
  await narration
    .getByLabel("Text")
    .fill("Two days in Porto. Start at the river, climb to the old town, and stay for the evening light.");
  await shoot("narration");
  await narration.getByRole("button", { name: "Make and listen" }).click();
  await narration.getByRole("button", { name: "Add to film" }).click({ timeout: 60_000 });
  await until(7);
  await library("Use style Hustle").click();
  await shoot("captions");

  await page.getByRole("button", { name: "Render", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Render" });
  await dialog.getByText(/credits? for/).waitFor();
  await shoot("render");
  // A small draft: what is tested is the way to it.
  await dialog.getByLabel("Quality").selectOption("draft");
  await dialog.getByLabel("Size").selectOption({ label: "360 × 640" });
  await dialog.getByRole("button", { name: "Render video" }).click();
  await page.getByRole("dialog", { name: "Rendering" }).waitFor();
  const minutes = (Date.now() - started) / 60_000;
  console.log(`# from sign-in to the render's start: ${minutes.toFixed(1)} minutes`);
  assert.ok(minutes < MINUTES, `${minutes.toFixed(1)} minutes`);
  await shoot("rendering");
  const ready = page.getByRole("dialog", { name: "Your film is ready" });
  await ready.waitFor({ timeout: 200_000 });
  await page.waitForFunction(() => document.querySelector("[role=dialog] video")?.readyState >= 1);
  await shoot("ready");
  const seconds = await ready.locator("video").evaluate((video) => video.duration);
  assert.ok(Math.abs(seconds - 20) < 0.2, `the film is ${seconds} seconds long`);
  assert.equal((await overlays("image")).length, 2);
  for (const type of ["video", "text", "caption"]) assert.equal((await overlays(type)).length, 1, type);
  assert.equal((await overlays("sound")).length, 2, "music and narration");
  assertNoConsoleErrors(page);
});
