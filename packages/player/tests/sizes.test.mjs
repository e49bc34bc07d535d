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
const TEXT_FILM = 18_200;
const MEDIA = 79_500;
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

test("the engine is at most 1.8 MB as served", () => {
  const [engine] = files.filter((name) => /^player-\w+\.wasm\.br$/.test(name));
  assert.ok(engine, "there is an engine");
  assert.ok(statSync(join(dist, engine)).size <= 1_800_000);
});
