/** The requests as a Postman collection, format 2.1. */
import { VARIABLES } from "./requests.mjs";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

const script = (listen, lines) => ({ listen, script: { type: "text/javascript", exec: lines } });

function urlOf({ url, path, query, pathParameters }) {
  if (url) return { raw: url, host: [url] };
  const steps = `/api/v1${path}`.replace(/\{(\w+)\}/g, ":$1");
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return {
    raw: `{{url}}${steps}${sent.length ? `?${sent.join("&")}` : ""}`,
    host: ["{{url}}"],
    path: steps.slice(1).split("/"),
    ...(query.length
      ? {
          query: query.map(({ name, value, description, isSent }) => ({
            key: name,
            value,
            description,
            ...(isSent ? {} : { disabled: true }),
          })),
        }
      : {}),
    ...(pathParameters.length
      ? { variable: pathParameters.map(({ name, value, description }) => ({ key: name, value, description })) }
      : {}),
  };
}

function item(it) {
  const type = it.body ? "application/json" : it.fileType;
  const checks = ['pm.test("The answer is a success", () => pm.response.to.have.status(200));'];
  if (it.keeps.length) checks.push("const made = pm.response.json().data;");
  for (const [name, place] of it.keeps) checks.push(`if (made) pm.collectionVariables.set("${name}", made.${place});`);
  return {
    name: it.name,
    request: {
      method: it.method,
      ...(it.url ? { auth: { type: "noauth" } } : {}),
      header: type ? [{ key: "Content-Type", value: type }] : [],
      url: urlOf(it),
      ...(it.body ? { body: { mode: "raw", raw: it.body, options: { raw: { language: "json" } } } } : {}),
      ...(it.file ? { body: { mode: "file", file: { src: it.file } } } : {}),
      ...(it.description ? { description: it.description } : {}),
    },
    event: [script("test", checks)],
  };
}

/** The text of the collection. */
export function postmanCollection(folders) {
  const collection = {
    info: { name: "Rondo", description: "The API of a Rondo video rendering service.", schema: SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
    item: folders.map(({ name, description, requests }) => ({ name, description, item: requests.map(item) })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}
