// Shows the film, frame or contact sheet of a preview, and reports when it is ready.
"use strict";

const root = document.documentElement;
const { view, id, width, height, fps, last, frame } = document.body.dataset;
const byId = (name) => document.getElementById(name);
const ready = () => { root.dataset.previewReady = "true"; };

document.body.style.setProperty("--width", `${width}px`);
document.body.style.setProperty("--ratio", Number(width) / Number(height));

function fail(sentence) {
  const making = byId("making");
  if (making) making.hidden = true;
  const problem = byId("problem");
  problem.textContent = sentence;
  problem.hidden = false;
  ready();
}

async function answer(address) {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  const body = await response.json();
  if (!body.success) throw new Error(body.error);
  return body.data;
}

// The player paints here. Where it cannot, the service draws a picture or makes a video.
function usePlayer(player) {
  const useService = () => {
    clearTimeout(late);
    if (!player.isConnected) return;
    byId("sheet")?.remove();
    player.replaceWith(byId("without-player").content);
    if (view === "play") waitForFilm(); else showPicture();
  };
  const late = setTimeout(useService, 30000);
  const cells = view === "grid" ? makeSheet(player) : [];
  player.addEventListener("ready", () => {
    clearTimeout(late);
    paintSheet(player, cells).then(ready, useService);
  }, { once: true });
  player.addEventListener("error", useService, { once: true });
  byId("module").addEventListener("error", useService, { once: true });
  if (view === "play") player.addEventListener("frame", ({ detail }) => { byId("to-frame").href = `${id}?frame=${detail.frame}`; });
  // The film begins there, as it is still loading.
  if (view === "frame") customElements.whenDefined("rondo-player").then(() => player.seek(Number(frame))).catch(() => undefined);
}

// Frames across the film, the first and the last among them: those of the picture of the service. They are painted later.
function makeSheet(player) {
  const count = Math.min(12, Number(last) + 1);
  const cells = Array.from({ length: count }, (_, index) => cell(Math.floor((index * last) / Math.max(1, count - 1))));
  const sheet = document.createElement("div");
  sheet.id = "sheet";
  sheet.className = Number(width) >= Number(height) ? "sheet" : "sheet tall";
  sheet.append(...cells.map(({ link }) => link));
  player.after(sheet);
  return cells;
}

async function paintSheet(player, cells) {
  for (const { number, canvas } of cells) {
    const image = await player.frame(number);
    const size = { resizeWidth: canvas.width, resizeHeight: canvas.height, resizeQuality: "high" };
    canvas.getContext("2d").drawImage(await createImageBitmap(image, size), 0, 0);
  }
}

// A frame of the sheet, with its number and time.
function cell(number) {
  const link = document.createElement("a");
  link.href = `${id}?frame=${number}`;
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(Number(width), 480);
  canvas.height = Math.max(1, Math.round((canvas.width * height) / width));
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Frame ${number} of the film`);
  const label = document.createElement("span");
  label.textContent = `${number} · ${timecode(number)}`;
  link.append(canvas, label);
  return { number, link, canvas };
}

// Minutes, seconds and hundredths.
function timecode(number) {
  const hundredths = Math.floor((number * 100) / Math.max(1, fps));
  const two = (value) => String(value).padStart(2, "0");
  return `${Math.floor(hundredths / 6000)}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

async function waitForFilm() {
  for (let misses = 0; ;) {
    try {
      const { state, progress, error } = await answer(`${id}/status`);
      misses = 0;
      if (state === "ready") return play();
      if (state === "failed") return fail(error);
      byId("progress").value = progress;
      byId("stage-text").textContent = state === "waiting" ? "Waiting for a free renderer …" : `Rendering the film · ${progress} %`;
    } catch (error) {
      misses += 1;
      if (misses > 5) return fail(error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function play() {
  const film = byId("film");
  const toFrame = byId("to-frame");
  film.addEventListener("loadeddata", () => {
    byId("making").hidden = true;
    film.controls = true;
    ready();
  }, { once: true });
  film.addEventListener("error", () => fail("This browser cannot play the film (H.264 in MP4). The contact sheet shows its frames."), { once: true });
  film.addEventListener("timeupdate", () => {
    const frame = Math.min(Number(last), Math.floor(film.currentTime * Number(fps) + 0.01));
    toFrame.href = `${id}?frame=${frame}`;
  });
  film.src = `${id}/film.mp4`;
}

async function showPicture() {
  const picture = byId("picture");
  try {
    await picture.decode();
    ready();
  } catch {
    picture.hidden = true;
    try {
      await answer(picture.src);
      fail("The picture cannot be shown.");
    } catch (error) {
      fail(error.message);
    }
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = { ArrowLeft: "before", ArrowRight: "after" }[event.key];
  if (view === "frame" && link) byId(link).click();
});

const expires = byId("expires");
const hours = (new Date(expires.dateTime) - Date.now()) / 3600000;
expires.title = new Date(expires.dateTime).toLocaleString();
expires.textContent = hours >= 1 ? `in ${Math.round(hours)} h` : `in ${Math.max(1, Math.round(hours * 60))} min`;

const player = byId("player");
if (player) usePlayer(player); else if (view === "play") waitForFilm(); else showPicture();
