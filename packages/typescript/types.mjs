// Writes src/api.gen.ts, the types of the API, from its OpenAPI document. Fields that hold a name have the type of their names.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "../../web/node_modules/openapi-typescript/dist/index.mjs";
import ts from "../../web/node_modules/typescript/lib/typescript.js";

const read = (path) => JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));
const document = read("../../web/openapi/api.json");
const names = read("../names.json");

const found = new Set();
const types = await openapiTS(document, {
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  inject: `import type { ${[...new Set(Object.values(names))].sort().join(", ")} } from "./names.gen.js";\n`,
  transform(schema, { path = "" }) {
    const field = path.split("/").slice(-2).join(".");
    const name = path.startsWith("#/components/schemas/") ? names[field] : undefined;
    if (!name) return undefined;
    found.add(field);
    const reference = ts.factory.createTypeReferenceNode(name);
    const number = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
    return [schema.type].flat().includes("number") ? ts.factory.createUnionTypeNode([reference, number]) : reference;
  },
});
const missing = Object.keys(names).filter((field) => !found.has(field));
if (missing.length) throw new Error(`packages/names.json: the format has no ${missing.join(", ")}`);
writeFileSync(join(import.meta.dirname, "src/api.gen.ts"), astToString(types));
