// Plays the film that the file says, and lists what was found in it. Both follow the file.
"use strict";

const byId = (name) => document.getElementById(name);
let player = document.querySelector("rondo-player");
let fonts = null;
let shown = null;
/** What only the player finds, such as a codec of the file that this browser lacks. */
let own = [];
let found = [];

/** Changes of the film start with the playhead where it is. */
function show(state) {
  if (fonts !== null && fonts !== state.fonts) {
    const fresh = player.cloneNode();
    fresh.currentFrame = player.currentFrame;
    player.replaceWith(fresh);
    player = fresh;
    shown = null;
    listen();
  }
  fonts = state.fonts;
  const text = JSON.stringify(state.film);
  if (state.film && text !== shown) {
    shown = text;
    own = [];
    player.composition = state.film;
    describe(state.film);
  }
  found = state.findings;
  list();
  if (state.current) setState("live", "Live");
  else setState("stale", state.film ? "The last valid film is shown" : "Not valid yet");
  document.documentElement.dataset.version = state.version;
}

function describe({ width = 1280, height = 720, fps = 30, durationInFrames = 0 }) {
  const body = document.body.style;
  body.setProperty("--width", `${width}px`);
  body.setProperty("--ratio", width / height);
  byId("size").textContent = `${width} × ${height}`;
  byId("rate").textContent = `${fps} fps`;
  byId("length").textContent = `${(durationInFrames / fps).toFixed(2)} s · ${durationInFrames} frames`;
}

function list() {
  const all = [...found, ...own.filter((warning) => !found.some((finding) => isSame(finding, warning)))];
  byId("none").hidden = all.length > 0;
  byId("findings").replaceChildren(...all.map(item));
}

/** Both checks find the same, or that a file is missing: then both sentences begin with its address. */
const isSame = (finding, warning) =>
  (finding.code === warning.code && finding.path === warning.path) ||
  finding.message.startsWith(warning.message.split(": ")[0]);

function item({ severity = "warning", path, message, hint }) {
  const element = document.createElement("li");
  element.dataset.severity = severity;
  // Problems of fields name their path themselves.
  if (path && !message.startsWith(`\`${path}\``)) element.append(withText("code", path));
  element.append(withText("p", message));
  if (hint) {
    const line = withText("p", hint);
    line.className = "hint";
    element.append(line);
  }
  return element;
}

function withText(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

function setState(name, text) {
  const state = byId("state");
  state.dataset.state = name;
  state.textContent = text;
}

function listen() {
  const keep = () => {
    own = [...player.warnings];
    list();
  };
  player.addEventListener("ready", () => {
    document.documentElement.dataset.ready = document.documentElement.dataset.version;
    keep();
  });
  player.addEventListener("warning", keep);
  player.addEventListener("frame", ({ detail }) => {
    byId("frame").textContent = detail.frame;
  });
}

listen();
const events = new EventSource("/events");
events.addEventListener("film", ({ data }) => show(JSON.parse(data)));
events.addEventListener("error", () => setState("waiting", "rondo dev has stopped"));
