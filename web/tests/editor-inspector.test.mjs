// The inspector of the editor: every field of the format has a control, and each control writes what the format says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { startService } from "./service.mjs";

const { schemas } = JSON.parse(readFileSync(join(import.meta.dirname, "../openapi/api.json"), "utf8")).components;
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGP4z8AARwzEcQBUoAv1VbNvdQAAAABJRU5ErkJggg==",
  "base64",
);
const FONT = readFileSync(join(import.meta.dirname, "../../assets/fonts/core/roboto-mono-latin-400-normal.woff2"));

const overlay = (id, type, fields) => ({
  ...{ id, type, from: 0, durationInFrames: 90, row: id, left: 100, top: 100, width: 600, height: 200 },
  ...fields,
});
const WORD = { word: "Hello", startMs: 0, endMs: 500, confidence: 1 };
/** One overlay of each type, with one item in each list of objects. */
const OVERLAYS = [
  overlay(1, "text", { content: "Hello", styles: { fontSize: "64px", color: "#ffffff" } }),
  overlay(2, "video", { src: "", isDynamic: true, name: "clip", segments: [{ startFrame: 0, endFrame: 30 }] }),
  overlay(3, "image", { src: "" }),
  overlay(4, "sound", { src: "", isDynamic: true, name: "music" }),
  overlay(5, "shape", { content: "circle", styles: { fill: "#336699" } }),
  overlay(6, "sticker", { content: "discount-circle" }),
  overlay(7, "caption", { captions: [{ text: "Hello", startMs: 0, endMs: 500, words: [WORD] }] }),
  overlay(8, "effect", { content: "snow", styles: { columns: [{ images: [], speed: 100, direction: "up" }] } }),
];
const FILM = {
  ...{ width: 1280, height: 720, fps: 30, durationInFrames: 90, backgroundColor: "#101828" },
  colors: [{ name: "accent", value: "#ff5a36" }],
  fonts: [{ name: "heading", value: "Inter" }],
  overlays: OVERLAYS,
};

let service, browser, page;
before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  page = await openPage(browser, service.url);
  page.setDefaultTimeout(30_000);
  await createOperator(page);
  OVERLAYS[2].src = await upload("image/png", PICTURE);
  FILM.fontFaces = [{ family: "Mine", src: await upload("font/woff2", FONT) }];
  await edit(FILM);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const region = () => page.getByRole("region", { name: "Inspector", exact: true });
const row = (path) => region().locator(`[data-path="${path}"]`);
const button = (name, scope = region()) => scope.getByRole("button", { name, exact: true });
const select = (...ids) => page.evaluate((chosen) => window.rondo.editor.select(chosen), ids);
const steps = () => page.evaluate(() => window.rondo.editor.state.step);
const undo = () => page.evaluate(() => window.rondo.editor.undo());

async function post(path, data) {
  const response = await page.request.post(path, { data, headers: { origin: service.url } });
  const answer = await response.json();
  assert.ok(answer.data, answer.error);
  return answer.data;
}

/** The address of a file of the account. */
async function upload(contentType, data) {
  const { uploadUrl, fileUrl } = await post("/api/v1/uploads", { contentType, name: "mine", size: data.length });
  const headers = { origin: service.url, "content-type": contentType };
  await page.request.put(uploadUrl, { data, headers });
  return fileUrl;
}

/** Opens the editor with a film. */
async function edit(composition) {
  // Previews need every file, so media without one are added in the editor.
  const hasFile = ({ src }) => src !== "";
  const film = { ...composition, overlays: composition.overlays.filter(hasFile) };
  const { previewId } = await post("/api/v1/previews", { inputProps: film });
  await page.goto(`/edit/${previewId}`);
  await region().waitFor();
  await page.evaluate(
    (overlays) => window.rondo.editor.apply(overlays.map((one) => ({ op: "add", overlay: one }))),
    composition.overlays.filter((one) => !hasFile(one)),
  );
}

/** The value at a path of an overlay, or of the film. */
const value = (id, path) =>
  page.evaluate(
    ([of, at]) => {
      const film = window.rondo.editor.document();
      const from = of === null ? film : film.overlays.find((one) => one.id === of);
      return at.match(/[^.[\]]+/g).reduce((object, step) => object?.[step], from);
    },
    [id, path],
  );

async function menu(name) {
  await button("More").click();
  await page.getByRole("menuitem", { name }).click();
}

/** Every path of a schema, items of lists as `[]`. */
function pathsOf(name, prefix = "") {
  return Object.entries(schemas[name].properties).flatMap(([key, schema]) => {
    const path = prefix ? `${prefix}.${key}` : key;
    const reference = (schema.$ref ?? schema.items?.$ref)?.split("/").at(-1);
    if (schema.$ref) return pathsOf(reference, path);
    if (key === "overlays") return [];
    return reference ? [path, ...pathsOf(reference, `${path}[]`)] : [path];
  });
}

test("every field of the film and of every type of overlay can be reached", async () => {
  await menu("Open all groups");
  const shown = () =>
    region()
      .locator("[data-path]")
      .evaluateAll((rows) => rows.map((one) => one.dataset.path.replaceAll(/\[\d+\]/g, "[]")));
  const missing = async (name) => {
    const there = new Set(await shown());
    return pathsOf(name).filter((path) => !there.has(path));
  };
  await select();
  assert.deepEqual(await missing("Composition"), [], "film");
  for (const { id, type } of OVERLAYS) {
    await select(id);
    await row("durationInFrames").waitFor();
    const name = Object.keys(schemas).find((one) => schemas[one].properties?.type?.const === type);
    assert.deepEqual(await missing(name), [], type);
  }
});

test("fields are found by name, path and description", async () => {
  await select(1);
  await region().getByLabel("Search fields").fill("typewriter blinkspeed");
  await row("styles.typeWriter.blinkSpeed").waitFor();
  assert.equal(await region().locator("[data-path]").count(), 1);
  await region().getByLabel("Search fields").fill("nothing like this");
  await region().getByText("No field matches").waitFor();
  await button("Clear search").click();
});

/** Types into the first input of a row and leaves it. */
const type = (path, text) => async () => {
  const input = row(path).locator("input:not([type=range]), textarea").first();
  await input.fill(text);
  await input.blur();
};
const choose = (path, option) => () => row(path).locator("select").first().selectOption(option);
const press = (path, name) => () => row(path).getByRole("radio", { name, exact: true }).click();
const flip = (path) => () => row(path).getByRole("switch").click();

/** Overlay (null for the film), field, what people do, what the film then holds. */
const CONTROLS = [
  [1, "left", type("left", "240"), 240],
  [1, "rotation", type("rotation", "12.5"), 12.5],
  [1, "content", type("content", "Two\nlines"), "Two\nlines"],
  [1, "styles.fontSize", type("styles.fontSize", "80"), "80px"],
  [1, "styles.letterSpacing", type("styles.letterSpacing", "0.2em"), "0.2em"],
  [1, "styles.lineHeight", type("styles.lineHeight", "1.4"), "1.4"],
  [1, "styles.fontWeight", choose("styles.fontWeight", "700"), "700"],
  [1, "styles.textAlign", press("styles.textAlign", "Center"), "center"],
  [1, "styles.verticalAlign", press("styles.verticalAlign", "Bottom"), "bottom"],
  [1, "styles.textTransform", press("styles.textTransform", "Uppercase"), "uppercase"],
  [1, "styles.fontSizeFixed", flip("styles.fontSizeFixed"), true],
  [1, "styles.opacity", type("styles.opacity", "50"), 0.5],
  [1, "styles.opacity", type("styles.opacity", "250"), 1],
  [1, "styles.mixBlendMode", choose("styles.mixBlendMode", "multiply"), "multiply"],
  [1, "styles.color", type("styles.color", "ff0000"), "#ff0000"],
  [1, "styles.padding", type("styles.padding", "4px 8px"), "4px 8px"],
  [1, "styles.WebkitTextStroke", () => row("styles.WebkitTextStroke").getByLabel("Width").fill("3"), "3px #000000"],
  [1, "styles.animatedText.enabled", flip("styles.animatedText.enabled"), true],
  [1, "styles.animatedText.y", type("styles.animatedText.y", "40, 0"), [40, 0]],
  [1, "styles.animatedText.opacity", type("styles.animatedText.opacity", "0 2"), [0, 1]],
  [1, "styles.animatedText.easing", choose("styles.animatedText.easing", "easeOutCubic"), "easeOutCubic"],
  [1, "styles.counterMode.prefix", type("styles.counterMode.prefix", "€"), "€"],
  [1, "styles.codeBlock.theme", press("styles.codeBlock.theme", "Light"), "light"],
  [1, "isDynamic", flip("isDynamic"), true],
  [1, "name", type("name", "title"), "title"],
  [2, "styles.volume", type("styles.volume", "25"), 0.25],
  [2, "segments[0].endFrame", type("segments[0].endFrame", "45"), 45],
  [2, "greenscreen.enabled", flip("greenscreen.enabled"), true],
  [2, "greenscreen.threshold.red", type("greenscreen.threshold.red", "120"), 120],
  [2, "speed", type("speed", "2"), 2],
  [3, "styles.objectFit", choose("styles.objectFit", "contain"), "contain"],
  [3, "styles.objectPosition", () => row("styles.objectPosition").getByLabel("Focus X").fill("20"), "20% 50%"],
  [3, "styles.border", () => row("styles.border").getByLabel("Width").fill("4"), "4px solid #000000"],
  [3, "styles.layout3D.settle", flip("styles.layout3D.settle"), true],
  [3, "styles.transform", () => row("styles.transform").getByLabel("Turn").fill("15"), "rotate(15deg)"],
  [5, "styles.strokeWidth", type("styles.strokeWidth", "6"), 6],
  [
    5,
    "styles.gradient",
    choose("styles.gradient", "radial"),
    /^radial-gradient\(circle at center, #\w+ 0%, #\w+ 100%\)$/,
  ],
  [7, "styles.mode", choose("styles.mode", "karaoke"), "karaoke"],
  [7, "captions[0].text", type("captions[0].text", "Bye"), "Bye"],
  [7, "styles.highlightStyle.scale", type("styles.highlightStyle.scale", "1.2"), 1.2],
  [8, "styles.particleCount", type("styles.particleCount", "300"), 300],
  [8, "styles.columns[0].direction", press("styles.columns[0].direction", "Down"), "down"],
  [null, "fps", type("fps", "25"), 25],
  [null, "backgroundColor", type("backgroundColor", "#abcdef"), "#abcdef"],
  [null, "fonts[0].name", type("fonts[0].name", "title"), "title"],
  [null, "colors[0].name", type("colors[0].name", "brand"), "brand"],
];

test("each control writes its field as the format says, in one step that can be undone", async (t) => {
  for (const [id, path, act, expected] of CONTROLS)
    await t.test(`${path} of ${id ?? "the film"}`, async () => {
      await select(...(id === null ? [] : [id]));
      const before = [await value(id, path), await steps()];
      await act();
      await page.keyboard.press("Tab");
      const after = await value(id, path);
      if (expected instanceof RegExp) assert.match(after, expected);
      else assert.deepEqual(after, expected);
      assert.equal(await steps(), before[1] + 1, "steps of the history");
      await undo();
      assert.deepEqual(await value(id, path), before[0]);
      await page.evaluate(() => window.rondo.editor.redo());
    });
});

test("resetting a field takes it out", async () => {
  await select(1);
  await row("styles.opacity").hover();
  const reset = button("Reset Opacity", row("styles.opacity"));
  await reset.click();
  assert.equal(await value(1, "styles.opacity"), undefined);
  assert.ok(!(await page.evaluate(() => "opacity" in window.rondo.editor.document().overlays[0].styles)));
  assert.equal(await reset.count(), 0);
  assert.equal(await button("Reset X").count(), 0, "required fields stay");
});

test("dragging a slider or a label is one step, arrow keys count by one and by ten", async () => {
  await select(1);
  const slider = row("styles.opacity").getByRole("slider");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  let before = await steps();
  await page.mouse.move(box.x + box.width - 6, box.y + box.height / 2);
  await page.mouse.down();
  for (let part = 9; part >= 4; part--) await page.mouse.move(box.x + (box.width * part) / 10, box.y + box.height / 2);
  await page.mouse.up();
  const opacity = await value(1, "styles.opacity");
  assert.ok(opacity > 0.3 && opacity < 0.5, `opacity is ${opacity}`);
  assert.equal(await steps(), before + 1);

  before = await steps();
  await row("styles.fontSize").scrollIntoViewIfNeeded();
  const label = await row("styles.fontSize").locator("label").boundingBox();
  await page.mouse.move(label.x + 5, label.y + 8);
  await page.mouse.down();
  for (const by of [10, 20, 30, 40]) await page.mouse.move(label.x + 5 + by, label.y + 8);
  await page.mouse.up();
  assert.equal(await value(1, "styles.fontSize"), "100px");
  assert.equal(await steps(), before + 1);

  const size = row("styles.fontSize").locator("input");
  await size.press("ArrowUp");
  assert.equal(await value(1, "styles.fontSize"), "101px");
  await size.press("Shift+ArrowDown");
  assert.equal(await value(1, "styles.fontSize"), "91px");
  assert.equal(await steps(), before + 3);
});

test("several overlays are edited together", async () => {
  await page.evaluate(() => window.rondo.editor.apply({ op: "set", id: 1, path: "left", value: 50 }));
  await select(1, 5);
  await region().getByRole("heading", { name: "2 overlays" }).waitFor();
  assert.equal(await row("left").locator("input").getAttribute("placeholder"), "Mixed");
  assert.equal(await row("width").locator("input").inputValue(), "600");
  assert.equal(await row("content").count(), 0, "a text and a shape are not the same content");
  const before = await steps();
  await type("left", "333")();
  assert.deepEqual([await value(1, "left"), await value(5, "left")], [333, 333]);
  assert.equal(await steps(), before + 1);
});

test("a style is copied onto another overlay, as far as its type has it", async () => {
  await page.evaluate(() =>
    window.rondo.editor.apply([
      {
        op: "set",
        id: 1,
        path: "styles",
        value: { color: "#00ff00", opacity: 0.4, boxShadow: "0px 2px 4px 0px #000000" },
      },
      { op: "set", id: 5, path: "styles", value: { fill: "#123456" } },
    ]),
  );
  await select(1);
  await menu("Copy style");
  await select(5);
  await menu("Paste style");
  assert.deepEqual(await value(5, "styles"), { opacity: 0.4, boxShadow: "0px 2px 4px 0px #000000" });
});

test("shadows, filters and gradients are edited part by part", async () => {
  await select(5);
  const shadow = row("styles.boxShadow");
  await shadow.getByLabel("Blur of shadow 1").fill("20");
  await shadow.getByLabel("Blur of shadow 1").press("Enter");
  assert.equal(await value(5, "styles.boxShadow"), "0px 2px 20px 0px #000000");
  await shadow.getByRole("checkbox", { name: "Inset of shadow 1" }).check();
  assert.equal(await value(5, "styles.boxShadow"), "inset 0px 2px 20px 0px #000000");
  await shadow.getByRole("button", { name: "Add shadow: Shadow" }).click();
  assert.equal(await value(5, "styles.boxShadow"), "inset 0px 2px 20px 0px #000000, 0px 4px 12px 0px #00000066");
  await button("Remove shadow 1", shadow).click();
  await button("Remove shadow 1", shadow).click();
  assert.equal(await value(5, "styles.boxShadow"), undefined);

  await row("styles.gradient").locator("select").selectOption("linear");
  const gradient = row("styles.gradient");
  await gradient.getByLabel("Gradient, Angle").fill("90");
  await gradient.getByLabel("Gradient, Angle").press("Enter");
  await gradient.getByRole("button", { name: "Stop 2 at 100 %" }).press("Shift+ArrowLeft");
  assert.equal(await value(5, "styles.gradient"), "linear-gradient(90deg, #6366f1 0%, #ec4899 90%)");
  await button("Add stop", gradient).click();
  assert.equal((await value(5, "styles.gradient")).match(/%/g).length, 3);

  await select(3);
  const filter = row("styles.filter");
  await filter.getByRole("slider", { name: "Filter, Blur" }).press("ArrowRight");
  assert.equal(await value(3, "styles.filter"), "blur(0.5px)");
  await filter.getByRole("slider", { name: "Filter, Blur" }).press("ArrowLeft");
  assert.equal(await value(3, "styles.filter"), undefined);
  await filter.locator("select").selectOption("noir");
  assert.equal(await value(3, "styles.filter"), "noir");
  await filter.getByRole("slider", { name: "Filter, Sepia" }).press("Shift+ArrowRight");
  assert.equal(await value(3, "styles.filter"), "grayscale(1) contrast(1.4) brightness(0.9) sepia(0.1)");
});

test("colours are picked with opacity, from the film and by code", async () => {
  await select(1);
  await button("Pick Colour", row("styles.color")).click();
  const panel = page.getByRole("dialog", { name: "Pick Colour" });
  await panel.getByLabel("Colour, hex").fill("#102030");
  await panel.getByLabel("Colour, hex").press("Enter");
  assert.equal(await value(1, "styles.color"), "#102030");
  await panel.getByLabel("Opacity", { exact: true }).fill("50");
  await panel.getByLabel("Opacity", { exact: true }).press("Enter");
  assert.equal(await value(1, "styles.color"), "#10203080");
  const before = await steps();
  const area = await panel.locator(".react-colorful__saturation").boundingBox();
  await page.mouse.move(area.x + 10, area.y + 10);
  await page.mouse.down();
  for (const by of [20, 40, 60]) await page.mouse.move(area.x + by, area.y + by);
  await page.mouse.up();
  assert.match(await value(1, "styles.color"), /^#[0-9a-f]{6}80$/);
  assert.equal(await steps(), before + 1, "a drag in the picker is one step");
  await panel.getByRole("group", { name: "Colour variables" }).getByRole("button", { name: "Use brand" }).click();
  assert.equal(await value(1, "styles.color"), "#ff5a36");
  await page.keyboard.press("Escape");
});

test("curves are bent by their handles", async () => {
  await select(1);
  const easing = row("styles.animatedText.easing");
  await easing.locator("select").selectOption("ease-in");
  await easing.locator("select").selectOption("custom");
  assert.equal(await value(1, "styles.animatedText.easing"), "cubic-bezier(0.42, 0, 1, 1)");
  await easing.getByRole("slider", { name: "Easing, Handle 1" }).press("Shift+ArrowUp");
  assert.equal(await value(1, "styles.animatedText.easing"), "cubic-bezier(0.42, 0.1, 1, 1)");
});

test("fonts are found and chosen by keyboard", async () => {
  await select(1);
  await row("styles.fontFamily").getByRole("button").first().click();
  const search = page.getByRole("combobox", { name: "Search fonts" });
  await search.fill("abril");
  await page.getByRole("option", { name: "Abril Fatface" }).waitFor();
  await search.press("Enter");
  assert.equal(await value(1, "styles.fontFamily"), "Abril Fatface");
  const weights = await row("styles.fontWeight").locator("option").allTextContents();
  assert.deepEqual(weights.slice(1), ["Regular 400"], "the weights that the family has");
});

test("tiles of presets show this overlay and set the preset", async () => {
  await select(5);
  await row("styles.animation.enter").getByRole("button").first().click();
  const tile = page.getByRole("button", { name: "Fade", exact: true });
  await tile.waitFor();
  await page.waitForFunction(() => {
    const canvas = document.querySelector('[role="dialog"] canvas');
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size > 2;
  });
  await tile.click();
  assert.equal(await value(5, "styles.animation.enter"), "fade");
  await row("content").getByRole("button").first().click();
  await page.getByLabel("Search", { exact: true }).fill("star");
  await page.getByRole("button", { name: "Star", exact: true }).click();
  assert.equal(await value(5, "content"), "star");
});

test("JSON is edited both ways, and what cannot be an overlay is refused", async () => {
  await select(5);
  await region().getByRole("radio", { name: "JSON" }).click();
  const text = region().getByRole("textbox", { name: /Selection as JSON/ });
  await text.waitFor();
  const replace = async (next) => {
    await text.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.evaluate((clip) => navigator.clipboard.writeText(clip), next);
    await page.keyboard.press("ControlOrMeta+v");
  };
  const before = await page.evaluate(() => window.rondo.editor.document().overlays.find((one) => one.id === 5));
  await replace(JSON.stringify({ ...before, id: 99, left: 12, mine: [1] }));
  assert.deepEqual(await page.evaluate(() => window.rondo.editor.document().overlays.find((one) => one.id === 5)), {
    ...before,
    left: 12,
    mine: [1],
  });
  await replace(JSON.stringify({ ...before, from: "soon" }));
  await region().getByRole("alert").getByText("`from` must be a number.").waitFor();
  assert.equal(await value(5, "from"), 0);
  await page.evaluate(() => window.rondo.editor.apply({ op: "set", id: 5, path: "left", value: 77 }));
  await region().getByText("77", { exact: true }).waitFor();
  await region().getByRole("radio", { name: "Fields" }).click();
  assert.equal(await row("left").locator("input").inputValue(), "77");
});

test("the film has size presets, a poster frame and colours", async () => {
  await select();
  await region().getByRole("button", { name: "9:16" }).click();
  assert.deepEqual([await value(null, "width"), await value(null, "height")], [1080, 1920]);
  await undo();
  assert.deepEqual([await value(null, "width"), await value(null, "height")], [1280, 720]);
  await page.evaluate(() => window.rondo.editor.seek(21));
  await button("Use current frame").click();
  assert.equal(await value(null, "posterFrame"), 21);
  await region().getByRole("button", { name: "Add to Colour variables" }).click();
  assert.deepEqual((await value(null, "colors"))[1], { name: "color-2", value: "#6366f1" });
});

test("a variable says what it fills and whether its name is taken", async () => {
  await select(1);
  await type("name", "clip")();
  await region().getByText("Another overlay is also named “clip”").waitFor();
  await type("name", "headline")();
  await region()
    .getByText("The text shrinks to fit its box.")
    .or(region().getByText("Longer text is clipped."))
    .waitFor();
});

test("warnings of the preview stand at their field, and the list leads there", async () => {
  await page.evaluate(() =>
    window.rondo.editor.apply([
      { op: "set", id: 1, path: "styles.fontFamily", value: "No Such Font" },
      { op: "set", id: 5, path: "content", value: "circel" },
    ]),
  );
  await select();
  const all = region().getByRole("button", { name: /\d+ warnings?$/ });
  await all.click();
  await region()
    .getByRole("button", { name: /No Such Font/ })
    .click();
  await row("styles.fontFamily")
    .getByText(/No Such Font/)
    .last()
    .waitFor();
  assert.deepEqual(await page.evaluate(() => window.rondo.editor.state.selection), [1]);
  await page.waitForFunction(
    () => document.activeElement?.closest("[data-path]")?.dataset.path === "styles.fontFamily",
  );
  await region().getByRole("region", { name: "Text" }).getByRole("img", { name: "1 warning" }).waitFor();
});

test("a slider reaches the pixels at once", async (t) => {
  await edit({
    ...FILM,
    overlays: [1, 2, 3, 4].map((id) =>
      overlay(id, "text", { content: `Line ${id}`, top: 150 * id, styles: { color: "#ffffff" } }),
    ),
  });
  await page.waitForFunction(() => document.querySelector("[aria-label=Canvas] rondo-player")?.exact);
  await select(1);
  await row("styles.opacity").scrollIntoViewIfNeeded();
  const times = await page.evaluate(async () => {
    const player = document.querySelector("[aria-label=Canvas] rondo-player");
    const slider = document.querySelector('[data-path="styles.opacity"] input[type=range]');
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const measured = [];
    for (let turn = 0; turn < 60; turn++) {
      const painted = new Promise((done) => player.addEventListener("frame", done, { once: true }));
      const start = performance.now();
      setValue.call(slider, String(0.2 + turn / 100));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await painted;
      measured.push(performance.now() - start);
      await new Promise((done) => setTimeout(done, 30));
    }
    return measured.slice(10).sort((left, right) => left - right);
  });
  const [median, p95] = [0.5, 0.95].map((share) => times[Math.floor(times.length * share)]);
  t.diagnostic(`slider to pixels: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  // The bar is 60 ms on an idle machine of two cores. Tests share theirs with others.
  assert.ok(median < 1000, `median ${median} ms`);
});

test("nothing serious is found by axe, with everything open", async () => {
  await edit(FILM);
  await select(1);
  await menu("Open all groups");
  await assertAccessible(page, "inspector");
  assertNoConsoleErrors(page);
});
