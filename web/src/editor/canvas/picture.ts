/** Keeps the player and the editor in step: the film, the playhead, playing. */

import type { Editor, EditorState } from "@/editor/model/editor";
import { type Film, type Overlay, withValueAt } from "@/editor/model/film";
import { shownFilm } from "@/editor/model/shown";
import { type PlayerElement, setPlayer } from "@/editor/player";
import { STRINGS } from "@/editor/strings/canvas";
import { loadPlayer } from "@/film/load-player";
import { loadOwnFonts, ownFonts, withOwnFonts } from "@/film/own-fonts";
import { cropOf, frameOf } from "./boxes";
import { MediaAddresses } from "./media-addresses";
import { type Mode, view } from "./view";

/** Milliseconds to wait for a frame before the next film is sent all the same. */
const PATIENCE = 400;

/** What moves a text, or shows another one than was written. It is left out while people write. */
const MOTIONS = ["animation", "animatedText", "typeWriter", "staggeredMotion", "counterMode", "codeBlock"];

/** The film that is painted. A text that is being written is at rest. */
function filmToPaint(state: Shown, mode: Mode): Film {
  const film = shownFilm(state);
  if (mode?.kind !== "text") return film;
  return { ...film, overlays: film.overlays.map((overlay) => (overlay.id === mode.id ? atRest(overlay) : overlay)) };
}

type Shown = Pick<EditorState, "film" | "hidden" | "muted">;

const atRest = (overlay: Overlay): Overlay =>
  MOTIONS.reduce((still, name) => withValueAt(still, `styles.${name}`, undefined), overlay);

/** Puts the player into an element. The returned function takes it out. */
export function showPicture(host: HTMLElement, editor: Editor): () => void {
  const abort = new AbortController();
  let picture: Picture | null = null;
  Promise.all([loadPlayer(), loadOwnFonts()]).then(
    () => {
      if (!abort.signal.aborted) picture = new Picture(host, editor);
    },
    () => {
      if (!abort.signal.aborted) view.setState({ problem: STRINGS.noPlayer });
    },
  );
  return () => {
    abort.abort();
    picture?.close();
  };
}

class Picture {
  private readonly player: PlayerElement;
  private readonly media = new MediaAddresses();
  private readonly stops: (() => void)[] = [];
  /** The film on its way to the canvas, and when it was sent. */
  private sentAt: number | null = null;
  private sent: Film | null = null;
  private request: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private from: readonly unknown[] = [];
  private shown: Film | null = null;
  private seeking = false;
  private target = 0;
  private outlining: "no" | "once" | "again" = "no";

  constructor(
    host: HTMLElement,
    private readonly editor: Editor,
  ) {
    this.player = document.createElement("rondo-player") as PlayerElement;
    this.player.className = "absolute! inset-0 block! size-full";
    // The canvas says itself what is wrong, beside the last picture.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".message, .spinner { display: none !important } .stage, :host { background: none !important }");
    this.player.shadowRoot?.adoptedStyleSheets.push(sheet);
    this.player.inert = true;
    this.listen("frame", (event) => this.painted((event as CustomEvent<{ frame: number }>).detail.frame));
    this.listen("error", (event) => this.failed((event as CustomEvent<{ message: string }>).detail.message));
    this.listen("warning", () => this.noteWarnings());
    this.listen("ready", () => this.noteWarnings());
    this.listen("ended", () => editor.pause());
    host.append(this.player);
    this.stops.push(
      editor.store.subscribe((state, before) => {
        if (state.film !== before.film || state.hidden !== before.hidden || state.muted !== before.muted)
          this.changed();
      }),
      editor.on("seek", () => this.seek()),
      editor.on("play", () => this.play()),
      view.subscribe((state, before) => {
        if (state.mode !== before.mode || state.addresses !== before.addresses) this.changed();
      }),
      ownFonts.subscribe(() => this.changed()),
    );
    setPlayer(this.player);
    this.send();
    this.seek();
  }

  private listen(type: string, listener: (event: Event) => void) {
    this.player.addEventListener(type, listener);
  }

  /**
   * Sends the film: at once if the one before is painted, so that the engine paints while the page is drawn. Otherwise with the
   * animation frame after that.
   */
  private changed() {
    if (this.sentAt === null) return this.send();
    this.request ??= requestAnimationFrame(() => {
      this.request = null;
      clearTimeout(this.timer);
      if (this.sentAt === null || performance.now() - this.sentAt >= PATIENCE) this.send();
      else this.timer = setTimeout(() => this.changed(), PATIENCE);
    });
  }

  /** The film to paint; the same object as long as nothing changed. */
  private wanted(): Film {
    const { state } = this.editor;
    const { mode } = view.getState();
    const { fonts } = ownFonts.getState();
    const from = [state.film, state.hidden, state.muted, mode, view.getState().addresses, fonts];
    if (!this.shown || from.some((part, index) => part !== this.from[index])) {
      this.from = from;
      this.shown = withOwnFonts(this.media.reachable(filmToPaint(state, mode)));
    }
    return this.shown;
  }

  private send() {
    const film = this.wanted();
    if (film === this.sent) return;
    this.sent = film;
    this.sentAt = performance.now();
    this.player.composition = film;
  }

  private painted(frame: number) {
    this.sentAt = null;
    const { problem, ready } = view.getState();
    if (problem || !ready) view.setState({ problem: null, ready: true });
    if (this.editor.state.playing && !this.player.paused) this.editor.follow(frame);
    if (this.wanted() !== this.sent) this.changed();
    if (this.player.paused) void this.readOutlines();
  }

  private failed(message: string) {
    this.sentAt = null;
    view.setState({ problem: message });
    this.editor.pause();
  }

  /** Each source is reported once, also when it stays in later films. */
  private noteWarnings() {
    const { missing } = view.getState();
    const found = this.player.warnings
      .filter(({ code }) => code === "media-missing")
      .map(({ message }) => message.slice(0, message.lastIndexOf(": ")));
    if (found.some((src) => !missing.has(src))) view.setState({ missing: new Set([...missing, ...found]) });
  }

  /** Shows the frame of the playhead. One seek at a time; the latest wins. */
  private seek() {
    this.target = this.editor.state.frame;
    if (this.seeking || this.player.currentFrame === this.target) return;
    this.seeking = true;
    const { target } = this;
    this.player
      .seek(target)
      .catch(() => undefined)
      .finally(() => {
        this.seeking = false;
        if (this.target !== target) this.seek();
      });
  }

  private play() {
    const { playing, rate } = this.editor.state;
    if (this.player.playbackRate !== rate && rate > 0) this.player.playbackRate = rate;
    if (playing) this.player.play().catch(() => this.editor.pause());
    else void this.player.pause();
  }

  /** Asks where overlays are painted, one question at a time. */
  private async readOutlines() {
    if (this.outlining !== "no") {
      this.outlining = "again";
      return;
    }
    this.outlining = "once";
    const film = this.sent;
    try {
      const outlines = await this.player.outlines();
      const painted = new Map<number, { quad: (typeof outlines)[number]["quad"]; frame: ReturnType<typeof frameOf> }>();
      const overlays = new Map(film?.overlays.map((overlay) => [overlay.id, overlay]));
      for (const { id, quad } of outlines) {
        const overlay = overlays.get(id);
        if (overlay && cropOf(overlay).width === 1 && cropOf(overlay).height === 1)
          painted.set(id, { quad, frame: frameOf(overlay) });
      }
      view.setState({ painted });
    } catch {
      // The film was replaced meanwhile; its frame asks again.
    }
    const again = (this.outlining as string) === "again";
    this.outlining = "no";
    if (again) void this.readOutlines();
  }

  close() {
    for (const stop of this.stops) stop();
    if (this.request !== null) cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
    this.media.close();
    setPlayer(null);
    this.player.remove();
  }
}
