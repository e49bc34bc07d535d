// The documentation as a static site, from a plain file server, at its root and below a path: links, search, pictures, versions, films.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { typeOf } from "../docs/site.mjs";
import { assertAccessible, openPage, startBrowser } from "./browser.mjs";
import { within } from "./deadline.mjs";
import { startService } from "./service.mjs";

const PLACES = ["/", "/help/rondo/"];
const folder = mkdtempSync(join(tmpdir(), "rondo-export-"));
const build = (place, ...flags) =>
  execFileSync(process.execPath, [join(import.meta.dirname, "../docs/build.mjs"), place, ...flags], {
    stdio: "ignore",
  });
let server;
let browser;
let origin;

/** Answers like any server of files: a folder is its index.html, and its address ends with a slash. */
function answer(request, response) {
  const [, site, path] = /^\/~(\w+)(\/.*)$/.exec(new URL(request.url, "http://127.0.0.1").pathname) ?? [];
  const base = PLACES.toReversed().find((it) => path?.startsWith(it));
  if (!base) return response.writeHead(404).end();
  const file = join(folder, site, decodeURIComponent(path.slice(base.length - 1)));
  if (!existsSync(file)) return response.writeHead(404).end();
  if (!statSync(file).isDirectory())
    return response.writeHead(200, { "content-type": typeOf(file) }).end(readFileSync(file));
  if (!path.endsWith("/")) return response.writeHead(301, { location: `/~${site}${path}/` }).end();
  if (!existsSync(join(file, "index.html"))) return response.writeHead(404).end();
  return response.writeHead(200, { "content-type": "text/html" }).end(readFileSync(join(file, "index.html")));
}

before(async () => {
  build(join(folder, "plain"));
  server = createServer(answer);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of a site, which records the requests that fail. */
async function open(site, path, { base = "/", ...options } = {}) {
  const page = await openPage(browser, origin, options);
  page.failed = [];
  page.on("response", (it) => it.status() >= 400 && page.failed.push(`${it.status()} ${it.url()}`));
  page.on("requestfailed", (it) => {
    // What a page has not loaded yet when it is left is no failure.
    const error = it.failure()?.errorText;
    if (error !== "net::ERR_ABORTED") page.failed.push(`${error} ${it.url()}`);
  });
  await page.goto(`/~${site}${base}${path}`);
  return page;
}

const until = async (isDone) => {
  while (!isDone()) await new Promise((done) => setTimeout(done, 100));
};

/** No failed request, no error. */
async function close(page) {
  assert.deepEqual(page.failed, []);
  assert.deepEqual(page.consoleErrors, []);
  await page.context().close();
}

test("every link leads to a file of the site, in pages and in Markdown", () => {
  const site = join(folder, "plain");
  const names = readdirSync(site, { recursive: true }).filter((name) => /\.(html|md|txt)$/.test(name));
  assert.ok(names.length > 150);
  for (const name of names) {
    const text = readFileSync(join(site, name), "utf8");
    const pattern = name.endsWith(".html") ? /\s(?:href|src|data-markdown)="([^"]*)"/g : /\]\(([^)\s]+)\)/g;
    for (const [, address] of text.matchAll(pattern)) {
      if (/^(https?:|mailto:|#)/.test(address)) {
        assert.doesNotMatch(address, /^http:\/\/127\.0\.0\.1:8080\/(docs|llms)/, name);
        continue;
      }
      // llms-full.txt holds the texts of all pages, with their links.
      if (name === "llms-full.txt") continue;
      assert.doesNotMatch(address, /^\//, `${name}: an absolute address does not work below a path`);
      const { pathname, hash } = new URL(address.replaceAll("&amp;", "&"), `http://site/${name}`);
      const file = join(site, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : "");
      assert.ok(existsSync(file), `${name} links to ${address}`);
      if (hash && file.endsWith(".html"))
        assert.ok(
          readFileSync(file, "utf8").includes(` id="${decodeURIComponent(hash.slice(1))}"`),
          `${name}: ${address}`,
        );
    }
  }
});

for (const base of PLACES)
  test(`pages open at ${base}, light and dark, wide and narrow, with their pictures`, async () => {
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ]) {
      const page = await open("plain", "", { base, viewport: { width, height: 844 }, colorScheme });
      await page.waitForURL(`**${base}docs/`);
      await page.getByRole("heading", { level: 1, name: "Rondo documentation" }).waitFor();
      for (const path of ["docs/first-film/", "docs/format/animations/", "docs/cookbook/neon/", "docs/changelog/"]) {
        await page.goto(`/~plain${base}${path}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide at ${width}`);
        assert.ok(
          await page.evaluate(() => document.fonts.ready.then(() => document.fonts.check("16px 'Inter Variable'"))),
        );
        for (const picture of (await page.locator(".film img").all()).slice(0, 6)) {
          await picture.scrollIntoViewIfNeeded();
          await page.waitForFunction((it) => it.complete && it.naturalWidth > 0, await picture.elementHandle());
        }
        assert.equal(await page.locator("rondo-player").count(), 0);
      }
      assert.equal(await page.getByRole("link", { name: "Dashboard" }).count(), 0);
      await close(page);
    }
  });

test("the search, the menu and copying work below a path", async () => {
  const page = await open("plain", "docs/first-film/", { base: "/help/rondo/" });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("letter spacing");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/help\/rondo\/docs\/format\/(text|caption)\/#letterSpacing$/);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# (Text|Caption) overlay\n/);
  await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Webhooks" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  await page.goto("/~plain/help/rondo/docs/api/renders/");
  // Without a service there is nothing to send a request to.
  assert.equal(await page.getByText("Send this request").count(), 0);
  await close(page);
});

test("a page without TLS copies too", async () => {
  const page = await openPage(browser, origin);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      globalThis.copied = document.activeElement.value;
    });
  });
  await page.goto("/~plain/docs/webhooks/");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => globalThis.copied), /^# Webhooks\n/);
  await page.context().close();
});

test("versions lie beside each other, and their menu leads to the same page", async () => {
  const site = join(folder, "versions");
  build(site, "--versioned");
  const [name] = JSON.parse(readFileSync(join(site, "versions.json")));
  // The same site as an earlier version, which has one page less.
  renameSync(join(site, name), join(site, "v0.0"));
  rmSync(join(site, "v0.0/docs/fonts"), { recursive: true });
  build(site, "--versioned");
  assert.deepEqual(JSON.parse(readFileSync(join(site, "versions.json"))), [name, "v0.0"]);
  const page = await open("versions", "");
  await page.waitForURL(`**/${name}/docs/`);
  const menu = page.getByRole("combobox", { name: "Version" });
  await page.goto(`/~versions/${name}/docs/webhooks/`);
  assert.equal(await menu.inputValue(), name);
  await menu.selectOption("v0.0");
  await page.waitForURL("**/v0.0/docs/webhooks/");
  await menu.selectOption(name);
  await page.waitForURL(`**/${name}/docs/webhooks/`);
  assert.deepEqual(page.failed, []);
  await page.goto(`/~versions/${name}/docs/fonts/`);
  await menu.selectOption("v0.0");
  await page.waitForURL("**/v0.0/docs/");
  await assertAccessible(page, "a page with a menu of versions");
  await page.context().close();
});

test("with a service that does not answer, pictures stay and no box is empty", async () => {
  build(join(folder, "gone"), "--url", `${origin}/nowhere`);
  const page = await open("gone", "docs/format/animations/");
  const asked = () => page.failed.filter((it) => it.endsWith("/nowhere/player/rondo-player.js")).length;
  await page.locator("#fade .film img").scrollIntoViewIfNeeded();
  await within(30, () => "a request for the player", until(asked));
  assert.ok(await page.locator("#fade .film img").isVisible());
  // The film of a guide has no picture: its place goes.
  await page.goto("/~gone/docs/player/");
  await page.locator(".film.in-guide").scrollIntoViewIfNeeded();
  await page.locator(".film.in-guide").waitFor({ state: "detached" });
  assert.equal(await page.locator("rondo-player").count(), 0);
  await page.context().close();
});

test("with a service, films play on the static site, and links lead to the service", async () => {
  const service = await startService();
  try {
    build(join(folder, "live"), "--url", service.url);
    const page = await open("live", "docs/cookbook/neon/", { base: "/help/rondo/" });
    await page.locator(".film.is-live rondo-player").waitFor({ timeout: 60_000 });
    assert.equal(await page.getByRole("link", { name: "Dashboard" }).getAttribute("href"), `${service.url}/dashboard`);
    await close(page);
  } finally {
    await service.stop();
  }
});
