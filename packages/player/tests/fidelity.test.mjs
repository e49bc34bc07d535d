// Every frame of fidelity/ has the same bytes in WebAssembly and in a render. Needs RONDO_PROGRAM, beside which are the examples
// of the same build.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { Engine, engineModule, fonts } from "./engine.mjs";

const root = resolve(import.meta.dirname, "../../..");

/** Composition files of fidelity/ with the frames that are compared with Chromium's. */
function cases() {
  const folder = join(root, "fidelity/cases");
  const areas = readdirSync(folder).sort();
  return areas.flatMap((area) =>
    readdirSync(join(folder, area))
      .sort()
      .map((name) => {
        const settings = readFileSync(join(folder, area, name, "test.toml"), "utf8");
        const [, frames] = settings.match(/^frames = \[(.*)\]/m);
        return [join(folder, area, name, "composition.json"), frames.replaceAll(" ", "")];
      }),
  );
}

test("every frame of fidelity/ is the same in WebAssembly and in a render", {
  skip: !process.env.RONDO_PROGRAM,
}, () => {
  const temporary = mkdtempSync(join(tmpdir(), "rondo-fidelity-"));
  try {
    const index = join(temporary, "index.tsv");
    const program = join(dirname(process.env.RONDO_PROGRAM), "examples/frame_hashes");
    const printed = execFileSync(program, [fonts, index, ...cases().flat()], { encoding: "utf8", maxBuffer: 1 << 26 });
    const lines = printed
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
    assert.ok(lines.length > 600, `${lines.length} frames`);
    const module = engineModule();
    const different = [];
    let engine;
    let opened;
    for (const [file, frame, hash] of lines) {
      if (file !== opened) {
        engine = new Engine(module, readFileSync(index, "utf8"));
        engine.open(file);
        opened = file;
      }
      if (engine.frame(Number(frame)) !== hash) different.push(`${file} frame ${frame}`);
    }
    assert.deepEqual(different, []);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});
