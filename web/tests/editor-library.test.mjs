// The library of the editor: what it adds, captions, variables, and the dialogs around a film.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNoConsoleErrors, assertPartAccessible, createOperator, openPage, startBrowser } from "./browser.mjs";
import { loadLibrary } from "./editor-library.mjs";
import { startService } from "./service.mjs";

const SRT = `1
00:00:01,000 --> 00:00:02,500
<i>Hello</i> there

2
00:00:03,000 --> 00:00:04,000
general
Kenobi
`;
const FILM = { width: 1280, height: 720, fps: 30, durationInFrames: 90, backgroundColor: "#101828", overlays: [] };
const text = (id, from, durationInFrames, row, more) => ({
  ...{ id, type: "text", from, durationInFrames, row, left: 0, top: 0, width: 100, height: 100, content: "x" },
  ...more,
});

let library, service, browser, page;
before(async () => {
  [library, service, browser] = await Promise.all([
    loadLibrary(),
    startService("--sign-up-credits", "40"),
    startBrowser(),
  ]);
  page = await openPage(browser, service.url);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const region = () => page.getByRole("region", { name: "Library" });
const tab = (name) => region().getByRole("tab", { name }).click();
const button = (name, scope = region()) => scope.getByRole("button", { name, exact: typeof name === "string" });
const film = () => page.evaluate(() => window.rondo.editor.document());
const steps = () => page.evaluate(() => window.rondo.editor.state.steps);

/** Opens the editor with a film. */
async function edit(composition) {
  const response = await page.request.post("/api/v1/previews", {
    data: { inputProps: composition },
    headers: { origin: service.url },
  });
  const { data } = await response.json();
  await page.goto(`/edit/${data.previewId}`);
  await region().waitFor();
}

/** Adds files to the account without the interface. */
async function upload(name, contentType, body) {
  const headers = { origin: service.url };
  const response = await page.request.post("/api/v1/uploads", {
    data: { contentType, name, size: body.length },
    headers,
  });
  const { data } = await response.json();
  await page.request.put(data.uploadUrl, { data: body, headers: { ...headers, "content-type": contentType } });
  return data.fileUrl;
}

const RED = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGP4z8AARwzEcQBUoAv1VbNvdQAAAABJRU5ErkJggg==",
  "base64",
);

test("captions are split, merged, retimed and retold without losing the times of words", () => {
  const { newLine, splitLine, mergeLines, withText, withTimes, replaceIn, withWord } = library.captions;
  const line = newLine("one two three four", 1000, 5000);
  assert.equal(line.words.at(-1).endMs, 5000);
  const [first, second] = splitLine(line, 8);
  assert.deepEqual([first.text, second.text], ["one two", "three four"]);
  assert.equal(first.endMs, second.words[0].startMs);
  assert.deepEqual(mergeLines(first, second).words, line.words);
  assert.equal(splitLine(newLine("alone", 0, 100), 2), null);
  // The words around the change keep their times.
  const told = withText(line, "one big two three four");
  assert.deepEqual(
    told.words.filter(({ word }) => word !== "big"),
    line.words,
  );
  assert.equal(withText(line, "one TWO three four").words[1].startMs, line.words[1].startMs);
  const later = withTimes(line, 2000, 4000);
  assert.deepEqual([later.words[0].startMs, later.words.at(-1).endMs], [2000, 4000]);
  assert.equal(withWord(line, 1, { startMs: 10_000 }).endMs, 10_040, "the line holds its words");
  const { lines, count } = replaceIn([line, newLine("Two again", 6000, 7000)], "two", "2");
  assert.deepEqual([count, lines.map((each) => each.text)], [2, ["one 2 three four", "2 again"]]);
  assert.equal(replaceIn([line], "(", "x").count, 0);
});

test("subtitles are read and written as SRT and WebVTT", () => {
  const { readSubtitles, writeSrt, writeVtt } = library.subtitles;
  const lines = readSubtitles(SRT);
  assert.deepEqual(
    lines.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
    [
      ["Hello there", 1000, 2500],
      ["general Kenobi", 3000, 4000],
    ],
  );
  assert.deepEqual(readSubtitles(writeSrt(lines, 0)), lines);
  assert.deepEqual(readSubtitles(writeVtt(lines, 0)), lines);
  assert.match(writeSrt(lines, 3_600_000), /01:00:01,000 --> 01:00:02,500/);
  for (const wrong of ["", "no captions", "1\n99:99 --> x\nhello", "\u0000".repeat(50)])
    assert.deepEqual(readSubtitles(wrong), []);
});

test("times of a transcription follow trims, speed and segments", () => {
  const { heardOf, onClock, newLine } = library.captions;
  const clip = { ...text(1, 0, 60, 0), type: "video", videoStartTime: 4, speed: 2 };
  const heard = heardOf(clip, 30);
  assert.deepEqual([heard.start, heard.end], [4, 8]);
  assert.equal(onClock([newLine("hello", 1000, 2000)], heard)[0].startMs, 500);
  const parts = {
    ...clip,
    speed: 1,
    segments: [
      { startFrame: 0, endFrame: 30 },
      { startFrame: 60, endFrame: 90 },
    ],
  };
  const cut = heardOf(parts, 30);
  const [line] = onClock([newLine("aa bb cc", 0, 3000)], cut);
  // The middle second is cut out, and with it the word in it.
  assert.deepEqual(
    line.words.map(({ word, startMs }) => [word, startMs]),
    [
      ["aa", 0],
      ["cc", 1000],
    ],
  );
});

test("tables of values are read from CSV with or without a head", () => {
  const { readTable, readCsv, withValues, variablesOf, capacityOf } = library.values;
  const names = ["title", "photo"];
  assert.deepEqual(readTable('Photo,TITLE\na.jpg,"Hi, ""you"""\n,Bye\n', names), [
    { photo: "a.jpg", title: 'Hi, "you"' },
    { title: "Bye" },
  ]);
  assert.deepEqual(readTable("One;x\nTwo;y", names), [
    { title: "One", photo: "x" },
    { title: "Two", photo: "y" },
  ]);
  assert.deepEqual(readCsv("a\tb\r\n\r\nc\td"), [
    ["a", "b"],
    ["c", "d"],
  ]);
  const overlays = [
    text(1, 0, 30, 0, { isDynamic: true, name: "title" }),
    { ...text(2, 0, 30, 1, { isDynamic: true, name: "photo" }), type: "image", src: "old" },
    { ...text(3, 0, 30, 2, { isDynamic: true }), type: "caption", captions: [] },
  ];
  const filled = withValues({ ...FILM, overlays }, { title: "T", photo: "new", "overlay-3": "said" });
  assert.deepEqual([filled.overlays[0].content, filled.overlays[1].src], ["T", "new"]);
  assert.deepEqual([filled.overlays[2].captions[0].text, filled.overlays[2].captions[0].endMs], ["said", 1000]);
  assert.deepEqual(
    variablesOf({ ...FILM, overlays }).map(({ name }) => name),
    ["title", "photo", "overlay-3"],
  );
  const fixed = text(4, 0, 1, 0, { width: 520, height: 148, styles: { fontSize: "50px", fontSizeFixed: true } });
  assert.deepEqual(capacityOf(fixed), { letters: 40, lines: 2 });
  assert.equal(capacityOf(text(5, 0, 1, 0)), null);
});

test("new overlays get a free row: texts before pictures, sounds behind all", () => {
  const { additions } = library.place;
  const draft = (type, durationInFrames = 30) => ({ type, durationInFrames });
  const rows = (overlays, type) => {
    const { edits } = additions({ ...FILM, overlays }, [{ draft: draft(type), from: 0 }]);
    const moved = edits.filter(({ path }) => path === "row").map(({ id, value }) => [id, value]);
    return [edits.find(({ op }) => op === "add").overlay.row, moved];
  };
  const image = { ...text(1, 0, 60, 0), type: "image" };
  assert.deepEqual(rows([], "image"), [0, []]);
  assert.deepEqual(rows([image], "text"), [0, [[1, 1]]], "a text goes in front, the image makes room");
  assert.deepEqual(rows([text(1, 0, 60, 0)], "image"), [1, []], "an image stays behind a text");
  assert.deepEqual(rows([text(1, 40, 60, 0)], "text"), [0, []], "a row that is free at that time is used");
  assert.deepEqual(rows([image, text(2, 0, 9, 3)], "sound"), [4, []]);
  const { edits } = additions({ ...FILM, overlays: [] }, [{ draft: draft("text", 200), from: 50 }]);
  assert.deepEqual(edits.at(-1), { op: "set", path: "durationInFrames", value: 250 }, "the film becomes longer");
});

test("a film is put into another at the size and rate of that one", () => {
  const { fittedOverlay, insertFilm } = library.insert_film;
  const source = { ...FILM, width: 640, height: 360, fps: 15, durationInFrames: 30 };
  const styles = { fontSize: "10px", textShadow: "0px 1px 2px #000", opacity: 0.5 };
  const overlay = { ...text(7, 3, 15, 2), left: 10, styles };
  const scaled = fittedOverlay(overlay, source, FILM);
  assert.deepEqual([scaled.left, scaled.width, scaled.from, scaled.durationInFrames], [20, 200, 6, 30]);
  assert.deepEqual(scaled.styles, { fontSize: "20px", textShadow: "0px 2px 4px #000", opacity: 0.5 });
  const editor = new library.Editor({ ...FILM, overlays: [text(1, 0, 90, 0)] });
  editor.seek(89);
  insertFilm(editor, { ...source, overlays: [overlay] }, "Insert");
  const { film: after, steps: names } = editor.state;
  assert.deepEqual(
    after.overlays.map(({ id, from, row }) => [id, from, row]),
    [
      [1, 0, 3],
      [2, 96, 2],
    ],
  );
  assert.equal(after.durationInFrames, 150);
  assert.deepEqual(names, ["Open", "Insert"]);
});

test("files are uploaded, found, added by click at a size that fits, and deleted", async () => {
  await edit(FILM);
  await page.getByLabel("Files to upload").setInputFiles({ name: "red.png", mimeType: "image/png", buffer: RED });
  await button("Add red.png").click();
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 1);
  const [overlay] = (await film()).overlays;
  assert.deepEqual(
    [overlay.type, overlay.name, overlay.left, overlay.top, overlay.width, overlay.height, overlay.durationInFrames],
    ["image", "red", 448, 216, 384, 288, 150],
    "a small picture of 4 × 3 lies in the middle",
  );
  assert.equal((await film()).durationInFrames, 150);
  assert.deepEqual(await page.evaluate(() => window.rondo.editor.state.selection), [overlay.id]);
  assert.deepEqual(await steps(), ["Open", "Add image"]);
  await region().getByLabel("Search files").fill("no such file");
  await region().getByText("No file has this name.").waitFor();
  await region().getByLabel("Search files").fill("red");
  await button("Delete red.png").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await button("Add red.png").waitFor({ state: "detached" });
  assertNoConsoleErrors(page);
});

test("an upload that the service refuses says why and can be tried again", async () => {
  await edit(FILM);
  const name = "broken.png";
  await page
    .getByLabel("Files to upload")
    .setInputFiles({ name, mimeType: "image/png", buffer: Buffer.from("no picture at all") });
  await region()
    .getByText(/The file cannot be used/)
    .waitFor();
  await button(`Try ${name} again`).click();
  await region()
    .getByText(/The file cannot be used/)
    .waitFor();
  await button(`Cancel the upload of ${name}`).click();
  assert.equal(await region().getByRole("list", { name: "Uploads" }).count(), 0);
});

test("an upload goes on by itself when the connection is back, wherever it was lost", async () => {
  await edit(FILM);
  const send = (name) => page.getByLabel("Files to upload").setInputFiles({ name, mimeType: "image/png", buffer: RED });
  for (const [name, address] of [
    ["early.png", "**/api/v1/uploads"],
    ["middle.png", "**/uploads/*"],
  ]) {
    let tries = 0;
    await page.route(address, (route) => (tries++ < 2 ? route.abort() : route.continue()));
    await send(name);
    await region()
      .getByText(/The connection was lost/)
      .waitFor();
    await button(`Add ${name}`).waitFor();
    assert.ok(tries > 2, `${name} was tried ${tries} times`);
    await page.unroute(address);
  }
  // The file arrived, and only the answer was lost.
  let isLost = true;
  await page.route("**/uploads/*", async (route) => {
    if (!isLost) return route.continue();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await send("answered.png");
  await region()
    .getByText(/The connection was lost/)
    .waitFor();
  await button("Try answered.png again").click();
  await button("Add answered.png").waitFor();
  await page.unroute("**/uploads/*");
  assert.equal(await region().getByRole("list", { name: "Uploads" }).count(), 0);
});

test("files are dropped and pasted into the film, items are dragged out of the library", async () => {
  await edit(FILM);
  for (const kind of ["drop", "paste"])
    await page.evaluate(
      ([name, data]) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const carried = new DataTransfer();
        carried.items.add(new File([bytes], `${name}.png`, { type: "image/png" }));
        const options = { bubbles: true, cancelable: true };
        const event =
          name === "drop"
            ? new DragEvent("drop", { ...options, dataTransfer: carried })
            : new ClipboardEvent("paste", { ...options, clipboardData: carried });
        document.body.dispatchEvent(event);
      },
      [kind, RED.toString("base64")],
    );
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 2);
  await tab("Elements");
  const data = await button("Add Heart").evaluate((tile) => {
    const carried = new DataTransfer();
    tile.dispatchEvent(new DragEvent("dragstart", { bubbles: true, dataTransfer: carried }));
    return JSON.parse(carried.getData("application/x-rondo-item"));
  });
  assert.deepEqual([data.type, data.content, "from" in data, "row" in data], ["shape", "heart", false, false]);
  const drop = page.getByRole("region", { name: "Canvas" });
  await button("Add Heart").dragTo(drop);
  await page.waitForFunction(() => window.rondo.editor.document().overlays.length === 3);
  const [, , heart] = (await film()).overlays;
  assert.ok(Math.abs(heart.left + heart.width / 2 - 640) < 60, `it lies where it was dropped: ${heart.left}`);
});

test("texts and elements are painted by the engine and added in front", async () => {
  await edit({
    ...FILM,
    overlays: [{ ...text(1, 0, 90, 0), type: "shape", content: "rectangle", styles: { fill: "#123" } }],
  });
  await tab("Text");
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('[aria-label="Add text: Title"] span')];
    return tiles.some((tile) => tile.style.backgroundImage.startsWith('url("data:image'));
  });
  await button("Add text: Title").press("Enter");
  await tab("Elements");
  await region().getByLabel("Search elements and emoji").fill("fire");
  await button("Add Fire").first().click();
  const { overlays } = await film();
  assert.deepEqual(
    overlays.map(({ type, row }) => [type, row]),
    [
      ["shape", 2],
      ["text", 1],
      ["sticker", 0],
    ],
  );
  await page.keyboard.press("Escape");
  assert.deepEqual(await steps(), ["Open", "Add text", "Add sticker"]);
});

test("captions are imported, edited by line and word, restyled and saved as a file", async () => {
  await edit(FILM);
  await tab("Captions");
  await page
    .getByLabel("Subtitle file")
    .setInputFiles({ name: "a.srt", mimeType: "text/plain", buffer: Buffer.from(SRT) });
  const lines = region().getByRole("list", { name: "Caption lines" });
  await lines.getByLabel("Text of line 1").fill("Hello out there");
  await lines.getByLabel("Text of line 1").press("Enter");
  await button("Merge line 1 with the next").click();
  await lines.getByLabel("Start of line 1, seconds").fill("0.5");
  await lines.getByLabel("Start of line 1, seconds").press("Enter");
  await button("Words of line 1").click();
  await lines.getByLabel("Word out").fill("over");
  await lines.getByLabel("Word out").press("Enter");
  await button("Find and replace").click();
  await page.getByLabel("Find", { exact: true }).fill("kenobi");
  await page.getByLabel("Replace with").fill("Who");
  await page.getByRole("button", { name: "Replace 1" }).click();
  await page.keyboard.press("Escape");
  await button("Use style Hustle").click();
  const [overlay] = (await film()).overlays;
  assert.equal(overlay.template, "hustle");
  assert.equal(overlay.captions.length, 1);
  assert.deepEqual([overlay.captions[0].text, overlay.captions[0].startMs], ["Hello over there general Who", 500]);
  const saved = page.waitForEvent("download");
  await button("Save as file").click();
  await page.getByRole("menuitem", { name: "WebVTT" }).click();
  assert.equal((await saved).suggestedFilename(), "captions.vtt");
  await page
    .getByLabel("Subtitle file")
    .setInputFiles({ name: "b.srt", mimeType: "text/plain", buffer: Buffer.from("?") });
  await page.getByText("b.srt has no captions that can be read.").first().waitFor();
  await page.keyboard.press("Escape");
});

test("a double click on a word of captions opens them at it, Enter at the word that is said", async () => {
  const [first, second] = [
    library.captions.newLine("Hello out there", 0, 1500),
    library.captions.newLine("General Kenobi", 1500, 3000),
  ];
  const box = { left: 140, top: 260, width: 1000, height: 200, rotation: 0 };
  const overlay = { id: 1, type: "caption", from: 0, durationInFrames: 90, row: 0, ...box, captions: [first, second] };
  await edit({ ...FILM, overlays: [overlay] });
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact === true);
  await page.evaluate(() => window.rondo.editor.seek(80));
  const line = region().getByLabel("Text of line 2");
  const selected = async () => {
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Text of line 2");
    return line.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
  };
  const picture = await page.locator("rondo-player").boundingBox();
  const across = picture.width / FILM.width;
  await page.mouse.dblclick(picture.x + (640 - 60) * across, picture.y + picture.height / 2);
  assert.equal(await selected(), "General", "not the one that is said");
  await page.mouse.click(picture.x + 700 * across, picture.y + picture.height / 2);
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-overlay") === "1");
  await page.keyboard.press("Enter");
  assert.equal(await selected(), "Kenobi");
  await page.keyboard.type("Organa");
  await page.keyboard.press("Enter");
  assert.equal((await film()).overlays[0].captions[1].text, "General Organa");
  assert.deepEqual(await steps(), ["Open", "Edit caption"]);
});

test("a text is narrated with its price shown before, and its captions are added", async () => {
  await edit(FILM);
  await tab("Captions");
  await button("Narrate").click();
  const dialog = page.getByRole("dialog", { name: "Narrate a text" });
  await dialog.getByLabel("Text").fill("Welcome to our film. It is short.");
  await dialog.getByText("Costs 0.5 credits.").waitFor();
  await dialog.getByRole("button", { name: "Make and listen" }).click();
  await dialog.getByRole("button", { name: "Add to film" }).click({ timeout: 60_000 });
  const { overlays } = await film();
  assert.deepEqual(overlays.map(({ type }) => type).sort(), ["caption", "sound"]);
  assert.match(overlays.find(({ type }) => type === "caption").captions[0].text, /Welcome/);
  assert.deepEqual(await steps(), ["Open", "Add narration"]);
  // What a voice of the service said is known: its words are free.
  await button("Transcribe").click();
  const transcription = page.getByRole("dialog", { name: "Transcribe a clip" });
  await transcription.getByText("Costs at most 0.25 credits.").waitFor();
  await transcription.getByRole("button", { name: "Transcribe" }).click();
  await transcription.waitFor({ state: "detached", timeout: 60_000 });
  assert.equal((await film()).overlays.filter(({ type }) => type === "caption").length, 2);
});

test("missing media are listed and replaced", async () => {
  await upload("new.png", "image/png", RED);
  const lost = { ...text(1, 0, 90, 0), type: "image", src: `${service.url}/files/upl_nothing.png`, name: "photo" };
  await edit({ ...FILM, overlays: [lost] });
  await region().getByText("A file cannot be loaded").waitFor();
  await button("From library").click();
  await button("Use new.png instead").first().click();
  await region().getByText("A file cannot be loaded").waitFor({ state: "detached" });
  assert.match((await film()).overlays[0].src, /upl_(?!nothing)/);
});

test("overlays become variables, values are tried, a table of them is rendered", async () => {
  await edit({
    ...FILM,
    durationInFrames: 10,
    overlays: [text(1, 0, 10, 0, { content: "Hello", width: 1280, height: 720 })],
  });
  await page.evaluate(() => window.rondo.editor.select([1]));
  await tab("Variables");
  await button("Make “Hello” a variable").click();
  const name = region().getByLabel("Name of the variable hello");
  await name.fill("greeting");
  await name.press("Enter");
  assert.deepEqual([(await film()).overlays[0].isDynamic, (await film()).overlays[0].name], [true, "greeting"]);
  await region().getByLabel("Try a value for greeting").fill("Servus");
  await region().getByText("The canvas shows these values.").waitFor();
  assert.equal((await film()).overlays[0].content, "Hello");
  await button("Fill in a table").click();
  const table = page.getByRole("dialog", { name: "Table of values" });
  await table.getByRole("button", { name: "Paste CSV" }).click();
  await table.getByLabel("CSV").fill("greeting\nHola\nCiao");
  await table.getByRole("button", { name: "Use 2 rows" }).click();
  await table.getByRole("img", { name: "Picture of row 2" }).waitFor();
  await table.getByText("2 credits: 2 films of 1").waitFor();
  await table.getByRole("button", { name: "Render 2 films" }).click();
  await table.getByText("2 of 2 started").waitFor();
  assert.equal(await table.getByRole("link", { name: "Started" }).count(), 2);
  const { data } = await (await page.request.get("/api/v1/renders?limit=2")).json();
  assert.equal(data.renders.length, 2);
});

test("the rows of a project are rendered as one batch, all or none", async () => {
  const greeting = text(1, 0, 10, 0, { width: 1280, height: 720, isDynamic: true, name: "greeting" });
  const photo = text(2, 0, 10, 1, { type: "image", src: await upload("batch.png", "image/png", RED) });
  const composition = {
    ...{ ...FILM, durationInFrames: 10 },
    overlays: [greeting, { ...photo, isDynamic: true, name: "photo" }],
  };
  const made = await page.request.post("/api/v1/projects", {
    data: { name: "Batch", composition },
    headers: { origin: service.url },
  });
  const { id } = (await made.json()).data;
  await page.goto(`/edit/${id}`);
  await tab("Variables");
  await button("Fill in a table").click();
  const table = page.getByRole("dialog", { name: "Table of values" });
  const fill = async (csv) => {
    await table.getByRole("button", { name: "Paste CSV" }).click();
    await table.getByLabel("CSV").fill(csv);
    await table.getByRole("button", { name: "Use 2 rows" }).click();
    await table.getByRole("button", { name: "Render 2 films" }).click();
  };
  const count = async () => (await (await page.request.get(`/api/v1/renders?projectId=${id}`)).json()).data.renders;
  await fill("greeting,photo\nHola,\nCiao,ftp://example.com/photo.png");
  await table.getByText("Not started").waitFor();
  assert.match(await table.getByRole("row").last().textContent(), /Failed/);
  await table.getByText("Nothing was started.", { exact: false }).waitFor();
  assert.deepEqual(await count(), []);
  await fill("greeting\nHola\nCiao");
  await table.getByText("2 of 2 started").waitFor();
  const renders = await count();
  assert.equal(renders.length, 2);
  assert.ok(renders[0].batchId && renders[0].batchId === renders[1].batchId, JSON.stringify(renders));
});

test("every tab is accessible, beside the canvas and in the sheet of a phone", async () => {
  await upload("music.wav", "audio/wav", Buffer.alloc(100));
  const overlays = [text(1, 0, 90, 0, { isDynamic: true, name: "title" })];
  await edit({ ...FILM, overlays });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    if (width < 500) await page.getByRole("button", { name: "Library" }).click();
    for (const name of ["Media", "Text", "Elements", "Captions", "Templates", "Variables"]) {
      await tab(name);
      await assertPartAccessible(page, "section[aria-label=Library]", `library, ${name}, ${width} wide`);
      const wider = await region().evaluate((part) => part.scrollWidth - part.clientWidth);
      assert.ok(wider <= 0, `${name}: ${wider} pixels too wide`);
    }
  }
});
