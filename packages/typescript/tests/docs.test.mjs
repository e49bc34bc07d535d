// The TypeScript examples of the guides, each type-checked by the compiler and run against a service.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startService } from "./service.mjs";

const root = join(import.meta.dirname, "../../..");
const folder = join(import.meta.dirname, "examples");
const GUIDES = ["sdks", "first-film"];
const texts = GUIDES.map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8"));
const blocks = (language) =>
  texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code),
  );
const examples = blocks("ts");

let service;
before(async () => {
  service = await startService();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // Examples may read files: the types of Node are a package of the dashboard.
  const compilerOptions = { noEmit: false, types: ["node"], typeRoots: [join(root, "web/node_modules/@types")] };
  const settings = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  for (const [index, code] of examples.entries())
    writeFileSync(join(folder, `${index}.ts`), code.replaceAll('"@rondo/sdk"', '"../../dist/index.js"'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

test("every example of the guides type-checks and runs", () => {
  assert.ok(examples.length >= 8);
  const compiler = join(root, "web/node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
  const env = { ...process.env, RONDO_URL: service.url, RONDO_API_KEY: service.apiKey };
  for (const [index] of examples.entries())
    execFileSync(process.execPath, [join(folder, `${index}.js`)], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  for (const made of ["film.mp4", "hello.mp4", "quote.mp4"]) assert.ok(existsSync(join(folder, made)), made);
});
