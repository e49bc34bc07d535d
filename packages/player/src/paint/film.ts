/** A film as the engine opens it. */

import type { FilmFacts, FilmSource } from "../protocol";
import type { Engine, Opened, Refused } from "./engine";

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

  /** Where the service paints a frame of it; null when it cannot. */
  still(frame: number): string | null {
    return this.source.still?.replace("{frame}", String(frame)) ?? null;
  }
}

export const isRefused = (opened: Opened | Refused): opened is Refused => "error" in opened;

export function factsOf(opened: Opened, film: Film): FilmFacts {
  const { width, height, fps, durationInFrames, media } = opened;
  const sound = media.some(({ kind }) => kind !== "image");
  return { width, height, fps, durationInFrames, sound, captions: film.hasCaptions };
}

/** Keeps track of which film the engine has open. */
export class OpenFilm {
  private json = "";
  private opened: Opened | Refused | null = null;
  /** Grows each time another film is opened. */
  changes = 0;

  constructor(
    private readonly engine: Engine,
    /** Called after another film was opened. */
    private readonly changed: (opened: Opened) => void,
  ) {}

  /** Opens a film unless it is open. */
  use(json: string): Opened | Refused {
    if (!this.opened || json !== this.json) {
      this.changes++;
      this.opened = this.engine.open(json);
      this.json = json;
      if (!isRefused(this.opened)) this.changed(this.opened);
    }
    return this.opened;
  }
}
