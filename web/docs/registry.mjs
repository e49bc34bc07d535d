/** Writes the names that compositions can use into web/docs/registry.json: `node web/docs/registry.mjs PROGRAM`. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const AREAS = [
  "animations",
  "during",
  "layouts",
  "effects",
  "shapes",
  "stickers",
  "captions",
  "easings",
  "filters",
  "fonts",
  "emoji",
];
export const FILE = join(import.meta.dirname, "registry.json");

/** The text of the file: a row for each name. */
export function registryOf(program) {
  const parts = AREAS.map((area) => {
    const text = execFileSync(program, ["registry", area, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 });
    const rows = JSON.parse(text).filter((row) => area !== "fonts" || row.source === "bundled");
    // Aliases of emoji are many, and the page of emoji does not show them.
    const kept = area === "emoji" ? rows.map(({ name, emoji }) => ({ name, emoji })) : rows;
    return `${JSON.stringify(area)}: [\n${kept.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, registryOf(process.argv[2]));
