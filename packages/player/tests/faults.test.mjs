// What goes wrong around a player: fonts that cannot be read, other names of the service, pages that are still loading.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { startService, textFilm } from "./site.mjs";

let browser;

before(async () => {
  browser = await startBrowser();
});

after(() => browser?.close());

/** A PNG file of one green pixel. */
const GREEN = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC";

/** A film that shows one image. */
const imageFilm = (src) => ({
  ...textFilm("", 10),
  overlays: [
    { id: 1, type: "image", from: 0, durationInFrames: 10, row: 1, left: 0, top: 0, width: 320, height: 180, src },
  ],
});

test("a font index that cannot be read is an error, once, and requests are refused", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  service.pages["/player/fonts/index"] = "not an index\n";
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const told = await page.evaluate(async (film) => {
    const player = document.querySelector("rondo-player");
    const errors = [];
    const failed = new Promise((resolve) =>
      player.addEventListener("error", ({ detail }) => {
        errors.push(detail.message);
        resolve();
      }),
    );
    player.composition = film;
    const frame = player.frame(0).catch((error) => error.message);
    await failed;
    const refused = await frame;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { errors, refused, shown: player.shadowRoot.querySelector(".message").textContent };
  }, textFilm());
  assert.equal(told.errors.length, 1);
  assert.match(told.errors[0], /list of fonts cannot be read/);
  assert.equal(told.refused, told.errors[0]);
  assert.equal(told.shown, told.errors[0]);
});

test("the stage has the height of a film before one is open, and that of its poster", async (t) => {
  const service = await startService(
    {},
    `<rondo-player controls poster="data:image/png;base64,${GREEN}"></rondo-player>`,
  );
  t.after(() => service.close());
  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  t.after(() => page.close());
  await page.goto(`${service.url}/four`);
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll("rondo-player")].map((player) => {
      const { width, height } = player.shadowRoot.querySelector(".stage").getBoundingClientRect();
      return height / width;
    }),
  );
  for (const ratio of sizes) assert.ok(Math.abs(ratio - 9 / 16) < 0.01, `${ratio}`);
  await page.goto(service.url);
  await page.waitForFunction(() => {
    const { width, height } = document
      .querySelector("rondo-player")
      .shadowRoot.querySelector(".stage")
      .getBoundingClientRect();
    return Math.abs(width - height) < 1;
  });
});

test("media of a preview are read under the name by which it was asked for", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const told = "http://rondo.example:81/sub/preview/prv_1/media/0-ab";
  Object.assign(service.pages, {
    "/preview/prv_1": JSON.stringify({ composition: imageFilm(told), media: { [told]: { proxy: told } } }),
    "/preview/prv_1/media/0-ab": Buffer.from(GREEN, "base64"),
  });
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const pixel = await page.evaluate(async () => {
    const player = document.querySelector("rondo-player");
    const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
    player.src = "/preview/prv_1";
    await ready;
    return [[...(await player.frame(0)).data.slice(0, 4)], player.warnings.map(({ code }) => code)];
  });
  assert.deepEqual(pixel, [[0, 255, 0, 255], []]);
});

test("images inside the film are read where the policy allows no fetch of them", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const pixel = await page.evaluate(
    async (film) => {
      const player = document.querySelector("rondo-player");
      const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
      player.composition = film;
      await ready;
      return [...(await player.frame(0)).data.slice(0, 4)];
    },
    imageFilm(`data:image/png;base64,${GREEN}`),
  );
  assert.deepEqual(pixel, [0, 255, 0, 255]);
});

test("a film that is refused leaves the picture of the one before", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const told = await page.evaluate(async (film) => {
    const player = document.querySelector("rondo-player");
    const next = (type) => new Promise((resolve) => player.addEventListener(type, resolve, { once: true }));
    let wait = next("ready");
    player.composition = film;
    await wait;
    wait = next("error");
    player.composition = { ...film, width: -1 };
    const { problems } = (await wait).detail;
    const message = player.shadowRoot.querySelector(".message");
    const below = [message.hidden, message.classList.contains("below")];
    wait = next("ready");
    player.composition = film;
    await wait;
    return { problems: problems.length, below, hidden: message.hidden };
  }, textFilm());
  assert.deepEqual(told, { problems: 1, below: [false, true], hidden: true });
});

test("images that are painted ahead leave the canvas as it is", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const film = textFilm("Over images", 60);
  // Two images of their own: each is painted once while the first frame rests.
  for (const [index, from] of [10, 30].entries())
    film.overlays.push({
      ...imageFilm(`data:image/png;base64,${GREEN}${"=".repeat(index)}`).overlays[0],
      id: 10 + index,
      row: 5 + index,
      from,
      durationInFrames: 20,
      left: index * 160,
      width: 160,
    });
  const same = await page.evaluate(async (film) => {
    const player = document.querySelector("rondo-player");
    const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
    player.composition = film;
    await ready;
    const results = [];
    for (const frame of [0, 12, 5, 40]) {
      await player.seek(frame);
      // Time to paint ahead, and to bring the canvas to the page.
      await new Promise((resolve) => setTimeout(resolve, 400));
      const canvas = player.shadowRoot.querySelector("canvas");
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const shown = copy.getImageData(0, 0, canvas.width, canvas.height).data;
      const exact = (await player.frame(frame)).data;
      results.push(shown.every((value, index) => value === exact[index]));
    }
    return results;
  }, film);
  assert.deepEqual(same, [true, true, true, true]);
});

test("images that come next are decoded by a worker of their own, to the same pixels", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(service.url);
  const sources = await page.evaluate(picturesOf, ["image/jpeg", "image/png", "image/webp"]);
  const decoders = () => page.workers().filter((worker) => /\/image-worker-\w+\.js$/.test(worker.url())).length;
  const film = (sources, from) => ({
    ...textFilm("Images", 60),
    overlays: sources.map((src, index) => ({
      ...imageFilm(src).overlays[0],
      id: index + 1,
      row: index + 1,
      from: from * (index + 1),
      durationInFrames: 60 - from * (index + 1),
      left: 100 * index,
      width: 140,
      height: 100,
    })),
  });
  const frameOf = (film, frame, pause) =>
    page.evaluate(
      async ([film, frame, pause]) => {
        const player = document.createElement("rondo-player");
        const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
        document.body.append(player);
        player.composition = film;
        await ready;
        await new Promise((resolve) => setTimeout(resolve, pause));
        const { data } = await player.frame(frame);
        const hash = await crypto.subtle.digest("SHA-256", data);
        return { red: data[(10 * 320 + 10) * 4], hash: new Uint8Array(hash).join() };
      },
      [film, frame, pause],
    );
  const atOnce = await frameOf(film(sources, 0), 40, 0);
  assert.equal(decoders(), 0, "images of the first frame are decoded where they are painted");
  assert.ok(atOnce.red > 200, "the images are shown");
  const ahead = await frameOf(film(sources, 10), 40, 1500);
  assert.equal(decoders(), 1);
  assert.deepEqual(ahead, atOnce);
});

/** Runs in the page: files of a picture that is half transparent where the type allows it. */
function picturesOf(types) {
  const canvas = new OffscreenCanvas(700, 500);
  const context = canvas.getContext("2d");
  const gradient = context.createLinearGradient(0, 0, 700, 500);
  gradient.addColorStop(0, "rgb(250 80 20)");
  gradient.addColorStop(1, "rgb(20 60 240 / 0.4)");
  context.fillStyle = gradient;
  context.fillRect(0, 0, 700, 500);
  context.font = "120px serif";
  context.fillStyle = "white";
  context.fillText("Sharp edges", 20, 300);
  return Promise.all(
    types.map(async (type) => {
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.9 })).arrayBuffer());
      return `data:${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
    }),
  );
}
