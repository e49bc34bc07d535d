/** The requests as files of a Bruno collection. */
import { VARIABLES } from "./requests.mjs";

const indented = (text) => text.replace(/^(?=.)/gm, "  ");
const block = (name, lines) => `${name} {\n${indented([lines].flat().join("\n"))}\n}\n`;
const meta = (fields) =>
  block(
    "meta",
    Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  );

function request(it, number) {
  const query = it.query.map(({ name, value, isSent }) => `${isSent ? "" : "~"}${name}: ${value}`);
  const sent = it.query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  const path = it.path.replace(/\{(\w+)\}/g, ":$1");
  const url = it.url ?? `{{url}}/api/v1${path}${sent.length ? `?${sent.join("&")}` : ""}`;
  const body = it.file ? "file" : it.body ? "json" : "none";
  const blocks = [
    meta({ name: it.name, type: "http", seq: number }),
    block(it.method.toLowerCase(), [`url: ${url}`, `body: ${body}`, `auth: ${it.url ? "none" : "inherit"}`]),
  ];
  if (query.length) blocks.push(block("params:query", query));
  const inPath = it.pathParameters.map(({ name, value }) => `${name}: ${value}`);
  if (inPath.length) blocks.push(block("params:path", inPath));
  if (it.file) blocks.push(block("headers", `Content-Type: ${it.fileType}`));
  if (it.body) blocks.push(block("body:json", it.body));
  if (it.file) blocks.push(block("body:file", `file: @file(${it.file}) @contentType(${it.fileType})`));
  const kept = it.keeps.map(([name, place]) => `${name}: res.body.data.${place}`);
  if (kept.length) blocks.push(block("vars:post-response", kept));
  blocks.push(block("assert", ["res.status: eq 200", ...(it.isStream ? [] : ["res.body.success: eq true"])]));
  if (it.description) blocks.push(block("docs", it.description));
  return blocks.join("\n");
}

/** The files of the collection by path. */
export function brunoFiles(folders) {
  const files = new Map();
  const { url, apiKey: _, ...constant } = VARIABLES;
  const settings = { version: "1", name: "Rondo", type: "collection", ignore: ["node_modules", ".git"] };
  files.set("bruno.json", `${JSON.stringify(settings, null, 2)}\n`);
  files.set(
    "collection.bru",
    [
      block("auth", "mode: bearer"),
      block("auth:bearer", "token: {{apiKey}}"),
      block(
        "vars:pre-request",
        Object.entries(constant).map(([name, value]) => `${name}: ${value}`),
      ),
    ].join("\n"),
  );
  files.set("environments/Local.bru", `${block("vars", `url: ${url}`)}vars:secret [\n  apiKey\n]\n`);
  for (const [at, { name, description, requests }] of folders.entries()) {
    files.set(`${name}/folder.bru`, [meta({ name, seq: at + 1 }), block("docs", description)].join("\n"));
    for (const [number, it] of requests.entries()) files.set(`${name}/${it.id}.bru`, request(it, number + 1));
  }
  return files;
}
