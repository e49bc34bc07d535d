/** An operation as curl, TypeScript and Python. */
import { EXAMPLES } from "./examples.mjs";

const URL_OF = "http://127.0.0.1:8080/api/v1";
const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value as TypeScript or Python writes it. Short ones stay on one line. */
function literal(value, style, indent = "") {
  if (value === null || value === undefined) return style.none;
  if (typeof value === "boolean") return style.booleans[Number(value)];
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = (by) =>
    Object.entries(value).map(([name, item]) => (isList ? "" : `${style.key(name)}: `) + literal(item, style, by));
  const [open, close] = isList ? "[]" : "{}";
  const flat = parts(indent).join(", ");
  if (!flat) return open + close;
  if (!flat.includes("\n") && flat.length + indent.length < 70)
    return isList || style.isTight ? `${open}${flat}${close}` : `${open} ${flat} ${close}`;
  const deeper = indent + style.step;
  return `${open}\n${parts(deeper)
    .map((part) => deeper + part)
    .join(",\n")},\n${indent}${close}`;
}
const TS = {
  none: "null",
  booleans: ["false", "true"],
  key: (name) => (isName(name) ? name : JSON.stringify(name)),
  step: "  ",
};
const PYTHON = { none: "None", booleans: ["False", "True"], key: JSON.stringify, step: "    ", isTight: true };

/** Python arguments by name. */
function named(value, rename = (name) => name) {
  const parts = (indent) =>
    Object.entries(value).map(([name, item]) => `${rename(name)}=${literal(item, PYTHON, indent)}`);
  const flat = parts("").join(", ");
  return flat.includes("\n") || flat.length > 60 ? `\n    ${parts("    ").join(",\n    ")},\n` : flat;
}
const RENAMED = { inputProps: "composition" };

const fill = (path, ids = []) => {
  let at = 0;
  return path.replace(/\{\w+\}/g, () => ids[at++] ?? "ID");
};

/** The request of an operation: method, path with its query, and body. */
export function requestOf(method, path, operation) {
  const { ids, query, body } = EXAMPLES[operation.operationId] ?? {};
  const search = query ? `?${new URLSearchParams(query)}` : "";
  return { method: method.toUpperCase(), path: fill(path, ids) + search, body };
}

function curl({ method, path, body }) {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${URL_OF}${path}" \\`,
    '  -H "Authorization: Bearer $RONDO_API_KEY"',
  ];
  if (body !== undefined) {
    lines[1] += " \\";
    lines.push(
      '  -H "Content-Type: application/json" \\',
      `  -d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
    );
  }
  return lines.join("\n");
}

function typescript(request, { ids = [], query, body, ts }) {
  if (!ts) {
    const sent = request.body === undefined ? "" : `\n  body: JSON.stringify(${literal(request.body, TS, "  ")}),`;
    const type = request.body === undefined ? "" : '\n    "Content-Type": "application/json",';
    return `const response = await fetch("${URL_OF}${request.path}", {
  method: "${request.method}",
  headers: {
    Authorization: \`Bearer \${process.env.RONDO_API_KEY}\`,${type}
  },${sent}
});
const { data } = await response.json();`;
  }
  const call = ts
    .replace("$ID", JSON.stringify(ids[0]))
    .replace("$QUERY", query ? literal(query, TS) : "")
    .replace("$BODY", body ? literal(body, TS) : "");
  return `import { Rondo } from "@rondo/sdk";\n\nconst rondo = new Rondo();\nconst answer = await rondo.${call};`;
}

function python(request, { ids = [], query, body, python: method }) {
  if (!method) {
    const sent = request.body === undefined ? "" : `\n    json=${literal(request.body, PYTHON, "    ")},`;
    return `import os\nimport httpx\n\nresponse = httpx.request(
    "${request.method}",
    "${URL_OF}${request.path}",
    headers={"Authorization": f"Bearer {os.environ['RONDO_API_KEY']}"},${sent}
)
data = response.json()["data"]`;
  }
  const call = method
    .replace("$ID", JSON.stringify(ids[0]))
    .replace("$QUERY", query ? named(query) : "")
    .replace("$DICT", body ? literal(body, PYTHON) : "")
    .replace("$SNAKE", body ? named(body, snake) : "")
    .replace("$BODY", body ? named(body, (name) => RENAMED[name] ?? snake(name)) : "");
  return `from rondo import Rondo\n\nclient = Rondo()\nanswer = client.${call}`;
}

/** The three examples of an operation: name, language and code. */
export function snippets(method, path, operation) {
  const example = EXAMPLES[operation.operationId] ?? {};
  const request = requestOf(method, path, operation);
  return [
    ["curl", { language: "sh", code: example.curl ?? curl(request) }],
    ["TypeScript", { language: "ts", code: typescript(request, example) }],
    ["Python", { language: "python", code: python(request, example) }],
  ];
}
