// The pages of the documentation in Chromium: search, theme, tabs, films, requests, narrow windows, accessibility.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, createOperator, openPage, startBrowser } from "./browser.mjs";
import { startService } from "./service.mjs";

let service;
let browser;
const PAGES = [
  "/docs",
  "/docs/first-film",
  "/docs/format/shape",
  "/docs/api/account",
  "/docs/api/webhooks",
  "/docs/cookbook/neon",
];

before(async () => {
  service = await startService();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const open = async (path, options) => {
  const page = await openPage(browser, service.url, options);
  await page.goto(path);
  return page;
};

test("pages are accessible, light and dark, wide and narrow", async () => {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ]) {
    const page = await openPage(browser, service.url, { viewport: { width, height: 844 }, colorScheme });
    for (const path of PAGES) {
      await page.goto(path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide at ${width}`);
      await assertAccessible(page, `${path} ${width} ${colorScheme}`);
    }
    assert.deepEqual(page.consoleErrors, []);
    await page.context().close();
  }
});

test("the search finds a style and goes there, by keyboard alone", async () => {
  const page = await open("/docs");
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("letter spacing");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/format\/(text|caption)#letterSpacing$/);
  await page.context().close();
});

test("the search knows other words for a style, and says which of them it found", async () => {
  const page = await open("/docs");
  await page.keyboard.press("/");
  const asked = page.getByRole("combobox");
  await asked.fill("drop shadow");
  const first = page.getByRole("option").first();
  await first.getByText("textShadow").waitFor();
  assert.match(await first.textContent(), /^Text style.*drop shadow/);
  await asked.fill("opacty");
  await first.getByText("opacity", { exact: true }).waitFor();
  await asked.fill("opacity zyxwvut");
  await page.getByText("None contains every word.").waitFor();
  await asked.fill("zyxwvut");
  await page.getByText("Nothing found.").waitFor();
  assert.equal(await page.getByRole("option").count(), 0);
  assert.deepEqual(page.consoleErrors, []);
  await page.context().close();
});

test("a field that is folded away opens where the search leads to it", async () => {
  const page = await open("/docs/api/renders");
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("output.format");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/api\/renders#createRender-body-output\.format$/);
  await page.locator('[id="createRender-body-output.format"]').waitFor();
  await page.context().close();
});

test("a page works where its address names nothing, and where it is malformed", async () => {
  const page = await openPage(browser, service.url);
  for (const anchor of ["#none", "#100%"]) {
    await page.goto("/docs");
    await page.goto(`/docs/api/renders${anchor}`);
    await page.keyboard.press("/");
    await page.getByRole("combobox").waitFor();
    assert.deepEqual(page.consoleErrors, [], anchor);
  }
  await page.context().close();
});

test("the theme is chosen once for all pages", async () => {
  const page = await open("/docs", { colorScheme: "light" });
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await page.goto("/docs/api");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(11, 13, 18)");
  await page.context().close();
});

test("the language of the examples is chosen once for all pages", async () => {
  const page = await open("/docs/first-film");
  await page.getByRole("tab", { name: "Python" }).first().click();
  assert.equal(await page.getByRole("tab", { name: "Python", selected: true }).count(), 2);
  await page.goto("/docs/api/renders");
  await page.getByText("client.renders.create(").first().waitFor();
  await page.context().close();
});

test("a page is copied as Markdown", async () => {
  const page = await open("/docs/format/shapes");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^# Shapes\n[\s\S]*### heart\n/);
  await page.context().close();
});

test("names are filtered", async () => {
  const page = await open("/docs/format/animations");
  await page.getByRole("searchbox", { name: "Filter names" }).fill("slide-up");
  assert.deepEqual(await page.locator(".entry:visible").evaluateAll((all) => all.map((it) => it.id)), ["slide-up"]);
  await page.context().close();
});

test("films play where they are seen, three at most, and give their players back", async () => {
  const page = await open("/docs/format/animations");
  await page.locator(".film.is-live").first().waitFor({ timeout: 60_000 });
  const most = async () => page.locator("rondo-player").count();
  assert.ok((await most()) <= 3);
  for (const id of ["wobble", "jello"]) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.locator(`#${id} .film.is-live`).waitFor({ timeout: 60_000 });
    assert.ok((await most()) <= 3);
  }
  assert.equal(await page.locator("#fade rondo-player").count(), 0);
  await page.context().close();
});

test("who is signed in sends a request from the reference", async () => {
  const page = await openPage(browser, service.url);
  await createOperator(page);
  await page.goto("/docs/api/account");
  const operation = page.locator("#getAccount");
  await operation.getByText("Send this request").click();
  await operation.getByRole("button", { name: "Send GET" }).click();
  const answer = operation.getByLabel("Answer");
  await answer.filter({ hasText: /^200 / }).waitFor();
  assert.match(await answer.textContent(), /^200 .*ada@example\.com/s);
  await page.context().close();
});

test("the menu opens on a phone and leads to a page", async () => {
  const page = await open("/docs", { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Quick start" }).click();
  await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor();
  await page.context().close();
});
