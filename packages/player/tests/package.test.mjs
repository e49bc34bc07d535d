// The npm package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

test("the package contains the player, its parts and its types", () => {
  const root = join(import.meta.dirname, "..");
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: root, encoding: "utf8" });
  const [{ files }] = JSON.parse(packed);
  const paths = files.map(({ path }) => path);
  for (const wanted of ["dist/rondo-player.js", "dist/react.js", "dist/types/index.d.ts", "dist/types/react.d.ts"])
    assert.ok(paths.includes(wanted), `${wanted} is missing: ${paths.join(" ")}`);
  assert.ok(
    paths.some((path) => /^dist\/player-[0-9a-f]{8}\.wasm$/.test(path)),
    "the engine is missing",
  );
  assert.deepEqual(
    paths.filter((path) => /\.(br|gz)$/.test(path)),
    [],
    "compressed copies",
  );
});
