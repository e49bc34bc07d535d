// The documentation: everything has a page, a sentence and a picture; no link is dead; films and examples are valid.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { EXAMPLES } from "../docs/api/examples.mjs";
import { snippets } from "../docs/api/snippets.mjs";
import { dates, lastDay, newest } from "../docs/dates.mjs";
import { everyFilm } from "../docs/format/pages.mjs";
import { aboutOf, factsOf } from "../docs/format/schema.mjs";
import { GROUPS } from "../docs/guides.mjs";
import { escapeHtml, slug } from "../docs/html.mjs";
import { markdown } from "../docs/markdown.mjs";
import { everyPicture } from "../docs/pictures.mjs";
import { FILE, registryOf } from "../docs/registry.mjs";
import { buildSite, fileFor } from "../docs/site.mjs";
import { filesIn, MEDIA, root, sources, version } from "../docs/sources.mjs";

const program = process.env.RONDO_PROGRAM ?? join(root, "target/debug/rondo");
const made = sources();
const files = buildSite();
const pages = [...files].filter(([address]) => address.endsWith(".html"));

test("the registry of the documentation is that of the program", () => {
  assert.equal(readFileSync(FILE, "utf8"), registryOf(program), "Run node web/docs/registry.mjs PROGRAM.");
});

test("every guide is in the menu", () => {
  const listed = [...GROUPS.flatMap(([, names]) => names), "api", "format"].sort();
  const kept = [...filesIn("docs").filter((name) => /^[\w-]+\.md$/.test(name)), "changelog.md"];
  assert.deepEqual(kept.map((name) => name.slice(0, -3)).sort(), listed, "web/docs/guides.mjs");
});

test("every name has a sentence, and every sentence a name", () => {
  for (const [area, rows] of Object.entries(made.registry)) {
    if (area === "emoji") continue;
    const names = rows.map((row) => row.name ?? row.family);
    assert.deepEqual(Object.keys(made.sentences[area]).sort(), names.sort(), `docs/format/names.json: ${area}`);
    for (const [name, sentence] of Object.entries(made.sentences[area]))
      assert.match(sentence, /^[A-Z].*\.$/, `${area} ${name}`);
  }
});

test("every style and every field has a description, and every style an example", () => {
  for (const [name, schema] of Object.entries(made.schemas))
    if (/(Overlay|Styles)$/.test(name) || name === "Composition")
      // One of several types has no fields of its own.
      for (const [field, { description, const: constant }] of Object.entries(schema.properties ?? {}))
        assert.ok(description || constant, `${name}.${field}`);
  for (const { group, id, made: shown } of everyFilm(made))
    assert.ok(shown, `web/docs/format/styles.mjs has no example of ${group}.${id}`);
});

test("every default of a field is shown once, beside its type", () => {
  for (const [name, { properties = {} }] of Object.entries(made.schemas))
    for (const [field, schema] of Object.entries(properties).filter(([, it]) => "x-default" in it)) {
      const shown = escapeHtml(JSON.stringify(schema["x-default"]));
      assert.ok(factsOf(schema, false, () => null).endsWith(` · default <code>${shown}</code>`), `${name}.${field}`);
      assert.doesNotMatch(aboutOf(schema), /Default: /, `${name}.${field}`);
    }
  const text = files.get("/docs/format/text/index.html");
  assert.match(text, /id="overlay-rotation".*?number · default <code>0<\/code><\/span><\/dt><dd>[^<]*degrees\.<\/dd>/);
  assert.match(text, /id="textAlign".*?default <code>&quot;left&quot;<\/code><\/p><p>Horizontal alignment\.<\/p>/);
});

test("every film has its picture, and every picture its film", () => {
  const wanted = everyPicture().map(({ group, name }) => `/docs/pictures/${group}/${name}.webp`);
  assert.equal(new Set(wanted).size, wanted.length, "two films have the same picture");
  const kept = [...files.keys()].filter((address) => address.startsWith("/docs/pictures/"));
  const odd = [...wanted.filter((it) => !kept.includes(it)), ...kept.filter((it) => !wanted.includes(it))];
  assert.deepEqual(odd.slice(0, 5), [], "Run node web/docs/pictures.mjs PROGRAM.");
});

/** Runs `rondo check` and returns what it finds. */
function check(composition) {
  const folder = mkdtempSync(join(tmpdir(), "rondo-docs-"));
  const text = JSON.stringify(composition).replace(/http:\/\/127\.0\.0\.1:8080\/docs\/media\/([\w.-]+)/g, (_, name) =>
    join(root, MEDIA[name]),
  );
  writeFileSync(join(folder, "film.json"), text);
  const { stdout, stderr, status } = spawnSync(program, ["check", join(folder, "film.json")], { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  return { status, said: stdout + stderr };
}

test("the films of the reference are valid, all of a group in one composition", () => {
  const groups = new Map();
  for (const it of everyFilm(made).filter((shown) => shown.made.composition))
    groups.set(it.group, [...(groups.get(it.group) ?? []), it]);
  for (const [group, films] of groups) {
    let start = 0;
    const overlays = films.flatMap(({ made: { composition } }) => {
      // The curves of easings are hundreds of dots: the ball counts.
      const shown = group === "easings" ? composition.overlays.slice(0, 1) : composition.overlays;
      const placed = shown.map((overlay) => ({ ...overlay, from: overlay.from + start }));
      start += composition.durationInFrames;
      return placed;
    });
    const numbered = overlays.map((overlay, index) => ({ ...overlay, id: index + 1 }));
    const { status, said } = check({ width: 640, height: 360, durationInFrames: start, overlays: numbered });
    assert.equal(status, 0, `${group}: ${said}`);
  }
});

test("the films in the guides are valid", () => {
  const blocks = filesIn("docs")
    .filter((name) => /^[\w-]+\.md$/.test(name))
    .flatMap((name) =>
      [...readFileSync(join(root, "docs", name), "utf8").matchAll(/^```json\n(.*?)^```/gms)].map(([, code]) => [
        name,
        code,
      ]),
    );
  const films = blocks.map(([name, code]) => [name, JSON.parse(code)]).filter(([, value]) => value.overlays?.length);
  assert.ok(films.length >= 2);
  for (const [name, film] of films) {
    const { status, said } = check(film);
    assert.equal(status, 0, `${name}: ${said}`);
  }
});

test("the films of the cookbook are valid, without a warning", () => {
  assert.ok(made.films.length >= 30);
  for (const { name } of made.films) {
    const { stdout, stderr, status } = spawnSync(program, ["check", join(root, `docs/cookbook/${name}.json`)], {
      encoding: "utf8",
    });
    assert.equal(status, 0, `${name}: ${stderr}`);
    assert.match(stdout + stderr, /^The composition is valid\.$/m, name);
  }
});

test("no link of a page is dead", () => {
  const ids = new Map(
    pages.map(([address, html]) => [address, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id))]),
  );
  const served = /^\/(dashboard|api\/v1\/openapi\.json)/;
  for (const [address, html] of pages) {
    const path = address.replace("/index.html", "");
    assert.equal(ids.get(address).size, [...html.matchAll(/\sid="/g)].length, `${path} has an id twice`);
    for (const [, target] of html.matchAll(/\s(?:href|src|data-markdown)="([^"]*)"/g)) {
      const local = target.replaceAll("&amp;", "&").replace(/^http:\/\/127\.0\.0\.1:8080/, "");
      if (/^https?:/.test(local) || served.test(local)) continue;
      const [place, anchor] = local.split("#");
      const file = place === "" ? address : fileFor(files, place);
      assert.ok(file, `${path} links to ${target}`);
      if (anchor) assert.ok(ids.get(file).has(decodeURIComponent(anchor)), `${path} links to ${target}`);
    }
  }
});

test("no link of a Markdown file of the repository is dead", () => {
  const listed = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  const github = (words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
  const headings = (file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^#{1,6} (.*)$/gm)].flatMap(([, it]) => {
      const words = it.replaceAll("`", "");
      return [slug(words), github(words)];
    });
  for (const file of listed) {
    const text = readFileSync(join(root, file), "utf8")
      .replace(/^```[\s\S]*?^```/gm, "")
      .replace(/`[^`\n]*`/g, "");
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      if (target.startsWith("/")) {
        assert.ok(fileFor(files, target.split("#")[0]), `${file} links to ${target}`);
        continue;
      }
      const [place, anchor] = target.split("#");
      const other = place === "" ? file : normalize(join(dirname(file), place));
      assert.ok(existsSync(join(root, other)), `${file} links to ${target}`);
      if (anchor && other.endsWith(".md")) assert.ok(headings(other).includes(anchor), `${file} links to ${target}`);
    }
  }
});

test("every operation has an example in three languages, with a method of the clients where they have one", () => {
  const typescript = filesIn("packages/typescript/src").map((name) =>
    readFileSync(join(root, "packages/typescript/src", name), "utf8"),
  );
  const python = filesIn("packages/python/src/rondo")
    .filter((name) => name.startsWith("_sync"))
    .map((name) => readFileSync(join(root, "packages/python/src/rondo", name), "utf8"))
    .join("\n");
  const known = new Set();
  for (const [path, methods] of Object.entries(made.document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.operationId) continue;
      known.add(operation.operationId);
      const example = EXAMPLES[operation.operationId];
      assert.ok(example, `web/docs/api/examples.mjs has no ${operation.operationId}`);
      assert.equal((path.match(/\{/g) ?? []).length, example.ids?.length ?? 0, operation.operationId);
      const called = (it) => it?.split("(")[0].split(".").pop();
      if (example.ts)
        assert.ok(
          typescript.some((it) => new RegExp(`^  (async )?${called(example.ts)}\\(`, "m").test(it)),
          example.ts,
        );
      if (example.python)
        assert.match(python, new RegExp(`^    def ${called(example.python)}\\(`, "m"), example.python);
      for (const [, { code }] of snippets(method, path, operation))
        assert.doesNotMatch(code, /\$(ID|OTHER|BODY|QUERY)\b/);
    }
  assert.deepEqual(
    Object.keys(EXAMPLES).filter((name) => !known.has(name)),
    [],
  );
});

test("Markdown becomes HTML", () => {
  const { html, title, headings } = markdown(
    "# A `b`\n\nText with **bold**, *italic* and [a link](x.md#y).\n\n- one\n  two\n- three\n\n| a | b |\n|---|---|\n| `x\\|y` | <b> |\n\n```sh\nls\n```\n\n    indented\n",
    { link: (address) => `/docs/${address.replace(".md", "")}` },
  );
  assert.equal(title, "A b");
  assert.deepEqual(headings, [{ level: 1, id: "a-b", text: "A b" }]);
  for (const part of [
    '<h1 id="a-b">A <code>b</code></h1>',
    '<strong>bold</strong>, <em>italic</em> and <a href="/docs/x#y">a link</a>',
    "<li>one\ntwo</li><li>three</li>",
    "<td><code>x|y</code></td><td>&lt;b&gt;</td>",
    "<code>indented</code>",
  ])
    assert.ok(html.includes(part), `${part} in ${html}`);
});

test("code in several languages that follows each other becomes tabs", () => {
  const { html } = markdown("```sh\na\n```\n\n```ts\nb\n```\n\n```python\nc\n```\n\nText\n\n```sh\nd\n```\n");
  assert.equal(html.match(/role="tab"/g).length, 3);
  assert.equal(html.match(/<pre/g).length, 4);
});

test("every page is there as Markdown, and all of them as one text", () => {
  const full = files.get("/llms-full.txt");
  for (const [address] of pages) {
    const path = address.replace("/index.html", "");
    const text = files.get(path === "/docs" ? "/docs/index.md" : `${path}.md`);
    assert.match(text, /^# \S/m, path);
    assert.doesNotMatch(text, /[\uE000\uE001]/, path);
    assert.ok(full.includes(text), path);
  }
  assert.match(files.get("/llms.txt"), /\/docs\/format\/text\.md/);
});

test("every page names the version, and the day of its last change", () => {
  assert.match(readFileSync(join(root, "CHANGELOG.md"), "utf8"), new RegExp(`^## ${version()}$`, "m"));
  const hasHistory = dates().size > 0;
  for (const [address, html] of pages) {
    assert.ok(html.includes(`Rondo ${version()} · <a href="/docs/changelog">Changelog</a>`), address);
    if (hasHistory) assert.match(html, /Updated <time datetime="20\d\d-\d\d-\d\d">\d+ [A-Z][a-z]+ 20\d\d</, address);
  }
});

test("a file has the day of its newest commit, a page that of its newest file", () => {
  const days = newest("/2026-11-14\n\ndocs/a.md\n/2026-11-12\n\ndocs/a.md\ndocs/b.md\n");
  assert.deepEqual(
    [...days],
    [
      ["docs/a.md", "2026-11-14"],
      ["docs/b.md", "2026-11-12"],
    ],
  );
  assert.equal(lastDay(days, ["docs/b.md", "docs/a.md"]), "2026-11-14");
  assert.equal(lastDay(days, ["docs/c.md"]), null);
});

test("the static site names its service, or plays no films", () => {
  const build = (...flags) => {
    const folder = mkdtempSync(join(tmpdir(), "rondo-site-"));
    execFileSync(process.execPath, [join(root, "web/docs/build.mjs"), folder, ...flags], { stdio: "ignore" });
    const page = readFileSync(join(folder, "docs/quick-start/index.html"), "utf8");
    rmSync(folder, { recursive: true, force: true });
    return page;
  };
  const named = build("--url", "https://video.example.com/");
  assert.match(named, /<html lang="en" data-service="https:\/\/video\.example\.com">/);
  assert.ok(named.includes("https://video.example.com") && !named.includes("http://127.0.0.1:8080"));
  assert.doesNotMatch(build(), /data-service/);
});
