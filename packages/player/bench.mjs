// Measures the player in Chromium with the bench films and prints one line per figure: node bench.mjs [film…].
// With MEMORY=1 each film also plays five times and its memory is told.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startService } from "./tests/site.mjs";

const films = process.argv.length > 2 ? process.argv.slice(2) : ["text", "slides", "static", "effects", "video"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--autoplay-policy=no-user-gesture-required",
];
const service = await startService();
const say = (film, what, figure) => console.log(`${film.padEnd(8)} ${what.padEnd(44)} ${figure}`);
const percentile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];

/** Megabytes of the largest tab that this process started. */
function memory() {
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

/** Runs in the page before anything else. */
function prepare() {
  globalThis.long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries())).observe({
    type: "longtask",
    buffered: true,
  });
  globalThis.measure = {
    async ready(src) {
      const player = document.querySelector("rondo-player");
      await customElements.whenDefined("rondo-player");
      const ready = new Promise((resolve, reject) => {
        player.addEventListener("ready", resolve, { once: true });
        player.addEventListener("error", ({ detail }) => reject(new Error(detail.message)), { once: true });
      });
      player.src = src;
      await ready;
      return performance.now();
    },
    async play(seconds) {
      const player = document.querySelector("rondo-player");
      const shown = [];
      const listen = ({ detail }) => shown.push([detail.frame, performance.now(), detail.exact]);
      await player.seek(0);
      player.loop = true;
      player.addEventListener("frame", listen);
      await player.play();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 1000));
      await player.pause();
      player.removeEventListener("frame", listen);
      // From the first frame that moved on, up to the first wrap.
      const start = shown.findIndex(([frame]) => frame > 0);
      const wrap = shown.findIndex(([frame], index) => index > start && frame < shown[index - 1][0]);
      const run = shown
        .slice(start, wrap < 0 ? undefined : wrap)
        .filter(([, at]) => at - shown[start][1] <= seconds * 1000);
      const [first, last] = [run[0], run.at(-1)];
      return {
        clock: (((last[0] - first[0]) / player.fps) * 1000) / (last[1] - first[1]),
        shown: new Set(run.map(([frame]) => frame)).size / (last[0] - first[0] + 1),
        exact: run.filter(([, , exact]) => exact).length / run.length,
        long: long
          .filter(({ startTime }) => startTime >= first[1] && startTime <= last[1])
          .map(({ duration }) => Math.round(duration)),
      };
    },
    async loops(count) {
      const player = document.querySelector("rondo-player");
      player.loop = false;
      for (let turn = 0; turn < count; turn++) {
        const ended = new Promise((resolve) => player.addEventListener("ended", resolve, { once: true }));
        await player.play();
        await ended;
      }
    },
    async scrub(count) {
      const player = document.querySelector("rondo-player");
      const times = { painted: [], exact: [] };
      let state = 5;
      for (let turn = 0; turn < count; turn++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const frame = Math.floor((state / 2 ** 32) * player.durationInFrames);
        const start = performance.now();
        const exact = new Promise((resolve) => {
          const listen = ({ detail }) => {
            if (detail.frame !== frame || !detail.exact) return;
            player.removeEventListener("frame", listen);
            resolve(performance.now());
          };
          player.addEventListener("frame", listen);
        });
        await player.seek(frame);
        times.painted.push(performance.now() - start);
        times.exact.push((await exact) - start);
      }
      return times;
    },
    async type(count) {
      const player = document.querySelector("rondo-player");
      const film = structuredClone(player.composition);
      const text = film.overlays.find(({ type }) => type === "text");
      if (!text) return [];
      const times = [];
      for (let turn = 0; turn < count; turn++) {
        text.content = `Typing ${"abcdefghij".slice(0, (turn % 10) + 1)}`;
        const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
        const start = performance.now();
        player.composition = structuredClone(film);
        await ready;
        times.push(performance.now() - start);
      }
      return times;
    },
  };
}

for (const film of films) {
  const profile = mkdtempSync(join(tmpdir(), "rondo-bench-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  await browser.addInitScript(prepare);
  const page = await browser.newPage();
  const src = `/films/${film}.json`;
  await page.goto(service.url);
  say(film, "first exact frame, cold (ms)", Math.round(await page.evaluate((src) => measure.ready(src), src)));
  const warm = [];
  for (let turn = 0; turn < 3; turn++) {
    await page.goto("about:blank");
    await page.goto(service.url);
    warm.push(Math.round(await page.evaluate((src) => measure.ready(src), src)));
  }
  say(film, "first exact frame, warm (ms)", warm.join(" "));
  const played = await page.evaluate(() => measure.play(8));
  say(film, "playing: clock / wall", played.clock.toFixed(3));
  say(
    film,
    "playing: frames shown, exact",
    `${(played.shown * 100).toFixed(1)} %, ${(played.exact * 100).toFixed(1)} %`,
  );
  say(film, "playing: tasks of the page over 50 ms", played.long.length ? played.long.join(" ") : "none");
  if (process.env.MEMORY) {
    await page.evaluate(() => measure.loops(5));
    say(film, "memory of the tab after five loops (MB)", memory());
  }
  const scrub = await page.evaluate(() => measure.scrub(40));
  say(film, "scrub to paint, p95 (ms)", Math.round(percentile(scrub.painted, 0.95)));
  say(film, "scrub to exact, p95 (ms)", Math.round(percentile(scrub.exact, 0.95)));
  const typed = await page.evaluate(() => measure.type(40));
  if (typed.length)
    say(
      film,
      "change to pixels, p50 p95 (ms)",
      `${Math.round(percentile(typed, 0.5))} ${Math.round(percentile(typed, 0.95))}`,
    );
  await browser.close();
  rmSync(profile, { recursive: true });
}
await service.close();
