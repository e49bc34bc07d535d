// The search of the documentation: what a stranger asks for is among the first three results, and every result leads somewhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { find, prepare } from "../docs/client/find.js";
import { buildSite, fileFor } from "../docs/site.mjs";
import { sources } from "../docs/sources.mjs";
import { SYNONYMS } from "../docs/synonyms.mjs";

const files = buildSite();
const text = files.get("/docs/search.json");
const index = prepare(JSON.parse(text));
const { document, schemas, registry } = sources();
const found = (query) => find(index, query).results.map((it) => it.address);

/** What strangers ask, and where the answer is. */
const QUERIES = [
  // Styles, by the names that other tools have for them.
  ["bold", "/docs/format/text#fontWeight"],
  ["how to make text bold", "/docs/format/text#fontWeight"],
  ["font weight", "/docs/format/text#fontWeight"],
  ["drop shadow", "/docs/format/text#textShadow"],
  ["how do I add a drop shadow to my text", "/docs/format/text#textShadow"],
  ["outline", "/docs/format/text#WebkitTextStroke"],
  ["line spacing", "/docs/format/text#lineHeight"],
  ["letter spacing", "/docs/format/text#letterSpacing"],
  ["letterSpacing", "/docs/format/text#letterSpacing"],
  ["all caps", "/docs/format/text#textTransform"],
  ["rtl", "/docs/format/text#textAlign"],
  ["center text", "/docs/format/text#textAlign"],
  ["gradient text", "/docs/format/text#WebkitBackgroundClip"],
  ["change the colour of text", "/docs/format/text#color"],
  ["custom font", "/docs/fonts#your-own-fonts"],
  ["mask", "/docs/format/image#clipPath"],
  ["rounded corners", "/docs/format/image#borderRadius"],
  ["transparency", "/docs/format/text#opacity"],
  ["frosted glass", "/docs/format/text#backdropFilter"],
  ["chroma key", "/docs/format/video#overlay-greenscreen"],
  ["layer order", "/docs/format/text#overlay-row"],
  ["bring to front", "/docs/format/text#overlay-row"],
  ["z-index", "/docs/format/text#overlay-row"],
  ["text shadow color", "/docs/format/text#textShadow"],
  ["rotate image", "/docs/format/image#overlay-rotation"],
  ["background color", "/docs/format/composition#backgroundColor"],
  // Time, motion and sound.
  ["trim video", "/docs/format/video#overlay-segments"],
  ["slow motion", "/docs/format/video#overlay-speed"],
  ["loop video", "/docs/format/video#overlay-segments"],
  ["vertical video", "/docs/format/composition#width"],
  ["mute", "/docs/format/video#volume"],
  ["background music", "/docs/audio"],
  ["typewriter", "/docs/format/text#typeWriter"],
  ["count up number", "/docs/format/text#counterMode"],
  ["ken burns", "/docs/format/during#ken-burns-in"],
  ["fade out", "/docs/format/animations"],
  ["slide-up", "/docs/format/animations#slide-up"],
  ["easeOutBack", "/docs/format/easings#easeOutBack"],
  ["subtitles", "/docs/format/caption"],
  ["text to speech", "/docs/speech"],
  ["karaoke", "/docs/cookbook/karaoke"],
  ["merge videos", "/docs/agents#scenes"],
  // Names.
  ["rocket", "/docs/format/emoji#emoji-rocket"],
  ["confetti", "/docs/format/effects#confetti"],
  ["heart", "/docs/format/shapes#heart"],
  ["five stars", "/docs/format/stickers#five-stars"],
  // The API.
  ["post /renders", "/docs/api/renders#createRender"],
  ["createdAfter", "/docs/api/renders#listRenders-createdAfter"],
  ["output.format", "/docs/api/renders#createRender-body-output.format"],
  ["batchId", "/docs/api/renders#listRenders-batchId"],
  ["webhooks", "/docs/webhooks"],
  ["webhook payload", "/docs/api/webhooks#onRenderCompleted"],
  ["server-sent events", "/docs/api/renders#followRender"],
  ["cancel a render", "/docs/api/renders#cancelRender"],
  ["MISSING_MEDIA_SOURCE", "/docs/errors#MISSING_MEDIA_SOURCE"],
  ["insufficient credits", "/docs/errors#INSUFFICIENT_CREDITS"],
  ["rate limit", "/docs/limits#requests"],
  ["csv", "/docs/batches"],
  ["pagination", "/docs/api#lists"],
  ["s3 bucket", "/docs/destinations"],
  ["transparent background", "/docs/outputs#transparency"],
  ["thumbnail", "/docs/format/composition#posterFrame"],
  // Running it.
  ["docker", "/docs/self-hosting#packages"],
  ["docker compose", "/docs/self-hosting#packages"],
  ["homebrew", "/docs/self-hosting#packages"],
  ["upgrade", "/docs/self-hosting#restarts-and-updates"],
  ["environment variables", "/docs/self-hosting#settings"],
  // One letter is wrong, missing, too many or in the wrong place.
  ["opacty", "/docs/format/text#opacity"],
  ["shdaow", "/docs/format/text#textShadow"],
  ["fontwieght", "/docs/format/text#fontWeight"],
  ["subtittles", "/docs/format/caption"],
];

for (const [query, address] of QUERIES)
  test(`"${query}" is answered among the first three`, () => {
    const results = found(query);
    assert.ok(results.slice(0, 3).includes(address), `${address} in ${results.join(" ")}`);
  });

test("every style, name, error reason and parameter is found by its name", () => {
  const styles = Object.entries(schemas)
    .filter(([name]) => name.endsWith("Styles"))
    .flatMap(([, { properties }]) => Object.keys(properties));
  const names = Object.entries(registry).flatMap(([, rows]) => rows.map((row) => row.name ?? row.family));
  const reasons = schemas.Reason.enum;
  const parameters = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters: listed = [] }) => listed.map(({ name }) => name)),
  );
  const titles = new Set(index.entries.map((it) => it.title));
  for (const name of [...styles, ...names, ...reasons, ...parameters]) assert.ok(titles.has(name), name);
  const isShown = (name, most) => find(index, name, most).results.some((it) => it.title === name);
  for (const name of reasons) assert.ok(isShown(name, 3), name);
  for (const name of new Set(styles)) assert.ok(isShown(name, 12), name);
});

test("words at the end of a long text are found", () => {
  // Prometheus is named in the middle of the longest guide.
  assert.ok(found("prometheus").includes("/docs/self-hosting#monitoring"));
  assert.ok(found("rotate secret endpoint overlap").length > 0);
});

test("entries with every word come first; without any, those with most", () => {
  const whole = find(index, "letter spacing");
  assert.equal(whole.isWhole, true);
  assert.equal(whole.results[0].title, "letterSpacing");
  const part = find(index, "opacity zyxwvut");
  assert.equal(part.isWhole, false);
  assert.equal(part.results[0].title, "opacity");
});

test("a short word has no typo, and nothing is found for letters without a meaning", () => {
  assert.deepEqual(found("xyzzy"), []);
  assert.deepEqual(found("qzx"), []);
  assert.deepEqual(found("?!"), []);
  assert.deepEqual(found(""), []);
});

test("plain words count if there are no others", () => {
  assert.ok(found("from").some((it) => it.endsWith("#overlay-from")));
});

test("no result is dead", () => {
  for (const { address, title } of index.entries) {
    const [place, anchor] = address.split("#");
    const file = fileFor(files, place);
    assert.ok(file, `${title}: ${address}`);
    if (anchor) assert.ok(files.get(file).includes(` id="${anchor}"`), `${title}: ${address}`);
  }
});

test("every synonym means an entry", () => {
  const known = new Set(index.entries.flatMap((it) => [it.address, it.title]));
  for (const [phrases, targets] of SYNONYMS)
    for (const target of targets) assert.ok(known.has(target), `${phrases}: ${target}`);
});

test("the index is small enough to be loaded when the search is opened", () => {
  assert.ok(gzipSync(text).length < 100_000, `${gzipSync(text).length} bytes`);
});
