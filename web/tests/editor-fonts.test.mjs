// Fonts of the account in the editor: uploaded in the list of fonts, drawn in it, painted on the canvas as by the service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible, assertNoConsoleErrors, createOperator, openPage, startBrowser } from "./browser.mjs";
import { addText, createFilm, openFilm, post } from "./editor.mjs";
import { startService } from "./service.mjs";

const FAMILY = "Brand Grotesk";
const SHOTS = process.env.SHOTS;

/** Space Grotesk under a name that no built-in family has: of the same length, so that nothing moves in the file. */
function brandFont() {
  const file = readFileSync(join(import.meta.dirname, "../../testdata/fonts/SpaceGrotesk-700.ttf"));
  const wide = (text) => Buffer.from(text, "utf16le").swap16();
  const [old, name] = [wide("Space Grotesk"), wide(FAMILY)];
  for (let at = file.indexOf(old); at >= 0; at = file.indexOf(old, at + 1)) name.copy(file, at);
  return file;
}

let service, browser, page;
before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  page = await openPage(browser, service.url);
  page.setDefaultTimeout(30_000);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const picker = () => page.locator('[data-path="styles.fontFamily"]').getByRole("button").first();
const shot = async (name) => SHOTS && (await page.screenshot({ path: join(SHOTS, `${name}.png`) }));

/** How many values of the pixels differ between the canvas and a preview of the film. */
const differing = (previewId) =>
  page.evaluate(async (id) => {
    const painted = await document.querySelector("rondo-player").frame(10);
    const blob = await (await fetch(`/preview/${id}.png?frame=10`)).blob();
    const picture = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    return painted.data.reduce((count, value, index) => count + (value === data[index] ? 0 : 1), 0);
  }, previewId);

test("a font is uploaded in the list of fonts, chosen and painted", async () => {
  const id = await createFilm(page, [addText(1, "Raga & Grotesk")]);
  await openFilm(page, id);
  await page.evaluate(() => window.rondo.editor.select([1]));
  await picker().click();
  await page
    .getByLabel("Font files to upload")
    .setInputFiles({ name: "brand.ttf", mimeType: "font/ttf", buffer: brandFont() });
  await page.waitForFunction(
    (family) => window.rondo.editor.document().overlays[0].styles.fontFamily === family,
    FAMILY,
  );
  await page.waitForFunction(() => document.querySelector("rondo-player").composition.fontFaces?.length === 1);
  await picker().click();
  const own = page.getByRole("group", { name: "Your fonts" });
  await own.getByRole("option", { name: FAMILY }).waitFor();
  await page.waitForFunction((name) => document.fonts.check(`16px "rondo ${name}"`), FAMILY);
  await assertAccessible(page, "list of fonts");
  await shot("font-picker");
  await page.keyboard.press("Escape");

  const inputProps = await page.evaluate(() => window.rondo.editor.document());
  assert.equal(inputProps.fontFaces, undefined, "the film itself names the family only");
  const { previewId, warnings } = await post(page, "/api/v1/previews", { inputProps });
  const codes = warnings.map(({ code }) => code);
  assert.deepEqual(
    codes.filter((code) => code.startsWith("FONT_NOT")),
    [],
  );
  assert.equal(await differing(previewId), 0);
  await shot("own-font");
});

test("the library offers the family, and writes a text in it", async () => {
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("button", { name: `Add text in ${FAMILY}` }).click();
  const added = await page.evaluate(() => window.rondo.editor.document().overlays.at(-1).styles);
  assert.deepEqual([added.fontFamily, added.fontWeight], [FAMILY, "700"]);
  await assertAccessible(page, "texts of the library");
  await shot("own-font-library");
});

test("the preview page plays the film in its font", async () => {
  const inputProps = await page.evaluate(() => window.rondo.editor.document());
  const { previewId } = await post(page, "/api/v1/previews", { inputProps });
  const visitor = await openPage(browser, service.url);
  await visitor.goto(`/preview/${previewId}`);
  await visitor.waitForFunction(() => document.querySelector("rondo-player")?.exact === true);
  const codes = await visitor.evaluate(() => document.querySelector("rondo-player").warnings.map(({ code }) => code));
  assert.deepEqual(
    codes.filter((code) => /^FONT_(NOT|FACE)|^font-/.test(code)),
    [],
  );
  assertNoConsoleErrors(visitor);
  await visitor.context().close();
  assertNoConsoleErrors(page);
});
