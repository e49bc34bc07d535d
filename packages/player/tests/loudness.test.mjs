// A film that asks for a loudness is heard as loud as it is rendered.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

/** Runs in the page first: the largest sample of what is scheduled. */
function listen() {
  globalThis.peak = 0;
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) {
    for (const sample of this.buffer.getChannelData(0)) peak = Math.max(peak, Math.abs(sample));
    return start.apply(this, when);
  };
}

/** Runs in the page: the largest sample of the first second of a film. */
async function loudest([film, rest]) {
  const player = document.querySelector("rondo-player");
  const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
  player.composition = film;
  await ready;
  await new Promise((resolve) => setTimeout(resolve, rest));
  peak = 0;
  await player.play();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await player.pause();
  await player.seek(0);
  return peak;
}

test("the loudness of a request is heard, whether there was time to measure it before or not", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "rondo-loudness-"));
  // A tone that measures −20 LUFS.
  const tone = "aevalsrc='0.1*sin(2*PI*997*t)':s=48000:d=20:c=stereo";
  execFileSync("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", tone, "-c:a", "pcm_f32le", join(folder, "tone.wav")]);
  const service = await startService({ "/sounds/": folder });
  const browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
  t.after(async () => {
    await browser.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const page = await browser.newPage();
  await page.addInitScript(listen);
  await page.goto(service.url);
  const inputProps = textFilm("Loud", 600);
  const place = { from: 0, durationInFrames: 600, row: 2, left: 0, top: 0, width: 10, height: 10 };
  inputProps.overlays.push({ id: 2, type: "sound", ...place, src: "/sounds/tone.wav", styles: { volume: 1 } });
  const heard = async (audio, rest) => page.evaluate(loudest, [{ inputProps, audio }, rest]);
  const is = (got, wanted) => assert.ok(Math.abs(got / wanted - 1) < 0.02, `${got} instead of ${wanted}`);
  is(await heard({}, 0), 0.1);
  is(await heard({ loudness: -26 }, 0), 0.0501);
  is(await heard({ loudness: -14 }, 1500), 0.1995);
});
