// The timeline of the editor: what its gestures and keys do to the film, and that it stays small and accessible.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { editorOf, openFilm } from "./editor.mjs";
import { startService } from "./service.mjs";

const clip = (id, type, row, from, durationInFrames, more) => ({
  ...{ id, type, row, from, durationInFrames, left: 0, top: 0, width: 320, height: 180, rotation: 0 },
  ...more,
});
const filmOf = (overlays, more) => ({ width: 640, height: 360, fps: 30, durationInFrames: 300, ...more, overlays });
const text = (id, row, from, length, more) => clip(id, "text", row, from, length, { content: `Text ${id}`, ...more });

describe("cuts", () => {
  let cuts;
  before(async () => {
    const source = join(import.meta.dirname, "../src");
    const folder = mkdtempSync(join(tmpdir(), "rondo-timeline-"));
    const entry = join(folder, "timeline.ts");
    const modules = ["cut", "operations", "rows", "time", "snap", "fades", "media/peaks"];
    writeFileSync(entry, modules.map((name) => `export * from "${source}/editor/timeline/${name}";`).join("\n"));
    writeFileSync(entry, `export { applyEdits } from "${source}/editor/model/edits";`, { flag: "a" });
    try {
      await build({
        configFile: false,
        root: join(import.meta.dirname, ".."),
        logLevel: "error",
        resolve: { alias: { "@": source } },
        build: { outDir: folder, emptyOutDir: false, lib: { entry, formats: ["es"], fileName: "built" } },
      });
      cuts = await import(pathToFileURL(join(folder, "built.js")).href);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("the in-point of media moves with the start of a clip, by its speed, and not before the source", () => {
    const video = clip(1, "video", 0, 60, 90, { src: "a.mp4", videoStartTime: 2, speed: 2 });
    const later = cuts.trimStart(video, 30, 30);
    assert.deepEqual([later.from, later.durationInFrames, later.videoStartTime], [90, 60, 4]);
    const earliest = cuts.trimStart(video, -60, 30);
    assert.deepEqual([earliest.from, earliest.durationInFrames, earliest.videoStartTime], [30, 120, 0]);
    const sound = clip(2, "sound", 0, 30, 90, { src: "a.mp3" });
    assert.equal(cuts.trimStart(sound, 15, 30).startFromSound, 0.5);
    assert.equal(cuts.trimStart(sound, -15, 30), sound);
    assert.equal(cuts.trimStart(text(3, 0, 10, 20), 99, 30).durationInFrames, 1);
  });

  test("a split keeps what both parts show: in-points, segments, entering and exiting", () => {
    const animation = { enter: "fade", enterDuration: 0.5, exit: "scale", exitDuration: 1, during: "pulse" };
    const video = clip(1, "video", 0, 30, 90, { src: "a.mp4", videoStartTime: 1, speed: 0.5, styles: { animation } });
    const [first, second] = cuts.splitClip(video, 60, 30);
    assert.deepEqual([first.from, first.durationInFrames, first.videoStartTime], [30, 30, 1]);
    assert.deepEqual([second.from, second.durationInFrames, second.videoStartTime], [60, 60, 1.5]);
    assert.deepEqual(first.styles.animation, { enter: "fade", enterDuration: 0.5, during: "pulse" });
    assert.deepEqual(second.styles.animation, { exit: "scale", exitDuration: 1, during: "pulse" });
    assert.equal(second.id, undefined);

    const segments = [
      { startFrame: 0, endFrame: 30 },
      { startFrame: 100, endFrame: 160, speed: 2 },
    ];
    const cut = clip(2, "video", 0, 0, 60, { src: "a.mp4", segments });
    assert.deepEqual(cuts.splitClip(cut, 40, 30)[1].segments, [{ startFrame: 120, endFrame: 160, speed: 2 }]);

    const typed = text(3, 0, 0, 60, {
      styles: { typeWriter: { enabled: true }, counterMode: { enabled: true, to: 9 } },
    });
    const [, rest] = cuts.splitClip(typed, 30, 30);
    assert.deepEqual(rest.styles, { typeWriter: { enabled: false }, counterMode: { enabled: true, to: 9, from: 9 } });
  });

  test("a split divides captions by their words", () => {
    const word = (name, startMs, endMs) => ({ word: name, startMs, endMs, confidence: 1 });
    const captions = [
      {
        text: "One two three",
        startMs: 0,
        endMs: 1500,
        words: [word("One", 0, 400), word("two", 500, 900), word("three", 1100, 1500)],
      },
      { text: "Four", startMs: 2000, endMs: 2500, words: [word("Four", 2000, 2500)] },
    ];
    const [first, second] = cuts.splitClip(clip(1, "caption", 0, 0, 90, { captions }), 30, 30);
    assert.deepEqual(
      first.captions.map(({ text, startMs, endMs, words }) => [text, startMs, endMs, words.length]),
      [["One two", 0, 1000, 2]],
    );
    assert.deepEqual(
      second.captions.map(({ text, startMs, endMs, words }) => [text, startMs, endMs, words[0].startMs]),
      [
        ["three", 0, 500, 100],
        ["Four", 1000, 1500, 1000],
      ],
    );
  });

  test("another speed shows the same part of the source in another length", () => {
    const video = clip(1, "video", 0, 0, 90, { src: "a.mp4" });
    assert.deepEqual(
      ["speed", "durationInFrames"].map((key) => cuts.atSpeed(video, 2)[key]),
      [2, 45],
    );
    assert.deepEqual(
      ["speed", "durationInFrames"].map((key) => cuts.stretched(video, 180)[key]),
      [0.5, 180],
    );
    assert.equal(cuts.atSpeed(video, 900).speed, 16);
  });

  test("ripple delete and closing gaps move the clips of a row together", () => {
    const film = filmOf([text(1, 0, 0, 30), text(2, 0, 40, 20), text(3, 0, 90, 30), text(4, 1, 90, 30)]);
    const starts = (edits) => cuts.applyEdits(film, edits).overlays.map(({ id, from }) => [id, from]);
    assert.deepEqual(starts(cuts.rippleRemove(film, [film.overlays[1]])), [
      [1, 0],
      [3, 70],
      [4, 90],
    ]);
    assert.deepEqual(starts(cuts.closeGaps(film, [0])), [
      [1, 0],
      [2, 30],
      [3, 50],
      [4, 90],
    ]);
  });

  test("clips that overlap in a row share its height; rows far apart are not all shown", () => {
    const film = filmOf([text(1, 0, 0, 60), text(2, 0, 30, 60), text(3, 2, 0, 60)]);
    const { rows, byId } = cuts.tracksOf(film);
    assert.deepEqual(rows, [0, 1, 2, 3]);
    assert.deepEqual(
      [byId.get(1), byId.get(2)],
      [
        { track: 0, lane: 0, lanes: 2 },
        { track: 0, lane: 1, lanes: 2 },
      ],
    );
    assert.deepEqual(cuts.tracksOf(filmOf([text(1, -2, 0, 9), text(2, 1e9, 0, 9)])).rows, [-2, 1e9, 1e9 + 1]);
  });

  test("times read as people expect", () => {
    assert.deepEqual([cuts.timeCode(75, 30), cuts.timeCode(108_005, 30)], ["00:02:15", "1:00:00:05"]);
    assert.deepEqual(
      [60, 75, 1830, 108_000].map((frame) => cuts.clockTime(frame, 30)),
      ["0:02", "0:02.5", "1:01", "1:00:00"],
    );
    assert.deepEqual([cuts.tickLabel(45, 30), cuts.tickLabel(60, 30)], ["+15", "0:02"]);
  });

  test("beats are found where a sound becomes loud", () => {
    const peaks = Uint8Array.from({ length: 400 }, (_, at) => (at % 50 < 5 ? 220 - (at % 50) * 20 : 20));
    assert.deepEqual(cuts.beatsOf(peaks), [0.5, 1, 1.5, 2, 2.5, 3, 3.5]);
  });
});

describe("the region", () => {
  let service;
  let browser;
  let page;
  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    page = await openPage(browser, service.url);
    await createOperator(page);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Shows a film in an editor that is already open, with a history of its own. */
  async function show(film) {
    if (!page.url().includes("/edit/")) {
      const id = await page.evaluate(async (composition) => {
        const body = JSON.stringify({ name: "Timeline", composition });
        const headers = { "content-type": "application/json" };
        const response = await fetch("/api/v1/projects", { method: "POST", headers, body });
        return (await response.json()).data.id;
      }, filmOf([]));
      await openFilm(page, id);
    }
    await editorOf(
      page,
      (editor, next) => {
        editor.pause();
        editor.replace(next);
        editor.select([]);
        editor.seek(0);
      },
      film,
    );
    await page.getByRole("button", { name: "Zoom to fit" }).click();
    await page.getByRole("button", { name: "Snap", exact: true, pressed: true }).waitFor();
  }
  const timeline = () => page.getByRole("region", { name: "Timeline" });
  const option = (name) => timeline().getByRole("option", { name });
  const overlays = () => editorOf(page, (editor) => editor.document().overlays);
  const step = () => editorOf(page, (editor) => [editor.state.steps.at(-1), editor.state.step]);
  const undo = () => editorOf(page, (editor) => editor.undo());
  /** Pixels a frame, as the page has it. */
  const zoomOf = async (name, frames) => ((await option(name).boundingBox()).width + 1) / frames;

  /** Drags from one point to another in steps, as a hand does. */
  async function drag(from, by, { held } = {}) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    if (held) await page.keyboard.down(held);
    for (let part = 1; part <= 5; part++)
      await page.mouse.move(from.x + (by.x * part) / 5, from.y + ((by.y ?? 0) * part) / 5);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    await page.mouse.up();
    if (held) await page.keyboard.up(held);
  }
  const middle = async (name, at = 0.5) => {
    const box = await option(name).boundingBox();
    return { x: box.x + box.width * at, y: box.y + box.height / 2 };
  };
  const edge = async (name, side) => {
    const box = await option(name).boundingBox();
    return { x: side === "start" ? box.x + 3 : box.x + box.width - 3, y: box.y + box.height - 8 };
  };
  const near = (value, wanted, what) => assert.ok(Math.abs(value - wanted) <= 1, `${what}: ${value}, not ${wanted}`);

  test("a clip is moved in time and to another row, as one step", async () => {
    await show(filmOf([text(1, 0, 60, 60), text(2, 2, 0, 300)]));
    const zoom = await zoomOf(/^Text 1/, 60);
    const [, before] = await step();
    const row = (await option(/^Text 2/).boundingBox()).y - (await option(/^Text 1/).boundingBox()).y;
    await drag(await middle(/^Text 1/), { x: 45 * zoom, y: row / 2 });
    const [moved] = await overlays();
    near(moved.from, 105, "from");
    assert.deepEqual([moved.row, moved.durationInFrames], [1, 60]);
    assert.deepEqual(await step(), ["Move", before + 1]);
    await undo();
    assert.equal((await overlays())[0].from, 60);
  });

  test("selected clips move together, and none of them leaves the film at its start", async () => {
    await show(filmOf([text(1, 0, 30, 60), text(2, 1, 90, 60), text(3, 2, 0, 300)]));
    await option(/^Text 1/).click();
    await option(/^Text 2/).click({ modifiers: ["Shift"] });
    assert.deepEqual(await editorOf(page, (editor) => editor.state.selection), [1, 2]);
    await drag(await middle(/^Text 2/), { x: -2000 });
    assert.deepEqual(
      (await overlays()).map(({ from }) => from),
      [0, 60, 0],
    );
    assert.equal((await step())[0], "Move 2 overlays");
  });

  test("a move snaps to the edges of other clips, unless snapping is off", async () => {
    await show(filmOf([text(1, 0, 40, 60), text(2, 1, 150, 90)]));
    const zoom = await zoomOf(/^Text 1/, 60);
    const from = await middle(/^Text 1/);
    // The end of the clip comes within four pixels of the other's start.
    await drag(from, { x: 50 * zoom - 4 });
    assert.equal((await overlays())[0].from, 90);
    await undo();
    await timeline().getByRole("button", { name: "Snap", exact: true }).click();
    await drag(from, { x: 50 * zoom - 4 });
    assert.notEqual((await overlays())[0].from, 90);
    await timeline().getByRole("button", { name: "Snap", exact: true }).click();
  });

  test("both ends are trimmed, and the in-point of media follows the start", async () => {
    await show(
      filmOf([clip(1, "video", 0, 60, 120, { src: "/none.mp4", name: "Clip", videoStartTime: 1 }), text(2, 1, 0, 300)]),
    );
    const zoom = await zoomOf(/^Clip/, 120);
    await drag(await edge(/^Clip/, "start"), { x: 37 * zoom });
    const [first] = await overlays();
    near(first.from, 97, "from");
    assert.equal(first.from + first.durationInFrames, 180);
    assert.equal(first.videoStartTime, Math.round((1 + (first.from - 60) / 30) * 10_000) / 10_000);
    await undo();
    await drag(await edge(/^Clip/, "end"), { x: -51 * zoom });
    const [second] = await overlays();
    near(second.durationInFrames, 69, "length");
    assert.deepEqual([second.from, second.videoStartTime, (await step())[0]], [60, 1, "Trim"]);
  });

  test("with Alt the end of a clip changes its speed", async () => {
    await show(filmOf([clip(1, "video", 0, 0, 100, { src: "/none.mp4", name: "Clip" }), text(2, 1, 0, 300)]));
    const from = await edge(/^Clip/, "end");
    await page.keyboard.down("Alt");
    await drag(from, { x: 100 * (await zoomOf(/^Clip/, 100)) });
    await page.keyboard.up("Alt");
    const [video] = await overlays();
    near(video.durationInFrames, 200, "length");
    assert.equal(video.speed, Math.round((100 / video.durationInFrames) * 10_000) / 10_000);
    assert.equal((await step())[0], "Change speed");
  });

  test("dots on a clip set its fades and animations", async () => {
    await show(
      filmOf([
        text(1, 0, 0, 300),
        clip(2, "sound", 1, 0, 300, { src: "/none.mp3", name: "Song", styles: { fadeOut: 1 } }),
      ]),
    );
    const zoom = await zoomOf(/^Text 1/, 300);
    for (const [name, part, frames] of [
      [/^Text 1/, "enter", 60],
      [/^Song/, "exit", 90],
    ]) {
      await option(name).hover();
      const clipBox = await option(name).boundingBox();
      const dot = await option(name).locator(`[data-part=${part}].tl-dot`).boundingBox();
      const at = { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 };
      const to = part === "enter" ? clipBox.x + frames * zoom : clipBox.x + clipBox.width - frames * zoom;
      await drag(at, { x: to - at.x });
    }
    const [title, song] = await overlays();
    assert.equal(title.styles.animation.enter, "fade");
    near(title.styles.animation.enterDuration * 30, 60, "enter");
    near(song.styles.fadeOut * 30, 90, "fade");
    assert.equal((await step())[0], "Fade");
  });

  test("Escape gives a drag up", async () => {
    const film = filmOf([text(1, 0, 60, 60), text(2, 1, 0, 300)]);
    await show(film);
    const { x, y } = await middle(/^Text 1/);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y, { steps: 4 });
    await page.waitForFunction(() => window.rondo.editor.document().overlays[0].from !== 60);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.deepEqual(await overlays(), film.overlays);
  });

  test("Split, trim to the playhead, ripple delete, close gaps and duplicate act on the selection", async () => {
    await show(filmOf([text(1, 0, 0, 100), text(2, 0, 120, 60), text(3, 1, 0, 240)]));
    await editorOf(page, (editor) => editor.select([1]));
    await editorOf(page, (editor) => editor.seek(40));
    await timeline().getByRole("button", { name: "Split", exact: true }).click();
    const spans = async () => (await overlays()).map(({ id, from, durationInFrames }) => [id, from, durationInFrames]);
    assert.deepEqual(await spans(), [
      [1, 0, 40],
      [4, 40, 60],
      [2, 120, 60],
      [3, 0, 240],
    ]);
    assert.equal((await step())[0], "Split");
    await editorOf(page, (editor) => editor.seek(70));
    await option(/^Text 1, text, 0:01\.3/).focus();
    await page.keyboard.press("w");
    await page.keyboard.press("Shift+G");
    assert.deepEqual((await spans()).slice(0, 3), [
      [1, 0, 40],
      [4, 40, 30],
      [2, 70, 60],
    ]);
    await page.keyboard.press("Control+d");
    assert.deepEqual((await spans()).at(-1), [5, 70, 30]);
    await undo();
    await editorOf(page, (editor) => editor.select([4]));
    await page.keyboard.press("Shift+Delete");
    assert.deepEqual(await spans(), [
      [1, 0, 40],
      [2, 40, 60],
      [3, 0, 240],
    ]);
    await option(/^Text 1/).click();
    await timeline().getByRole("button", { name: "Delete", exact: true }).click();
    assert.equal((await overlays()).length, 2);
  });

  test("clips are reached and moved by keys, and the timeline says what they did", async () => {
    await show(filmOf([text(1, 0, 0, 60), text(2, 0, 90, 60), text(3, 1, 100, 60)]));
    await option(/^Text 1/).focus();
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.equal(await focused(), "Text 1, text, 0:00 to 0:02, row 0");
    for (const [key, name] of [
      ["ArrowRight", "Text 2, text, 0:03 to 0:05, row 0"],
      ["ArrowDown", "Text 3, text, 0:03.3 to 0:05.3, row 1"],
      ["ArrowUp", "Text 2, text, 0:03 to 0:05, row 0"],
    ]) {
      await page.keyboard.press(key);
      await page.waitForFunction((wanted) => document.activeElement.getAttribute("aria-label") === wanted, name);
    }
    await page.keyboard.press("Enter");
    assert.deepEqual(await editorOf(page, (editor) => editor.state.selection), [2]);
    const [, before] = await step();
    await page.keyboard.press("Alt+ArrowRight");
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await page.keyboard.press("Alt+ArrowDown");
    const [, second] = await overlays();
    assert.deepEqual([second.from, second.row], [101, 1]);
    assert.deepEqual(await step(), ["Move", before + 1]);
    await timeline().getByText("Text 2 moved to 0:03.4, row 1.").waitFor({ state: "attached" });
  });

  test("a marquee selects what it touches", async () => {
    await show(filmOf([text(1, 0, 30, 60), text(2, 1, 120, 60), text(3, 1, 240, 30)]));
    const first = await option(/^Text 1/).boundingBox();
    const second = await option(/^Text 2/).boundingBox();
    const start = { x: first.x - 20, y: first.y + 4 };
    await drag(start, { x: second.x + 20 - start.x, y: second.y + 10 - start.y });
    assert.deepEqual(await editorOf(page, (editor) => editor.state.selection), [1, 2]);
  });

  test("a library item dropped on the timeline is added at the time and the row", async () => {
    await show(filmOf([text(1, 0, 0, 60), text(2, 1, 0, 300)]));
    const zoom = await zoomOf(/^Text 2/, 300);
    const box = await option(/^Text 1/).boundingBox();
    const item = { type: "shape", content: "circle", width: 100, height: 100, left: 5, top: 6, durationInFrames: 240 };
    await page.evaluate(
      ([x, y, json]) => {
        const data = new DataTransfer();
        data.setData("application/x-rondo-item", json);
        const target = document.querySelector(".tl-scroller");
        for (const type of ["dragover", "drop"])
          target.dispatchEvent(
            new DragEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, dataTransfer: data }),
          );
      },
      [box.x + 100 * zoom, box.y + box.height / 2, JSON.stringify(item)],
    );
    const added = (await overlays()).at(-1);
    near(added.from, 100, "from");
    assert.deepEqual([added.row, added.left, added.durationInFrames, added.id], [0, 5, 240, 3]);
    assert.equal(await editorOf(page, (editor) => editor.document().durationInFrames), added.from + 240);
    assert.equal((await step())[0], "Add shape");
  });

  test("rows are locked, hidden, moved and inserted", async () => {
    await show(filmOf([text(1, 0, 30, 60), text(2, 1, 0, 300)]));
    await timeline().getByRole("button", { name: "Lock row 0" }).click();
    await drag(await middle(/^Text 1/), { x: 50 });
    assert.equal((await overlays())[0].from, 30);
    await timeline().getByRole("button", { name: "Lock row 0" }).click();
    await timeline().getByRole("button", { name: "Hide row 1" }).click();
    assert.deepEqual(await editorOf(page, (editor) => editor.state.hidden), [2]);
    await timeline().getByRole("button", { name: "Hide row 1" }).click();
    await timeline().getByRole("button", { name: "Options of row 1" }).click();
    await page.getByRole("menuitem", { name: "Move row forward" }).click();
    assert.deepEqual(
      (await overlays()).map(({ row }) => row),
      [1, 0],
    );
    await timeline().getByRole("button", { name: "Options of row 0" }).click();
    await page.getByRole("menuitem", { name: "Insert row in front" }).click();
    assert.deepEqual(
      (await overlays()).map(({ row }) => row),
      [2, 1],
    );
  });

  test("the film ends where its end is dragged to, or at its last clip", async () => {
    await show(filmOf([text(1, 0, 0, 200)]));
    const zoom = await zoomOf(/^Text 1/, 200);
    const end = await timeline().locator("[data-part=film-end]").boundingBox();
    await drag({ x: end.x + end.width / 2, y: end.y + 8 }, { x: -50 * zoom });
    near(await editorOf(page, (editor) => editor.document().durationInFrames), 250, "length");
    await timeline().getByRole("button", { name: "More timeline actions" }).click();
    await page.getByRole("menuitem", { name: "Fit length to clips" }).click();
    assert.equal(await editorOf(page, (editor) => editor.document().durationInFrames), 200);
  });

  test("Play plays, the ruler seeks, M marks, and markers stay in the browser only", async () => {
    const film = filmOf([text(1, 0, 0, 300)]);
    await show(film);
    const play = timeline().getByRole("button", { name: "Play", exact: true });
    await play.click();
    assert.equal(await editorOf(page, (editor) => editor.state.playing), true);
    await play.click();
    assert.equal(await editorOf(page, (editor) => editor.state.playing), false);
    const box = await option(/^Text 1/).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y - 12);
    near(await editorOf(page, (editor) => editor.state.frame), 150, "playhead");
    await option(/^Text 1/).focus();
    await page.keyboard.press("m");
    await timeline().getByRole("button", { name: "Marker at 0:05" }).waitFor();
    assert.deepEqual(await editorOf(page, (editor) => editor.document().overlays.length), 1);
    assert.ok(!JSON.stringify(await editorOf(page, (editor) => editor.document())).includes("marker"));
    await page.keyboard.press("m");
    assert.equal(
      await timeline()
        .getByRole("button", { name: /^Marker/ })
        .count(),
      0,
    );
  });

  test("500 clips of an hour take less than 300 elements, at any zoom", async () => {
    const many = Array.from({ length: 500 }, (_, at) => text(at + 1, at % 6, Math.floor(at / 6) * 1280, 600 + at));
    await show(filmOf(many, { durationInFrames: 108_000 }));
    const clips = timeline().locator("[data-clip]");
    const counts = [await clips.count()];
    const box = await timeline().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 120);
    await page.keyboard.down("Control");
    for (let turn = 0; turn < 12; turn++) {
      await page.mouse.wheel(0, -120);
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      counts.push(await clips.count());
    }
    await page.keyboard.up("Control");
    assert.ok(Math.max(...counts) <= 300 && Math.min(...counts) > 0, counts.join(" "));
    await timeline().getByRole("button", { name: "Zoom to fit" }).click();
    // A clip that has no element of its own is found by its place.
    await page.waitForFunction(() => document.querySelectorAll("[data-clip]").length > 50);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("[data-clip]")].map((each) => Number(each.dataset.clip)),
    );
    const absent = many.find(({ id, row }) => !shown.includes(id) && row === 0);
    const tracks = await timeline().locator("[data-part=tracks]").boundingBox();
    const zoom = await editorOf(page, () => document.querySelector("[data-part=film-end]").style.left).then(
      (left) => Number.parseFloat(left) / 108_000,
    );
    await page.mouse.click(tracks.x + (absent.from + absent.durationInFrames / 2) * zoom, tracks.y + 20);
    assert.deepEqual(await editorOf(page, (editor) => editor.state.selection), [absent.id]);
  });

  test("the timeline is accessible at each width, in both themes", async () => {
    await show(
      filmOf([
        text(1, 0, 0, 100),
        clip(2, "sound", 1, 20, 200, { src: "/none.mp3" }),
        clip(3, "shape", 2, 0, 300, { content: "circle" }),
      ]),
    );
    await editorOf(page, (editor) => editor.select([1, 2]));
    await assertAccessible(page, "timeline");
    assertNoConsoleErrors(page);
  });

  test("a touch that moves at once scrolls, and drags nothing", async () => {
    const touch = await openPage(browser, service.url, {
      hasTouch: true,
      viewport: { width: 390, height: 844 },
      storageState: await page.context().storageState(),
    });
    await touch.goto(page.url());
    await touch.waitForFunction(() => window.rondo?.editor);
    await editorOf(touch, (editor, film) => editor.replace(film), filmOf([text(1, 0, 60, 60), text(2, 1, 0, 300)]));
    const cdp = await touch.context().newCDPSession(touch);
    const rest = () =>
      touch.evaluate(() => new Promise((done) => setTimeout(() => requestIdleCallback(done, { timeout: 2000 }), 500)));
    /** A finger that goes down and moves by 48 pixels. */
    const swipe = async () => {
      await rest();
      const box = await touch.getByRole("option", { name: /^Text 1/ }).boundingBox();
      const send = (type, by) => {
        const point = { x: box.x + box.width / 2 + by, y: box.y + box.height / 2 };
        return cdp.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [point] });
      };
      // Chromium answers no move that begins to scroll: nothing waits for the answers.
      const answers = [send("touchStart", 0), ...[16, 32, 48].map((by) => send("touchMove", by)), send("touchEnd", 0)];
      for (const answer of answers) answer.catch(() => {});
      await rest();
      return editorOf(touch, (editor) => editor.document().overlays[0].from);
    };
    assert.equal(await swipe(), 60);
    await touch.context().close();
  });
});
