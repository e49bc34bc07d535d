// Measures the editor in Chromium: how long a film of an hour takes to open, how smooth its timeline is, and how soon a gesture is painted.
//
//     node web/bench.mjs
//
// Run it alone on an idle machine, with RONDO_PROGRAM naming a release build.
import { loadavg } from "node:os";
import { createOperator, openPage, startBrowser } from "./tests/browser.mjs";
import { openFilm } from "./tests/editor.mjs";
import { startService } from "./tests/service.mjs";

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const page = await openPage(browser, service.url);

const overlay = (id, row, from, durationInFrames, more) => ({
  ...{ id, type: "text", row, from, durationInFrames, content: `Text ${id}` },
  ...{ left: 200, top: 200, width: 600, height: 120, rotation: 0, ...more },
});
const film = (overlays, durationInFrames) => ({ width: 1280, height: 720, fps: 30, durationInFrames, overlays });
const LONG = film(
  Array.from({ length: 500 }, (_, at) => overlay(at + 1, at % 6, Math.floor(at / 6) * 1280, 600 + at)),
  108_000,
);
const SHORT = film(
  [1, 2, 3, 4].map((id) => overlay(id, id, 0, 300, { top: 150 * id, styles: { color: "#ffffff", fontSize: "64px" } })),
  300,
);

const create = (composition) =>
  page.evaluate(async (film) => {
    const body = JSON.stringify({ name: "Bench", composition: film });
    const headers = { "content-type": "application/json" };
    return (await (await fetch("/api/v1/projects", { method: "POST", headers, body })).json()).data.id;
  }, composition);

const report = (name, times, unit = "ms") => {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  console.log(`${name}: median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)} ${unit} (${sorted.length})`);
};

/** The time between the frames the browser shows while something happens. */
async function framesDuring(act) {
  await page.evaluate(() => {
    globalThis.times = [];
    globalThis.last = performance.now();
    const tick = (now) => {
      globalThis.times.push(now - globalThis.last);
      globalThis.last = now;
      globalThis.ticking = requestAnimationFrame(tick);
    };
    globalThis.ticking = requestAnimationFrame(tick);
  });
  await act();
  return page.evaluate(() => {
    cancelAnimationFrame(globalThis.ticking);
    return globalThis.times.slice(2);
  });
}

/** The time from each event that changed the film to the frame that shows it. */
async function paintsDuring(act) {
  await page.evaluate(() => {
    globalThis.paints = [];
    let [pending, input] = [[], 0];
    for (const type of ["pointermove", "keydown"]) addEventListener(type, (event) => (input = event.timeStamp), true);
    globalThis.rondo.editor.on("change", () => pending.push(input));
    document.querySelector("rondo-player").addEventListener("frame", () => {
      globalThis.paints.push(...pending.map((since) => performance.now() - since));
      pending = [];
    });
  });
  await act();
  return page.evaluate(() => globalThis.paints);
}

const rest = (milliseconds) => page.waitForTimeout(milliseconds);
const timeline = page.getByRole("region", { name: "Timeline" });

async function dragBy(from, by, steps = 120) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await rest(200);
  for (let part = 1; part <= steps; part++) {
    await page.mouse.move(from.x + (by.x * part) / steps, from.y + (by.y * part) / steps);
    await rest(12);
  }
  await page.mouse.up();
  await rest(500);
}

async function measureLongFilm() {
  const id = await create(LONG);
  const opened = [];
  for (let turn = 0; turn < 5; turn++) {
    await page.goto("/dashboard");
    await rest(1000);
    const start = performance.now();
    await page.goto(`/edit/${id}`);
    await page.waitForFunction(
      () => document.querySelector("[data-clip]") && document.querySelector("rondo-player")?.exact,
    );
    opened.push((performance.now() - start) / 1000);
  }
  report("open a film of 500 overlays and 60 minutes", opened, "s");
  await rest(1500);
  const box = await timeline.locator("[data-part=tracks]").boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + 60 };
  await page.mouse.move(middle.x, middle.y);
  const wheel = async (times, x, y) => {
    for (let turn = 0; turn < times; turn++) {
      await page.mouse.wheel(x, y);
      await rest(16);
    }
  };
  await page.keyboard.down("Control");
  report("timeline, zoom: frame", await framesDuring(() => wheel(200, 0, -12)));
  await page.keyboard.up("Control");
  report("timeline, scroll: frame", await framesDuring(() => wheel(120, 60, 0)));
  const clip = await timeline.locator("[data-clip]").first().boundingBox();
  const left = Math.max(clip.x, box.x);
  const right = Math.min(clip.x + clip.width, box.x + box.width);
  const centre = { x: (left + right) / 2, y: clip.y + clip.height / 2 };
  report("timeline, move: frame", await framesDuring(() => dragBy(centre, { x: 150, y: 0 })));
  await page.keyboard.press("Control+z");
  await timeline.getByRole("button", { name: "Zoom to fit" }).click();
  await page.mouse.move(middle.x, middle.y);
  const edge = () =>
    page.evaluate((tracks) => {
      const clips = [...document.querySelectorAll("[data-clip]")].map((each) => each.getBoundingClientRect());
      const seen = clips.find(({ left, right, width }) => width > 60 && left > tracks.x && right < tracks.x + 600);
      return seen && { x: seen.right - 3, y: seen.y + seen.height / 2 };
    }, box);
  await page.keyboard.down("Control");
  for (let turn = 0; turn < 100 && !(await edge()); turn++) await wheel(1, 0, -40);
  await page.keyboard.up("Control");
  const end = await edge();
  report("timeline, trim: frame", await framesDuring(() => dragBy(end, { x: 100, y: 0 })));
}

async function measureShortFilm() {
  await openFilm(page, await create(SHORT));
  await page.waitForFunction(() => document.querySelector("rondo-player")?.exact);
  await rest(1500);
  await page.evaluate(() => globalThis.rondo.editor.select([1]));
  const slider = page.locator('[data-path="styles.opacity"] input[type=range]');
  await slider.scrollIntoViewIfNeeded();
  await slider.focus();
  const press = async () => {
    for (let turn = 0; turn < 90; turn++) {
      await page.keyboard.press(turn % 60 < 30 ? "ArrowLeft" : "ArrowRight");
      await rest(40);
    }
  };
  report("inspector slider to pixels", await paintsDuring(press));
  const at = await page.evaluate(() => {
    const box = document.querySelector("rondo-player").getBoundingClientRect();
    return { x: box.x + (box.width * 500) / 1280, y: box.y + (box.height * 210) / 720 };
  });
  report("canvas, move to pixels", await paintsDuring(() => dragBy(at, { x: 100, y: 60 })));
}

try {
  await createOperator(page);
  await measureLongFilm();
  await measureShortFilm();
  console.log(`load ${loadavg()[0].toFixed(1)}`);
} finally {
  await browser.close();
  await service.stop();
}
