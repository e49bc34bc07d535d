// Sound is heard when its frame is shown, after pauses and seeks too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

const folder = join(tmpdir(), "rondo-player-clips");
/** Pauses and seeks; 20 take a minute. */
const TURNS = Number(process.env.PLAYER_TURNS ?? 5);

/** Runs in the page first: notes when tones of scheduled sound are heard. */
function listen() {
  globalThis.scheduled = [];
  const { start, stop } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when, offset = 0) {
    const samples = this.buffer.getChannelData(0);
    const tones = [];
    let quiet = 0;
    for (let index = 0; index < samples.length; index++) {
      const loud = Math.abs(samples[index]) > 0.2;
      if (loud && quiet > 4800) tones.push(when + index / this.buffer.sampleRate - offset);
      quiet = loud ? 0 : quiet + 1;
    }
    this.piece = { context: this.context, tones, until: Number.POSITIVE_INFINITY };
    scheduled.push(this.piece);
    return start.call(this, when, offset);
  };
  AudioBufferSourceNode.prototype.stop = function (when) {
    if (this.piece) this.piece.until = this.context.currentTime;
    return stop.call(this, when);
  };
}

/** Runs in the page: milliseconds between each tone and the frame it belongs to. */
async function measure([film, turns]) {
  const player = document.querySelector("rondo-player");
  const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
  player.composition = film;
  await ready;
  const shown = [];
  player.addEventListener("frame", ({ detail }) => !player.paused && shown.push([detail.frame, performance.now()]));
  const offsets = [];
  for (let turn = 0; turn < turns; turn++) {
    shown.length = scheduled.length = 0;
    await player.play();
    await new Promise((resolve) => setTimeout(resolve, 2600));
    // A tone begins each half second: at each fifteenth frame.
    const marks = shown.filter(([frame]) => frame % 15 === 0);
    for (const { context, tones, until } of scheduled) {
      const { contextTime, performanceTime } = context.getOutputTimestamp();
      for (const tone of tones) {
        const heard = performanceTime + (tone - contextTime) * 1000;
        if (tone > until || heard > performance.now() - 100 || heard < shown[0][1]) continue;
        offsets.push(Math.min(...marks.map(([, at]) => Math.abs(at - heard))));
      }
    }
    await player.pause();
    await player.seek((turn * 173) % 500);
  }
  return offsets;
}

test("tones are heard within 25 ms of their frames, and never more than 50 ms off", async (t) => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "beats.wav");
  const tones = "aevalsrc='if(lt(mod(t\\,0.5)\\,0.02)\\,0.8*sin(2*PI*1000*t)\\,0)':s=48000:d=30:c=stereo";
  if (!existsSync(path)) execFileSync("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", tones, path]);
  const service = await startService({ "/clips/": folder });
  const browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
  t.after(() => Promise.all([browser.close(), service.close()]));
  const page = await browser.newPage();
  await page.addInitScript(listen);
  await page.goto(service.url);
  const film = textFilm("Sound", 900);
  const sound = {
    id: 2,
    type: "sound",
    from: 0,
    durationInFrames: 900,
    row: 2,
    left: 0,
    top: 0,
    width: 10,
    height: 10,
  };
  film.overlays.push({ ...sound, src: "/clips/beats.wav", startFromSound: 0, styles: { volume: 1 } });
  const offsets = (await page.evaluate(measure, [film, TURNS])).sort((a, b) => a - b);
  const p95 = offsets[Math.floor(offsets.length * 0.95)];
  t.diagnostic(`${offsets.length} tones: p95 ${p95.toFixed(1)} ms, most ${offsets.at(-1).toFixed(1)} ms`);
  assert.ok(offsets.length >= TURNS * 2, `${offsets.length} tones`);
  assert.ok(p95 <= 25, `p95 ${p95} ms`);
  assert.ok(offsets.at(-1) <= 50, `most ${offsets.at(-1)} ms`);
});
