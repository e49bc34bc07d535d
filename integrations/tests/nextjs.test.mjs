// The Next.js example: its types, its route handlers with real requests and deliveries, and its page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startService } from "../../packages/typescript/tests/service.mjs";
import { startReceiver } from "./receiver.mjs";

const root = join(import.meta.dirname, "../..");
const app = join(root, "integrations/nextjs/app");
const made = join(root, "target/integrations/nextjs");
const require = createRequire(join(root, "web/package.json"));

/** The example renders whole films: here, they are a few small pictures, so that the tests are quick. */
const fetchAll = globalThis.fetch;
globalThis.fetch = (url, init) => {
  const isRender = init?.method === "POST" && String(url).endsWith("/api/v1/renders");
  const output = { scale: 0.1, range: [0, 9] };
  return fetchAll(url, isRender ? { ...init, body: JSON.stringify({ ...JSON.parse(init.body), output }) } : init);
};

let service;
let receiver;
let routes;
before(async () => {
  service = await startService();
  const { rolldown } = await import(pathToFileURL(require.resolve("rolldown")));
  const bundle = await rolldown({
    input: {
      films: join(app, "api/films/route.ts"),
      film: join(app, "api/films/[jobId]/route.ts"),
      previews: join(app, "api/previews/route.ts"),
      webhook: join(app, "api/webhook/route.ts"),
      page: join(import.meta.dirname, "nextjs-page.mjs"),
    },
    platform: "node",
    logLevel: "silent",
    resolve: {
      alias: { "@rondo/sdk": join(root, "packages/typescript/dist/index.js") },
      modules: [join(root, "web/node_modules")],
    },
  });
  rmSync(made, { recursive: true, force: true });
  await bundle.write({ dir: made, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
  const names = ["films", "film", "previews", "webhook", "page"];
  const load = async (name) => [name, await import(join(made, `${name}.mjs`))];
  routes = Object.fromEntries(await Promise.all(names.map(load)));
  receiver = await startReceiver(async ({ headers, body }) => {
    const request = new Request("http://127.0.0.1/api/webhook", { method: "POST", headers: forwarded(headers), body });
    return (await routes.webhook.POST(request)).status;
  });
  const response = await fetch(`${service.url}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ url: receiver.url }),
  });
  const { secret } = (await response.json()).data;
  Object.assign(process.env, { RONDO_URL: service.url, RONDO_API_KEY: service.apiKey, RONDO_WEBHOOK_SECRET: secret });
});
after(async () => {
  receiver?.stop();
  await service?.stop();
});

/** The headers of a delivery, without those of its connection. */
const forwarded = (headers) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name)),
  );
const post = (body) => new Request("http://127.0.0.1/", { method: "POST", body: JSON.stringify(body) });
const look = async (jobId) => {
  const response = await routes.film.GET(new Request("http://127.0.0.1/"), { params: Promise.resolve({ jobId }) });
  return { status: response.status, film: await response.json() };
};

test("the app type-checks", () => {
  const compiler = join(root, "web/node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", join(import.meta.dirname, "nextjs.tsconfig.json")], { stdio: "inherit" });
});

test("a preview has an address that the player opens", async () => {
  const { previewUrl } = await (await routes.previews.POST(post({ quote: "Look first." }))).json();
  // What the player asks for.
  const response = await fetch(previewUrl, { headers: { accept: "application/json" } });
  assert.ok((await response.text()).includes("Look first."));
  assert.equal((await routes.previews.POST(post({ quote: "" }))).status, 400);
});

test("a film is started, and its verified delivery completes it", async () => {
  const response = await routes.films.POST(post({ quote: "Made with Next.js." }));
  assert.equal(response.status, 202);
  const { jobId } = await response.json();
  const delivery = await receiver.received("render.completed", (data) => data.jobId === jobId);
  assert.equal(delivery.status, 200);
  // The route has it from the delivery: the service is not asked.
  process.env.RONDO_URL = "http://127.0.0.1:1";
  const { film } = await look(jobId);
  process.env.RONDO_URL = service.url;
  assert.equal(film.status, "COMPLETED");
  const bytes = Buffer.from(await (await fetch(film.url)).arrayBuffer());
  assert.equal(bytes.subarray(4, 8).toString(), "ftyp");
});

test("a delivery with a wrong signature is refused and changes nothing", async () => {
  const [{ headers, body }] = receiver.deliveries;
  const changed = body.replace(/"outputUrl":"[^"]*"/, '"outputUrl":"https://evil.example/film.mp4"');
  const send = (text) =>
    routes.webhook.POST(new Request("http://127.0.0.1/", { method: "POST", headers: forwarded(headers), body: text }));
  assert.equal((await send(changed)).status, 401);
  assert.equal((await send(body)).status, 200, "the same delivery twice");
  const { film } = await look(JSON.parse(body).data.jobId);
  assert.doesNotMatch(film.url, /evil/);
});

test("without a webhook, a film is completed by asking", async () => {
  const secret = process.env.RONDO_WEBHOOK_SECRET;
  process.env.RONDO_WEBHOOK_SECRET = "whsec_b3RoZXI=";
  const { jobId } = await (await routes.films.POST(post({ quote: "Ask." }))).json();
  let seen;
  for (const deadline = Date.now() + 60_000; ; await pause(200)) {
    seen = await look(jobId);
    if (seen.film.status === "COMPLETED") break;
    assert.ok(Date.now() < deadline, `waited a minute for the film: ${JSON.stringify(seen)}`);
  }
  process.env.RONDO_WEBHOOK_SECRET = secret;
  assert.match(seen.film.url, /^http/);
  assert.equal((await look("job_other")).status, 404);
  assert.equal((await routes.films.POST(post({ quote: 42 }))).status, 400);
});

test("the page has the form, and loads the player from the service", async () => {
  const html = routes.page.render();
  assert.match(html, /<h1>Make a quote film<\/h1>/);
  assert.match(html, /<input[^>]*value="Less is more\."/);
  const [, player] = /<script[^>]*src="([^"]*)"/.exec(html);
  assert.equal(player, `${service.url}/player/rondo-player.js`);
  assert.ok(!html.includes(service.apiKey));
});
