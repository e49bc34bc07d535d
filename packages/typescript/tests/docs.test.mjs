// The TypeScript examples of the guides and of the README, each type-checked by the compiler and run against a service.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { requestOf, snippets } from "../../../web/docs/api/snippets.mjs";
import { startRecorder } from "./recorder.mjs";
import { startService } from "./service.mjs";

const root = join(import.meta.dirname, "../../..");
const folder = join(import.meta.dirname, "examples");
const GUIDES = ["sdks", "first-film", "brand-kit"];
const texts = GUIDES.map((name) => readFileSync(join(root, `docs/${name}.md`), "utf8"));
const blocks = (language) =>
  texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code),
  );
const examples = blocks("ts");
/** The example of the README names a key and an address. */
const readme = /^```ts\n(.*?)^```/ms
  .exec(readFileSync(join(import.meta.dirname, "../README.md"), "utf8"))[1]
  .replace('"rnd_…"', 'process.env.RONDO_API_KEY ?? ""')
  .replace('"http://127.0.0.1:8080"', 'process.env.RONDO_URL ?? ""')
  .replace("film.mp4", "readme.mp4");
examples.push(readme);

/** Operations whose examples run as they are: they name nothing that must exist first, and cost nothing. */
const RUNNABLE = [
  "listRenders",
  "createPreview",
  "createImport",
  "listTemplates",
  "listTemplateVariables",
  "listProjects",
  "createProject",
  "createUpload",
  "listUploads",
  "listFonts",
  "setBrand",
  "getBrand",
  "listWebhooks",
  "listDestinations",
  "verifyKey",
  "getAccount",
  "getUsage",
  "listTransactions",
  "listRegistry",
];
const document = JSON.parse(readFileSync(join(root, "web/openapi/api.json"), "utf8"));
/** The examples of the API reference: the operation, and its code by language. */
const reference = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation.operationId)
    .map(([method, operation]) => {
      const code = snippets(method, path, operation).map(([, block]) => [block.language, block.code]);
      return { id: operation.operationId, code: Object.fromEntries(code), request: requestOf(method, path, operation) };
    }),
);

let service;
before(async () => {
  service = await startService();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // Examples may read files: the types of Node are a package of the dashboard.
  const compilerOptions = { noEmit: false, types: ["node"], typeRoots: [join(root, "web/node_modules/@types")] };
  const settings = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  for (const { id, code } of reference) {
    const text = code.ts
      .replaceAll('"@rondo/sdk"', '"../../dist/index.js"')
      .replaceAll('"http://127.0.0.1:8080', 'process.env.RONDO_URL + "');
    const used = text.includes("answer") ? 'if (answer === null) throw new Error("nothing");\n' : "";
    writeFileSync(join(folder, `${id}.ts`), `${text}\n${used}export {};\n`);
  }
  for (const [index, code] of examples.entries())
    writeFileSync(join(folder, `${index}.ts`), code.replaceAll('"@rondo/sdk"', '"../../dist/index.js"'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

test("every example type-checks", () => {
  const compiler = join(root, "web/node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
});

test("every example of the guides runs", () => {
  assert.ok(examples.length >= 8);
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

test("the examples of the API reference run in curl, TypeScript and Python", () => {
  const env = {
    ...process.env,
    RONDO_URL: service.url,
    RONDO_API_KEY: service.apiKey,
    PYTHONPATH: join(root, "packages/python/src"),
  };
  const run = (program, args) =>
    execFileSync(program, args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  for (const { id, code } of reference.filter((it) => RUNNABLE.includes(it.id))) {
    run(process.execPath, [join(folder, `${id}.js`)]);
    const answer = JSON.parse(
      run("bash", ["-ec", code.sh.replaceAll("http://127.0.0.1:8080", service.url).replace("curl ", "curl -sf ")]),
    );
    assert.equal(answer.success, true, id);
    run(python(), ["-c", code.python.replaceAll("http://127.0.0.1:8080", service.url)]);
  }
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
    snippet("typescript", body).replaceAll('"@rondo/sdk"', '"../../dist/index.js"'),
  );
  assert.match(run(process.execPath, ["snippet.mjs"]), /^http\S+\.gif\n$/);
  assert.match(run(python(), ["-c", snippet("python", body)]), /^http\S+\.gif\n$/);
});

/** A Python that has httpx. */
const python = () => (spawnSync("python3", ["-c", "import httpx"]).status === 0 ? "python3" : "/usr/bin/python3");

test("the examples of the API reference send the same request in curl, TypeScript and Python", async () => {
  const recorder = await startRecorder();
  const env = {
    ...process.env,
    RONDO_URL: recorder.url,
    RONDO_API_KEY: "rnd_test",
    UPLOAD_URL: `${recorder.url}/api/v1/uploads/upl_123`,
    PYTHONPATH: join(root, "packages/python/src"),
  };
  copyFileSync(join(root, "examples/media/photo.jpg"), join(folder, "photo.jpg"));
  const ids = reference.map(({ id }) => id);
  const codes = (language) =>
    reference.map(({ code }) => code[language].replaceAll("http://127.0.0.1:8080", recorder.url));
  // One script for each language: it tells the recorder which example comes next.
  const scripts = {
    curl: ["bash", codes("sh").map((code, at) => `curl -sf ${recorder.url}/next/${ids[at]}\n${code}\n`)],
    typescript: [
      process.execPath,
      ids.map((id) => `await fetch("${recorder.url}/next/${id}");\nawait import("./${id}.js");\n`),
    ],
    python: [
      python(),
      codes("python").map(
        (code, at) => `httpx.get("${recorder.url}/next/${ids[at]}")\nexec(${JSON.stringify(code)}, {})\n`,
      ),
    ],
  };
  const starts = { curl: "set -e\n", typescript: "", python: "import httpx\n" };
  const names = { curl: "all.sh", typescript: "all.mjs", python: "all.py" };
  try {
    for (const [language, [program, parts]] of Object.entries(scripts)) {
      recorder.clear();
      writeFileSync(join(folder, names[language]), starts[language] + parts.join(""));
      await promisify(execFile)(program, [names[language]], { cwd: folder, env });
      for (const { id, request } of reference) {
        const [path, query] = request.path.split("?");
        const sent = recorder.requests.get(id)?.at(-1);
        assert.deepEqual(
          sent,
          {
            method: request.method,
            path: `/api/v1${path}`,
            query: Object.fromEntries(new URLSearchParams(query)),
            body: request.body ?? {},
          },
          `${id} in ${language}`,
        );
      }
    }
  } finally {
    recorder.stop();
  }
});
