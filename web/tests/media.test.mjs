// The media page, the brand kit, and templates in the colours and the shape of the brand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  assertAccessible,
  assertNoConsoleErrors,
  createOperator,
  filmShown,
  openPage,
  startBrowser,
} from "./browser.mjs";
import { startService } from "./service.mjs";

let service, browser, page;
before(async () => {
  [service, browser] = await Promise.all([startService("--sign-up-credits", "40"), startBrowser()]);
  page = await openPage(browser, service.url);
  await createOperator(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = (name, scope = page) => scope.getByRole("button", { name, exact: typeof name === "string" });
const toast = (message) => page.getByText(message).first().waitFor();
const files = () => page.getByRole("list", { name: "Files" });

const SVG = (color) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" rx="12" fill="${color}"/></svg>`,
  );

/** A second of a tone as WAV. */
function tone() {
  const rate = 8000;
  const wav = Buffer.alloc(44 + rate * 2);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + rate * 2, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(rate * 2, 40);
  for (let at = 0; at < rate; at++)
    wav.writeInt16LE(Math.round(Math.sin(at / 3) * 20_000 * Math.sin((at / rate) * Math.PI)), 44 + at * 2);
  return wav;
}

test("files are uploaded, listed with their size, found, copied and deleted", async () => {
  await page.goto("/dashboard/media");
  await heading("Media");
  await page.getByText("No files yet").waitFor();
  await assertAccessible(page, "media without files");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "Beach at noon.svg", mimeType: "image/svg+xml", buffer: SVG("#0ea5e9") },
    { name: "tone.wav", mimeType: "audio/wav", buffer: tone() },
  ]);
  await toast("2 files uploaded.");
  await page.getByText("2 files", { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector("main li img")?.naturalWidth > 0);
  await files().locator("li", { hasText: "tone.wav" }).locator("svg rect").first().waitFor();
  await files().getByText("WAV · 16.0 KB").waitFor();
  await page.getByText(/16\.\d KB of 10\.0 GB used/).waitFor();
  await assertAccessible(page, "media");

  await page.getByLabel("Search media").fill("BEACH");
  await page.getByText("1 file", { exact: true }).waitFor();
  await button("Copy address", files()).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(address, /\/files\/upl_.*\.svg$/);

  // A project uses it: the dialog says so.
  const shown = { id: 1, type: "image", row: 0, from: 0, durationInFrames: 5, left: 0, top: 0, width: 64, height: 64 };
  const inputProps = { width: 64, height: 64, durationInFrames: 5, overlays: [{ ...shown, src: address }] };
  const body = { inputProps, createProject: true, projectName: "Holiday film" };
  const rendered = await page.request.post("/api/v1/renders", { data: body, headers: { origin: service.url } });
  assert.equal(rendered.status(), 200, await rendered.text());
  await button("Delete Beach at noon.svg").click();
  await page.getByText(/It is used by the project Holiday film/).waitFor();
  await assertAccessible(page, "deleting a file");
  await button("Delete file").click();
  await toast("File deleted.");
  await page.getByText("No files found").waitFor();
  assert.equal((await page.request.get(address)).status(), 404);
  await button("Clear filters").click();
  await page.getByRole("radio", { name: "Narrations" }).click();
  await page.getByText("No files found").waitFor();
  assertNoConsoleErrors(page);
});

test("the brand kit is edited, checked and fills in templates", async () => {
  await page.goto("/dashboard/templates/tpl_job_opening_16x9");
  await page.getByRole("link", { name: "Set up your brand kit" }).click();
  await heading("Brand kit");
  await page.getByText("No colours yet.").waitFor();
  await page
    .getByLabel("Logo file")
    .setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: SVG("#16a34a") });
  await page.getByAltText("Your logo").waitFor();
  await button("Add colour").click();
  await button("Add colour").click();
  await page.getByLabel("Colour", { exact: true }).nth(0).fill("#16a34a");
  await page.getByLabel("Name of colour 2").fill("primary");
  await page.getByLabel("Headings").fill("No Such Family");
  await button("Save brand kit").click();
  await page.getByText(/`colors\[1\]\.name` must differ/).waitFor();
  await page.getByText(/`fonts\.heading` must be a font/).waitFor();
  await assertAccessible(page, "brand kit with problems");
  await page.getByLabel("Name of colour 2").fill("Accent");
  await page.getByLabel("Colour", { exact: true }).nth(1).fill("#db2777");
  await page.getByLabel("Headings").fill("Outfit");
  await button("Save brand kit").click();
  await toast("Brand kit saved.");
  await page.reload();
  await page.getByAltText("Your logo").waitFor();
  assert.equal(await page.getByLabel("Headings").inputValue(), "Outfit");
  await assertAccessible(page, "brand kit");

  await page.goto("/dashboard/templates/tpl_job_opening_16x9");
  await filmShown(page, 120);
  await button("Use your logo for Logo").waitFor();
  await button("Use my brand").click();
  await toast("Your brand is filled in.");
  assert.equal(await page.getByLabel("Accent", { exact: true }).inputValue(), "#db2777");
  assert.match(await page.getByLabel("Logo", { exact: true }).inputValue(), /\/files\/upl_/);
  assert.ok(await button("Use my brand").isDisabled());
  await page.getByText('"accent": "#db2777"').waitFor();
  await page.getByText(/"(heading_)?font": "Outfit"/).waitFor();
  await page
    .getByRole("group", { name: "Brand colours for Text" })
    .getByRole("button", { name: "Use Primary" })
    .click();
  await page.getByText('"text": "#16a34a"').waitFor();
  await page.waitForResponse((response) => response.url().endsWith("/api/v1/previews") && response.ok());
  await assertAccessible(page, "template in the colours of the brand");
  assertNoConsoleErrors(page);
});

test("another shape of a template keeps what was filled in", async () => {
  await page.getByText("More options").click();
  await page.getByLabel("Size").selectOption({ label: "9:16 · 1080 × 1920" });
  await heading("Job Opening (9:16)");
  assert.equal(await page.getByLabel("Accent", { exact: true }).inputValue(), "#db2777");
  await page.getByText('"templateId": "tpl_job_opening_9x16"').waitFor();
  await page.goto("/dashboard/templates/tpl_quote_card");
  await page.getByText("More options").click();
  await page.getByLabel("Size").waitFor();
  assert.equal(await page.getByLabel("Size").locator("optgroup").count(), 1, "templates of one shape only scale");
  assertNoConsoleErrors(page);
});
