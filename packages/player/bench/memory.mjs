// Memory of the tabs that this process started.
import { readdirSync, readFileSync } from "node:fs";

/** Megabytes of the largest tab that this process started. */
export function memory() {
  const parents = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, "utf8");
      parents.set(id, stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (id) => id === String(process.pid) || (parents.has(id) && isOurs(parents.get(id)));
  const tabs = [...parents.keys()].filter(isOurs).map((id) => {
    if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) return 0;
    return Number(/Pss:\s+(\d+)/.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]) / 1024;
  });
  return Math.round(Math.max(...tabs));
}
