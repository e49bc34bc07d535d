/** The requests of the collections, from the OpenAPI document and the examples of the API reference. Knows no file format. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLES } from "../../web/docs/api/examples.mjs";

const root = join(import.meta.dirname, "../..");
const document = JSON.parse(readFileSync(join(root, "web/openapi/api.json"), "utf8"));

/** What every collection starts with. `{{NAME}}` stands for the value of a variable. */
export const VARIABLES = { url: "http://127.0.0.1:8080", apiKey: "", templateId: "tpl_quote_card" };

/** Variables that the answer of an operation sets, with their places in `data`. Later requests use them. */
const KEEPS = {
  createRender: { jobId: "jobId" },
  createBatch: { batchId: "batchId" },
  createTemplate: { templateId: "id" },
  createProject: { projectId: "id" },
  createProjectVersion: { versionId: "id" },
  createUpload: { uploadId: "id", uploadUrl: "uploadUrl" },
  createWebhook: { webhookId: "id" },
  testWebhook: { deliveryId: "deliveryId" },
};

/** Ids in the examples of the API reference, and the variables that take their place. */
const IDS = {
  bat_123: "batchId",
  del_123: "deliveryId",
  job_123: "jobId",
  prj_123: "projectId",
  tpl_123: "templateId",
  upl_123: "uploadId",
  ver_123: "versionId",
  whk_123: "webhookId",
};

/** Values of the query that are more useful here than those of the reference. */
const QUERY = { getRender: { wait: 60 } };

const withVariables = (text) => (IDS[text] ? `{{${IDS[text]}}}` : text);
const bodyOf = (body) =>
  JSON.stringify(body, (_, value) => (typeof value === "string" ? withVariables(value) : value), 2);

/** What a parameter shows until somebody fills it in. */
const sample = ({ schema, example }) => String(example ?? schema?.examples?.[0] ?? schema?.enum?.[0] ?? "");

function requestOf(method, path, operation) {
  const { operationId: id, parameters = [] } = operation;
  const example = EXAMPLES[id] ?? {};
  const given = { ...example.query, ...QUERY[id] };
  const ids = (example.ids ?? []).map(withVariables);
  const of = (place) => parameters.filter((parameter) => parameter.in === place);
  return {
    id,
    name: operation.summary,
    folder: operation.tags[0],
    description: operation.description ?? "",
    method: method.toUpperCase(),
    path,
    pathParameters: of("path").map(({ name, description }, at) => ({ name, value: ids[at] ?? "", description })),
    query: of("query").map((parameter) => ({
      name: parameter.name,
      value: withVariables(String(given[parameter.name] ?? sample(parameter))),
      description: parameter.description,
      isSent: given[parameter.name] !== undefined,
    })),
    body: example.body && bodyOf(example.body),
    keeps: Object.entries(KEEPS[id] ?? {}),
    isStream: Boolean(operation.responses["200"]?.content?.["text/event-stream"]),
  };
}

/** The file of an upload goes to a signed address that POST /uploads has returned. */
function putUpload(request) {
  return { ...request, url: "{{uploadUrl}}", pathParameters: [], query: [], file: "logo.png", fileType: "image/png" };
}

/** The requests by folder, in the order of the document; those that delete come last. */
export function folders() {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => requestOf(method, path, operation)),
  );
  const all = requests.map((request) => (request.id === "putUpload" ? putUpload(request) : request));
  return document.tags.map(({ name, description }) => {
    const own = all.filter(({ folder }) => folder === name);
    const isLast = ({ method }) => method === "DELETE";
    return { name, description, requests: [...own.filter((it) => !isLast(it)), ...own.filter(isLast)] };
  });
}
