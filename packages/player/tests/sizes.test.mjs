// What browsers load stays small.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "../dist");
const files = readdirSync(dist).filter((name) => !statSync(join(dist, name)).isDirectory());

/** Bytes of each script, gzipped, when the limit was set; more than 5 % above fails. */
const SCRIPTS = {
  "rondo-player": 9_641,
  "paint-worker": 12_032,
  "image-worker": 1_160,
  "media-worker": 81_120,
  react: 560,
};
/** Bytes of the engine and of the dictionaries as served: with Brotli. */
const SERVED = { player: 1_545_000, burmese: 105_500, khmer: 43_300, lao: 23_000, thai: 58_000 };
const allowed = (bytes) => bytes * 1.05;

/** The name of a file without its hash and ending. */
const plain = (name) => name.replace(/\..*$/, "").replace(/-[0-9A-Za-z]{8}$/, "");
const gzipped = Object.fromEntries(
  files
    .filter((name) => name.endsWith(".js"))
    .map((name) => [plain(name), gzipSync(readFileSync(join(dist, name)), { level: 9 }).length]),
);
const served = Object.fromEntries(
  files.filter((name) => /\.(wasm|bin)\.br$/.test(name)).map((name) => [plain(name), statSync(join(dist, name)).size]),
);

/** Each file is known, and at most 5 % larger than it was. */
function assertSizes(sizes, recorded) {
  assert.deepEqual(Object.keys(sizes).sort(), Object.keys(recorded).sort());
  for (const [name, bytes] of Object.entries(sizes))
    assert.ok(bytes <= allowed(recorded[name]), `${name}: ${bytes} bytes, ${recorded[name]} when the limit was set`);
}

test("no script grows by more than 5 %", () => assertSizes(gzipped, SCRIPTS));

test("neither the engine nor a dictionary grows by more than 5 %", () => assertSizes(served, SERVED));

test("all script that a film without video needs has at most 70 kB", () => {
  const bytes = gzipped["rondo-player"] + gzipped["paint-worker"] + gzipped["image-worker"];
  assert.ok(bytes <= 70_000, `${bytes} bytes gzipped`);
});

test("the script for video and sound is a part of its own, with at most 120 kB", () => {
  assert.ok(gzipped["media-worker"] <= 120_000, `${gzipped["media-worker"]} bytes gzipped`);
});

test("all WebAssembly has at most 1.8 MB as served", () => {
  const engines = files.filter((name) => name.endsWith(".wasm"));
  assert.deepEqual(engines.map(plain), ["player"]);
  assert.ok(served.player <= 1_800_000, `${served.player} bytes`);
});
