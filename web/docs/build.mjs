/**
 * The documentation as a static site: `node web/docs/build.mjs FOLDER [--url URL]`. With `--url`, the address of a service, examples name it
 * and films play; without it, pictures stand for the films.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSite } from "./plugin.mjs";
import { buildSite, EXAMPLE_URL } from "./site.mjs";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { url: { type: "string" } } });
const [folder] = positionals;
if (!folder) {
  console.error("Usage: node web/docs/build.mjs FOLDER [--url URL]");
  process.exit(2);
}
const url = values.url?.replace(/\/$/, "");
const files = buildSite({ service: url ?? null });
writeSite(files, folder, (text) => (url ? text.replaceAll(EXAMPLE_URL, url) : text));
writeFileSync(
  join(folder, "index.html"),
  '<!doctype html><title>Rondo</title><meta http-equiv="refresh" content="0; url=/docs/">\n',
);
console.log(`${files.size} files in ${folder}`);
