// Shows the film, frame or contact sheet of a preview, and reports when it is ready.
"use strict";

const root = document.documentElement;
const { view, id, width, height, fps, last } = document.body.dataset;
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

// The player paints the film here. Where it cannot, the service makes a video of it.
function usePlayer(player) {
  const toFrame = byId("to-frame");
  const useFilm = () => {
    clearTimeout(late);
    if (!player.isConnected) return;
    player.replaceWith(byId("without-player").content);
    waitForFilm();
  };
  const late = setTimeout(useFilm, 30000);
  player.addEventListener("ready", () => { clearTimeout(late); ready(); }, { once: true });
  player.addEventListener("error", useFilm, { once: true });
  player.addEventListener("frame", ({ detail }) => { toFrame.href = `${id}?frame=${detail.frame}`; });
  byId("module").addEventListener("error", useFilm, { once: true });
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
