/** Writes both collections: node integrations/bruno/generate.mjs [FOLDER]. Without a folder, beside this file. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brunoFiles } from "./bruno.mjs";
import { postmanCollection } from "./postman.mjs";
import { folders } from "./requests.mjs";

const target = process.argv[2] ?? import.meta.dirname;
const collection = join(target, "collection");
mkdirSync(collection, { recursive: true });
for (const name of readdirSync(collection))
  if (!name.endsWith(".png")) rmSync(join(collection, name), { recursive: true });
const all = folders();
for (const [path, text] of brunoFiles(all)) {
  mkdirSync(dirname(join(collection, path)), { recursive: true });
  writeFileSync(join(collection, path), text);
}
writeFileSync(join(target, "rondo.postman_collection.json"), postmanCollection(all));
