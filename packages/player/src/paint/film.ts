/** A film as the engine opens it. */

import type { FilmFacts, FilmSource } from "../protocol";
import type { Engine, Opened, Refused } from "./engine";
import type { Media } from "./media";

interface Overlay {
  type?: unknown;
  src?: unknown;
  from?: unknown;
  durationInFrames?: unknown;
}

export class Film {
  readonly version: number;
  private texts: { whole: string; plain: string | null } | null = null;
  readonly overlays: Overlay[];
  /** Where the overlays that are no captions are among all. */
  private readonly places: number[];

  constructor(readonly source: FilmSource) {
    const { composition } = source;
    this.version = source.version;
    const overlays = (composition as { overlays?: unknown } | null)?.overlays;
    this.overlays = Array.isArray(overlays) ? overlays : [];
    this.places = [...this.overlays.keys()].filter((index) => this.overlays[index]?.type !== "caption");
  }

  /** The JSON that the engine opens. */
  get whole(): string {
    return this.written().whole;
  }

  /** The same without captions; null when there are none. */
  get plain(): string | null {
    return this.written().plain;
  }

  get hasCaptions(): boolean {
    return this.places.length < this.overlays.length;
  }

  /** Written when it is first needed: films that are replaced at once never are. */
  private written() {
    if (this.texts) return this.texts;
    const { composition, replacements } = this.source;
    const whole = JSON.stringify({ composition, replacements });
    const overlays = this.places.map((index) => this.overlays[index]);
    const plain = this.hasCaptions
      ? JSON.stringify({ composition: { ...(composition as object), overlays }, replacements })
      : null;
    this.texts = { whole, plain };
    return this.texts;
  }

  /** The index of an overlay of `json` in the composition. */
  indexIn(json: string, index: number): number {
    return json === this.plain ? (this.places[index] ?? index) : index;
  }

  /** Addresses to try for one of its sources. */
  addresses(src: string): string[] {
    const { ways, base } = this.source;
    return ways[src] ?? (URL.canParse(src, base) ? [new URL(src, base).href] : []);
  }

  /** How many overlays show each of some videos between two frames; 1 for those that are not found in the film as written. */
  shows(videos: string[], from: number, to: number): Record<string, number> {
    const shown: Record<string, number> = {};
    for (const src of videos) {
      const overlays = this.overlays.filter((overlay) => overlay.type !== "sound" && overlay.src === src);
      const isOn = (overlay: Overlay) =>
        Number(overlay.from) <= to && from < Number(overlay.from) + Number(overlay.durationInFrames);
      const count = overlays.length === 0 ? 1 : overlays.filter(isOn).length;
      if (count > 0) shown[src] = count;
    }
    return shown;
  }

  /** Where the service paints a frame of it; null when it cannot. It knows no values that were set here. */
  still(frame: number): string | null {
    const { still, replacements } = this.source;
    if (Object.keys(replacements ?? {}).length > 0) return null;
    return still?.replace("{frame}", String(frame)) ?? null;
  }
}

export const isRefused = (opened: Opened | Refused): opened is Refused => "error" in opened;

export function factsOf(opened: Opened, film: Film): FilmFacts {
  const { width, height, fps, durationInFrames, media } = opened;
  const sound = media.some(({ kind }) => kind !== "image");
  return { width, height, fps, durationInFrames, sound, captions: film.hasCaptions };
}

/** A film of another size without media, so that the engine forgets all that it knows by the names of sources. */
const NOTHING = JSON.stringify({ composition: { width: 16, height: 16, fps: 30, durationInFrames: 1, overlays: [] } });

/** Keeps track of which film the engine has open. */
export class OpenFilm {
  film: Film | null = null;
  private json = "";
  private opened: Opened | Refused | null = null;
  /** Grows each time another film is opened. */
  changes = 0;

  constructor(
    private readonly engine: Engine,
    private readonly media: () => Media,
  ) {}

  /** Opens one of the texts of a film unless it is open. */
  use(film: Film | null, json: string): Opened | Refused {
    const isElsewhere = film?.source.base !== this.film?.source.base;
    this.film = film;
    if (!this.opened || json !== this.json || isElsewhere) {
      this.changes++;
      this.json = json;
      this.opened = this.engine.open(json);
      if (!isRefused(this.opened) && this.media().moved(this.opened.media)) {
        this.forget();
        this.opened = this.engine.open(json);
      }
      if (!isRefused(this.opened)) this.media().giveAgain(this.opened.media);
    }
    return this.opened;
  }

  /** Has the engine forget what it knows of the media of films. */
  forget() {
    this.engine.open(NOTHING);
    this.opened = null;
  }

  /** Where the service paints a frame of what is open; null when it does not. */
  still(frame: number): string | null {
    return this.json === this.film?.whole ? this.film.still(frame) : null;
  }
}
