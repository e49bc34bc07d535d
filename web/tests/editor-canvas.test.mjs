// The canvas of the editor: what people do to overlays by hand, and that it shows what the service renders.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { startService } from "./service.mjs";

const overlay = (id, type, row, [left, top, width, height], rotation, more) => ({
  ...{ id, type, from: 0, durationInFrames: 90, row, left, top, width, height, rotation },
  ...more,
});
const FILM = {
  ...{ width: 1280, height: 720, fps: 30, durationInFrames: 90, backgroundColor: "#101828" },
  overlays: [
    overlay(1, "text", 1, [240, 120, 480, 120], 0, {
      content: "Hello",
      styles: { fontSize: "72px", fontFamily: "Inter", fontWeight: "700", color: "#ffffff", textAlign: "center" },
    }),
    overlay(2, "shape", 3, [800, 300, 300, 200], 20, { content: "rectangle", styles: { fill: "#ff7a5c" } }),
    overlay(3, "shape", 4, [120, 380, 220, 220], 0, { content: "circle", styles: { fill: "#3b82f6" } }),
  ],
};

/** Corners of an overlay as they are seen, clockwise from the top left. */
function cornersOf({ left, top, width, height, rotation }) {
  const [sin, cos] = [Math.sin((rotation * Math.PI) / 180), Math.cos((rotation * Math.PI) / 180)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => {
    const [dx, dy] = [(x * width) / 2, (y * height) / 2];
    return [left + width / 2 + dx * cos - dy * sin, top + height / 2 + dx * sin + dy * cos];
  });
}
const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

describe("geometry", () => {
  let geometry;
  before(async () => {
    const source = join(import.meta.dirname, "../src");
    const folder = mkdtempSync(join(tmpdir(), "rondo-canvas-"));
    const entry = join(folder, "canvas.ts");
    writeFileSync(
      entry,
      ["geometry", "snap", "boxes"].map((name) => `export * from "${source}/editor/canvas/${name}";`).join("\n"),
    );
    try {
      await build({
        configFile: false,
        root: join(import.meta.dirname, ".."),
        logLevel: "error",
        resolve: { alias: { "@": source } },
        build: { outDir: folder, emptyOutDir: false, lib: { entry, formats: ["es"], fileName: "built" } },
      });
      geometry = await import(pathToFileURL(join(folder, "built.js")).href);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("what lies opposite a handle stays, however the box is turned", () => {
    const { HANDLES, pointOf, resize } = geometry;
    for (let angle = -170; angle < 180; angle += 35)
      for (const handle of HANDLES)
        for (const keepRatio of [false, true]) {
          const start = { left: 100, top: 50, width: 320, height: 180, rotation: angle };
          const next = resize(start, handle, [37, -21], { keepRatio, fromCentre: false });
          const opposite = { x: -handle.x, y: -handle.y };
          assert.ok(
            apart(pointOf(start, opposite), pointOf(next, opposite)) < 1e-6,
            `${angle}° ${JSON.stringify(handle)}`,
          );
          if (keepRatio) assert.ok(Math.abs(next.width / next.height - 320 / 180) < 1e-9);
        }
  });

  test("a box is never turned inside out", () => {
    const start = { left: 0, top: 0, width: 50, height: 50, rotation: 30 };
    const next = geometry.resize(start, { x: 1, y: 1 }, [-5000, -5000], { keepRatio: true, fromCentre: false });
    assert.ok(next.width >= 1 && next.height >= 1, JSON.stringify(next));
  });

  test("a crop and its window are each other's inverse", () => {
    const { boxOfWindow, windowOf } = geometry;
    const box = { left: 10, top: 20, width: 400, height: 300, rotation: 33 };
    const crop = { x: 0.1, y: 0.25, width: 0.5, height: 0.6 };
    const again = boxOfWindow(windowOf(box, crop), crop);
    for (const [field, value] of Object.entries(box)) assert.ok(Math.abs(again[field] - value) < 1e-9, field);
  });

  test("edges snap to thirds, others, and to equal distances", () => {
    const { snapMove, stopsOf } = geometry;
    const other = { left: 500, top: 100, width: 100, height: 100, rotation: 0 };
    const stops = stopsOf(1200, 900, [other]);
    const moved = (left, top) => snapMove({ left, top, right: left + 50, bottom: top + 50 }, stops, 6);
    assert.equal(moved(403, 700).dx, -3, "a third of the canvas");
    assert.equal(moved(604, 700).dx, -4, "the edge of another overlay");
    assert.equal(moved(20, 700).dx, 0, "nothing is near");
    const row = stopsOf(1200, 900, [other, { ...other, left: 700 }]);
    const spaced = snapMove({ left: 903, top: 120, right: 953, bottom: 170 }, row, 6);
    assert.equal(spaced.dx, -3, "as far from the second as that from the first");
    assert.equal(spaced.gaps.length, 2);
  });
});

describe("canvas", () => {
  let service, browser, page;
  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    page = await openPage(browser, service.url);
    await createOperator(page);
  });
  after(async () => {
    if (page) assertNoConsoleErrors(page);
    await browser?.close();
    await service?.stop();
  });

  const send = (path, data) => page.request.post(path, { data, headers: { origin: service.url } });
  const documentNow = () => page.evaluate(() => window.rondo.editor.document());
  const now = async (id) => (await documentNow()).overlays.find((each) => each.id === id);
  const history = () => page.evaluate(() => ({ ...window.rondo.editor.state, film: null }));
  const item = (id) => page.locator(`[data-overlay="${id}"]`);

  /** Waits until the picture shows the film as it is now. */
  const painted = () =>
    page.waitForFunction(() => {
      const player = document.querySelector("rondo-player");
      return player?.exact && player.composition === window.rondo.editor.document();
    });

  async function edit(composition) {
    const response = await send("/api/v1/projects", { name: "Film", composition });
    assert.ok(response.ok(), await response.text());
    const { data } = await response.json();
    await page.goto(`/edit/${data.id}`);
    await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
    await item(composition.overlays[0].id).waitFor({ state: "attached" });
  }
  beforeEach(() => edit(FILM));

  /** A point of the film on the screen. */
  const at = (point) =>
    page.evaluate(([x, y]) => {
      const { left, top, width } = document.querySelector("rondo-player").getBoundingClientRect();
      const scale = width / window.rondo.editor.document().width;
      return [left + x * scale, top + y * scale];
    }, point);

  async function click(point, options) {
    await page.mouse.click(...(await at(point)), options);
  }

  /** Drags from one point of the film to another, as a hand does. */
  async function drag(from, to, key) {
    const [start, end] = [await at(from), await at(to)];
    if (key) await page.keyboard.down(key);
    await page.mouse.move(...start);
    await page.mouse.down();
    // The selection follows from the engine's answer.
    await page.waitForTimeout(200);
    await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 3 });
    await page.mouse.move(...end, { steps: 3 });
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
  }

  const selected = (ids) =>
    page.waitForFunction((ids) => String(window.rondo.editor.state.selection) === String(ids), ids);

  test("a drag moves an overlay in one step, which undo takes back", async () => {
    await drag([870, 420], [930, 461], "Control");
    await selected([2]);
    const moved = await now(2);
    assert.ok(Math.abs(moved.left - 860) <= 2 && Math.abs(moved.top - 341) <= 2, JSON.stringify(moved));
    assert.deepEqual({ ...moved, left: 800, top: 300 }, FILM.overlays[1], "nothing else changed");
    assert.deepEqual((await history()).steps, ["Open", "Move"]);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(await documentNow(), FILM);
  });

  test("Escape in the middle of a drag leaves the film as it was", async () => {
    await page.mouse.move(...(await at([870, 420])));
    await page.mouse.down();
    await selected([2]);
    await page.mouse.move(...(await at([990, 500])), { steps: 4 });
    assert.notEqual((await now(2)).left, 800);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.deepEqual(await documentNow(), FILM);
    assert.deepEqual((await history()).steps, ["Open"]);
  });

  test("a dragged corner leaves the opposite one of a turned overlay in its place", async () => {
    await click([950, 400]);
    await selected([2]);
    const before = cornersOf(await now(2));
    await drag(before[2], [before[2][0] + 60, before[2][1] + 45], "Control");
    const resized = await now(2);
    assert.ok(resized.width > 340 && resized.rotation === 20, JSON.stringify(resized));
    assert.ok(apart(cornersOf(resized)[0], before[0]) < 0.2, "the opposite corner stays");
    assert.ok(
      apart(cornersOf(resized)[2], [before[2][0] + 60, before[2][1] + 45]) < 3,
      "the corner follows the pointer",
    );
    assert.deepEqual((await history()).steps, ["Open", "Resize"]);
  });

  test("the handle above turns, in steps of 15 degrees with Shift", async () => {
    await click([230, 490]);
    await selected([3]);
    const { x, y, width, height } = await page.locator("[data-rotate] circle").last().boundingBox();
    const centre = await at([230, 490]);
    const reach = centre[1] - (y + height / 2);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(centre[0] + reach * 0.7, centre[1] - reach * 0.75, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    assert.equal((await now(3)).rotation, 45);
  });

  test("a dragged overlay snaps to the centre of the canvas", async () => {
    // Four pixels short of the centre, on both axes.
    await drag([230, 490], [230 + 410 - 4, 490 - 130 - 3]);
    const { left, top } = await now(3);
    assert.deepEqual([left, top], [530, 250]);
  });

  test("a marquee selects what it touches, and the selection scales together", async () => {
    await drag([60, 260], [1200, 700]);
    await selected([3, 2]);
    const before = [await now(2), await now(3)];
    const bounds = before.flatMap(cornersOf);
    const [right, bottom] = [Math.max(...bounds.map(([x]) => x)), Math.max(...bounds.map(([, y]) => y))];
    await drag([right, bottom], [right - 200, bottom - 90], "Control");
    const after = [await now(2), await now(3)];
    const scales = after.map(({ width }, index) => width / before[index].width);
    assert.ok(scales[0] < 0.9 && Math.abs(scales[0] - scales[1]) < 0.01, String(scales));
    assert.deepEqual((await history()).steps, ["Open", "Resize 2 overlays"]);
  });

  test("text is written where it stands and painted with each key", async () => {
    /** How many columns of the picture have white in them. */
    const ink = () =>
      page.evaluate(async () => {
        const { data, width } = await document.querySelector("rondo-player").frame(0);
        const columns = new Set();
        for (let index = 0; index < data.length; index += 4)
          if (data[index] + data[index + 1] + data[index + 2] === 765) columns.add((index / 4) % width);
        return columns.size;
      });
    const before = await ink();
    await page.mouse.dblclick(...(await at([480, 180])));
    await page.getByRole("textbox", { name: "Text of the overlay" }).waitFor();
    await page.keyboard.type("Written on the film");
    assert.equal((await now(1)).content, "Written on the film");
    assert.deepEqual((await history()).steps, ["Open", "Edit text"]);
    await page.keyboard.press("Escape");
    await painted();
    const after = await ink();
    assert.ok(after > before * 1.5, `${before} columns with letters before, ${after} after`);
    await page.keyboard.press("ControlOrMeta+z");
    assert.equal((await now(1)).content, "Hello");
  });

  test("everything is within reach of the keyboard", async () => {
    await item(1).focus();
    await page.keyboard.press("Tab");
    await selected([2]);
    assert.equal(await item(2).getAttribute("aria-label"), "Shape “rectangle”, 300 by 200");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    assert.deepEqual([(await now(2)).left, (await now(2)).top], [801, 310]);
    await page.keyboard.press("Alt+h");
    assert.ok(Math.abs((await now(2)).left - 490) < 0.2, "centred");
    await page.keyboard.press("[");
    assert.deepEqual([(await now(2)).row, (await now(3)).row], [4, 3], "it changed places with the circle");
    await item(1).focus();
    await selected([1]);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Text of the overlay" }).waitFor();
  });

  test("locked overlays are not hit, hidden ones are not painted", async () => {
    await click([230, 490]);
    await selected([3]);
    const bar = page.getByRole("toolbar", { name: "Selected overlays" });
    await bar.getByRole("button", { name: "Lock or unlock" }).click();
    await drag([230, 490], [300, 490]);
    assert.deepEqual(await now(3), FILM.overlays[2], "it stays");
    await click([950, 400]);
    await selected([2]);
    await bar.getByRole("button", { name: "Hide or show" }).click();
    await page.waitForFunction(() => document.querySelector("rondo-player").composition.overlays.length === 2);
    assert.deepEqual(await documentNow(), FILM, "the film keeps both");
  });

  test("media are cropped on the canvas and moved inside their frame", async () => {
    const src = `${service.url}/pages/icon.svg`;
    await edit({ ...FILM, overlays: [overlay(7, "image", 0, [400, 200, 400, 300], 0, { src, styles: {} })] });
    await item(7).focus();
    await selected([7]);
    await page.keyboard.press("Enter");
    await page.getByRole("toolbar", { name: "Crop and position" }).waitFor();
    await drag([400, 350], [500, 350]);
    const { styles, ...cropped } = await now(7);
    assert.ok(Math.abs(styles.cropX - 25) < 0.6 && Math.abs(styles.cropWidth - 75) < 0.6, JSON.stringify(styles));
    assert.deepEqual([styles.cropEnabled, styles.cropY, styles.cropHeight, cropped.left], [true, 0, 100, 400]);
    await drag([650, 350], [690, 350]);
    const slid = await now(7);
    assert.ok(Math.abs(slid.left - 440) < 2 && Math.abs(slid.styles.cropX - 15) < 0.6, JSON.stringify(slid));
    await page.keyboard.press("Escape");
    assert.deepEqual((await history()).steps, ["Open", "Crop", "Reposition"]);
  });

  test("media of other sites are painted, though they allow no other page to read them", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path fill="#0f0" d="M0 0h40v40H0z"/></svg>';
    const site = createServer((_, response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end(svg));
    await new Promise((done) => site.listen(0, "127.0.0.1", done));
    try {
      const src = `http://127.0.0.1:${site.address().port}/green.svg?size=40`;
      await edit({ ...FILM, overlays: [overlay(7, "image", 0, [400, 200, 400, 400], 0, { src, styles: {} })] });
      await page.waitForFunction(async () => {
        const { data, width } = await document.querySelector("rondo-player").frame(0);
        return String(data.slice((400 * width + 600) * 4, (400 * width + 600) * 4 + 3)) === "0,255,0";
      });
      assert.equal((await now(7)).src, src, "the film keeps the address");
      // The timeline shows the file itself, which pages of the service load by https: only.
      page.consoleErrors = page.consoleErrors.filter((error) => !/img-src/.test(error));
    } finally {
      site.close();
    }
  });

  test("a film that cannot be painted is said, and can be undone", async () => {
    await page.evaluate(() => window.rondo.editor.apply({ op: "set", id: 2, path: "content", value: 7 }));
    await page.getByRole("region", { name: "Canvas" }).getByRole("alert").waitFor();
    await page.evaluate(() => window.rondo.editor.undo());
    await page.getByRole("region", { name: "Canvas" }).getByRole("alert").waitFor({ state: "detached" });
  });

  test("the playhead of the editor and of the picture are the same", async () => {
    await page.evaluate(() => window.rondo.editor.seek(42));
    await page.waitForFunction(() => document.querySelector("rondo-player").currentFrame === 42);
    await page.evaluate(() => window.rondo.editor.play());
    await page.waitForFunction(() => window.rondo.editor.state.frame > 50);
    await page.evaluate(() => window.rondo.editor.pause());
    await page.waitForFunction(() => document.querySelector("rondo-player").paused);
  });

  test("frames in the editor are the service's, byte for byte", async () => {
    const changes = [
      [{ op: "set", id: 2, path: "rotation", value: 33.3 }],
      [{ op: "set", id: 1, path: "content", value: "Two\nlines" }],
      [{ op: "set", id: 3, path: "styles.opacity", value: 0.5 }],
      [{ op: "set", id: 1, path: "styles.animation", value: { enter: "slide-up", exit: "fade" } }],
      [{ op: "remove", id: 2 }],
    ];
    for (const edits of changes) {
      await page.evaluate((edits) => window.rondo.editor.apply(edits), edits);
      await painted();
      const response = await send("/api/v1/previews", { inputProps: await documentNow() });
      const { data } = await response.json();
      const differing = await page.evaluate(
        async ([id, frames]) => {
          const player = document.querySelector("rondo-player");
          const wrong = [];
          for (const frame of frames) {
            const blob = await (await fetch(`/preview/${id}.png?frame=${frame}`)).blob();
            const picture = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
            const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            context.drawImage(picture, 0, 0);
            const expected = context.getImageData(0, 0, picture.width, picture.height);
            const { data, width } = await player.frame(frame);
            const count = data.reduce((sum, value, index) => sum + (value === expected.data[index] ? 0 : 1), 0);
            if (count || width !== expected.width) wrong.push(`frame ${frame}: ${count} values differ`);
          }
          return wrong;
        },
        [data.previewId, [0, 7, 45]],
      );
      assert.deepEqual(differing, [], JSON.stringify(edits));
    }
  });
});
