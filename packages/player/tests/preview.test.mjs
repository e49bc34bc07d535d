// The public preview page, drawn by the player: the film, a contact sheet and a single frame. RONDO_PROGRAM names the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { clipFilm, textFilm } from "./site.mjs";

const skip = !process.env.RONDO_PROGRAM && "RONDO_PROGRAM is not set";
let service;
let browser;
let page;
let preview;

before(async () => {
  if (skip) return;
  // They need the packages of the dashboard.
  const { createOperator, openPage, startBrowser } = await import("../../../web/tests/browser.mjs");
  const { startService } = await import("../../../web/tests/service.mjs");
  service = await startService();
  browser = await startBrowser();
  page = await openPage(browser, service.url);
  await createOperator(page);
  preview = await previewOf({ ...textFilm("Preview", 90), width: 640, height: 360 });
});

/** The path of the preview of a film. */
async function previewOf(film) {
  const answer = await page.request.post("/api/v1/previews", {
    data: { inputProps: film },
    headers: { origin: service.url },
  });
  return new URL((await answer.json()).data.previewUrl).pathname;
}

after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Opens the page and waits until it is ready. Returns the pictures that it asked the service for. */
async function open(query, watched = page, path = preview) {
  const asked = [];
  const note = (request) => /\.(png|mp4)$|\/status$/.test(new URL(request.url()).pathname) && asked.push(request.url());
  watched.on("request", note);
  const response = await watched.goto(`${service.url}${path}${query}`);
  assert.match(await response.text(), /<html lang="en" data-preview-ready="false">/);
  await watched.waitForSelector('html[data-preview-ready="true"]', { timeout: 30_000 });
  watched.off("request", note);
  return asked;
}

/** Runs in the page: pixels of the service and of the player at a frame, as far as they differ. */
async function difference([address, frame]) {
  const player = document.querySelector("rondo-player");
  const picture = await createImageBitmap(await (await fetch(address)).blob(), { colorSpaceConversion: "none" });
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  const painted = (await player.frame(frame)).data;
  return data.reduce((most, value, index) => Math.max(most, Math.abs(value - painted[index])), 0);
}

test("the film plays in the player", { skip }, async () => {
  assert.deepEqual(await open(""), []);
  assert.equal(await page.evaluate(() => document.querySelector("rondo-player").exact), true);
  assert.deepEqual(page.consoleErrors, []);
});

test("a single frame is painted by the player, and the next one is a link away", { skip }, async () => {
  assert.deepEqual(await open("?frame=40"), []);
  const shown = () =>
    page.evaluate(() => {
      const { currentFrame, exact, paused } = document.querySelector("rondo-player");
      return { currentFrame, exact, paused };
    });
  assert.deepEqual(await shown(), { currentFrame: 40, exact: true, paused: true });
  assert.equal(await page.getByRole("img", { name: "Frame 40 of the film" }).count(), 1);
  assert.equal(await page.evaluate(difference, [`${preview}.png?frame=40`, 40]), 0);
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/frame=41$/);
  await page.waitForSelector('html[data-preview-ready="true"]');
  assert.equal((await shown()).currentFrame, 41);
  assert.deepEqual(page.consoleErrors, []);
});

test("the contact sheet is painted by the player: twelve frames that lead to each", { skip }, async () => {
  assert.deepEqual(await open("?mode=grid"), []);
  const cells = await page.locator("#sheet a").evaluateAll((links) =>
    links.map((link) => {
      const canvas = link.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const white = data.some((value, index) => index % 4 === 0 && value > 200);
      return { href: link.getAttribute("href").split("?")[1], text: link.textContent, white };
    }),
  );
  assert.equal(cells.length, 12);
  assert.deepEqual(
    [cells[0], cells[11]].map(({ href, text }) => [href, text]),
    [
      ["frame=0", "0 · 0:00.00"],
      ["frame=89", "89 · 0:02.96"],
    ],
  );
  // The text is white from some frame on.
  assert.ok(
    cells.slice(4).every(({ white }) => white),
    JSON.stringify(cells),
  );
  assert.deepEqual(page.consoleErrors, []);
});

test("where the player cannot be loaded, and without script, the service draws", { skip }, async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  await context.route(/rondo-player\.js/, (route) => route.abort());
  const other = await context.newPage();
  for (const [query, picture] of [
    ["?frame=40", /\.png\?frame=40$/],
    ["?mode=grid", /\.png\?mode=grid$/],
  ]) {
    const asked = await open(query, other);
    assert.equal(asked.length, 1);
    assert.match(asked[0], picture);
    assert.ok(await other.locator("#picture").evaluate((image) => image.naturalWidth > 0));
    assert.equal(await other.locator("#sheet, rondo-player").count(), 0);
  }
  const plain = await browser.newContext({ javaScriptEnabled: false });
  t.after(() => plain.close());
  const quiet = await plain.newPage();
  await quiet.goto(`${service.url}${preview}?frame=40`);
  await quiet.locator("img#picture").waitFor();
  assert.equal(await quiet.locator("rondo-player").isVisible(), false);
});

/** A server of one file without CORS, which sends parts of it, and of the whole file only the first megabyte until it is released. */
async function slowServer(bytes) {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const parts = [];
  const server = createServer(async (request, response) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const [first, last] = range ? [Number(range[1]), Number(range[2])] : [0, bytes.length - 1];
    if (range) parts.push(first);
    response.writeHead(range ? 206 : 200, {
      "Content-Type": "video/mp4",
      "Content-Length": last - first + 1,
      ETag: '"clip"',
      ...(range ? { "Content-Range": `bytes ${first}-${last}/${bytes.length}` } : {}),
    });
    if (range || request.method === "HEAD") return response.end(bytes.subarray(first, last + 1));
    response.write(bytes.subarray(0, 1 << 20));
    await released;
    response.end(bytes.subarray(1 << 20));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/clip.mp4`, parts, release, close };
}

test("a clip with its index at the end is shown before its server sent all of it", { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "rondo-preview-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const clip = join(folder, "clip.mp4");
  const picture = "testsrc2=s=640x360:r=30:d=6,noise=alls=40:allf=t";
  const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "24", "-pix_fmt", "yuv420p", "-g", "30"];
  execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", picture, ...x264, clip]);
  const bytes = readFileSync(clip);
  assert.ok(bytes.length > 8 << 20, `${bytes.length} bytes`);
  const server = await slowServer(bytes);
  t.after(() => server.close());
  const path = await previewOf(clipFilm(server.url, 640, 360, 180));
  await open("?frame=0", page, path);
  assert.ok(server.parts.length > 0, "the index was asked for apart");
  const isExact = () => page.evaluate(() => document.querySelector("rondo-player").exact);
  assert.equal(await isExact(), true);
  // So is a frame in the middle of what did not come yet.
  await open("?frame=120", page, path);
  assert.equal(await isExact(), true);
  server.release();
  assert.equal(await page.evaluate(difference, [`${path}.png?frame=120`, 120]), 0);
  assert.equal(await page.evaluate(difference, [`${path}.png?frame=0`, 0]), 0);
  assert.deepEqual(page.consoleErrors, []);
});
