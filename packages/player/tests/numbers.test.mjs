// Sines, powers and logarithms are the same to the last bit in WebAssembly and on this machine, which pixels show only now and
// then: where overlays are, and what is heard. Needs RONDO_PROGRAM, beside which are the examples of the same build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { Engine, engineModule } from "./engine.mjs";

const skip = !process.env.RONDO_PROGRAM && "RONDO_PROGRAM is not set";
const root = resolve(import.meta.dirname, "../../..");
const registry = JSON.parse(readFileSync(join(root, "web/docs/registry.json"), "utf8"));

/** The corners of the overlays at each frame, and the mix, of a film on this machine. */
function native(film) {
  const folder = mkdtempSync(join(tmpdir(), "rondo-numbers-"));
  try {
    const [file, sound] = [join(folder, "film.json"), join(folder, "mix")];
    writeFileSync(file, JSON.stringify(film));
    const program = join(dirname(process.env.RONDO_PROGRAM), "examples/numbers");
    const printed = execFileSync(program, [file, sound], { encoding: "utf8", maxBuffer: 1 << 28 });
    return { corners: printed.trim().split("\n").map(JSON.parse), mix: new Uint8Array(readFileSync(sound)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function opened(film) {
  const engine = new Engine(engineModule(), "");
  engine.call("open", JSON.stringify({ composition: film }));
  assert.equal(engine.answer().error, undefined);
  return engine;
}

/** A film of shapes, one for every animation, easing and motion, each turned a little further. */
function movingFilm(frames) {
  const names = (kind) => registry[kind].map(({ name }) => name);
  const styles = [
    ...names("animations").map((name) => ({ animation: { enter: name, exit: name } })),
    ...names("during").map((during) => ({ animation: { during, duringSpeed: 1.3 } })),
    ...names("easings").map((easing) => ({ staggeredMotion: { x: [-90, 70], rotate: [0, 77], duration: 40, easing } })),
    { transform: "perspective(500px) rotate3d(1, 2, 3, 40deg) skew(11deg, 7deg)" },
  ];
  const shape = (styles, index) => ({
    id: index + 1,
    type: "shape",
    from: 0,
    durationInFrames: frames,
    row: index,
    left: 100 + 3 * index,
    top: 90 + index,
    width: 120 + index,
    height: 80,
    rotation: 2.7 * index,
    content: "rectangle",
    styles: { fill: "#118ab2", ...styles },
  });
  const [width, height] = [1280, 720];
  return { width, height, fps: 30, durationInFrames: frames, overlays: styles.map(shape) };
}

test("overlays are at the same places", { skip }, () => {
  const frames = 90;
  const film = movingFilm(frames);
  const { corners } = native(film);
  assert.equal(corners.length, frames);
  const engine = opened(film);
  const different = new Set();
  let moved = 0;
  for (let frame = 0; frame < frames; frame++) {
    engine.call("outlines", frame);
    const quads = engine.answer().map(({ quad }) => quad);
    assert.equal(quads.length, film.overlays.length);
    quads.forEach((quad, index) => {
      const [got, wanted] = [JSON.stringify(quad), JSON.stringify(corners[frame][index])];
      if (got !== wanted) different.add(JSON.stringify(film.overlays[index].styles));
      if (frame > 0 && wanted !== JSON.stringify(corners[0][index])) moved++;
    });
  }
  assert.ok(moved > 3000, `only ${moved} places differ from those of the first frame`);
  assert.deepEqual([...different], []);
});

test("what is heard is the same", { skip }, () => {
  const sound = (id, more, styles) => ({
    ...{ id, type: "sound", from: 0, durationInFrames: 180, row: id, left: 0, top: 0, width: 10, height: 10 },
    ...more,
    styles,
  });
  const film = {
    inputProps: {
      ...{ width: 160, height: 90, fps: 30, durationInFrames: 180 },
      overlays: [
        sound(1, { src: "music.wav" }, { volume: 0.9, fadeIn: 1.3, fadeOut: 2.1 }),
        sound(2, { src: "fast.wav", speed: 1.37 }, { volume: 0.8 }),
        sound(3, { src: "voice.wav", name: "voice", from: 50, durationInFrames: 70 }, { volume: 1 }),
      ],
    },
    audio: { loudness: -9.5, ducking: { narration: ["voice"] } },
  };
  const { mix } = native(film);
  const engine = opened(film);
  const [rate, seconds] = [44_100, 8];
  const noise = new Float32Array(2 * rate * seconds);
  for (let index = 0; index < noise.length; index++) noise[index] = (Math.imul(index, 2_654_435_761) >> 16) / 32_768;
  for (const { src } of film.inputProps.overlays) {
    engine.call("sound", src);
    engine.call("samples", src, 0, rate, 2, new Uint8Array(noise.buffer));
    engine.call("samples", src, seconds, rate, 2, new Uint8Array());
  }
  for (;;) {
    engine.call("needs_level", 1);
    if (engine.answer() === null) break;
    engine.call("measure", 1);
  }
  engine.call("mix_from", 0);
  const heard = new Float32Array(mix.buffer);
  assert.equal(heard.length, 6 * 2 * 48_000);
  const different = [];
  for (let second = 0; second < 6; second++) {
    const pointer = engine.call("mix", 48_000);
    const piece = new Float32Array(engine.exports.memory.buffer, pointer, 2 * 48_000);
    const wanted = heard.subarray(second * 2 * 48_000, (second + 1) * 2 * 48_000);
    assert.ok(
      wanted.some((sample) => Math.abs(sample) > 0.1),
      `second ${second} is silent`,
    );
    let [count, most] = [0, 0];
    piece.forEach((sample, index) => {
      const off = Math.abs(sample - wanted[index]);
      if (off > 0) count++;
      most = Math.max(most, off);
    });
    if (count > 0) different.push(`second ${second}: ${count} samples differ by up to ${most}`);
  }
  assert.deepEqual(different, []);
});
