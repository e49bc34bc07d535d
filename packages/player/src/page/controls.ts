/** The controls of a player and its stage. Knows nothing of films but their length. */

/** Outlines on a grid of 24. */
const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  loud: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  captions:
    "M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM10.5 10.5a2 2 0 1 0 0 3M17 10.5a2 2 0 1 0 0 3",
  full: "M4 9V5.5A1.5 1.5 0 0 1 5.5 4H9M15 4h3.5A1.5 1.5 0 0 1 20 5.5V9M20 15v3.5a1.5 1.5 0 0 1-1.5 1.5H15M9 20H5.5A1.5 1.5 0 0 1 4 18.5V15",
  small:
    "M9 4v3.5A1.5 1.5 0 0 1 7.5 9H4M20 9h-3.5A1.5 1.5 0 0 1 15 7.5V4M15 20v-3.5a1.5 1.5 0 0 1 1.5-1.5H20M4 15h3.5A1.5 1.5 0 0 1 9 16.5V20",
} as const;

type Icon = keyof typeof ICONS;

export interface Commands {
  toggle(): void;
  seek(frame: number): void;
  setVolume(volume: number): void;
  toggleMuted(): void;
  toggleCaptions(): void;
  toggleFullScreen(): void;
}

export interface View {
  paused: boolean;
  frame: number;
  frames: number;
  fps: number;
  volume: number;
  muted: boolean;
  sound: boolean;
  captions: boolean;
  hasCaptions: boolean;
  fullScreen: boolean;
}

export class Controls {
  readonly stage = create("div", "stage");
  readonly bar = create("div", "bar");
  readonly poster = create("img", "poster");
  private readonly spinner = create("div", "spinner");
  private readonly message = create("p", "message");
  private readonly playButton = button("play", "play");
  private readonly time = create("span", "time");
  private readonly position = slider("position", "Position");
  private readonly muteButton = button("mute", "loud");
  private readonly volume = slider("volume", "Volume");
  private readonly captionsButton = button("captions", "captions");
  private readonly fullButton = button("full", "full");

  constructor(commands: Commands) {
    this.stage.tabIndex = -1;
    this.poster.alt = "";
    this.spinner.setAttribute("role", "status");
    this.spinner.setAttribute("aria-label", "Loading");
    this.message.setAttribute("role", "alert");
    for (const part of [this.poster, this.spinner, this.message]) part.hidden = true;
    this.stage.append(this.poster, this.spinner, this.message);
    const row = create("div", "row");
    row.append(
      this.playButton,
      this.time,
      this.position,
      this.muteButton,
      this.volume,
      this.captionsButton,
      this.fullButton,
    );
    this.bar.append(row);
    Object.assign(this.volume, { min: "0", max: "1", step: "0.05" });
    this.playButton.onclick = () => commands.toggle();
    this.position.oninput = () => commands.seek(this.position.valueAsNumber);
    this.volume.oninput = () => commands.setVolume(this.volume.valueAsNumber);
    this.muteButton.onclick = () => commands.toggleMuted();
    this.captionsButton.onclick = () => commands.toggleCaptions();
    this.fullButton.onclick = () => commands.toggleFullScreen();
    name(this.captionsButton, "Captions");
  }

  /** Puts a new canvas on the stage. */
  place(canvas: HTMLCanvasElement) {
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Film");
    this.stage.querySelector("canvas")?.remove();
    this.stage.prepend(canvas);
  }

  setPoster(src: string | null) {
    if (this.poster.hidden !== !src) this.poster.hidden = !src;
    if (src) this.poster.src = src;
  }

  setBusy(busy: boolean) {
    if (this.spinner.hidden === busy) this.spinner.hidden = !busy;
  }

  /** Shows why there is no picture, or why the one that is shown is of an earlier film. */
  setMessage(text: string | null, isShown = false) {
    this.message.hidden = text === null;
    this.message.textContent = text ?? "";
    this.message.classList.toggle("below", isShown);
  }

  update(view: View) {
    const last = Math.max(0, view.frames - 1);
    setIcon(this.playButton, view.paused ? "play" : "pause");
    name(this.playButton, view.paused ? "Play" : "Pause");
    this.position.disabled = view.frames === 0;
    setMax(this.position, last);
    this.position.value = String(view.frame);
    const seconds = view.frame / view.fps;
    set(this.position, "aria-valuetext", `${seconds.toFixed(1)} seconds, frame ${view.frame} of ${last}`);
    const time = `${clock(seconds)} / ${clock(view.frames / view.fps)}`;
    if (this.time.textContent !== time) this.time.textContent = time;
    const silent = view.muted || view.volume === 0;
    setIcon(this.muteButton, silent ? "mute" : "loud");
    name(this.muteButton, silent ? "Unmute" : "Mute");
    this.volume.value = String(silent ? 0 : view.volume);
    this.muteButton.hidden = this.volume.hidden = !view.sound;
    this.captionsButton.hidden = !view.hasCaptions;
    set(this.captionsButton, "aria-pressed", String(view.captions));
    setIcon(this.fullButton, view.fullScreen ? "small" : "full");
    name(this.fullButton, view.fullScreen ? "Leave full screen" : "Full screen");
  }
}

/** Minutes and seconds. */
function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.floor(seconds + 1e-6) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function create<K extends keyof HTMLElementTagNameMap>(tag: K, kind: string): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = kind;
  element.setAttribute("part", kind);
  return element;
}

function button(kind: string, icon: Icon): HTMLButtonElement {
  const element = create("button", kind);
  element.type = "button";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  element.append(svg);
  setIcon(element, icon);
  return element;
}

function slider(kind: string, label: string): HTMLInputElement {
  const element = create("input", kind);
  element.type = "range";
  element.min = "0";
  element.setAttribute("aria-label", label);
  return element;
}

function setIcon(element: HTMLButtonElement, icon: Icon) {
  const path = element.querySelector("path");
  if (path && path.getAttribute("d") !== ICONS[icon]) path.setAttribute("d", ICONS[icon]);
}

function setMax(element: HTMLInputElement, max: number) {
  if (element.max !== String(max)) element.max = String(max);
}

/** Writes only what differs: each write has the browser look at styles again. */
function set(element: HTMLElement, attribute: string, value: string) {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

/** The name that screen readers say, also as a tooltip. */
function name(element: HTMLElement, label: string) {
  if (element.title === label) return;
  element.title = label;
  element.setAttribute("aria-label", label);
}
