// The engine without a browser, for tests that compare it with a build for this machine.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const dist = join(root, "packages/player/dist");
const assets = join(root, "assets");
export const fonts = join(root, "testdata/fonts");
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The compiled engine. */
export function engineModule() {
  const name = readdirSync(dist).find((name) => /^player-.*\.wasm$/.test(name));
  return new WebAssembly.Module(readFileSync(join(dist, name)));
}

/** Media and fonts are files. */
export class Engine {
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
