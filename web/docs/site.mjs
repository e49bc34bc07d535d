/**
 * The whole documentation as files: pages, the same as Markdown, films, pictures, media, search index and the texts for language models.
 * Addresses of the service are written as http://127.0.0.1:8080; whoever serves the files puts the right one in their place.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiMarkdown } from "./api/markdown.mjs";
import { apiPages } from "./api/pages.mjs";
import { restart } from "./code.mjs";
import { cookbookPages } from "./cookbook.mjs";
import { dates, lastDay } from "./dates.mjs";
import { formatPages } from "./format/pages.mjs";
import { fileOf, GROUPS, TITLES } from "./guides.mjs";
import { homePage } from "./home.mjs";
import { textOf } from "./html.mjs";
import { markdown } from "./markdown.mjs";
import { codeEntries, markCodes, searchIndex, sections } from "./search.mjs";
import { page } from "./shell.mjs";
import { filesIn, MEDIA, read, root, sources, version } from "./sources.mjs";
import { toMarkdown } from "./to-markdown.mjs";

export const EXAMPLE_URL = "http://127.0.0.1:8080";

/** Files that pages load. */
const ASSETS = {
  "docs.js": "web/docs/client/docs.js",
  "films.js": "web/docs/client/films.js",
  "search.js": "web/docs/client/search.js",
  "find.js": "web/docs/client/find.js",
  "send.js": "web/docs/client/send.js",
  "versions.js": "web/docs/client/versions.js",
  "theme.js": "web/public/theme.js",
  "icon.svg": "crates/server/src/pages/icon.svg",
  "inter.woff2": "web/node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2",
  "mono.woff2": "web/node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
};

/** The parts of the style sheet, in order. */
const STYLES = ["base", "frame", "text", "reference", "narrow"];

/** The address on the site of a link in a guide. Files of the repository outside of docs have none. */
export function siteAddress(address) {
  if (/^[a-z]+:/.test(address) || address.startsWith("/") || address.startsWith("#")) return address;
  const [file, section] = address.split("#");
  const anchor = section ? `#${section}` : "";
  if (file === "cookbook/README.md") return "/docs/cookbook";
  if (file.endsWith(".md") && !file.includes("/")) return `/docs/${file.slice(0, -3)}${anchor}`;
  return `/docs/${file}${anchor}`;
}

/** The guides that explain reasons and codes, which are in these schemas. */
const EXPLAINING = { errors: ["Reason", "WarningCode"], importing: ["ImportWarningCode"] };

function guidePage(name, { schemas }) {
  const text = read(fileOf(name));
  // The changelog links to guides as docs/NAME.md.
  const link = (address) => siteAddress(address.replace(/^docs\//, ""));
  const { html: made, title, headings } = markdown(text, { link });
  const codes = (EXPLAINING[name] ?? []).flatMap((schema) => schemas[schema].enum);
  const html = codes.length ? markCodes(made, new Set(codes)) : made;
  const path = `/docs/${name}`;
  const about = textOf(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? title).slice(0, 160);
  const entries = [...sections(path, { title: TITLES[name] ?? title, html }), ...codeEntries(path, html)];
  return { path, title: TITLES[name] ?? title, about, html, headings, films: {}, entries, text, from: [fileOf(name)] };
}

const pair = ({ path, title }) => [path, title];

/** What generated pages are made from: their date is that of the last change in one of these. */
const FROM = {
  format: ["web/openapi/api.json", "web/docs/registry.json", "docs/format/names.json", "web/docs/format/styles.mjs"],
  api: ["web/openapi/api.json", "web/docs/api/examples.mjs"],
};

/**
 * The files by their address. `service` is where films find the player: an address, "" for the same origin, null for no player. With
 * `isVersioned`, pages look for other versions beside their own.
 */
export function buildSite({ service = "", isVersioned = false } = {}) {
  restart();
  const made = sources();
  const days = dates();
  const frame = { service, isVersioned, version: version() };
  const format = formatPages(made).map((it) => ({ ...it, kind: "wide", from: FROM.format }));
  const api = apiPages(made.document).map((it) => ({ ...it, kind: "wide", text: apiMarkdown(it), from: FROM.api }));
  const cookbook = cookbookPages(made.films).map((it) => ({ ...it, kind: "wide" }));
  const guides = GROUPS.flatMap(([, names]) => names).map((name) => guidePage(name, made));
  const intros = ["format", "api"].map((name) => guidePage(name, made));
  const menu = [
    ...GROUPS.map(([group, names]) => [group, names.map((name) => [`/docs/${name}`, TITLES[name]])]),
    ["Format", [["/docs/format", "Overview"], ...format.map(pair)]],
    ["API", [["/docs/api", "Overview"], ...api.map(pair)]],
    ["Examples", [["/docs/cookbook", "Cookbook"]]],
  ];
  const pages = [homePage(made.films), ...guides, ...intros, ...format, ...api, ...cookbook];

  const files = new Map();
  for (const it of pages) {
    const text = it.text ?? toMarkdown(it.html);
    const address = it.path === "/docs" ? "/docs/index.md" : `${it.path}.md`;
    files.set(`${it.path}/index.html`, page({ ...it, markdown: address, day: lastDay(days, it.from) }, menu, frame));
    files.set(address, text);
    if (Object.keys(it.films ?? {}).length) files.set(`${it.path}.films.json`, JSON.stringify(it.films));
  }
  files.set("/docs/search.json", JSON.stringify(searchIndex(pages.flatMap((it) => it.entries ?? []))));
  files.set("/llms.txt", overview(menu, pages));
  files.set(
    "/llms-full.txt",
    pages.map((it) => files.get(it.path === "/docs" ? "/docs/index.md" : `${it.path}.md`)).join("\n\n---\n\n"),
  );
  const copy = (address, path) => files.set(address, readFileSync(join(root, path)));
  for (const [name, path] of Object.entries(ASSETS)) copy(`/docs/assets/${name}`, path);
  files.set("/docs/assets/docs.css", STYLES.map((name) => read(`web/docs/client/styles/${name}.css`)).join("\n"));
  for (const [name, path] of Object.entries(MEDIA)) copy(`/docs/media/${name}`, path);
  for (const name of filesIn("docs/pictures"))
    if (name.endsWith(".webp")) copy(`/docs/pictures/${name}`, `docs/pictures/${name}`);
  return files;
}

/** What a language model reads first: where everything is, and the guide for agents. */
function overview(menu, pages) {
  const abouts = new Map(pages.map(({ path, about }) => [path, about]));
  const groups = menu.map(
    ([group, listed]) =>
      `## ${group}\n\n${listed.map(([path, title]) => `- [${title}](${EXAMPLE_URL}${path}.md): ${abouts.get(path) ?? ""}`).join("\n")}`,
  );
  return `# Rondo

> Rondo makes videos from JSON compositions, templates and projects. Agents connect over MCP at ${EXAMPLE_URL}/api/mcp with an API key as bearer token; programs use the HTTP API at ${EXAMPLE_URL}/api/v1.

- [OpenAPI document](${EXAMPLE_URL}/api/v1/openapi.json)
- [All pages as one text](${EXAMPLE_URL}/llms-full.txt)

${groups.join("\n\n")}

${read("docs/agents.md").replace(/\]\(([\w-]+\.md)/g, `](${EXAMPLE_URL}/docs/$1`)}`;
}

const TYPES = {
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  json: "application/json",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  webp: "image/webp",
  jpg: "image/jpeg",
  mp4: "video/mp4",
  m4a: "audio/mp4",
  woff2: "font/woff2",
};
export const typeOf = (address) => TYPES[address.split(".").pop()] ?? "application/octet-stream";

/** Texts that hold addresses of the service. */
export const holdsAddresses = (address) => /\.(html|md|txt|json)$/.test(address);

/** The file for an address that a browser asks for. */
export function fileFor(files, path) {
  const place = path.length > 1 ? path.replace(/\/$/, "") : path;
  return [place, `${place}/index.html`].find((address) => files.has(address)) ?? null;
}
