// The package as npm installs it from its archive, without a network.
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Installs the package in an empty folder. Returns where it is. */
export function installPackage(folder) {
  const run = (...args) => execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  run("pack", "--silent", "--pack-destination", folder, join(root, "packages/typescript"));
  const [archive] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("install", "--offline", "--no-audit", "--no-fund", "--silent", `./${archive}`);
  return join(folder, "node_modules/@rondo/sdk");
}
