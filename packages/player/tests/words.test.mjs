// Dictionaries break lines of text without spaces. They are loaded for such texts alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { paragraphFilm, paragraphs, startOtherSite, startService, textFilm } from "./site.mjs";

let browser;

before(async () => {
  browser = await startBrowser();
});

after(() => browser?.close());

/** Shows a film on a page of its own; returns what was loaded until it was ready, the warnings, and its pixels. */
async function show(t, film, { other = false, headers } = {}) {
  const service = await startService({}, undefined, headers);
  t.after(() => service.close());
  const site = other ? await startOtherSite(service.url) : service;
  if (other) t.after(() => site.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(site.url);
  const shown = await page.evaluate(async (film) => {
    const player = document.querySelector("rondo-player");
    const warnings = [];
    player.addEventListener("warning", ({ detail }) => warnings.push(detail.code));
    const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
    player.composition = film;
    await ready;
    const { exact } = player;
    const { data } = await player.frame(0);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    return { exact, warnings, hash: [...hash].join() };
  }, film);
  const dictionaries = service.requests.filter((path) => path.endsWith(".bin"));
  return { ...shown, dictionaries: dictionaries.map((path) => /^\/player\/(\w+)-[0-9a-f]{8}\.bin$/.exec(path)?.[1]) };
}

test("each language loads its dictionary once, and others load none", async (t) => {
  for (const [language, text] of Object.entries(paragraphs)) {
    const { dictionaries, exact, warnings } = await show(t, paragraphFilm([text, text]));
    assert.deepEqual({ dictionaries, exact, warnings }, { dictionaries: [language], exact: true, warnings: [] });
  }
  for (const text of ["Hello", "Grüße, Привет", "你好"])
    assert.deepEqual((await show(t, textFilm(text))).dictionaries, []);
});

test("the player of another site loads it from the service", async (t) => {
  const film = paragraphFilm([paragraphs.thai]);
  const [own, other] = [await show(t, film), await show(t, film, { other: true })];
  assert.deepEqual(other.dictionaries, ["thai"]);
  assert.equal(other.hash, own.hash);
});

test("without its dictionary a text is shown, with a warning", async (t) => {
  const film = paragraphFilm([paragraphs.thai]);
  const without = await show(t, film, { headers: (path) => (path.endsWith(".bin") ? null : {}) });
  assert.deepEqual(without.warnings, ["dictionary-missing"]);
  assert.notEqual(without.hash, (await show(t, film)).hash);
});
