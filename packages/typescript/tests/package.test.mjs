// The package as npm installs it from its archive, without a network.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { installPackage } from "./installed.mjs";
import { startService } from "./service.mjs";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "rondo-package-"));
let installed;
const run = (program, args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });

before(() => {
  installed = installPackage(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the installed package makes the film of its README", async () => {
  const [, example] = /^```ts\n(.*?)^```/ms.exec(readFileSync(join(installed, "README.md"), "utf8"));
  const service = await startService();
  try {
    const code = example.replace("rnd_…", service.apiKey).replace("http://127.0.0.1:8080", service.url);
    writeFileSync(join(folder, "film.ts"), code);
    writeFileSync(join(folder, "film.mjs"), code);
    const compiler = join(root, "web/node_modules/.bin/tsc");
    run(compiler, ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "film.ts"]);
    run(process.execPath, ["film.mjs"]);
    assert.equal(readFileSync(join(folder, "film.mp4")).subarray(4, 8).toString(), "ftyp");
  } finally {
    await service.stop();
  }
});

test("the package contains the licences and no sources", () => {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"])
    assert.equal(readFileSync(join(installed, name), "utf8"), readFileSync(join(root, name), "utf8"), name);
  assert.ok(!existsSync(join(installed, "src")));
});
