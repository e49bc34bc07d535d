// Writes the names that compositions can use into the clients: packages/names.mjs PROGRAM. Their tests tell when to run it again.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The type of each area, and what it is. */
const AREAS = [
  ["animations", "AnimationName", "Presets that let an overlay appear and leave."],
  ["during", "DuringName", "Presets that move an overlay while it is there."],
  ["layouts", "LayoutName", "3D layouts of images."],
  ["effects", "EffectName", "Effects."],
  ["shapes", "ShapeName", "Shapes."],
  ["stickers", "StickerName", "Stickers."],
  ["captions", "CaptionTemplateName", "Caption templates."],
  ["easings", "EasingName", "Easings."],
  ["filters", "FilterName", "Filter presets."],
  ["fonts", "FontName", "Font families that come with the service. Any other family can be named too."],
];

export const FILES = { typescript: "typescript/src/names.gen.ts", python: "python/src/rondo/names.py" };

/** The text of each file. */
export function namesOf(program) {
  const areas = AREAS.map(([area, type, description]) => {
    const entries = JSON.parse(execFileSync(program, ["registry", area, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
    return { type, description, names: entries.map((entry) => String(entry.name ?? entry.family)) };
  });
  const typescript = areas.map(
    ({ type, description, names }) =>
      `/** ${description} */\nexport type ${type} =\n${names.map((name) => `  | ${JSON.stringify(name)}`).join("\n")}\n  | (string & {});\n`,
  );
  const python = areas.map(
    ({ type, description, names }) =>
      `# ${description}\n${type} = Union[\n    Literal[\n${names.map((name) => `        ${JSON.stringify(name)},`).join("\n")}\n    ],\n    str,\n]\n`,
  );
  return {
    typescript: `/** The names that compositions can use. Made by packages/names.mjs from \`rondo registry\`. */\n\n${typescript.join("\n")}`,
    python: `"""The names that compositions can use. Made by packages/names.mjs from \`rondo registry\`."""\n\nfrom typing import Literal, Union\n\n${python.join("\n")}`,
  };
}

if (process.argv[1] === import.meta.filename) {
  const [program] = process.argv.slice(2);
  const texts = namesOf(program);
  for (const [language, file] of Object.entries(FILES)) writeFileSync(join(import.meta.dirname, file), texts[language]);
}

/** Whether the files hold the names of the program. */
export const areCurrent = (program) =>
  Object.entries(namesOf(program)).every(
    ([language, text]) => readFileSync(join(import.meta.dirname, FILES[language]), "utf8") === text,
  );
