// Measures the player in Chromium with the bench films and prints one line per figure: node bench.mjs [film…].
//
//   MEMORY=1     each film also plays five times, and the memory of its tab is told
//   MINUTES=10   instead, each film plays round and round for so long, and the growth of its tab is told
//   MOUNTS=100   instead, so many players are put into a page and taken out: the workers and the memory that are left
//   TYPING=40    instead, so many keystrokes on the template page; RONDO_PROGRAM names the program (target/debug/rondo)
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { memory } from "./bench/memory.mjs";
import { prepare } from "./bench/page.mjs";
import { startService } from "./tests/site.mjs";

const films = process.argv.length > 2 ? process.argv.slice(2) : ["text", "slides", "static", "effects", "video"];
const [MINUTES, MOUNTS, TYPING] = ["MINUTES", "MOUNTS", "TYPING"].map((name) => Number(process.env[name] ?? 0));
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--autoplay-policy=no-user-gesture-required",
];
/** Seeks that are told one by one. */
const WORST = 10;
/** Seconds between looks at the memory of a film that plays. */
const LOOK_EVERY = 10;

const say = (film, what, figure) => console.log(`${film.padEnd(8)} ${what.padEnd(44)} ${figure}`);
const percentile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const mean = (values) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

/** Measures one film in a page of a new browser. */
async function measureFilm(service, film) {
  const profile = mkdtempSync(join(tmpdir(), "rondo-bench-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  await browser.addInitScript(prepare);
  const page = await browser.newPage();
  const src = `/films/${film}.json`;
  if (MOUNTS) await measureMounts(service, page, film, src);
  else {
    await page.goto(service.url);
    const cold = await page.evaluate((src) => measure.ready(src), src);
    if (MINUTES) await measureGrowth(page, film);
    else await measurePlayer(service, page, film, src, cold);
  }
  await browser.close();
  rmSync(profile, { recursive: true });
}

async function measurePlayer(service, page, film, src, cold) {
  say(film, "first exact frame, cold (ms)", Math.round(cold));
  const warm = [];
  for (let turn = 0; turn < 3; turn++) {
    await page.goto("about:blank");
    await page.goto(service.url);
    warm.push(Math.round(await page.evaluate((src) => measure.ready(src), src)));
  }
  say(film, "first exact frame, warm (ms)", warm.join(" "));
  const played = await page.evaluate(() => measure.play(8));
  say(film, "playing: clock / wall", played.clock.toFixed(3));
  const [shown, exact] = [played.shown, played.exact].map((part) => `${(part * 100).toFixed(1)} %`);
  say(film, "playing: frames shown, exact", `${shown}, ${exact}`);
  say(film, "playing: tasks of the page over 50 ms", played.long.length ? played.long.join(" ") : "none");
  if (process.env.MEMORY) {
    await page.evaluate(() => measure.loops(5));
    say(film, "memory of the tab after five loops (MB)", memory());
  }
  const scrub = await page.evaluate(() => measure.scrub(40));
  const worst = scrub.toSorted((a, b) => b[2] - a[2]).slice(0, WORST);
  say(film, "scrub to paint, p50 p95 (ms)", both(scrub.map(([, painted]) => painted)));
  say(film, "scrub to exact, p50 p95 (ms)", both(scrub.map(([, , exact]) => exact)));
  say(
    film,
    "scrub to exact, worst (ms at frame)",
    worst.map(([at, , exact]) => `${Math.round(exact)} at ${at}`).join(", "),
  );
  const typed = await page.evaluate(() => measure.type(40));
  if (typed.length) say(film, "change to pixels, p50 p95 (ms)", both(typed));
}

const both = (values) => [0.5, 0.95].map((part) => Math.round(percentile(values, part))).join(" ");

/** The memory of the tab while the film plays: the mean of the second fifth of the time and of the last. */
async function measureGrowth(page, film) {
  await page.evaluate(() => measure.turn());
  const looks = [];
  for (let second = 0; second < MINUTES * 60; second += LOOK_EVERY) {
    await page.waitForTimeout(LOOK_EVERY * 1000);
    looks.push(memory());
  }
  const fifth = Math.max(1, Math.floor(looks.length / 5));
  const [early, late] = [mean(looks.slice(fifth, fifth * 2)), mean(looks.slice(-fifth))];
  say(film, `memory over ${MINUTES} minutes: early, late, most (MB)`, `${early} ${late} ${Math.max(...looks)}`);
}

async function measureMounts(service, page, film, src) {
  await page.goto(`${service.url}/empty`);
  const mount = (count) => page.evaluate(([count, src]) => measure.mounts(count, src), [count, src]);
  await mount(1);
  const before = memory();
  await mount(MOUNTS);
  say(film, `workers left after ${MOUNTS} mounts`, page.workers().length);
  say(film, `memory before and after ${MOUNTS} mounts (MB)`, `${before} ${memory()}`);
}

console.log(`load average ${loadavg()[0].toFixed(2)}`);
if (TYPING) {
  const { typing } = await import("./bench/typing.mjs");
  say("template", "keystroke to pixels, p50 p95 (ms)", both(await typing(TYPING)));
} else {
  const service = await startService();
  for (const film of films) await measureFilm(service, film);
  await service.close();
}
