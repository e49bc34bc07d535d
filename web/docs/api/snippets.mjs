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

const RENAMED = { inputProps: "composition" };

/** A call in Python: its arguments on one line, or each on its own. */
function pythonCall(method, { ids = [], query, body }) {
  const [, name, given, rest] = /^([\w.]+)\((.*?)\)(.*)$/.exec(method);
  const named = (values, rename) => (indent) =>
    Object.entries(values ?? {}).map(([key, value]) => `${rename(key)}=${literal(value, PYTHON, indent)}`);
  const parts = {
    $ID: () => JSON.stringify(ids[0]),
    $OTHER: () => JSON.stringify(ids[1]),
    $QUERY: named(query, (key) => key),
    $BODY: named(body, (key) => RENAMED[key] ?? snake(key)),
    "**$BODY": (indent) => `**${literal(body, PYTHON, indent)}`,
  };
  const written = given.split(", ").filter(Boolean);
  const all = (indent) => written.flatMap((part) => parts[part]?.(indent) ?? part);
  const flat = all("").join(", ");
  const fits = !flat.includes("\n") && flat.length <= 60;
  const step = PYTHON.step;
  // A dictionary alone stays beside its bracket.
  if (fits || written[0] === "**$BODY") return `${name}(${flat})${rest}`;
  return `${name}(\n${step}${all(step).join(`,\n${step}`)},\n)${rest}`;
}

/** A call in TypeScript. */
function typescriptCall(method, { ids = [], query, body }) {
  return method.replace(/\$(ID|OTHER|QUERY|BODY)(?:\.(\w+))?/g, (_, what, field) => {
    const value = { ID: ids[0], OTHER: ids[1], QUERY: query, BODY: field ? body?.[field] : body }[what];
    return literal(value, TS);
  });
}

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

function typescript(request, example) {
  if (example.ts) {
    const call = typescriptCall(example.ts, example);
    return `import { Rondo } from "@rondo/sdk";\n\nconst rondo = new Rondo();\n${example.isSilent ? "" : "const answer = "}await rondo.${call};`;
  }
  const sent = request.body === undefined ? "" : `\n  body: JSON.stringify(${literal(request.body, TS, "  ")}),`;
  const type = request.body === undefined ? "" : '\n    "Content-Type": "application/json",';
  return `const response = await fetch("${URL_OF}${request.path}", {
  method: "${request.method}",
  headers: {
    Authorization: \`Bearer \${process.env.RONDO_API_KEY}\`,${type}
  },${sent}
});
const { data: answer } = await response.json();`;
}

function python(request, example) {
  if (example.python) {
    const call = pythonCall(example.python, example);
    return `from rondo import Rondo\n\nclient = Rondo()\n${example.isSilent ? "" : "answer = "}client.${call}`;
  }
  const sent = request.body === undefined ? "" : `\n    json=${literal(request.body, PYTHON, "    ")},`;
  return `import os\nimport httpx\n\nresponse = httpx.request(
    "${request.method}",
    "${URL_OF}${request.path}",
    headers={"Authorization": f"Bearer {os.environ['RONDO_API_KEY']}"},${sent}
)
answer = response.json()["data"]`;
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
