// The film of a form is painted in the browser with each keystroke; without the player the service draws it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import {
  assertAccessible,
  assertNoConsoleErrors,
  createOperator,
  filmShown,
  openPage,
  startBrowser,
} from "./browser.mjs";
import { startService } from "./service.mjs";

const TEMPLATE = "/dashboard/templates/tpl_product_spotlight";
/** One without changes. */
const OTHER = "/dashboard/templates/tpl_quote_card";
/** One whose texts are over video. */
const VIDEO = "/dashboard/templates/tpl_year_recap_9x16";

let service;
let browser;
let page;

before(async () => {
  service = await startService("--sign-up-credits", "40");
  browser = await startBrowser();
  page = await openPage(browser, service.url);
  await createOperator(page);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Addresses of pictures and films that the page asks the service for. */
function picturesAsked(watched) {
  const asked = [];
  watched.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/preview\/.*(\.png|\.mp4|\/status)$/.test(pathname)) asked.push(pathname);
  });
  return asked;
}

/** Runs in the page: the pixels on the canvas of the player or, with `painted`, of its frame as the engine paints it, in short. */
const digest = async (painted) => {
  const player = document.querySelector("rondo-player");
  const canvas = player.shadowRoot.querySelector("canvas");
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d");
  if (painted) copy.putImageData(await player.frame(player.currentFrame), 0, 0);
  else copy.drawImage(canvas, 0, 0);
  const bytes = await crypto.subtle.digest("SHA-256", copy.getImageData(0, 0, width, height).data);
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
const pixels = () => page.evaluate(digest, false);

/** Waits until the canvas shows something else, and just what the engine paints, and tells what. */
async function changed(before) {
  for (let turn = 0; turn < 200; turn++) {
    const now = await pixels();
    if (now !== before && now === (await page.evaluate(digest, true))) return now;
    await page.waitForTimeout(100);
  }
  throw new Error("The film did not change.");
}

test("each keystroke changes the film, and no picture is asked for", async () => {
  const asked = picturesAsked(page);
  await page.goto(TEMPLATE);
  await filmShown(page);
  const poster = await pixels();
  const name = page.getByLabel("Product Name", { exact: true });
  await name.focus();
  // The frame in which the name is seen.
  const films = [await changed(poster)];
  await name.press("End");
  for (const letter of ["x", "y", "z"]) {
    await name.press(letter);
    films.push(await changed(films.at(-1)));
  }
  assert.equal(new Set(films).size, 4, "a film for each letter");
  await page.getByRole("button", { name: "Reset Product Name" }).click();
  assert.equal(await changed(films.at(-1)), films[0], "the first film again");
  assert.deepEqual(asked, []);
  await assertAccessible(page, "template with a live film");
  assertNoConsoleErrors(page);
});

test("colours and pictures of other sites are shown", async (t) => {
  const site = createServer((_, response) =>
    response.writeHead(200, { "Content-Type": "image/png" }).end(square([0, 160, 80])),
  );
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  t.after(() => site.close());
  const before = await pixels();
  await page.getByLabel("Text", { exact: true }).fill("#00a050");
  await changed(before);
  await page.getByLabel("Product Photo", { exact: true }).focus();
  await page.waitForTimeout(500);
  await filmShown(page);
  const photo = await pixels();
  // The page may not read it, so the service passes it on once the preview is there.
  const address = `http://127.0.0.1:${site.address().port}/square.png?secret=1`;
  await page.getByLabel("Product Photo", { exact: true }).fill(address);
  await changed(photo);
  // The policy of the dashboard allows no thumbnails over http.
  page.consoleErrors = page.consoleErrors.filter((error) => !error.includes("square.png"));
  assertNoConsoleErrors(page);
});

test("a render shows its film while it runs and when its file is gone, and its file in between", async () => {
  const text = {
    id: 1,
    type: "text",
    row: 1,
    from: 0,
    durationInFrames: 30,
    left: 20,
    top: 40,
    width: 280,
    height: 80,
  };
  const inputProps = {
    width: 320,
    height: 180,
    fps: 30,
    durationInFrames: 30,
    overlays: [{ ...text, content: "Kept", styles: { fontSize: "40px", color: "#ffffff" } }],
  };
  const origin = { headers: { origin: service.url } };
  const answer = await page.request.post("/api/v1/renders", { data: { inputProps }, ...origin });
  const { jobId } = (await answer.json()).data;
  await page.goto(`/dashboard/renders/${jobId}`);
  await page.getByLabel(/^Video: /).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator("rondo-player").count(), 0, "the file is the product");
  await page.request.delete(`/api/v1/renders/${jobId}`, origin);
  await page.reload();
  await filmShown(page);
  await page.getByText(/has expired\. This is the film/).waitFor();
  await assertAccessible(page, "render without its file");
  assertNoConsoleErrors(page);
});

test("a render with several files lists them, each to download, and deletes them together", async () => {
  const film = { width: 320, height: 180, fps: 10, durationInFrames: 10, backgroundColor: "#7c3aed", overlays: [] };
  const output = { also: [{ format: "gif", scale: 0.5 }, { format: "png", frame: 3 }, { format: "mp3" }] };
  await page.goto("/dashboard");
  const created = await page.evaluate(
    async (body) => {
      const headers = { "content-type": "application/json" };
      return (await fetch("/api/v1/renders", { method: "POST", headers, body: JSON.stringify(body) })).json();
    },
    { inputProps: film, output },
  );
  await page.goto(`/dashboard/renders/${created.data.jobId}`);
  const files = page.getByRole("region", { name: "Files" });
  await files.waitFor({ timeout: 60_000 });
  const rows = await files.getByRole("listitem").allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split("\n")[0]),
    ["MP4", "GIF", "PNG", "MP3"],
  );
  assert.match(rows[1], /160 × 90 · /);
  assert.doesNotMatch(rows[3], /×/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    files.getByRole("link", { name: "Download GIF" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.gif$/);
  await assertAccessible(page, "render with several files");
  await page.getByRole("button", { name: "Delete files" }).click();
  await page.getByRole("alertdialog").getByText("Delete these 4 files?").waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Files deleted.", { exact: true }).waitFor();
});

test("examples of the guides play beside their text", async () => {
  for (const guide of ["player", "quick-start", "agents"]) {
    await page.goto(`/docs/${guide}`);
    await page.locator(".film").first().scrollIntoViewIfNeeded();
    await filmShown(page);
    const frame = await page.evaluate(() => document.querySelector("rondo-player").currentFrame);
    assert.ok(frame > 20, "a frame with something on it");
    await page.getByRole("button", { name: "Play" }).first().click();
    await page.waitForFunction((before) => document.querySelector("rondo-player").currentFrame < before - 5, frame);
  }
  await assertAccessible(page, "guide with films");
  assertNoConsoleErrors(page);
});

test("without WebCodecs, frames with video have the values that were typed", async () => {
  const other = await page.context().newPage();
  await other.addInitScript(() => {
    delete globalThis.VideoDecoder;
  });
  const asked = picturesAsked(other);
  await other.goto(VIDEO);
  await filmShown(other);
  const text = other.getByLabel("Moment 1", { exact: true });
  // The frame in which it is seen.
  await text.focus();
  await other.waitForTimeout(1000);
  await filmShown(other);
  const before = await other.evaluate(digest, true);
  const plain = asked.at(-1);
  assert.ok(plain, "the service paints the frame");
  await text.fill("Typed");
  for (let turn = 0; (await other.evaluate(digest, true)) === before; turn++) {
    assert.ok(turn < 100, "the frame still has the text of the template");
    await other.waitForTimeout(100);
  }
  assert.notEqual(asked.at(-1), plain, "the frame is of a preview with the text");
  await filmShown(other);
  await other.close();
});

test("where the player cannot be loaded, the service draws frames and the film", async () => {
  const other = await page.context().newPage();
  await other.route("**/player/rondo-player.js", (route) => route.abort());
  await other.goto(OTHER);
  await other.getByRole("img", { name: /^Frame/ }).waitFor({ timeout: 60_000 });
  await other.getByRole("radio", { name: "Video" }).waitFor();
  await other.getByRole("radio", { name: "Grid" }).click();
  await other.getByAltText("Contact sheet").waitFor({ timeout: 60_000 });
  await other.close();
});

test("where WebAssembly is forbidden, the service draws frames", async () => {
  const other = await page.context().newPage();
  await other.route(`**${OTHER}`, async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    headers["content-security-policy"] = headers["content-security-policy"]?.replace(" 'wasm-unsafe-eval'", "");
    await route.fulfill({ response, headers });
  });
  await other.goto(OTHER);
  await other.getByRole("img", { name: /^Frame/ }).waitFor({ timeout: 60_000 });
  await other.close();
});

/** A PNG file of one colour. */
function square(colour, size = 64) {
  const rows = Buffer.concat(
    Array.from({ length: size }, () => Buffer.from([0, ...Array.from({ length: size }, () => colour).flat()])),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type, content) => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(content.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc(body), body.length + 4);
    return whole;
  };
  const start = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
