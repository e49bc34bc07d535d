// The collections for Bruno and Postman: they are those of the OpenAPI document, and their own programs send them to a service.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startService } from "../../packages/typescript/tests/service.mjs";

const root = join(import.meta.dirname, "../..");
const kept = join(root, "integrations/bruno");
const tools = join(root, "target/integrations/collections/node_modules/.bin");

/** What is sent, in this order: each request uses what those before it returned. */
const SENT = [
  "Account/verifyKey",
  "Account/getAccount",
  "Templates/listTemplates",
  "Templates/listTemplateVariables",
  "Previews/createPreview",
  "Renders/createRender",
  "Renders/getRender",
  "Renders/followRender",
  "Renders/listRenders",
  "Renders/createBatch",
  "Renders/getBatch",
  "Renders/cancelBatch",
  "Projects/createProject",
  "Projects/getProject",
  "Projects/applyProjectEdits",
  "Projects/createProjectVersion",
  "Projects/getProjectVersion",
  "Projects/deleteProject",
  "Uploads/createUpload",
  "Uploads/putUpload",
  "Uploads/listUploads",
  "Uploads/deleteUpload",
  "Webhooks/createWebhook",
  "Webhooks/listWebhooks",
  "Webhooks/listDeliveries",
  "Webhooks/deleteWebhook",
  "Registry/listRegistry",
];

let service;
let folder;
before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), "rondo-collections-"));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

const filesOf = (place) =>
  readdirSync(place, { recursive: true })
    .filter((name) => /\.(bru|json)$/.test(name) && statSync(join(place, name)).isFile())
    .sort();

test("the collections are made of the OpenAPI document", () => {
  const fresh = join(folder, "fresh");
  execFileSync(process.execPath, [join(kept, "generate.mjs"), fresh]);
  const hint = "Run node integrations/bruno/generate.mjs.";
  assert.deepEqual(filesOf(kept), filesOf(fresh), hint);
  for (const name of filesOf(fresh))
    assert.equal(readFileSync(join(kept, name), "utf8"), readFileSync(join(fresh, name), "utf8"), `${name}: ${hint}`);
});

test("both collections have every operation", () => {
  const document = JSON.parse(readFileSync(join(root, "web/openapi/api.json"), "utf8"));
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).filter((it) => it.operationId),
  );
  const inBruno = filesOf(join(kept, "collection")).filter((name) => /^[A-Z]\w+\/(?!folder)\w+\.bru$/.test(name));
  const names = operations.map(({ operationId }) => operationId).sort();
  assert.deepEqual(inBruno.map((name) => name.split("/")[1].slice(0, -4)).sort(), names);
  const postman = JSON.parse(readFileSync(join(kept, "rondo.postman_collection.json"), "utf8"));
  const titles = postman.item.flatMap(({ item }) => item.map(({ name }) => name));
  assert.deepEqual(titles.sort(), operations.map(({ summary }) => summary).sort());
});

test("Bruno sends the main requests, and every answer is a success", () => {
  const collection = join(folder, "bruno");
  cpSync(join(kept, "collection"), collection, { recursive: true });
  const variables = ["--env", "Local", "--env-var", `url=${service.url}`, "--env-var", `apiKey=${service.apiKey}`];
  const requests = SENT.map((name) => `${name}.bru`);
  const report = join(folder, "bruno.json");
  const done = spawnSync(join(tools, "bru"), ["run", ...requests, ...variables, "--output", report], {
    cwd: collection,
    encoding: "utf8",
    timeout: 120_000,
  });
  const [{ results, summary }] = JSON.parse(readFileSync(report, "utf8"));
  const wrong = results.filter((it) => it.error || it.assertionResults.some(({ status }) => status !== "pass"));
  const shown = wrong.map((it) => [it.name, it.request.url, it.response.status, it.response.data, it.error]);
  assert.deepEqual(shown, [], done.stderr);
  assert.equal(done.status, 0, done.stdout);
  assert.equal(summary.totalRequests, SENT.length);
  const job = results.find(({ name }) => name === "Returns a render job").response.data.data;
  assert.equal(job.status, "COMPLETED");
});

test("Newman sends the main requests of the Postman collection, and every answer is a success", () => {
  const collection = JSON.parse(readFileSync(join(kept, "rondo.postman_collection.json"), "utf8"));
  const names = SENT.map((name) => {
    const text = readFileSync(join(kept, "collection", `${name}.bru`), "utf8");
    return /^ {2}name: (.*)$/m.exec(text)[1];
  });
  const all = collection.item.flatMap(({ item }) => item);
  const wanted = { ...collection, item: names.map((name) => all.find((it) => it.name === name)) };
  writeFileSync(join(folder, "postman.json"), JSON.stringify(wanted));
  const variables = ["--env-var", `url=${service.url}`, "--env-var", `apiKey=${service.apiKey}`];
  const report = join(folder, "newman.json");
  const files = ["--working-dir", join(kept, "collection"), "--reporters", "json", "--reporter-json-export", report];
  const done = spawnSync(join(tools, "newman"), ["run", join(folder, "postman.json"), ...variables, ...files], {
    encoding: "utf8",
    timeout: 120_000,
  });
  const { run } = JSON.parse(readFileSync(report, "utf8"));
  assert.deepEqual(
    run.failures.map(({ source, error }) => [source?.name, error.message]),
    [],
    done.stderr,
  );
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.equal(run.stats.assertions.total, SENT.length);
});
