/**
 * The day on which a file was last changed: from the history of git, or from docs/dates.json, which source archives have instead.
 * `node web/docs/dates.mjs` prints that file.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "./sources.mjs";

/** What pages are made from. */
const SOURCES = ["docs", "web/docs", "web/openapi/api.json", "CHANGELOG.md", ":!docs/pictures"];

/** Days by path, from the output of `git log --format=/%as --name-only`: newest commits come first. */
export function newest(log) {
  const days = new Map();
  let day = "";
  for (const line of log.split("\n")) {
    if (line.startsWith("/")) day = line.slice(1);
    else if (line && !days.has(line)) days.set(line, day);
  }
  return days;
}

function history() {
  const git = (...flags) =>
    execFileSync("git", ["-c", "core.quotePath=off", ...flags], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 << 20,
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    // The last commit of a shallow clone seems to have made every file.
    if (git("rev-parse", "--is-shallow-repository").trim() !== "false") return new Map();
    return newest(git("log", "--format=/%as", "--name-only", "--no-renames", "--relative", "--", ...SOURCES));
  } catch {
    // No git, or no repository.
    return new Map();
  }
}

function stored() {
  return existsSync(join(root, "docs/dates.json")) ? Object.entries(JSON.parse(read("docs/dates.json"))) : [];
}

/** The days of all sources, by their paths. */
export function dates() {
  const found = history();
  return found.size ? found : new Map(stored());
}

/** The last day on which one of the files was changed; null if it is not known. */
export const lastDay = (days, files) =>
  files
    .map((file) => days.get(file))
    .filter(Boolean)
    .sort()
    .at(-1) ?? null;

if (process.argv[1] === import.meta.filename) {
  const days = [...dates()].filter(([file]) => existsSync(join(root, file))).sort();
  console.log(JSON.stringify(Object.fromEntries(days), null, 2));
}
