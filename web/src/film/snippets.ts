/** Code samples for a request. */

export type Language = "curl" | "javascript" | "python";
export const LANGUAGES = [
  ["curl", "curl"],
  ["javascript", "JavaScript"],
  ["python", "Python"],
] as const;

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

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

export function snippet(language: Language, body: unknown): string {
  const url = `${location.origin}/api/v1/renders`;
  const text = JSON.stringify(body, null, 2);
  switch (language) {
    case "curl":
      return `curl -X POST ${url} \\
  -H "Authorization: Bearer $RONDO_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<'JSON'
${text}
JSON`;
    case "javascript":
      return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.RONDO_API_KEY}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${indent(text, "  ")}),
});
const { data } = await response.json();
console.log(data.jobId);`;
    case "python":
      return `import os
import requests

response = requests.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['RONDO_API_KEY']}"},
    json=${python(body, "    ")},
)
print(response.json()["data"]["jobId"])`;
  }
}

/** The first request of the getting-started guide. */
export function quickstartRequest(apiKey: string): string {
  return `curl -X POST ${location.origin}/api/v1/renders \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"templateId": "tpl_quote_card", "replacements": {"quote": "Made with one request."}}'`;
}
