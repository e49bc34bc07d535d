// Groups of overlays: selected together, moved together, kept in the film.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { addText, createFilm, editorOf, openFilm, readFilm, waitForStatus } from "./editor.mjs";
import { startService } from "./service.mjs";

let service;
let browser;
let page;

before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  page = await openPage(browser, service.url);
  page.setDefaultTimeout(60_000);
  await createOperator(page);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

const clip = (id) => page.locator(`[data-clip="${id}"]`);
const selection = () => editorOf(page, (editor) => editor.state.selection.toSorted());
const steps = () => editorOf(page, (editor) => editor.state.steps.slice(1));
const fields = (name) => editorOf(page, (editor, field) => editor.document().overlays.map((each) => each[field]), name);
const groups = () => editorOf(page, (editor) => editor.document().overlays.map(({ meta }) => meta?.group ?? null));

/** A film of four texts. The first two are a group. */
async function openGrouped() {
  const id = await createFilm(page, [addText(1, "One"), addText(2, "Two"), addText(3, "Three"), addText(4, "Four")]);
  await openFilm(page, id);
  await page.waitForFunction(() => document.querySelectorAll("[data-clip]").length === 4);
  await clip(1).click();
  await clip(2).click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+g");
  return id;
}

/** Where a point of the film is in the page. */
async function onPage([x, y]) {
  const canvas = await page.locator("rondo-player").boundingBox();
  const [width, height] = await editorOf(page, (editor) => [editor.document().width, editor.document().height]);
  return [canvas.x + (x / width) * canvas.width, canvas.y + (y / height) * canvas.height];
}

test("a group is made and taken apart in one step each, and stays in the film", async () => {
  const id = await openGrouped();
  const [first, second, third] = await groups();
  assert.ok(first && first === second && third === null, String([first, second, third]));
  await page.keyboard.press("Escape");
  await waitForStatus(page, "Saved");
  assert.deepEqual((await readFilm(page, id)).composition.overlays[0].meta, { group: first });
  await page.reload();
  await clip(2).waitFor();
  await clip(2).click();
  assert.deepEqual(await selection(), [1, 2]);
  await page.keyboard.press("Control+Shift+g");
  assert.deepEqual(await groups(), [null, null, null, null]);
  assert.deepEqual(await fields("meta"), Array(4).fill(undefined), "no empty field is left");
  await page.keyboard.press("Control+z");
  assert.deepEqual((await groups()).slice(0, 2), [first, first]);
  assert.deepEqual(await steps(), ["Ungroup"]);
});

test("selecting one of a group selects all of it, on the timeline and on the canvas", async () => {
  await openGrouped();
  await clip(3).click();
  assert.deepEqual(await selection(), [3]);
  await clip(1).click();
  assert.deepEqual(await selection(), [1, 2]);
  await clip(3).click({ modifiers: ["Shift"] });
  assert.deepEqual(await selection(), [1, 2, 3]);
  await clip(2).click({ modifiers: ["Shift"] });
  assert.deepEqual(await selection(), [3]);
  await clip(2).click({ modifiers: ["Alt"] });
  assert.deepEqual(await selection(), [2], "with Alt, one of them");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact === true);
  await page.mouse.click(...(await onPage([160, 245])));
  await page.waitForFunction(() => window.rondo.editor.state.selection.length === 2);
  assert.deepEqual(await selection(), [1, 2]);
  await clip(4).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await selection(), [4]);
  await clip(1).focus();
  await page.keyboard.press("Shift+Enter");
  assert.deepEqual(await selection(), [1, 2, 4]);
});

test("what is grouped moves together, in time and on the canvas", async () => {
  await openGrouped();
  await page.keyboard.press("Escape");
  const box = await clip(2).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  const [first, second, third] = await fields("from");
  assert.ok(first > 0 && first === second, String([first, second]));
  assert.equal(third, 0);
  assert.equal((await steps()).at(-1), "Move 2 overlays");
  await page.keyboard.press("Control+z");
  assert.deepEqual((await fields("from")).slice(0, 2), [0, 0]);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact === true);
  const [x, y] = await onPage([160, 145]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  await page.waitForFunction(() => window.rondo.editor.document().overlays[0].left > 100);
  const left = await fields("left");
  assert.equal(left[0], left[1]);
  assert.deepEqual(left.slice(2), [100, 100]);
});

test("a group is aligned as one", async () => {
  await openGrouped();
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 2, path: "left", value: 300 }));
  await page.keyboard.press("Alt+a");
  assert.deepEqual(await fields("left"), [0, 200, 100, 100]);
  await page.keyboard.press("Alt+d");
  assert.deepEqual(await fields("left"), [480, 680, 100, 100]);
});

test("copies and second halves of a group are groups of their own", async () => {
  await openGrouped();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 6);
  const pasted = await groups();
  assert.ok(pasted[4] && pasted[4] === pasted[5] && pasted[4] !== pasted[0], String(pasted));
  await page.keyboard.press("Control+z");
  await editorOf(page, (editor) => {
    editor.select([1, 2]);
    editor.seek(20);
  });
  await page.keyboard.press("s");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 6);
  const byName = await editorOf(page, (editor) =>
    Object.entries(Object.groupBy(editor.document().overlays, ({ meta }) => meta?.group ?? "none")).map(
      ([name, list]) => [name === "none", list.length],
    ),
  );
  assert.deepEqual(byName.toSorted(), [
    [false, 2],
    [false, 2],
    [true, 2],
  ]);
  // One copy alone is in no group.
  await page.keyboard.press("Control+z");
  await editorOf(page, (editor) => editor.select([1]));
  await page.keyboard.press("Control+d");
  assert.equal((await groups()).at(-1), null);
});

test("a group is no warning, and its marks are accessible", async () => {
  await openGrouped();
  await waitForStatus(page, "Saved");
  const checked = page.waitForResponse((response) => response.url().endsWith("/api/v1/previews"));
  await page.keyboard.press("Control+Shift+g");
  await page.keyboard.press("Control+z");
  const { data } = await (await checked).json();
  assert.deepEqual(
    data.warnings.filter(({ severity }) => severity !== "info"),
    [],
    "the service warns",
  );
  await clip(1)
    .and(page.getByRole("option", { name: /grouped/ }))
    .waitFor();
  await page.getByRole("button", { name: "Ungroup" }).first().waitFor();
  assert.equal(
    await page
      .getByRole("region", { name: "Inspector" })
      .getByText(/editor's own field/)
      .count(),
    0,
  );
  await assertAccessible(page, "grouped clips");
  assertNoConsoleErrors(page);
});
