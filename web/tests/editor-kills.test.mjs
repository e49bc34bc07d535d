// The browser is killed while a film is edited: at most a second of edits is lost. RONDO_KILLS says how often (20).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { createOperator } from "./browser.mjs";
import { within } from "./deadline.mjs";
import { addText, createFilm, editorOf, openFilm } from "./editor.mjs";
import { startService } from "./service.mjs";

const KILLS = Number(process.env.RONDO_KILLS ?? 20);
const profile = mkdtempSync(join(tmpdir(), "rondo-profile-"));
let service;
let running;

before(async () => {
  service = await startService();
});

after(async () => {
  await running?.kill();
  await service?.stop();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** A Chromium with the same profile each time, that can be killed like a crashed one. */
async function launch() {
  const child = spawn(
    process.env.CHROMIUM ?? "/usr/bin/chromium",
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
  const address = await within(
    60,
    () => "Chromium to start",
    new Promise((found) => {
      let text = "";
      child.stderr.on("data", (part) => {
        text += part;
        const match = /listening on (ws:\S+)/.exec(text);
        if (match) found(match[1]);
      });
    }),
  );
  const browser = await chromium.connectOverCDP(address);
  const context = browser.contexts()[0];
  const page = await context.newPage();
  const gone = new Promise((done) => child.on("exit", done));
  return {
    page,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, "SIGKILL");
      await gone;
      await browser.close().catch(() => undefined);
    },
  };
}

test(`${KILLS} kills lose at most a second of edits each`, async () => {
  let id;
  let cookies = [];
  let lost = 0;
  /** The times at which numbers were written. */
  let written = new Map();
  let killedAt = 0;
  for (let count = 0; count <= KILLS; count++) {
    running = await launch();
    const { page, kill } = running;
    page.setDefaultTimeout(30_000);
    // A killed browser may forget cookies of the last half minute: that is no matter of the film's.
    await page.context().addCookies(cookies);
    if (!id) {
      await createOperator(page, service.url);
      cookies = await page.context().cookies();
      id = await createFilm(page, [addText(1, "Edited")]);
    }
    await openFilm(page, id, service.url);
    if (count > 0) {
      const kept = await editorOf(page, (editor) => editor.document().overlays[0].left);
      const firstLost = written.get(kept + 1) ?? killedAt;
      lost = Math.max(lost, killedAt - firstLost);
      assert.ok(killedAt - firstLost <= 1000, `kill ${count}: ${killedAt - firstLost} ms of edits were lost`);
    }
    if (count === KILLS) {
      await kill();
      break;
    }
    written = new Map();
    await page.exposeFunction("wrote", (number) => written.set(number, Date.now()));
    const from = 1 + count * 100_000;
    await editorOf(
      page,
      (editor, first) => {
        let next = first;
        setInterval(() => {
          editor.apply({ op: "set", id: 1, path: "left", value: next }, { name: "Move" });
          window.wrote(next++);
        }, 15);
      },
      from,
    );
    const begun = async () => {
      while (written.size < 10) await new Promise((done) => setTimeout(done, 20));
    };
    await within(60, () => `edits before kill ${count + 1}`, begun());
    // Up to two seconds later: before the first save, during saves, between them.
    await new Promise((done) => setTimeout(done, (count * 379) % 2000));
    killedAt = Date.now();
    await kill();
  }
  console.log(`${KILLS} kills: at most ${lost} ms of edits were lost`);
});
