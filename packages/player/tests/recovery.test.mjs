// What failed once works again, and what is gone is told of: parts of the player, workers, files, pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startBrowser } from "./browser.mjs";
import { clipFilm, startService, textFilm } from "./site.mjs";

const folder = mkdtempSync(join(tmpdir(), "rondo-recovery-"));
const dist = join(import.meta.dirname, "../dist");
/** The path of a part of the player. */
const part = (start) =>
  `/player/${readdirSync(dist).find((name) => name.startsWith(start) && /\.(js|wasm)$/.test(name))}`;
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };
let browser;

const ffmpeg = (...args) => execFileSync("ffmpeg", ["-v", "error", "-y", ...args]);
const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** A PNG file of 320 by 180 pixels of one colour. */
const picture = (colour) =>
  ffmpeg(
    "-f",
    "lavfi",
    "-i",
    `color=${colour}:s=320x180,format=rgb24`,
    "-frames:v",
    "1",
    "-f",
    "image2pipe",
    "-c:v",
    "png",
    "-",
  );

before(async () => {
  for (const [name, colour] of [
    ["one", "red"],
    ["two", "blue"],
  ]) {
    mkdirSync(join(folder, name));
    ffmpeg("-f", "lavfi", "-i", `color=${colour}:s=160x180:r=30:d=2`, ...x264, join(folder, name, "clip.mp4"));
    writeFileSync(join(folder, name, "picture.png"), picture(colour));
    writeFileSync(join(folder, name, "film.json"), JSON.stringify(beside("picture.png", "clip.mp4")));
  }
  // Two key frames.
  ffmpeg(
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=160x180:r=30:d=4",
    ...x264,
    "-g",
    "60",
    "-bf",
    "0",
    join(folder, "moving.mp4"),
  );
  browser = await startBrowser(["--autoplay-policy=no-user-gesture-required"]);
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** An overlay on the left half of a small film. */
function image(src, more) {
  const place = { from: 0, durationInFrames: 60, row: 2, left: 0, top: 0, width: 160, height: 180 };
  return { id: 2, type: "image", ...place, src, ...more };
}

/** A film with an image on the left and a clip on the right. */
function beside(src, clip) {
  const film = { ...clipFilm(clip, 160, 180), width: 320 };
  Object.assign(film.overlays[0], { left: 160 });
  film.overlays.push(image(src));
  return film;
}

/** A page of a service with other files. `headers` as for `serve`. */
async function open(t, headers, pages = {}) {
  const service = await startService({ "/files/": folder }, undefined, headers);
  const known = { ...service.pages };
  Object.assign(service.pages, pages);
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  await page.evaluate(() => {
    globalThis.player = document.querySelector("rondo-player");
    globalThis.errors = [];
    player.addEventListener("error", ({ detail }) => errors.push(detail.message));
    globalThis.soon = (promise, what) =>
      Promise.race([
        promise,
        new Promise((_, reject) => setTimeout(() => reject(new Error(`${what} did not come.`)), 15_000)),
      ]);
    globalThis.once = (type) =>
      soon(new Promise((resolve) => player.addEventListener(type, resolve, { once: true })), type);
    globalThis.show = async (film) => {
      const ready = once("ready");
      if (typeof film === "string") player.src = film;
      else player.composition = film;
      await ready;
    };
    globalThis.pixels = ({ data }) => [20, 200].map((x) => [...data.slice((40 * 320 + x) * 4, (40 * 320 + x) * 4 + 3)]);
    globalThis.codes = () => player.warnings.map(({ code }) => code);
  });
  return { service, page, known };
}

/** Waits until a page asked a service for a file. */
async function requested(service, path) {
  for (let turn = 0; !service.requests.includes(path); turn++) {
    assert.ok(turn < 100, `${path} was not asked for in ten seconds`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const near = (got, wanted) => got.every((value, index) => Math.abs(value - wanted[index]) <= 6);

for (const [what, work] of [
  [
    "call",
    async () => {
      const frame = await soon(player.frame(0), "frame");
      return frame.width === 320;
    },
  ],
  [
    "film",
    async (film) => {
      player.composition = film;
      await soon(player.play(), "play");
      return !player.paused && player.shadowRoot.querySelector(".message").hidden;
    },
  ],
  [
    "server",
    async () => {
      player.setAttribute("server", location.origin);
      await soon(player.play(), "play");
      return !player.paused;
    },
  ],
  [
    "page",
    async () => {
      player.remove();
      await new Promise((resolve) => setTimeout(resolve));
      document.body.append(player);
      await soon(player.play(), "play");
      return !player.paused;
    },
  ],
])
  test(`a player that could not start is started again by the next ${what}`, async (t) => {
    const path = "/player/fonts/index";
    const { service, page, known } = await open(t, undefined, { [path]: "not an index\n" });
    const told = await page.evaluate(async (film) => {
      const failed = once("error");
      player.composition = film;
      await failed;
      await soon(player.frame(0), "frame").catch(() => undefined);
      return errors;
    }, textFilm());
    // The film may be tried again for the call, and fail again.
    assert.ok(told.length >= 2, "the call is an error of its own");
    service.pages[path] = known[path];
    assert.equal(await page.evaluate(work, textFilm("Again")), true);
  });

test("a part that another process of the service has is asked for again", async (t) => {
  const refused = new Set([part("player-"), part("paint-worker")]);
  const { page } = await open(t, (path) => (refused.delete(path) ? null : {}));
  const errors = await page.evaluate(async (film) => {
    await show(film);
    return errors;
  }, textFilm());
  assert.deepEqual(errors, []);
});

test("parts that are gone are an error, after which the module is loaded anew", async (t) => {
  const gone = part("paint-worker");
  const { service, page } = await open(t, (path) => (path === gone ? null : IMMUTABLE));
  const told = await page.evaluate(async (film) => {
    const failed = once("error");
    player.composition = film;
    await failed;
    return [...errors, await soon(player.frame(0), "frame").catch(({ message }) => message)];
  }, textFilm());
  for (const message of told) assert.match(message, /load the page again\. .*paint-worker.* status 404/);
  const modules = service.requests.filter((path) => path === "/player/rondo-player.js").length;
  assert.ok(modules > 1, `${modules} requests for the module`);
});

const withPicture = () => {
  const film = textFilm();
  film.overlays = [{ ...image("/files/one/picture.png"), width: 320 }];
  return film;
};

test("a film without video and sound loads at most 70 kB of script, and what images need before an update", async (t) => {
  let isUpdated = false;
  const { service, page } = await open(t, (path) =>
    /^\/player\/.*-\w{8}\.(js|wasm)$/.test(path) ? (isUpdated ? null : IMMUTABLE) : {},
  );
  await page.evaluate((film) => show(film), textFilm());
  await requested(service, part("image-worker"));
  // What is loaded ahead is loaded a second after the page.
  await page.waitForTimeout(2000);
  const scripts = [...new Set(service.requests.filter((path) => /^\/player\/.*\.js$/.test(path)))];
  const bytes = scripts.map((path) => gzipSync(readFileSync(join(dist, path.slice("/player/".length)))).length);
  assert.ok(scripts.length >= 3, `${scripts}`);
  assert.ok(!scripts.includes(part("media-worker")), "the script for video was loaded");
  const sum = bytes.reduce((sum, bytes) => sum + bytes);
  assert.ok(sum <= 70_000, `${sum} bytes`);
  isUpdated = true;
  const told = await page.evaluate(async (film) => {
    await show(film);
    return [pixels(await soon(player.frame(0), "frame"))[1], codes(), errors];
  }, withPicture());
  assert.ok(near(told[0], [254, 0, 0]), `${told[0]}`);
  assert.deepEqual(told.slice(1), [[], []]);
});

test("a page without a player has its parts before the service is updated", async (t) => {
  let isUpdated = false;
  const service = await startService({ "/files/": folder }, undefined, (path) =>
    /^\/player\/.*-\w{8}\.(js|wasm)$/.test(path) ? (isUpdated ? null : IMMUTABLE) : {},
  );
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  const arrived = new Set();
  page.on("requestfinished", (request) => arrived.add(new URL(request.url()).pathname));
  await page.goto(`${service.url}/empty`);
  for (let turn = 0; !["player-", "paint-worker", "image-worker"].every((start) => arrived.has(part(start))); turn++) {
    assert.ok(turn < 100, `of the parts, ${[...arrived]} arrived in ten seconds`);
    await page.waitForTimeout(100);
  }
  isUpdated = true;
  const told = await page.evaluate(async (film) => {
    const player = document.createElement("rondo-player");
    const shown = new Promise((resolve, reject) => {
      player.addEventListener("ready", resolve);
      player.addEventListener("error", ({ detail }) => reject(new Error(detail.message)));
    });
    document.body.append(player);
    player.composition = film;
    await shown;
    const { data } = await player.frame(0);
    return [[...data.slice((40 * 320 + 200) * 4, (40 * 320 + 200) * 4 + 3)], player.warnings];
  }, withPicture());
  assert.ok(near(told[0], [254, 0, 0]), `${told[0]}`);
  assert.deepEqual(told[1], []);
});

for (const [how, script] of [
  ["is not there", null],
  ["breaks", 'throw new Error("Broken.");'],
])
  test(`where the script for video ${how}, video is missing until it works`, async (t) => {
    const path = part("media-worker");
    let isBroken = true;
    const { service, page } = await open(t, (asked) => (asked === path && isBroken && !script ? null : {}));
    if (script) service.pages[path] = script;
    const films = ["one", "two"].map((name) => beside(`/files/${name}/picture.png`, `/files/${name}/clip.mp4`));
    const first = await page.evaluate(async (film) => {
      await show(film);
      return [codes(), pixels(await soon(player.frame(10), "frame")), errors];
    }, films[0]);
    assert.deepEqual(first[0], ["media-missing"]);
    assert.ok(near(first[1][0], [255, 0, 0]) && near(first[1][1], [0, 0, 0]), `${first[1]}`);
    assert.deepEqual(first[2], []);
    isBroken = false;
    delete service.pages[path];
    const second = await page.evaluate(async (film) => {
      await show(film);
      return [codes(), pixels(await soon(player.frame(10), "frame"))];
    }, films[1]);
    assert.deepEqual(second[0], []);
    assert.ok(near(second[1][1], [0, 0, 254]), `${second[1]}`);
  });

test("a worker for video that breaks while a frame is waited for leaves the frame without it", async (t) => {
  const { service, page } = await open(t);
  const path = part("media-worker");
  service.pages[path] = `VideoDecoder.prototype.decode = () => { setTimeout(() => { throw new Error("Broken."); }); };
VideoDecoder.prototype.flush = () => new Promise(() => {});
${readFileSync(join(dist, path.slice("/player/".length)), "utf8")}`;
  const told = await page.evaluate(
    async (film) => {
      await show(film);
      return [codes(), pixels(await soon(player.frame(10), "frame"))];
    },
    beside("/files/one/picture.png", "/files/one/clip.mp4"),
  );
  assert.deepEqual(told[0], ["media-missing"]);
  assert.ok(near(told[1][0], [255, 0, 0]), `${told[1]}`);
});

test("after the worker for video broke, the next film shows the same video again", async (t) => {
  const { service, page } = await open(t);
  const path = part("media-worker");
  service.pages[path] = `new BroadcastChannel("break").onmessage = () => { throw new Error("Broken."); };
${readFileSync(join(dist, path.slice("/player/".length)), "utf8")}`;
  const told = await page.evaluate(
    async ([film, other]) => {
      await show(film);
      const warned = once("warning");
      new BroadcastChannel("break").postMessage("");
      await warned;
      const before = codes();
      await show(other);
      return [before, codes(), pixels(await soon(player.frame(0), "frame"))[1], player.exact];
    },
    ["one", "two"].map((name) => beside(`/files/${name}/picture.png`, "/files/two/clip.mp4")),
  );
  assert.deepEqual(told[0], ["media-missing"]);
  assert.deepEqual(told[1], []);
  assert.ok(near(told[2], [0, 0, 254]), `${told[2]}`);
  assert.equal(told[3], true);
});

test("where the script for images breaks, they are decoded where they are painted, and files are read on", async (t) => {
  const { service, page } = await open(t);
  service.pages[part("image-worker")] = 'throw new Error("Broken.");';
  const long = join(folder, "long.wav");
  ffmpeg("-f", "lavfi", "-i", "sine=440:d=120:r=48000", "-ac", "2", long);
  const blue = `data:image/png;base64,${picture("blue").toString("base64")}`;
  const film = { ...textFilm(), overlays: [image(blue, { from: 30, durationInFrames: 30 })] };
  const sound = { type: "sound", from: 0, row: 7, src: "/files/long.wav", styles: { volume: 0 } };
  film.overlays.push({ ...film.overlays[0], ...sound, id: 7, durationInFrames: 60 });
  const sent = service.sent();
  await page.evaluate((film) => show(film), film);
  for (let turn = 0; service.sent() - sent < statSync(long).size; turn++) {
    assert.ok(turn < 100, `${service.sent() - sent} bytes were read in ten seconds`);
    await page.waitForTimeout(100);
  }
  const told = await page.evaluate(async () => pixels(await soon(player.frame(50), "frame")));
  assert.ok(near(told[0], [0, 0, 255]), `${told}`);
});

test("files of a server that is busy for a moment are there in the end", async (t) => {
  const { page } = await open(t);
  const film = beside("/files/one/picture.png", "/files/one/clip.mp4");
  film.overlays.push({ ...textFilm().overlays[0], id: 5, row: 0 });
  const refused = new Map();
  await page.route(/\/files\/|\/fonts\/.*\.woff2/, (route) => {
    const path = new URL(route.request().url()).pathname;
    refused.set(path, (refused.get(path) ?? 0) + 1);
    return refused.get(path) <= 2 ? route.fulfill({ status: 503 }) : route.continue();
  });
  const told = await page.evaluate(async (film) => {
    await show(film);
    return [codes(), pixels(await soon(player.frame(0), "frame"))];
  }, film);
  assert.deepEqual(told[0], []);
  assert.ok(near(told[1][0], [255, 0, 0]) && near(told[1][1], [254, 0, 0]), `${told[1]}`);
  assert.ok(refused.size >= 3, `${[...refused]}`);
});

test("a file that could not be read is asked for again when a film uses it again", async (t) => {
  const { service, page } = await open(t);
  const film = { ...textFilm("", 60), overlays: [image("/late.png")] };
  const first = await page.evaluate(async (film) => {
    await show(film);
    return codes();
  }, film);
  assert.deepEqual(first, ["media-missing"]);
  service.pages["/late.png"] = picture("red");
  const told = await page.evaluate(
    async ([film, other]) => {
      await show(other);
      await show(film);
      return [codes(), pixels(await soon(player.frame(0), "frame"))[0]];
    },
    [film, textFilm()],
  );
  assert.deepEqual(told, [[], [255, 0, 0]]);
});

/** Runs in the page: shows films one after the other; for each its warnings, those told until it is ready, and whether it is exact. */
async function warnings(films) {
  const found = [];
  for (const film of films) {
    const told = [];
    const listen = ({ detail }) => told.push(detail.code);
    player.addEventListener("warning", listen);
    await show(film);
    player.removeEventListener("warning", listen);
    found.push({ codes: [...new Set(codes())], told: [...new Set(told)], exact: player.exact });
  }
  return found;
}

test("what is missing is a warning of each film that uses it, told before it is ready", async (t) => {
  const { page } = await open(t);
  const film = { ...textFilm("", 60), overlays: [image("/none.png")] };
  const told = await page.evaluate(warnings, [film, { ...film, backgroundColor: "#405060" }, textFilm()]);
  const missing = { codes: ["media-missing"], told: ["media-missing"], exact: false };
  assert.deepEqual(told, [missing, missing, { codes: [], told: [], exact: true }]);
});

test("so are its fonts", async (t) => {
  const { page } = await open(t, (path) => (/fonts\/inter\/.*\.woff2$/.test(path) ? null : {}));
  const other = textFilm("Typed");
  other.overlays[0].styles.fontFamily = "Roboto";
  const told = await page.evaluate(warnings, [textFilm("Type"), textFilm("Typed"), other]);
  const missing = { codes: ["font-missing"], told: ["font-missing"], exact: false };
  assert.deepEqual(told, [missing, missing, { codes: [], told: [], exact: true }]);
});

test("what the engine finds is told before the film is ready", async (t) => {
  const { page } = await open(t);
  const film = textFilm();
  film.overlays[0].styles.fontFamily = "Nonesuch";
  const [{ codes, told }] = await page.evaluate(warnings, [film]);
  assert.ok(codes.length > 0, "the font does not exist");
  assert.deepEqual(told, codes);
});

test("an image over video is decoded before it is due, and so are those after it", async (t) => {
  const { service, page } = await open(t);
  const path = part("image-worker");
  service.pages[path] = `const channel = new BroadcastChannel("decoded");
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...more) {
  channel.postMessage(message.src);
  return postMessage.call(this, message, ...more);
};
${readFileSync(join(dist, path.slice("/player/".length)), "utf8")}`;
  const names = ["over.png", "after.png"];
  for (const name of names) service.pages[`/${name}`] = picture("green");
  const film = clipFilm("/files/moving.mp4", 160, 180, 120);
  film.overlays[0].durationInFrames = 60;
  film.overlays.push(image("/over.png", { from: 10, durationInFrames: 40 }));
  film.overlays.push(image("/after.png", { id: 3, from: 70, durationInFrames: 40 }));
  const decoded = await page.evaluate(async (film) => {
    const found = [];
    const both = new Promise((resolve) => {
      new BroadcastChannel("decoded").onmessage = ({ data }) => found.push(data) === 2 && resolve();
    });
    await show(film);
    await Promise.race([both, new Promise((resolve) => setTimeout(resolve, 10_000))]);
    return found;
  }, film);
  assert.deepEqual(decoded, ["/over.png", "/after.png"]);
});

test("a file that cannot be read is no warning of the film that was set meanwhile", async (t) => {
  const { service, page } = await open(t);
  let release;
  service.holds["/late.png"] = new Promise((resolve) => {
    release = resolve;
  });
  const film = { ...textFilm("", 60), overlays: [image("/late.png")] };
  await page.evaluate((film) => {
    player.composition = film;
  }, film);
  await requested(service, "/late.png");
  await page.evaluate((film) => show(film), textFilm());
  release();
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => codes()), []);
});

test("a picture that cannot be decoded is replaced by another one; the rest of the clip is shown", async (t) => {
  const { service, page } = await open(t);
  const film = clipFilm("/files/moving.mp4", 160, 180, 120);
  const hashes = (frames) =>
    page.evaluate(
      async ([film, frames]) => {
        await show(film);
        const found = [];
        for (const frame of frames) {
          await soon(player.seek(frame), "seek");
          const { data } = await soon(player.frame(frame), "frame");
          found.push(new Uint8Array(await crypto.subtle.digest("SHA-256", data)).join());
        }
        return { found, codes: codes(), exact: player.exact, seen: (await player.outlines()).map(({ seen }) => seen) };
      },
      [film, frames],
    );
  const whole = await hashes([40, 0, 20, 100]);
  const path = part("media-worker");
  // Those of second 1 to 2.
  service.pages[path] = `const { decode } = VideoDecoder.prototype;
VideoDecoder.prototype.decode = function (chunk) {
  if (chunk.timestamp > 990_000 && chunk.timestamp < 1_990_000) throw new Error("Broken.");
  return decode.call(this, chunk);
};
${readFileSync(join(dist, path.slice("/player/".length)), "utf8")}`;
  await page.reload();
  await page.evaluate(() => document.body.append(document.createElement("rondo-player")));
  await page.evaluate(() => {
    globalThis.player = document.querySelector("rondo-player");
    globalThis.soon = (promise) => promise;
    globalThis.codes = () => player.warnings.map(({ code }) => code);
    globalThis.show = (film) => {
      const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
      player.composition = film;
      return ready;
    };
  });
  const damaged = await hashes([40, 0, 20, 100]);
  assert.equal(damaged.found[0], whole.found[1], "the first picture stands in for the one that is damaged");
  assert.deepEqual(damaged.found.slice(1), whole.found.slice(1));
  assert.deepEqual(damaged.seen, [true]);
  assert.deepEqual(damaged.codes, ["video-approximate"]);
  assert.equal(damaged.exact, false);
});

test("files with the same name beside different films are different files", async (t) => {
  const { page } = await open(t);
  const told = await page.evaluate(async () => {
    const found = [];
    for (const name of ["one", "two", "one"]) {
      await show(`/files/${name}/film.json`);
      found.push(pixels(await soon(player.frame(5), "frame")));
    }
    return found;
  });
  for (const [index, wanted] of [
    [254, 0, 0],
    [0, 0, 254],
    [254, 0, 0],
  ].entries())
    for (const pixel of told[index]) assert.ok(near(pixel, wanted), `film ${index}: ${pixel}`);
});

test("a film that is set while files of the same names are loading is shown; frames of the one before are refused", async (t) => {
  const { service, page } = await open(t);
  let release;
  service.holds["/files/one/clip.mp4"] = new Promise((resolve) => {
    release = resolve;
  });
  t.after(release);
  await page.evaluate(async () => {
    player.src = "/files/one/film.json";
    globalThis.refused = soon(player.frame(5), "frame").then(
      () => "It was painted.",
      ({ message }) => message,
    );
  });
  await requested(service, "/files/one/clip.mp4");
  const told = await page.evaluate(async () => {
    await show("/files/two/film.json");
    return [await refused, pixels(await soon(player.frame(5), "frame")), codes(), errors];
  });
  assert.equal(told[0], "Another film was set.");
  for (const pixel of told[1]) assert.ok(near(pixel, [0, 0, 254]), `${pixel}`);
  assert.deepEqual(told.slice(2), [[], []]);
});

test("a film that cannot be played on is paused, with an error", async (t) => {
  const { page } = await open(t);
  const film = clipFilm("/files/moving.mp4", 160, 180, 60);
  const [overlay] = film.overlays;
  // More times of one file than the engine keeps pictures.
  film.overlays = Array.from({ length: 16 }, (_, index) => ({
    ...{ ...overlay, id: index + 1, row: index + 1, from: 15, durationInFrames: 45, left: index * 10, width: 10 },
    videoStartTime: index / 8,
  }));
  const told = await page.evaluate(async (film) => {
    await show(film);
    const [failed, paused] = [once("error"), once("pause")];
    await player.play();
    await Promise.all([failed, paused]);
    return player.paused;
  }, film);
  assert.equal(told, true);
});
