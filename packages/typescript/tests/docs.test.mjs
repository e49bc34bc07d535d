// The TypeScript examples of the guides and of the README, type-checked and run against a service; and the code that the dashboard shows.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compile, python } from "./reference.mjs";
import { startService } from "./service.mjs";

const root = join(import.meta.dirname, "../../..");
const folder = join(import.meta.dirname, "examples/guides");
const GUIDES = ["sdks", "first-film", "brand-kit"];
const guide = (name) => readFileSync(join(root, `docs/${name}.md`), "utf8");
const blocks = (text) => [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
const examples = GUIDES.flatMap((name) => blocks(guide(name)));
/** The examples of this guide continue each other, and read the table that its shell commands write. */
const batches = guide("batches");
const [table] = /^printf .* > quotes\.csv$/m.exec(batches);
examples.push(blocks(batches).join(""));
/** The example of the README names a key and an address. */
const readme = /^```ts\n(.*?)^```/ms
  .exec(readFileSync(join(import.meta.dirname, "../README.md"), "utf8"))[1]
  .replace('"rnd_…"', 'process.env.RONDO_API_KEY ?? ""')
  .replace('"http://127.0.0.1:8080"', 'process.env.RONDO_URL ?? ""')
  .replace("film.mp4", "readme.mp4");
examples.push(readme);

let service;
before(async () => {
  service = await startService();
  compile(folder, Object.fromEntries(examples.entries()));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

test("every example of the guides runs", () => {
  assert.ok(examples.length >= 8);
  execFileSync("sh", ["-ec", table], { cwd: folder });
  const env = { ...process.env, RONDO_URL: service.url, RONDO_API_KEY: service.apiKey };
  for (const [index] of examples.entries())
    execFileSync(process.execPath, [join(folder, `${index}.js`)], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  for (const made of ["film.mp4", "hello.mp4", "quote.mp4", "card.jpg", "readme.mp4"])
    assert.ok(existsSync(join(folder, made)), made);
});

test("the code that the dashboard shows for a request runs in curl, TypeScript and Python", async () => {
  const compiler = createRequire(join(root, "web/package.json"))("typescript");
  const { outputText } = compiler.transpileModule(readFileSync(join(root, "web/src/film/snippets.ts"), "utf8"), {
    compilerOptions: { module: "esnext", target: "es2022" },
  });
  writeFileSync(join(folder, "snippets.mjs"), outputText);
  globalThis.location = { origin: service.url };
  const { snippet } = await import(join(folder, "snippets.mjs"));
  const body = {
    templateId: "tpl_quote_card",
    replacements: { quote: 'It\'s "quoted" – 100 %' },
    output: { format: "gif", scale: 0.25, range: [0, 5] },
    metadata: { tag: "playground" },
  };
  const env = { ...process.env, RONDO_API_KEY: service.apiKey, PYTHONPATH: join(root, "packages/python/src") };
  const run = (program, args) =>
    execFileSync(program, args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  assert.equal(JSON.parse(run("bash", ["-ec", snippet("curl", body)])).success, true);
  writeFileSync(
    join(folder, "snippet.mjs"),
    snippet("typescript", body).replaceAll('"@rondo/sdk"', '"../../../dist/index.js"'),
  );
  assert.match(run(process.execPath, ["snippet.mjs"]), /^http\S+\.gif\n$/);
  assert.match(run(python(), ["-c", snippet("python", body)]), /^http\S+\.gif\n$/);
});
