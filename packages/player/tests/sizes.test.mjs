// What browsers load stays small.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const dist = join(import.meta.dirname, "../dist");
const files = readdirSync(dist);
const gzip = (pattern) =>
  files
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0);

/** Bytes when the limit was set; more than 5 % above fails. */
const TEXT_FILM = 19_300;
const MEDIA = 79_500;
const DICTIONARIES = { burmese: 105_500, khmer: 43_300, lao: 23_000, thai: 58_000 };
const allowed = (bytes) => bytes * 1.05;

test("the script of a film without video is small", () => {
  const bytes = gzip(/^(rondo-player|paint-worker-\w+)\.js$/);
  assert.ok(bytes <= allowed(TEXT_FILM), `${bytes} bytes gzipped, ${TEXT_FILM} when the limit was set`);
  assert.ok(bytes <= 70_000);
});

test("the script for video and sound is a part of its own, and small", () => {
  const bytes = gzip(/^media-worker-\w+\.js$/);
  assert.ok(bytes <= allowed(MEDIA), `${bytes} bytes gzipped, ${MEDIA} when the limit was set`);
  assert.ok(bytes <= 120_000);
});

test("dictionaries are files of their own, and small", () => {
  const served = files.filter((name) => /^[a-z]+-[0-9a-f]{8}\.bin\.br$/.test(name));
  assert.deepEqual(served.map((name) => name.split("-")[0]).sort(), Object.keys(DICTIONARIES));
  for (const name of served) {
    const [size, limit] = [statSync(join(dist, name)).size, DICTIONARIES[name.split("-")[0]]];
    assert.ok(size <= allowed(limit), `${name}: ${size} bytes, ${limit} when the limit was set`);
  }
});

test("the engine is at most 1.8 MB as served", () => {
  const [engine] = files.filter((name) => /^player-\w+\.wasm\.br$/.test(name));
  assert.ok(engine, "there is an engine");
  assert.ok(statSync(join(dist, engine)).size <= 1_800_000);
});
