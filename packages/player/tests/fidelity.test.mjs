// Every frame of fidelity/ has the same bytes in WebAssembly and in a render. Needs RONDO_PROGRAM, beside which are the examples
// of the same build.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../../..");
const dist = join(root, "packages/player/dist");
const fonts = join(root, "testdata/fonts");
const assets = join(root, "assets");
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The engine without a page: media and fonts are files. */
class Engine {
  constructor(module, index) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.call("fonts", index);
  }

  /** Calls an export; texts and bytes are passed as pointer and length. */
  call(name, ...values) {
    const given = values.flatMap((value) => {
      if (typeof value === "number") return [value];
      const bytes = typeof value === "string" ? encoder.encode(value) : value;
      const pointer = this.exports.alloc(bytes.length);
      new Uint8Array(this.exports.memory.buffer, pointer, bytes.length).set(bytes);
      return [pointer, bytes.length];
    });
    return this.exports[name](...given);
  }

  answer() {
    const { memory, answer_ptr, answer_len } = this.exports;
    return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, answer_ptr(), answer_len())));
  }

  open(file) {
    const composition = JSON.parse(readFileSync(file, "utf8"));
    this.call("open", JSON.stringify({ composition }));
    const { error, media } = this.answer();
    assert.equal(error, undefined, file);
    for (const { src, kind } of media) {
      assert.equal(kind, "image", `${file}: ${src}`);
      this.call("image", src, readFileSync(resolve(dirname(file), src)));
    }
  }

  /** SHA-256 of a frame's pixels. */
  frame(number) {
    for (;;) {
      this.call("needs", number);
      const { fonts: wanted } = this.answer();
      if (wanted.length === 0) break;
      for (const name of wanted)
        this.call("font", name, readFileSync(join(name.startsWith("dictionaries/") ? assets : fonts, name)));
    }
    assert.equal(this.call("paint", number, 100), 1);
    const { memory, pixels_ptr, pixels_width, pixels_height } = this.exports;
    const pixels = new Uint8Array(memory.buffer, pixels_ptr(), pixels_width() * pixels_height() * 4);
    return createHash("sha256").update(pixels).digest("hex");
  }
}

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
    const wasm = readdirSync(dist).find((name) => /^player-.*\.wasm$/.test(name));
    const module = new WebAssembly.Module(readFileSync(join(dist, wasm)));
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
