// Plays the films that the examples of a guide hold, beside their text.
"use strict";

// Where a value that opens with a brace ends. Braces in strings do not count.
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

// A value as JSON, or as a script writes it: names without quotes, commas before brackets.
function read(text) {
  for (const tried of [text, text.replace(/([{,]\s*)(\w+):/g, '$1"$2":').replace(/,(\s*[}\]])/g, "$1")]) {
    try {
      return JSON.parse(tried);
    } catch {}
  }
  return null;
}

// The film in an example, which may be a request or a part of a script; null if there is none.
function filmIn(text) {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const end = endOf(text, start);
    const value = end < 0 ? null : read(text.slice(start, end));
    const film = value?.inputProps ?? value;
    if (Array.isArray(film?.overlays) && film.overlays.length > 0 && film.width && film.height) return film;
  }
  return null;
}

// Players exist while they are near the window: each has an engine of its own.
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) target.replaceChildren();
    else if (!target.firstChild) show(target, films.get(target));
  }
}, { rootMargin: "300px" });
const films = new Map();

function giveUp(place) {
  near.unobserve(place);
  place.remove();
}

async function show(place, film) {
  try {
    await import("/player/rondo-player.js");
  } catch {
    return giveUp(place);
  }
  if (place.firstChild) return;
  const player = document.createElement("rondo-player");
  player.controls = true;
  player.addEventListener("error", () => giveUp(place), { once: true });
  // Films begin with little on the canvas: a later frame is shown until they play.
  player.addEventListener("play", () => player.seek(0), { once: true });
  place.append(player);
  player.currentFrame = film.posterFrame ?? Math.floor(film.durationInFrames * 0.6);
  player.composition = film;
}

for (const code of document.querySelectorAll("pre > code")) {
  // Long lines are scrolled with the keyboard too.
  code.parentElement.tabIndex = 0;
  const film = filmIn(code.textContent);
  if (!film) continue;
  const place = document.createElement("div");
  place.className = "film";
  place.style.setProperty("--ratio", film.width / film.height);
  const example = document.createElement("div");
  example.className = "example";
  code.parentElement.replaceWith(example);
  example.append(code.parentElement, place);
  films.set(place, film);
  near.observe(place);
}
