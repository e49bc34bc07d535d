// Every operation of the API has a method, which sends what the OpenAPI document describes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Film, Rondo } from "../dist/index.js";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../../web/openapi/api.json"), "utf8"));

/** A call for each operation. */
const CALLS = {
  createRender: (rondo) => rondo.renders.create({ templateId: "x" }),
  listRenders: (rondo) => rondo.renders.list(),
  getRender: (rondo) => rondo.renders.get("x"),
  deleteRender: (rondo) => rondo.renders.delete("x"),
  cancelRender: (rondo) => rondo.renders.cancel("x"),
  followRender: (rondo) => rondo.renders.wait("x"),
  createBatch: (rondo) => rondo.batches.create({ templateId: "x", sets: [{}] }),
  getBatch: (rondo) => rondo.batches.get("x"),
  cancelBatch: (rondo) => rondo.batches.cancel("x"),
  createPreview: (rondo) => rondo.previews.create({ templateId: "x" }),
  createImport: (rondo) => rondo.import({ document: {} }),
  listTemplates: (rondo) => rondo.templates.list(),
  createTemplate: (rondo) => rondo.templates.publish({ projectId: "x", name: "x" }),
  updateTemplate: (rondo) => rondo.templates.update("x", { name: "x" }),
  deleteTemplate: (rondo) => rondo.templates.unpublish("x"),
  listTemplateVariables: (rondo) => rondo.templates.variables("x"),
  listProjects: (rondo) => rondo.projects.list(),
  createProject: (rondo) => rondo.projects.create({ name: "x", composition: new Film().toJSON() }),
  getProject: (rondo) => rondo.projects.get("x"),
  updateProject: (rondo) => rondo.projects.update("x", { name: "x" }),
  deleteProject: (rondo) => rondo.projects.delete("x"),
  duplicateProject: (rondo) => rondo.projects.duplicate("x"),
  applyProjectEdits: (rondo) => rondo.projects.applyEdits("x", [{ op: "remove", id: 1 }]),
  listProjectVersions: (rondo) => rondo.projects.versions("x"),
  createProjectVersion: (rondo) => rondo.projects.createVersion("x", "x"),
  getProjectVersion: (rondo) => rondo.projects.getVersion("x", "y"),
  restoreProjectVersion: (rondo) => rondo.projects.restoreVersion("x", "y"),
  listProjectVariables: (rondo) => rondo.projects.variables("x"),
  createVoiceover: (rondo) => rondo.ai.voiceover({ text: "x" }),
  createCaptions: (rondo) => rondo.ai.captions({ uploadId: "x" }),
  listVoices: (rondo) => rondo.ai.voices(),
  createUpload: (rondo) => rondo.uploads.create({ contentType: "image/png" }),
  putUpload: (rondo) => rondo.uploads.put(new Blob(["x"], { type: "image/png" })),
  listUploads: (rondo) => rondo.uploads.list(),
  listFonts: (rondo) => rondo.uploads.fonts(),
  deleteUpload: (rondo) => rondo.uploads.delete("x"),
  listStockProviders: (rondo) => rondo.stock.providers(),
  searchStock: (rondo) => rondo.stock.search({ provider: "pexels", q: "x" }),
  addStockItem: (rondo) => rondo.stock.add({ provider: "pexels", id: "x" }),
  getBrand: (rondo) => rondo.brand.get(),
  setBrand: (rondo) => rondo.brand.set({}),
  createWebhook: (rondo) => rondo.webhooks.create({ url: "https://example.com" }),
  listWebhooks: (rondo) => rondo.webhooks.list(),
  deleteWebhook: (rondo) => rondo.webhooks.delete("x"),
  updateWebhook: (rondo) => rondo.webhooks.update("x", { isActive: true }),
  redeliver: (rondo) => rondo.webhooks.redeliver("x", "y"),
  listDeliveries: (rondo) => rondo.webhooks.deliveries("x"),
  testWebhook: (rondo) => rondo.webhooks.test("x"),
  rotateWebhookSecret: (rondo) => rondo.webhooks.rotate("x"),
  createDestination: (rondo) =>
    rondo.destinations.create({
      name: "films",
      url: "s3://films",
      credentials: { accessKeyId: "x", secretAccessKey: "x" },
    }),
  listDestinations: (rondo) => rondo.destinations.list(),
  deleteDestination: (rondo) => rondo.destinations.delete("x"),
  verifyKey: (rondo) => rondo.account.verify(),
  getAccount: (rondo) => rondo.account.get(),
  getUsage: (rondo) => rondo.account.usage(),
  listTransactions: (rondo) => rondo.account.transactions(),
  listRegistry: (rondo) => rondo.registry("fonts"),
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, path, method, operation })),
);

test("every operation of the document has a method", () => {
  assert.deepEqual(Object.keys(CALLS).sort(), operations.map(({ id }) => id).sort());
});

for (const { id, path, method, operation } of operations)
  test(`${id} is sent as the document says`, async () => {
    const sent = [];
    const answer = {
      success: true,
      data: { id: "x", uploadUrl: "https://rondo.test/uploads/x?expires=1&signature=2" },
    };
    const rondo = new Rondo({
      apiKey: "rnd_x",
      baseUrl: "https://rondo.test",
      fetch: async (url, init) => {
        sent.push({ url: new URL(url), ...init });
        if (sent.at(-1).url.pathname.endsWith("/events"))
          return new Response('data: {"status": "COMPLETED", "progressPercentage": 100}\n\n');
        return Response.json(answer);
      },
    });
    await CALLS[id]?.(rondo);
    const request = sent.at(-1);
    const base = operation.servers ? "" : "/api/v1";
    assert.match(request.url.pathname, new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, "(x|y|fonts)")}$`));
    assert.equal(request.method, method.toUpperCase());
    const known = new Set((operation.parameters ?? []).map(({ name }) => name.toLowerCase()));
    for (const name of request.url.searchParams.keys()) assert.ok(known.has(name.toLowerCase()), name);
    for (const { name, required, in: place } of operation.parameters ?? [])
      if (required && place === "query") assert.ok(request.url.searchParams.has(name), name);
    const schema = operation.requestBody?.content["application/json"]?.schema.$ref.split("/").at(-1);
    const body = typeof request.body === "string" ? JSON.parse(request.body) : {};
    for (const name of document.components.schemas[schema]?.required ?? []) assert.ok(name in body, name);
    for (const name of Object.keys(body)) assert.ok(name in document.components.schemas[schema].properties, name);
  });
