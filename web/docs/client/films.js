/**
 * Plays films where their pictures are. A player has an engine of its own, so only a few exist at a time: those nearest to the middle of the
 * window. The others are pictures.
 */

/** Players at a time. */
const MOST = 3;
const service = document.documentElement.dataset.service;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const films = new Map();
const visible = new Set();

/** Media come from where the page comes from. */
const media = new URL("../media/", import.meta.url).href;
const local = (text) => text.replace(/https?:\/\/[^"]+?\/docs\/media\//g, media);

let module;
const player = () => {
  module ??= import(`${service}/player/rondo-player.js`);
  return module;
};
let listed;
/** The films of this page, by their names. */
const filmOf = async (name) => {
  listed ??= fetch(`${location.pathname.replace(/\/(index\.html)?$/, "")}.films.json`)
    .then((response) => response.text())
    .then((text) => JSON.parse(local(text)));
  return (await listed)[name];
};

function distance(place) {
  const { top, bottom } = place.getBoundingClientRect();
  return Math.abs((top + bottom) / 2 - innerHeight / 2);
}

/** Gives the players to the films nearest to the middle. */
function arrange() {
  const near = [...visible].sort((one, other) => distance(one) - distance(other)).slice(0, MOST);
  for (const [place, shown] of films) if (shown && !near.includes(place)) hide(place);
  for (const place of near) if (!films.get(place)) show(place);
}

function hide(place) {
  films.get(place)?.remove();
  films.set(place, null);
  place.classList.remove("is-live");
}

/** A film that cannot be played leaves its picture. Without one, it leaves nothing. */
function giveUp(place) {
  hide(place);
  seen.unobserve(place);
  visible.delete(place);
  films.delete(place);
  if (!place.querySelector("img")) place.remove();
}

async function show(place) {
  const stand = document.createElement("span");
  films.set(place, stand);
  try {
    const [composition] = await Promise.all([place.composition ?? filmOf(place.dataset.film), player()]);
    if (films.get(place) !== stand || !composition) return;
    const element = document.createElement("rondo-player");
    if (service) element.setAttribute("server", service);
    element.controls = !place.hasAttribute("data-moves") || place.hasAttribute("data-width");
    element.loop = true;
    // What plays by itself is silent.
    element.muted = place.hasAttribute("data-moves");
    films.set(place, element);
    element.addEventListener("error", () => giveUp(place), { once: true });
    element.addEventListener(
      "ready",
      () => {
        if (films.get(place) !== element) return;
        place.classList.add("is-live");
        if (place.hasAttribute("data-moves") && !isCalm) element.play().catch(() => undefined);
      },
      { once: true },
    );
    if (!place.hasAttribute("data-moves")) element.addEventListener("play", () => element.seek(0), { once: true });
    // Films begin with little on the canvas: a later frame is shown until they play.
    element.currentFrame = composition.posterFrame ?? Math.floor(composition.durationInFrames * 0.6);
    element.composition = composition;
    place.append(element);
  } catch {
    giveUp(place);
  }
}

let waiting = 0;
const soon = () => {
  clearTimeout(waiting);
  waiting = setTimeout(arrange, 160);
};
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target);
      else {
        visible.delete(target);
        hide(target);
      }
    }
    soon();
  },
  { threshold: 0.4 },
);
document.addEventListener("scroll", soon, { passive: true });

function watch(place) {
  films.set(place, null);
  seen.observe(place);
}

/** Pictures that do not move become films when they are asked for. */
for (const place of document.querySelectorAll("[data-film]")) if (place.hasAttribute("data-moves")) watch(place);

// Examples of guides that hold a film play it below their text.
function endOf(text, start) {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    if (inString && text[at] === "\\") at++;
    else if (text[at] === '"') inString = !inString;
    else if (!inString && text[at] === "{") depth++;
    else if (!inString && text[at] === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

/** A value as JSON, or as a script writes it: names without quotes, commas before brackets. */
function parse(text) {
  for (const tried of [text, text.replace(/([{,]\s*)(\w+):/g, '$1"$2":').replace(/,(\s*[}\]])/g, "$1")]) {
    try {
      return JSON.parse(tried);
    } catch {
      // The next way of writing is tried.
    }
  }
  return null;
}

/** The film in an example, which may be a request or a part of a script; null if there is none. */
function filmIn(text) {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const end = endOf(text, start);
    const value = end < 0 ? null : parse(text.slice(start, end));
    const film = value?.inputProps ?? value;
    if (Array.isArray(film?.overlays) && film.overlays.length > 0 && film.width && film.height) return film;
  }
  return null;
}

if (document.body.classList.contains("guide"))
  for (const block of document.querySelectorAll(".code:not(.tabs)")) {
    const film = filmIn(block.querySelector("code").textContent);
    if (!film) continue;
    const place = document.createElement("figure");
    place.className = `film in-guide${film.height > film.width ? " portrait" : ""}`;
    place.setAttribute("data-width", film.width);
    place.style.aspectRatio = `${film.width} / ${film.height}`;
    place.composition = JSON.parse(local(JSON.stringify(film)));
    block.after(place);
    watch(place);
  }
