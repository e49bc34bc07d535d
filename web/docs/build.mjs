/**
 * The documentation as a static site: `node web/docs/build.mjs FOLDER [--url URL] [--versioned]`. It can be served from any path. With `--url`,
 * the address of a service, examples name it and films play; without it, pictures stand for the films. With `--versioned`, the site is written
 * into a folder for its version, such as v0.1, beside those of other versions, and its pages lead from one to the other.
 */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSite } from "./plugin.mjs";
import { relocate } from "./relative.mjs";
import { buildSite, EXAMPLE_URL } from "./site.mjs";
import { read, version } from "./sources.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string" }, versioned: { type: "boolean" } },
});
const [folder] = positionals;
if (!folder) {
  console.error("Usage: node web/docs/build.mjs FOLDER [--url URL] [--versioned]");
  process.exit(2);
}

/** A page that leads to another address. */
const leadTo = (address) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Rondo</title><meta http-equiv="refresh" content="0; url=${address}"><p><a href="${address}">Documentation of Rondo</a></p></html>\n`;

const url = values.url?.replace(/\/$/, "");
const name = `v${version().split(".").slice(0, 2).join(".")}`;
const place = values.versioned ? join(folder, name) : folder;
const site = buildSite({ service: url ?? null, isVersioned: values.versioned });
site.set("/api/v1/openapi.json", read("web/openapi/api.json"));
const files = relocate(site, url);
files.set("/index.html", leadTo("docs/"));
mkdirSync(place, { recursive: true });
writeSite(files, place, (text) => (url ? text.replaceAll(EXAMPLE_URL, url) : text));

if (values.versioned) {
  const parts = (it) => it.slice(1).split(".").map(Number);
  const versions = readdirSync(folder)
    .filter((it) => /^v\d+\.\d+$/.test(it))
    .sort((one, other) => parts(other)[0] - parts(one)[0] || parts(other)[1] - parts(one)[1]);
  writeFileSync(join(folder, "versions.json"), JSON.stringify(versions));
  writeFileSync(join(folder, "index.html"), leadTo(`${versions[0]}/docs/`));
}
console.log(`${files.size} files in ${place}`);
