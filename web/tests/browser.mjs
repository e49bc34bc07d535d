// Chromium, and the checks every page must pass.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const startBrowser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Opens a page and records its console errors. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  if (process.env.RONDO_DIST) await context.route(isDashboard, serveBuilt);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.consoleErrors = [];
  page.on("pageerror", (error) => page.consoleErrors.push(error.message));
  page.on("console", (message) => {
    // Chromium logs each failed request. Tests provoke some of them on purpose.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      page.consoleErrors.push(message.text());
  });
  return page;
}

/** With RONDO_DIST, pages come from a build of the dashboard that is newer than the one in the program. */
const isDashboard = ({ pathname }) => /^\/($|assets\/|dashboard|edit|sign-)/.test(pathname);

async function serveBuilt(route) {
  const { pathname } = new URL(route.request().url());
  const file = pathname.startsWith("/assets/") ? pathname : "/index.html";
  const path = join(process.env.RONDO_DIST, file);
  await (existsSync(path) ? route.fulfill({ path }) : route.continue());
}

/** Creates the first account of a service, which is the operator's, and leaves the page on its dashboard. */
export async function createOperator(page, url = "") {
  await page.goto(`${url}/`);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Create operator account" }).click();
  await page.getByRole("heading", { level: 1, name: "Hello, Ada" }).waitFor();
}

/** Waits until the player has painted an exact frame. */
export async function filmShown(page, seconds = 60) {
  await page
    .getByRole("img", { name: "Film" })
    .first()
    .waitFor({ timeout: seconds * 1000 });
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact === true, null, {
    timeout: seconds * 1000,
  });
}

export function assertNoConsoleErrors(page) {
  assert.deepEqual(page.consoleErrors, [], "console errors");
}

export const WIDTHS = [390, 820, 1440];
export const THEMES = ["light", "dark"];

/** No serious accessibility violation and no horizontal overflow, at every width and theme. */
export async function assertAccessible(page, name) {
  await page.evaluate(axe);
  try {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        assert.deepEqual(await page.evaluate(violationsInPage), [], `${name}, ${width} wide, ${colorScheme}`);
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wider <= 0, `${name}: ${wider} pixels wider than a window of ${width}`);
    }
  } finally {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  }
}

/** No serious accessibility violation in a part of the page, light and dark. */
export async function assertPartAccessible(page, selector, name) {
  await page.evaluate(axe);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await page.evaluate(violationsInPage, selector), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** Runs in the page: the serious and critical violations axe finds, in all of it or in a part.  */
async function violationsInPage(selector) {
  const part = selector ? document.querySelector(selector) : document;
  const { violations } = await globalThis.axe.run(part, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? ""})`)
          .join(" | ")}`,
    );
}
