// The GitHub Action: its program with the environment that a runner gives it, against a service.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startService } from "../../packages/typescript/tests/service.mjs";
import { Service } from "../github-action/service.mjs";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "integrations/github-action");
const yaml = createRequire(join(root, "web/package.json"))("js-yaml");
const action = yaml.load(readFileSync(join(folder, "action.yml"), "utf8"));

let service;
let workspace;
before(async () => {
  service = await startService();
  workspace = mkdtempSync(join(tmpdir(), "rondo-action-"));
});
after(async () => {
  rmSync(workspace, { recursive: true, force: true });
  await service?.stop();
});

/** Runs the action as a runner does: an environment variable for every input, files for outputs and summary. */
function run(inputs) {
  const given = { url: service.url, "api-key": service.apiKey, ...inputs };
  for (const name of Object.keys(given)) assert.ok(action.inputs[name], `action.yml has no input ${name}`);
  const env = { PATH: process.env.PATH, GITHUB_OUTPUT: "outputs", GITHUB_STEP_SUMMARY: "summary" };
  for (const [name, { default: preset }] of Object.entries(action.inputs))
    env[`INPUT_${name.toUpperCase()}`] = given[name] ?? preset ?? "";
  for (const name of ["outputs", "summary"]) writeFileSync(join(workspace, name), "");
  const program = join(folder, action.runs.main);
  const done = spawnSync(process.execPath, [program], { cwd: workspace, env, encoding: "utf8", timeout: 120_000 });
  const outputs = {};
  const written = readFileSync(join(workspace, "outputs"), "utf8");
  for (const [, name, , value] of written.matchAll(/^([\w-]+)<<(\S+)\n(.*)\n\2$/gm)) outputs[name] = value;
  return { ...done, outputs, summary: readFileSync(join(workspace, "summary"), "utf8") };
}

const api = async (path) =>
  (
    await (
      await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${service.apiKey}` } })
    ).json()
  ).data;

test("a template becomes a stored film, and the outputs and the summary name it", async () => {
  const { status, stdout, stderr, outputs, summary } = run({
    template: "tpl_quote_card",
    replacements: "quote=Made in a workflow = done\n",
    options: '{"scale": 0.25, "range": [0, 29]}',
    draft: "true",
    output: "films/quote.mp4",
  });
  assert.equal(status, 0, stdout + stderr);
  const film = readFileSync(join(workspace, "films/quote.mp4"));
  assert.equal(film.subarray(4, 8).toString(), "ftyp");
  assert.deepEqual(Object.keys(outputs).sort(), Object.keys(action.outputs).sort());
  const job = await api(`/renders/${outputs["job-id"]}`);
  assert.equal(job.outputSize, film.length);
  assert.equal(outputs["output-url"], job.outputUrl);
  assert.equal(outputs.path, "films/quote.mp4");
  assert.equal(outputs["credits-used"], String(job.creditsUsed));
  assert.ok(JSON.stringify(job.inputProps).includes("Made in a workflow = done"));
  assert.ok(summary.includes(job.outputUrl));
  assert.equal(stdout.split(service.apiKey).length, 2, "the key is printed once, to mask it");
  assert.ok(stdout.startsWith(`::add-mask::${service.apiKey}\n`));
});

test("the workflows of the README and of the guide run", () => {
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
  const values = {
    "vars.RONDO_URL": service.url,
    "secrets.RONDO_API_KEY": service.apiKey,
    "github.ref_name": "v1.2",
    "github.event.release.tag_name": "v1.2",
  };
  for (const path of ["integrations/github-action/README.md", "docs/integrations.md"]) {
    const [, text] = /^```yaml\n(.*?)^```/ms.exec(readFileSync(join(root, path), "utf8"));
    const example = yaml.load(text);
    const steps = Array.isArray(example) ? example : example.jobs.film.steps;
    const step = steps.find(({ uses }) => uses?.includes("integrations/github-action"));
    assert.equal(step.uses, `OWNER/rondo/integrations/github-action@v${version}`, path);
    const inputs = Object.entries(step.with).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression) => {
        assert.ok(values[expression], `${path}: ${expression}`);
        return values[expression];
      }),
    ]);
    const { status, stdout, stderr, outputs } = run(Object.fromEntries(inputs));
    assert.equal(status, 0, path + stdout + stderr);
    assert.ok(readFileSync(join(workspace, step.with.output)).length > 1000, path);
    assert.equal(outputs.path, step.with.output);
  }
});

test("a composition file is rendered with the media beside it", async () => {
  copyFileSync(join(root, "examples/media/photo.jpg"), join(workspace, "photo.jpg"));
  const photo = { type: "image", from: 0, durationInFrames: 10, top: 0, width: 100, height: 120, src: "photo.jpg" };
  const overlays = [
    { ...photo, id: 1, row: 1, left: 0 },
    { ...photo, id: 2, row: 0, left: 100 },
  ];
  writeFileSync(
    join(workspace, "film.json"),
    JSON.stringify({ width: 200, height: 120, durationInFrames: 10, overlays }),
  );
  const { status, stdout, outputs } = run({
    composition: "film.json",
    options: '{"format": "png", "frame": 5}',
    output: "frame.png",
  });
  assert.equal(status, 0, stdout);
  assert.equal(readFileSync(join(workspace, "frame.png")).subarray(1, 4).toString(), "PNG");
  const { uploads } = await api("/uploads");
  assert.deepEqual(
    uploads.map(({ name }) => name),
    ["photo.jpg"],
    "a file is uploaded once",
  );
  const { inputProps } = await api(`/renders/${outputs["job-id"]}`);
  for (const { src } of inputProps.overlays) assert.equal(src, uploads[0].fileUrl);
});

test("a film that does not end in time is cancelled and fails the step", async () => {
  const confetti = { type: "effect", content: "confetti", from: 0, durationInFrames: 3000, row: 0, left: 0, top: 0 };
  const overlays = [{ ...confetti, id: 1, width: 1920, height: 1080, styles: { particleCount: 300 } }];
  writeFileSync(
    join(workspace, "long.json"),
    JSON.stringify({ width: 1920, height: 1080, durationInFrames: 3000, overlays }),
  );
  const { status, stdout, outputs } = run({ composition: "long.json", output: "long.mp4", "timeout-minutes": "0.02" });
  assert.equal(status, 1);
  assert.match(stdout, /^::error::job_\w+ did not end within 0\.02 minutes, and was cancelled\.$/m);
  assert.ok(!existsSync(join(workspace, "long.mp4")));
  const job = await api(`/renders/${outputs["job-id"]}`);
  assert.equal(job.status, "FAILED");
  assert.equal(job.creditsUsed, 0);
});

for (const [name, inputs, message] of [
  ["an unknown template", { template: "tpl_nothing" }, /^::error::404: /m],
  [
    "an unknown format",
    { template: "tpl_quote_card", options: '{"format": "mp5"}' },
    /^::error::422: `output\.format` must be/m,
  ],
  ["a wrong key", { template: "tpl_quote_card", "api-key": "rnd_wrong" }, /^::error::401: /m],
  ["no film", {}, /^::error::Give one of the inputs template, project and composition\.$/m],
  [
    "options that are not JSON",
    { template: "tpl_quote_card", options: "gif" },
    /^::error::The input options is not JSON/m,
  ],
  [
    "a line without a value",
    { template: "tpl_quote_card", replacements: "quote" },
    /^::error::The input replacements must/m,
  ],
])
  test(`${name} fails the step and says why`, () => {
    const { status, stdout } = run(inputs);
    assert.equal(status, 1, stdout);
    assert.match(stdout, message);
  });

test("a request is retried after Retry-After, and not where that is longer than a minute", async () => {
  const refusal = JSON.stringify({ success: false, error: "Come back later." });
  for (const [pause, expected] of [
    ["1", 4],
    ["3600", 1],
  ]) {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.writeHead(429, { "content-type": "application/json", "retry-after": pause });
      response.end(refusal);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const limited = new Service(`http://127.0.0.1:${server.address().port}`, "rnd_x");
    await assert.rejects(limited.call("POST", "/renders", {}), { message: "429: Come back later." });
    assert.equal(requests, expected, `Retry-After: ${pause}`);
    server.closeAllConnections();
    server.close();
  }
});

test("the program reads the inputs of action.yml and no others", () => {
  const source = readFileSync(join(folder, action.runs.main), "utf8");
  const used = [...source.matchAll(/(?:input|required)\("([\w-]+)"\)/g)].map(([, name]) => name);
  const listed = [...used, "project", "composition"];
  assert.deepEqual([...new Set(listed)].sort(), Object.keys(action.inputs).sort());
});
