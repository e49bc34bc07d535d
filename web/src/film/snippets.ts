/** Code samples for a request. */

export type Language = "curl" | "typescript" | "python";
export const LANGUAGES = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const;

/** Arguments of the Python client that have other names than the fields of the request. */
const ARGUMENTS: Record<string, string> = {
  inputProps: "composition",
  templateId: "template_id",
  projectId: "project_id",
};

/** JSON as a Python literal. */
function python(value: unknown, by = ""): string {
  const deeper = `${by}    `;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return value.length ? `[\n${value.map((item) => deeper + python(item, deeper)).join(",\n")},\n${by}]` : "[]";
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return entries.length
      ? `{\n${entries.map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${python(item, deeper)}`).join(",\n")},\n${by}}`
      : "{}";
  }
  return JSON.stringify(value);
}

/** The fields of a request as arguments of the Python client. */
function pythonArguments(body: unknown): string {
  return Object.entries((body ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `    ${ARGUMENTS[name] ?? name}=${python(value, "    ")},\n`)
    .join("");
}

export function snippet(language: Language, body: unknown): string {
  const { origin } = location;
  const text = JSON.stringify(body, null, 2);
  switch (language) {
    case "curl":
      return `curl -X POST ${origin}/api/v1/renders \\
  -H "Authorization: Bearer $RONDO_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<'JSON'
${text}
JSON`;
    case "typescript":
      return `import { Rondo } from "@rondo/sdk";

const rondo = new Rondo({ baseUrl: "${origin}", apiKey: process.env.RONDO_API_KEY });
const { jobId } = await rondo.renders.create(${text});
const job = await rondo.renders.wait(jobId);
console.log(job.outputUrl);`;
    case "python":
      return `import os
from rondo import Rondo

client = Rondo(base_url="${origin}", api_key=os.environ["RONDO_API_KEY"])
created = client.renders.create(
${pythonArguments(body)})
job = client.renders.wait(created["jobId"])
print(job["outputUrl"])`;
  }
}

/** The first request of the getting-started guide. */
export function quickstartRequest(apiKey: string): string {
  return `curl -X POST ${location.origin}/api/v1/renders \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"templateId": "tpl_quote_card", "replacements": {"quote": "Made with one request."}}'`;
}
