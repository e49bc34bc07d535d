// The examples of the API reference: all of them, in curl, TypeScript and Python, against a service.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Rondo } from "../dist/index.js";
import { startRecorder } from "./recorder.mjs";
import { ADDRESS, compileReference, python, reference, things } from "./reference.mjs";
import { startService } from "./service.mjs";

const root = join(import.meta.dirname, "../../..");
const folder = join(import.meta.dirname, "examples/reference");
const LANGUAGES = ["sh", "ts", "python"];

let service;
let others;
before(async () => {
  compileReference(folder);
  others = await startOthers();
  // A stock provider needs a key; this one takes any.
  const env = { RONDO_PEXELS_KEY: "key", RONDO_STOCK_URL: others.url };
  service = await startService({ accounts: LANGUAGES.length, env });
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
  others?.stop();
});

/** A server that takes deliveries, and answers as Pexels does. */
async function startOthers() {
  const photo = readFileSync(join(root, "examples/media/photo.jpg"));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    if (pathname === "/photo.jpg") {
      response.setHeader("content-type", "image/jpeg");
      return response.end(photo);
    }
    const item = {
      id: 2014422,
      width: 3024,
      height: 3024,
      url: "https://www.pexels.com/photo/2014422/",
      photographer: "Joey",
      photographer_url: "https://www.pexels.com/@joey",
      alt: "Rocks at the golden hour",
      src: { medium: `${url}/photo.jpg`, large2x: `${url}/photo.jpg`, original: `${url}/photo.jpg` },
    };
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pathname.endsWith("/search") ? { total_results: 1, photos: [item] } : item));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, stop };
}

/** The programs, and the text of a script that runs examples one after another. Each writes `--- ID` and then its answer. */
const SCRIPTS = {
  sh: {
    name: "all.sh",
    program: () => "bash",
    start: `set -eu\ncurl() { command curl -sS --fail-with-body "$@"; }\n`,
    part: (id, code) => `printf '\\n--- %s\\n' ${id}\n${code}\n`,
  },
  ts: {
    name: "all.mjs",
    program: () => process.execPath,
    start: "",
    part(id, code) {
      writeFileSync(join(folder, `${id}.run.mjs`), code);
      return `console.log("\\n--- ${id}");\nconsole.log(JSON.stringify((await import("./${id}.run.mjs")).answer ?? null));\n`;
    },
  },
  python: {
    name: "all.py",
    program: python,
    start: "import json\n",
    part: (id, code) =>
      `print("\\n--- ${id}", flush=True)\nscope = {}\nexec(${JSON.stringify(code)}, scope)\nprint(json.dumps(scope.get("answer")))\n`,
  },
};

/** Runs examples in a language: pairs of the operation and its code. Returns what each wrote. */
async function runAll(language, examples, env) {
  const { name, program, start, part } = SCRIPTS[language];
  writeFileSync(join(folder, name), start + examples.map(([id, code]) => part(id, code)).join(""));
  const ran = await promisify(execFile)(program(), [name], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: join(root, "packages/python/src"), ...env },
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error) => error);
  const wrote = ran.stdout.split(/^--- /m).slice(1);
  const last = wrote.at(-1)?.split("\n")[0];
  assert.ok(!(ran instanceof Error), `${last} in ${language} failed: ${wrote.at(-1)}\n${ran.stderr}`);
  return new Map(wrote.map((text) => [text.split("\n")[0], text.slice(text.indexOf("\n") + 1).trim()]));
}

const isLong = ({ id }) => id === "cancelRender";

/** The code of an example as its language runs it. */
const runnable = (language, { id, code }) =>
  language === "ts" ? readFileSync(join(folder, `${id}.js`), "utf8") : code[language];

/** Ends what examples started. */
async function stopRenders(rondo) {
  for await (const { jobId, status } of rondo.renders.list())
    if (!["COMPLETED", "FAILED"].includes(status)) await rondo.renders.cancel(jobId);
}

for (const [index, language] of LANGUAGES.entries())
  test(`every example of the API reference runs: ${language}`, async (context) => {
    const apiKey = service.apiKeys[index];
    const rondo = new Rondo({ apiKey, baseUrl: service.url });
    context.after(() => stopRenders(rondo));
    const make = things(rondo, { hooks: others.url, photo: join(folder, "photo.jpg") });
    const examples = new Map(reference.map(({ id }) => [id, ""]));
    // What others wait for comes before the render that takes long.
    for (const example of reference.toSorted((one, other) => isLong(one) - isLong(other))) {
      let code = runnable(language, example).replaceAll(ADDRESS, service.url);
      for (const [name, value] of Object.entries(await make(example.id, code)))
        code = code.replaceAll(name, () => value);
      assert.doesNotMatch(code, /_123|example\.com|undefined/, `${example.id}: nothing stands for this`);
      examples.set(example.id, code);
    }
    const answers = await runAll(language, [...examples], { RONDO_URL: service.url, RONDO_API_KEY: apiKey });
    assert.deepEqual(
      [...answers.keys()],
      reference.map(({ id }) => id),
    );
    for (const { id, code } of reference) {
      const answer = answers.get(id);
      if (language === "sh" && id === "followRender") assert.match(answer, /^event: .*\n?data: .*"COMPLETED"/m, id);
      else if (language === "sh") assert.equal(JSON.parse(answer).success, true, id);
      else assert.equal(JSON.parse(answer) !== null, code[language].includes("answer = "), `${id} in ${language}`);
    }
  });

test("the examples of the API reference send the same request in curl, TypeScript and Python", async () => {
  const recorder = await startRecorder();
  try {
    for (const language of LANGUAGES) {
      recorder.clear();
      // The recorder is told which example comes next.
      const examples = reference.map((example) => {
        const code = runnable(language, example).replaceAll(ADDRESS, recorder.url);
        const next = `${recorder.url}/next/${example.id}`;
        const tell = {
          sh: `curl "${next}"\n`,
          ts: `await fetch("${next}");\n`,
          python: `import httpx\nhttpx.get("${next}")\n`,
        };
        return [example.id, tell[language] + code];
      });
      const env = {
        RONDO_URL: recorder.url,
        RONDO_API_KEY: "rnd_test",
        UPLOAD_URL: `${recorder.url}/api/v1/uploads/upl_123`,
      };
      await runAll(language, examples, env);
      for (const { id, request } of reference) {
        const [path, query] = request.path.split("?");
        const expected = {
          method: request.method,
          path: `/api/v1${path}`,
          query: Object.fromEntries(new URLSearchParams(query)),
          body: request.body ?? {},
        };
        assert.deepEqual(recorder.requests.get(id)?.at(-1), expected, `${id} in ${language}`);
      }
    }
  } finally {
    recorder.stop();
  }
});
