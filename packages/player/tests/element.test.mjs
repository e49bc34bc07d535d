// The contract of <rondo-player>: attributes, properties, methods, events, policies.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { clipFilm, startOtherSite, startService, textFilm } from "./site.mjs";

const folder = join(tmpdir(), "rondo-player-clips");
let service;
let browser;

/** A PNG file of 320 by 180 pixels of one colour. */
const picture = (colour) =>
  execFileSync("ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", `color=${colour}:s=320x180,format=rgb24`],
    ...["-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"],
  ]);

/** An overlay in front of a small film. */
const image = (src) => ({
  ...{ id: 3, type: "image", from: 0, durationInFrames: 60, row: 0 },
  ...{ left: 0, top: 0, width: 320, height: 180, src },
});

before(async () => {
  service = await startService();
  browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
});

after(async () => {
  await browser?.close();
  await service?.close();
});

/** Opens a page; its console errors fail the test. */
async function open(t, url = service.url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 700, height: 560 }, ...options });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  t.after(async () => {
    await page.close();
    assert.deepEqual(errors, [], "console errors");
  });
  await page.goto(url);
  await page.evaluate(() => {
    globalThis.player = document.querySelector("rondo-player");
    globalThis.events = [];
    for (const type of ["ready", "frame", "play", "pause", "ended", "waiting", "warning", "error"])
      player?.addEventListener(type, ({ detail }) => events.push({ type, detail }));
    globalThis.once = (type) => new Promise((resolve) => player.addEventListener(type, resolve, { once: true }));
    globalThis.hash = async ({ data }) =>
      [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16)).join("");
    globalThis.show = async (film) => {
      const ready = once("ready");
      const refused = once("error").then(({ detail }) => Promise.reject(new Error(detail.message)));
      player.composition = film;
      await Promise.race([ready, refused]);
    };
  });
  return page;
}

test("ready follows each change, after the frame at the playhead", async (t) => {
  const page = await open(t);
  const events = await page.evaluate(
    async ([one, two]) => {
      await show(one);
      await player.seek(25);
      await show(two);
      return events;
    },
    [textFilm("One"), textFilm("Two", 20)],
  );
  assert.deepEqual(
    events.map(({ type, detail }) => [type, detail?.frame, detail?.exact]),
    [
      ["frame", 0, true],
      ["ready", undefined, undefined],
      ["frame", 25, true],
      ["frame", 19, true],
      ["ready", undefined, undefined],
    ],
  );
});

test("src names a composition or a preview; properties tell of the film", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async () => {
    const ready = once("ready");
    player.src = "/films/text.json";
    await ready;
    const { durationInFrames, fps, currentFrame, currentTime, paused, volume, playbackRate, exact } = player;
    return { durationInFrames, fps, currentFrame, currentTime, paused, volume, playbackRate, exact };
  });
  assert.deepEqual(told, {
    durationInFrames: 300,
    fps: 30,
    currentFrame: 0,
    currentTime: 0,
    paused: true,
    volume: 1,
    playbackRate: 1,
    exact: true,
  });
});

test("frame(n) paints the composition set at the call and leaves the playhead", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(
    async ([one, two]) => {
      await show(one);
      await player.seek(30);
      const alone = await hash(await player.frame(40));
      const early = player.frame(40);
      player.composition = two;
      const late = player.frame(40);
      const image = await early;
      const refused = await player.frame(60).catch((error) => error.message);
      return {
        size: [image.width, image.height],
        opaque: image.data.every((value, index) => index % 4 !== 3 || value === 255),
        same: (await hash(image)) === alone,
        other: (await hash(await late)) !== alone,
        playhead: player.currentFrame,
        refused,
      };
    },
    [textFilm("One"), textFilm("Two")],
  );
  assert.deepEqual(told, {
    size: [320, 180],
    opaque: true,
    same: true,
    other: true,
    playhead: 30,
    refused: "The film has frames 0 to 59, not 60.",
  });
});

test("plays to the end in the film's time, frame by frame", async (t) => {
  const page = await open(t);
  const { events, wall } = await page.evaluate(
    async (film) => {
      await show(film);
      events.length = 0;
      const ended = once("ended");
      await player.play();
      const start = performance.now();
      await ended;
      return { events, wall: performance.now() - start };
    },
    textFilm("Play", 60),
  );
  const frames = events.filter(({ type }) => type === "frame").map(({ detail }) => detail.frame);
  assert.ok(Math.abs(wall - 2000) < 150, `${wall} ms`);
  assert.deepEqual(
    frames,
    [...new Set(frames)].sort((a, b) => a - b),
    "each frame once, in order",
  );
  assert.ok(frames.length >= 50, `${frames.length} of 59 frames`);
  assert.equal(events[0].type, "play");
  assert.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ["pause", "ended"],
  );
});

test("loop starts again; pause rests on an exact frame; step moves by frames", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(
    async (film) => {
      await show(film);
      player.loop = true;
      await player.play();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await player.pause();
      const wrapped = events.some(
        ({ type, detail }, index) => type === "frame" && detail.frame < (events[index - 1]?.detail?.frame ?? 0),
      );
      await player.step(1);
      const stepped = player.currentFrame;
      await player.step(-1);
      return { wrapped, moved: stepped - player.currentFrame, exact: player.exact, paused: player.paused };
    },
    textFilm("Loop", 20),
  );
  assert.deepEqual(told, { wrapped: true, moved: 1, exact: true, paused: true });
});

test("a seek into a large film shows half the size first, and the exact frame where it rests", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(
    async (film) => {
      const player = document.querySelector("rondo-player");
      const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
      player.composition = film;
      await ready;
      const shown = [];
      player.addEventListener("frame", ({ detail }) => shown.push([detail.frame, detail.exact]));
      const exact = new Promise((resolve) =>
        player.addEventListener("frame", ({ detail }) => detail.frame === 30 && detail.exact && resolve()),
      );
      await Promise.all([10, 20, 30].map((frame) => player.seek(frame)));
      const first = player.exact;
      await exact;
      return { first, passed: shown.some(([frame, exact]) => frame < 30 && exact), last: shown.slice(-2) };
    },
    { ...textFilm("Large"), width: 1920, height: 1080 },
  );
  const last = [
    [30, false],
    [30, true],
  ];
  assert.deepEqual(told, { first: false, passed: false, last });
});

test("many changes at once end with the last film, painted once", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(
    async (films) => {
      await show(films[0]);
      events.length = 0;
      const ready = once("ready");
      for (const film of films) player.composition = film;
      await ready;
      const shown = await hash(await player.frame(player.currentFrame));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return {
        readies: events.filter(({ type }) => type === "ready").length,
        shown,
        content: player.composition.overlays[0].content,
      };
    },
    Array.from({ length: 20 }, (_, index) => textFilm(`Text ${index}`)),
  );
  assert.equal(told.readies, 1);
  assert.equal(told.content, "Text 19");
});

test("an unreadable film is an error with a sentence", async (t) => {
  const page = await open(t);
  const detail = await page.evaluate(async () => {
    const failed = once("error");
    player.composition = { overlays: [] };
    return (await failed).detail;
  });
  assert.match(detail.message, /\S+ .*\.$/);
});

test("snapshot is a PNG of the frame", async (t) => {
  const page = await open(t);
  const told = await page.evaluate(async (film) => {
    await show(film);
    await player.seek(30);
    const blob = await player.snapshot();
    const picture = await createImageBitmap(blob);
    return [blob.type, picture.width, picture.height];
  }, textFilm());
  assert.deepEqual(told, ["image/png", 320, 180]);
});

test("the keyboard plays, steps, jumps and goes full screen", async (t) => {
  const page = await open(t);
  await page.evaluate((film) => show(film), textFilm("Keys", 600));
  await page.locator("rondo-player .stage").click();
  await page.waitForFunction(() => !player.paused);
  const keys = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
    await page.waitForTimeout(150);
    return page.evaluate(() => player.currentFrame);
  };
  const paused = () => page.evaluate(() => player.paused);
  await keys("Space");
  assert.equal(await paused(), true);
  await keys("k");
  assert.equal(await paused(), false);
  await keys("K");
  assert.equal(await paused(), true);
  assert.equal(await keys("Home"), 0);
  assert.equal(await keys("ArrowRight", "ArrowRight"), 2);
  assert.equal(await keys("ArrowLeft"), 1);
  assert.equal(await keys("l"), 151);
  assert.equal(await keys("j"), 1);
  assert.equal(await keys("End"), 599);
  await keys("f");
  assert.equal(await page.evaluate(() => document.fullscreenElement === player), true);
});

test("captions can be turned off; frame(n) keeps them", async (t) => {
  const page = await open(t);
  const film = textFilm("Below");
  film.overlays.unshift({
    id: 2,
    type: "caption",
    from: 0,
    durationInFrames: 60,
    row: 0,
    left: 10,
    top: 110,
    width: 300,
    height: 60,
    captions: [
      {
        text: "Said",
        startMs: 0,
        endMs: 2000,
        timestampMs: null,
        confidence: 1,
        words: [{ word: "Said", startMs: 0, endMs: 2000, confidence: 1 }],
      },
    ],
  });
  const told = await page.evaluate(async (film) => {
    await show(film);
    await player.seek(30);
    const whole = await hash(await player.frame(30));
    player.shadowRoot.querySelector(".captions").click();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const pressed = player.shadowRoot.querySelector(".captions").getAttribute("aria-pressed");
    return { pressed, same: whole === (await hash(await player.frame(30))) };
  }, film);
  assert.deepEqual(told, { pressed: "false", same: true });
});

test("controls have names, fit narrow pages and follow the colour scheme", async (t) => {
  const page = await open(t);
  await page.evaluate((film) => show(film), textFilm());
  for (const label of ["Play", "Full screen"]) assert.equal(await page.getByRole("button", { name: label }).count(), 1);
  const position = page.getByRole("slider", { name: "Position" });
  assert.equal(await position.getAttribute("aria-valuetext"), "0.0 seconds, frame 0 of 59");
  for (const width of [260, 390, 820]) {
    await page.setViewportSize({ width, height: 600 });
    const wider = await page.evaluate(() => {
      const bar = player.shadowRoot.querySelector(".bar");
      return bar.scrollWidth - bar.clientWidth;
    });
    assert.equal(wider, 0, `${width} wide`);
  }
  const background = () =>
    page.evaluate(() => getComputedStyle(player.shadowRoot.querySelector(".bar")).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await background(), "rgb(18, 21, 28)");
});

test("without WebCodecs, frames with video come from the service, and others are painted here", async (t) => {
  const own = await startService();
  t.after(() => own.close());
  const film = textFilm("Over");
  film.overlays.push({ ...clipFilm("/clips/none.mp4", 320, 180, 30).overlays[0], id: 9, row: 3 });
  own.pages["/preview/prv_1"] = JSON.stringify({ composition: film });
  // A frame of the service.
  own.pages["/preview/prv_1.png"] = picture("0x336699");
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.addInitScript(() => {
    delete globalThis.VideoDecoder;
  });
  await page.goto(own.url);
  const told = await page.evaluate(async () => {
    const player = document.querySelector("rondo-player");
    const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
    player.src = "/preview/prv_1";
    await ready;
    const pixel = ({ data }) => [...data.slice(0, 4)];
    return { exact: player.exact, video: pixel(await player.frame(5)), text: pixel(await player.frame(45)) };
  });
  assert.deepEqual(told, { exact: true, video: [0x33, 0x66, 0x99, 255], text: [0x10, 0x20, 0x30, 255] });
  // Sound that is mixed for it makes nothing missing.
  const played = await page.evaluate(async () => {
    const player = document.querySelector("rondo-player");
    await player.play();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await player.pause();
    return { video: [...(await player.frame(6)).data.slice(0, 4)], warnings: player.warnings };
  });
  assert.deepEqual(played, { video: [0x33, 0x66, 0x99, 255], warnings: [] });
  const asked = own.requests.filter((path) => path.endsWith(".png")).length;
  await page.evaluate(() => document.querySelector("rondo-player").frame(50));
  assert.equal(own.requests.filter((path) => path.endsWith(".png")).length, asked);
});

test("a page of another origin embeds it under the documented policy", async (t) => {
  const other = await startOtherSite(service.url);
  t.after(() => other.close());
  const page = await open(t, other.url);
  const exact = await page.evaluate(async (film) => {
    await show(film);
    return player.exact;
  }, textFilm());
  assert.equal(exact, true);
});

test("a hundred mounts and unmounts leave no worker; four players share a page", async (t) => {
  const page = await open(t, `${service.url}/empty`);
  await page.evaluate(async (film) => {
    for (let turn = 0; turn < 100; turn++) {
      const player = document.createElement("rondo-player");
      player.composition = film;
      document.body.append(player);
      if (turn % 10 === 0) await new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
      player.remove();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }, textFilm());
  assert.equal(page.workers().length, 0);
  const four = await open(t, `${service.url}/four`);
  const playing = await four.evaluate(
    async (film) => {
      const players = [...document.querySelectorAll("rondo-player")];
      await Promise.all(
        players.map((player) => {
          const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
          player.composition = film;
          return ready;
        }),
      );
      await Promise.all(players.map((player) => player.play()));
      await new Promise((resolve) => setTimeout(resolve, 700));
      return players.map((player) => player.currentFrame > 5);
    },
    textFilm("Four", 300),
  );
  assert.deepEqual(playing, [true, true, true, true]);
});

test("playing waits for an image that is still loading, and tells so", async (t) => {
  const own = await startService();
  t.after(() => own.close());
  let release;
  own.holds["/late.png"] = new Promise((resolve) => {
    release = resolve;
  });
  own.pages["/late.png"] = picture("0x336699");
  const page = await open(t, own.url);
  const film = textFilm("Late", 300);
  film.overlays.push({ ...image("/late.png"), from: 20, durationInFrames: 280 });
  const before = await page.evaluate(async (film) => {
    player.composition = film;
    const waiting = once("waiting");
    await player.play();
    await waiting;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { before: player.currentFrame < 20, paused: player.paused };
  }, film);
  assert.deepEqual(before, { before: true, paused: false });
  release();
  const after = await page.evaluate(async () => {
    await once("frame");
    const frame = player.currentFrame;
    await player.pause();
    const { data } = await player.frame(player.currentFrame);
    const count = events.filter(({ type }) => type === "waiting").length;
    return { moved: frame > 20, pixel: [...data.slice(0, 3)], count, warnings: player.warnings };
  });
  assert.deepEqual(after, { moved: true, pixel: [0x33, 0x66, 0x99], count: 1, warnings: [] });
});

test("a finger plays, pauses and seeks, on controls that are large enough for it", async (t) => {
  const page = await open(t, service.url, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 700 } });
  await page.evaluate((film) => show(film), textFilm("Touch", 600));
  const paused = () => page.evaluate(() => player.paused);
  const { width, height } = await page
    .locator("rondo-player .play")
    .evaluate(({ offsetWidth: width, offsetHeight: height }) => ({ width, height }));
  assert.ok(width >= 40 && height >= 40, `${width} by ${height}`);
  await page.locator("rondo-player .stage").tap();
  await page.waitForFunction(() => !player.paused && player.currentFrame > 2);
  await page.locator("rondo-player .stage").tap();
  assert.equal(await paused(), true);
  const position = page.locator("rondo-player .position");
  const box = await position.boundingBox();
  await position.tap({ position: { x: box.width / 2, y: box.height / 2 } });
  await page.waitForFunction(() => Math.abs(player.currentFrame - 300) < 20);
  await page.locator("rondo-player .play").tap();
  assert.equal(await paused(), false);
});

test("once fonts and media are loaded, a film never seen before is painted with the service gone", async (t) => {
  mkdirSync(folder, { recursive: true });
  const clip = join(folder, "noise.mp4");
  // More than is read ahead of what is shown.
  const noise = "testsrc2=size=640x360:rate=30:duration=8,noise=alls=60:allf=t";
  const encoding = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "60", "-b:v", "16M", "-pix_fmt", "yuv420p"];
  if (!existsSync(clip)) execFileSync("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", noise, ...encoding, clip]);
  const start = async () => {
    const own = await startService({ "/clips/": folder });
    own.pages["/picture.png"] = picture("0x336699");
    return own;
  };
  const film = (text, at) => {
    const whole = textFilm(text);
    const [video] = clipFilm("/clips/noise.mp4", 200, 180).overlays;
    whole.overlays.push({ ...video, id: 2, row: 3, videoStartTime: at }, { ...image("/picture.png"), left: at * 10 });
    return whole;
  };
  const expected = await (async () => {
    const other = await start();
    t.after(() => other.close());
    const page = await open(t, other.url);
    await page.evaluate((film) => show(film), film("jackdaws", 6));
    return page.evaluate(async () => hash(await player.frame(30)));
  })();
  const own = await start();
  const page = await open(t, own.url);
  await page.evaluate((film) => show(film), film("abcdefghijklmnopqrstuvwxyz", 0));
  // Files are read on while the film rests.
  for (let asked = -1, sent = -1; asked !== own.requests.length || sent !== own.sent(); ) {
    [asked, sent] = [own.requests.length, own.sent()];
    await page.waitForTimeout(1000);
  }
  await page.evaluate((film) => show(film), textFilm("Between"));
  await own.close();
  const told = await page.evaluate(
    async (film) => {
      await show(film);
      return { exact: player.exact, hash: await hash(await player.frame(30)), warnings: player.warnings };
    },
    film("jackdaws", 6),
  );
  assert.deepEqual(told, { exact: true, hash: expected, warnings: [] });
});

test("overlays are outlined and hit where they are seen, with captions or without", async (t) => {
  const page = await open(t);
  const place = (id, row, left, width, more) => ({
    ...{ id, row, left, width, from: 0, durationInFrames: 60, top: 40, height: 100 },
    ...more,
  });
  const said = { startMs: 0, endMs: 2000, confidence: 1 };
  const captions = [{ ...said, text: "Hi", timestampMs: null, words: [{ ...said, word: "Hi" }] }];
  const film = {
    ...textFilm(),
    overlays: [
      place(7, 0, 0, 100, { type: "caption", captions }),
      place(8, 3, 40, 100, { type: "shape", content: "rectangle", rotation: 90, styles: {} }),
      place(9, 2, 60, 100, { type: "text", content: "A", styles: { opacity: 0 } }),
      place(5, 1, 200, 100, { type: "shape", content: "circle", styles: {} }),
    ],
  };
  const told = await page.evaluate(async (film) => {
    await show(film);
    const ask = async () => ({
      outlines: await player.outlines(),
      hits: [await player.hit(80, 90), await player.hit(201, 41), await player.hit(250, 90, 20)],
      said: [await player.said(0, 80, 90), await player.said(1, 80, 90)],
    });
    const captioned = await ask();
    player.focus();
    player.dispatchEvent(new KeyboardEvent("keydown", { key: "c" }));
    return { captioned, plain: await ask() };
  }, film);
  const { captioned, plain } = told;
  assert.deepEqual(captioned.hits, [[0, 1, 2], [], [3]]);
  assert.deepEqual(plain.hits, [[1, 2], [], [3]]);
  assert.deepEqual(
    [captioned.said, plain.said],
    [
      [0, null],
      [null, null],
    ],
    "only captions that are seen have words",
  );
  const list = ({ outlines }) => outlines.map(({ index, id, seen }) => [index, id, seen]);
  assert.deepEqual(list(captioned), [
    [1, 8, true],
    [2, 9, false],
    [3, 5, true],
    [0, 7, true],
  ]);
  assert.deepEqual(list(plain), list(captioned).slice(0, 3));
  const [turned] = captioned.outlines;
  assert.deepEqual(turned.box, { left: 40, top: 40, width: 100, height: 100, rotation: 90 });
  const corners = turned.quad.map((corner) => corner.map(Math.round));
  assert.deepEqual(corners, [
    [140, 40],
    [140, 140],
    [40, 140],
    [40, 40],
  ]);
});
