// The editor around its regions: starting and opening films, saving, conflicts, actions and keys, scripts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { addText, createFilm, editorOf, openFilm, post, readFilm, waitForStatus } from "./editor.mjs";
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

const button = (name, on = page) => on.getByRole("button", { name, exact: true });

test("a film starts blank in four shapes, or from a template", async () => {
  await page.goto("/dashboard/projects");
  await page.getByRole("link", { name: "New film" }).first().click();
  await page.getByRole("heading", { level: 1, name: "New film" }).waitFor();
  await page.getByRole("heading", { name: "From a template" }).waitFor();
  await assertAccessible(page, "new film");
  await page.getByRole("button", { name: /Vertical 9:16/ }).click();
  await button("Undo").waitFor();
  assert.match(new URL(page.url()).pathname, /^\/edit\/prj_/);
  assert.deepEqual(await editorOf(page, (editor) => [editor.document().width, editor.document().height]), [1080, 1920]);
  await page.goto("/edit/new");
  await page.getByLabel("Search templates").fill("quote");
  await page.getByRole("button", { name: /Quote/ }).first().click();
  await button("Undo").waitFor();
  assert.ok(await editorOf(page, (editor) => editor.document().overlays.length > 0));
});

test("the editor has its regions and buttons, and is accessible", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "Hello")]));
  for (const name of ["Canvas", "Timeline", "Inspector", "Library"])
    assert.equal(await page.getByRole("region", { name, exact: true }).count(), 1, name);
  for (const name of ["Undo", "Redo", "Render", "Publish template"]) assert.equal(await button(name).count(), 1, name);
  await assertAccessible(page, "editor");
});

test("edits are saved within a second of rest, and undone, redone and reached by name", async () => {
  const id = await createFilm(page, []);
  await openFilm(page, id);
  await editorOf(page, (editor, edit) => editor.apply(edit, { name: "Add title" }), addText(1, "Title"));
  const began = Date.now();
  await waitForStatus(page, "Saved");
  assert.ok(Date.now() - began < 2500, `${Date.now() - began} ms until it was saved`);
  assert.deepEqual((await readFilm(page, id)).composition, await editorOf(page, (editor) => editor.composition()));
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "content", value: "Two" }, { name: "Text" }));
  await page.keyboard.press("Control+z");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays[0].content), "Title");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays[0].content), "Two");
  await button("History").click();
  await page.getByRole("menuitemradio", { name: "Open" }).click();
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 0);
  await waitForStatus(page, "Saved");
  assert.deepEqual((await readFilm(page, id)).composition.overlays, []);
  assert.equal(await editorOf(page, (editor) => editor.state.steps.length), 3);
});

test("a film is renamed in the toolbar", async () => {
  const id = await createFilm(page, []);
  await openFilm(page, id);
  await page.keyboard.press("F2");
  await page.keyboard.type("Holiday film");
  await page.keyboard.press("Enter");
  await waitForStatus(page, "Saved");
  await page.waitForFunction(() => document.title.startsWith("Holiday film"));
  assert.equal((await readFilm(page, id)).name, "Holiday film");
});

test("the palette runs actions, and there are 40 or more", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "One"), addText(2, "Two")]));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Search actions" }).waitFor();
  const count = await page.getByRole("option").count();
  assert.ok(count >= 40, `${count} actions`);
  await assertAccessible(page, "palette");
  await page.keyboard.type("duplic");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 4);
  assert.equal(await editorOf(page, (editor) => editor.state.steps.at(-1)), "Duplicate 2 overlays");
});

test("keys are listed and can be changed, for this browser", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "One")]));
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await assertAccessible(page, "shortcuts");
  const rows = await page.locator("[role=dialog] li").evaluateAll((list) =>
    list.flatMap((row) => {
      const region = /· (\w+)$/.exec(row.firstElementChild.textContent)?.[1] ?? "";
      return [...row.querySelectorAll("kbd")].map((keys) => `${region} ${keys.textContent}`);
    }),
  );
  const twice = rows.filter((keys, index) => rows.indexOf(keys) !== index);
  assert.deepEqual(twice, [], "keys of two actions");
  await page.getByRole("button", { name: /^Keys of Duplicate: Ctrl ?D/ }).click();
  await page.keyboard.press("Control+b");
  await page.getByRole("button", { name: /^Keys of Duplicate: Ctrl ?B/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await button("Undo").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+d");
  await page.keyboard.press("Control+b");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 2);
  await page.keyboard.press("?");
  await button("Reset all").click();
  await page.getByRole("button", { name: /^Keys of Duplicate: Ctrl ?D/ }).waitFor();
  await page.keyboard.press("Escape");
});

test("keys move the playhead, select, nudge and delete; while people type they do not", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "One"), { ...addText(2, "Two"), from: 40 }]));
  const frame = () => editorOf(page, (editor) => editor.state.frame);
  for (const [key, expected] of [
    ["ArrowRight", 1],
    ["Shift+ArrowRight", 31],
    [",", 30],
    ["ArrowDown", 40],
    ["End", 89],
    ["Home", 0],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await frame(), expected, key);
  }
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  assert.deepEqual(await editorOf(page, (editor) => editor.state.selection), [2]);
  await page.getByLabel("Name of the film").focus();
  await page.keyboard.press("Delete");
  await page.getByLabel("Name of the film").blur();
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 2);
  await page.keyboard.press("Delete");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 1);
  assert.equal(await editorOf(page, (editor) => editor.state.steps.at(-1)), "Delete overlay");
});

test("overlays are copied to another film through the clipboard", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "Carried over")]));
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  const id = await createFilm(page, [], { fps: 60 });
  await openFilm(page, id);
  await page.keyboard.press("Control+v");
  await page.waitForFunction(() => window.rondo.editor.document().overlays[0]?.content === "Carried over");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays[0].durationInFrames), 120);
  await waitForStatus(page, "Saved");
});

test("two tabs: what each changed is merged, what both changed is asked, nothing is lost silently", async () => {
  const id = await createFilm(page, [addText(1, "One"), addText(2, "Two")]);
  const other = await page.context().newPage();
  await openFilm(page, id);
  await openFilm(other, id);
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "left", value: 11 }, { name: "Move" }));
  await other.waitForFunction(() => window.rondo.editor.document().overlays[0].left === 11);
  assert.equal(await editorOf(other, (editor) => editor.state.steps.at(-1)), "Change in another tab");
  // Both at once: one change each to an overlay of its own, and one to the same.
  const both = (editor, [own, value]) =>
    editor.apply([
      { op: "set", id: own, path: "top", value: 7 },
      { op: "set", id: 3, path: "content", value },
    ]);
  await editorOf(page, (editor, edit) => editor.apply(edit), addText(3, "Three"));
  await other.waitForFunction(() => window.rondo.editor.document().overlays.length === 3);
  await Promise.all([editorOf(page, both, [1, "mine"]), editorOf(other, both, [2, "theirs"])]);
  const dialogs = [page, other].map((tab) => tab.getByRole("dialog", { name: "Changed in two places" }));
  await Promise.any(dialogs.map((dialog) => dialog.waitFor()));
  const asked = (await dialogs[0].isVisible()) ? page : other;
  const saved = asked === page ? other : page;
  const [kept, offered] = asked === page ? ["mine", "theirs"] : ["theirs", "mine"];
  assert.equal(await editorOf(asked, (editor) => editor.document().overlays[2].content), kept);
  assert.deepEqual(
    await editorOf(asked, (editor) =>
      editor
        .document()
        .overlays.slice(0, 2)
        .map(({ top }) => top),
    ),
    [7, 7],
  );
  assert.equal((await readFilm(page, id)).composition.overlays[2].content, offered);
  await assertAccessible(asked, "conflict");
  await asked.getByRole("radio", { name: /^Theirs/ }).check();
  await asked.getByRole("button", { name: "Apply" }).click();
  await waitForStatus(asked, "Saved");
  await saved.waitForFunction(() => window.rondo.editor.document().overlays[0].top === 7);
  await waitForStatus(saved, "Saved");
  const composition = (await readFilm(page, id)).composition;
  assert.deepEqual(composition.overlays.map(({ top }) => top).slice(0, 2), [7, 7]);
  assert.equal(composition.overlays[2].content, offered);
  assert.deepEqual(await editorOf(saved, (editor) => editor.composition()), composition);
  await other.close();
});

test("an agent's change appears in the open film as one step that can be undone", async () => {
  const id = await createFilm(page, [addText(1, "One"), addText(2, "Two")]);
  await openFilm(page, id);
  await page.evaluate(() => {
    window.heard = [];
    const source = new EventSource("/api/dashboard/events");
    source.addEventListener("project", ({ data }) => window.heard.push(JSON.parse(data)));
    return new Promise((opened) => source.addEventListener("open", opened));
  });
  const { apiKey } = await post(page, "/api/dashboard/keys", { name: "Agent", access: "full" });
  const response = await fetch(`${service.url}/api/v1/projects/${id}/edits`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      edits: [
        { op: "set", id: 1, path: "content", value: "By the agent" },
        { op: "remove", id: 2 },
      ],
    }),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  const told = { projectId: id, etag: answer.data.etag, changedBy: { kind: "key", name: "Agent" } };
  const event = await page.waitForFunction(
    ([project, etag]) => window.heard.find((each) => each.projectId === project && each.etag === etag),
    [id, told.etag],
  );
  assert.deepEqual(await event.jsonValue(), told);
  await page.waitForFunction(() => window.rondo.editor.state.steps.at(-1) === "Change by Agent");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays.length), 1);
  await page.keyboard.press("Control+z");
  assert.deepEqual(await editorOf(page, (editor) => editor.document().overlays.map(({ content }) => content)), [
    "One",
    "Two",
  ]);
  await waitForStatus(page, "Saved");
  assert.equal((await readFilm(page, id)).composition.overlays.length, 2);
});

test("versions are kept by name, shown with pictures and restored as a step", async () => {
  const id = await createFilm(page, [addText(1, "First")]);
  await openFilm(page, id);
  const openVersions = async () => {
    await button("Film menu").click();
    await page.getByRole("menuitem", { name: "Versions" }).click();
    await page.getByRole("dialog", { name: "Versions" }).waitFor();
  };
  await openVersions();
  await page.getByLabel("Name of the version").fill("Before the change");
  await button("Keep").click();
  await page.getByText("Before the change").waitFor();
  await page.keyboard.press("Escape");
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "content", value: "Second" }));
  await waitForStatus(page, "Saved");
  await openVersions();
  await page.waitForFunction(() => document.querySelector("[role=dialog] li img")?.naturalWidth > 0);
  await page.getByRole("button", { name: /^Restore Before the change/ }).click();
  await page.waitForFunction(() => window.rondo.editor.document().overlays[0].content === "First");
  assert.equal(await editorOf(page, (editor) => editor.state.steps.at(-1)), "Restore version");
  await waitForStatus(page, "Saved");
  assert.equal((await readFilm(page, id)).composition.overlays[0].content, "First");
  await page.keyboard.press("Control+z");
  assert.equal(await editorOf(page, (editor) => editor.document().overlays[0].content), "Second");
});

test("without a connection edits are kept, and saved when it is back", async () => {
  const id = await createFilm(page, [addText(1, "One")]);
  await openFilm(page, id);
  await page.context().setOffline(true);
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "left", value: 5 }, { name: "Move" }));
  await waitForStatus(page, "Offline, retrying");
  await page.context().setOffline(false);
  await waitForStatus(page, "Saved");
  assert.equal((await readFilm(page, id)).composition.overlays[0].left, 5);
});

test("a film that was deleted elsewhere says so at once, and can be kept as a new project", async () => {
  const id = await createFilm(page, [addText(1, "One")]);
  await openFilm(page, id);
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "content", value: "Kept" }));
  await waitForStatus(page, "Saved");
  // In another tab of the browser.
  const other = await page.context().newPage();
  await other.goto("/dashboard/projects");
  await other.getByRole("button", { name: "Delete Test film" }).first().click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog", { name: "This film was deleted" });
  await dialog.waitFor();
  await other.close();
  await assertAccessible(page, "deleted film");
  await page.keyboard.press("Escape");
  await waitForStatus(page, "Deleted");
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "left", value: 7 }));
  await page.keyboard.press("Control+z");
  await waitForStatus(page, "Deleted");
  await button("Deleted").click();
  await dialog.getByRole("button", { name: "Save as new project" }).click();
  await page.waitForURL((url) => /^\/edit\/prj_/.test(url.pathname) && !url.pathname.endsWith(id));
  await waitForStatus(page, "Saved");
  const kept = await readFilm(page, new URL(page.url()).pathname.split("/").at(-1));
  assert.deepEqual([kept.name, kept.composition.overlays[0].content], ["Test film", "Kept"]);
});

test("a film that a program deleted says so without a change", async () => {
  const id = await createFilm(page, [addText(1, "One")]);
  await openFilm(page, id);
  await waitForStatus(page, "Saved");
  // No tab of this browser did it: only the service can tell.
  const answer = await page.request.delete(`/api/v1/projects/${id}`, { headers: { origin: service.url } });
  assert.equal(answer.status(), 200);
  await page.getByRole("dialog", { name: "This film was deleted" }).waitFor();
  await page.keyboard.press("Escape");
  await waitForStatus(page, "Deleted");
});

test("a save of a film that is gone says so, too", async () => {
  const id = await createFilm(page, [addText(1, "One")]);
  await openFilm(page, id);
  await page.evaluate((path) => fetch(path, { method: "DELETE" }), `/api/v1/projects/${id}`);
  await editorOf(page, (editor) => editor.apply({ op: "set", id: 1, path: "content", value: "Two" }));
  await page.getByRole("dialog", { name: "This film was deleted" }).waitFor();
  await page.keyboard.press("Escape");
});

test("a preview opens as a copy that can be kept, and ends with the preview", async () => {
  const film = { width: 1280, height: 720, fps: 30, durationInFrames: 90, overlays: [addText(1, "Preview").overlay] };
  const { previewId } = await post(page, "/api/v1/previews", { inputProps: film });
  await openFilm(page, previewId);
  await editorOf(page, (editor) =>
    editor.apply({ op: "set", id: 1, path: "content", value: "Kept" }, { name: "Text" }),
  );
  await waitForStatus(page, "Saved");
  await page.reload();
  await page.waitForFunction(() => window.rondo?.editor?.document().overlays[0].content === "Kept");
  await button("Save as project").click();
  await page.getByLabel("Name", { exact: true }).fill("Kept film");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.waitForURL(/\/edit\/prj_/);
  await page.getByRole("heading", { level: 1, name: "Kept film" }).waitFor({ state: "attached" });
  assert.equal(await editorOf(page, (editor) => editor.document().overlays[0].content), "Kept");
  await page.goto("/edit/prv_none");
  await page.getByText("This preview has expired").waitFor();
});

test("the examples of the guide do what it says", async () => {
  await openFilm(page, await createFilm(page, [addText(1, "One")]));
  const guide = readFileSync(join(import.meta.dirname, "../../docs/editor.md"), "utf8");
  const examples = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  assert.ok(examples.length >= 5, `${examples.length} examples`);
  for (const code of examples) {
    // A comment after a line says what it gives: `editor.document().fps // 30`.
    const claims = await page.evaluate(`(async () => {
      const claims = [];
      ${code.replaceAll(/^(?!\s)(.+?);? \/\/ → (.+)$/gm, (_, line, value) => `claims.push([${JSON.stringify(line)}, JSON.stringify(${line}), JSON.stringify(${value})]);`)}
      return claims;
    })()`);
    for (const [line, given, said] of claims) assert.equal(given, said, line);
  }
  assert.deepEqual(Object.keys(await editorOf(page, (editor) => editor.document())).includes("overlays"), true);
});

test("nothing was logged as an error", () => assertNoConsoleErrors(page));
