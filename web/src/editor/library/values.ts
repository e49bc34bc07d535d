/** Variables of a film and values for them; tables of values as text. */

import { type Film, type Json, type Overlay, valueAt } from "@/editor/model/film";
import { newLine } from "./captions";
import { readSubtitles } from "./subtitles";

export type Values = Record<string, string>;

export interface Variable {
  name: string;
  /** Overlays that take its value: usually one. */
  overlays: Overlay[];
  type: string;
  /** What the film has without a value. */
  default: string;
}

const MEDIA = ["image", "video", "sound"];
export const isMedia = (type: string) => MEDIA.includes(type);

/** The name that a value is given under. */
export const keyOf = (overlay: Overlay) => String(overlay["name"] || `overlay-${overlay.id}`);

/** What an overlay is called where people read it. */
export function titleOf(overlay: Overlay): string {
  const said = typeof overlay["content"] === "string" ? overlay["content"].split("\n")[0] : "";
  return String(overlay["name"] || said || overlay.type).slice(0, 40);
}

function defaultOf(overlay: Overlay): string {
  if (overlay.type === "caption") return String(valueAt(overlay, "captions[0].text") ?? "");
  return String(overlay[isMedia(overlay.type) ? "src" : "content"] ?? "");
}

export function variablesOf(film: Film): Variable[] {
  const found = new Map<string, Variable>();
  for (const overlay of film.overlays) {
    if (!overlay["isDynamic"]) continue;
    const name = keyOf(overlay);
    const known = found.get(name);
    if (known) known.overlays.push(overlay);
    else found.set(name, { name, overlays: [overlay], type: overlay.type, default: defaultOf(overlay) });
  }
  return [...found.values()];
}

/** Names of all that can be filled in: overlays, colours and fonts. */
export function variableNames(film: Film): string[] {
  const named = (list: unknown): string[] =>
    (Array.isArray(list) ? list : []).flatMap((item: { name?: unknown } | null) =>
      typeof item?.name === "string" ? item.name : [],
    );
  return [...variablesOf(film).map(({ name }) => name), ...named(film["colors"]), ...named(film["fonts"])];
}

function withValue(overlay: Overlay, value: string, fps: number): Overlay {
  if (isMedia(overlay.type)) return { ...overlay, src: value };
  if (overlay.type !== "caption") return { ...overlay, content: value };
  const read = readSubtitles(value);
  const whole = (overlay.durationInFrames / fps) * 1000;
  return { ...overlay, captions: (read.length ? read : [newLine(value, 0, whole)]) as unknown as Json };
}

/** The film with values in place of what its variables hold, as the service puts them in. */
export function withValues(film: Film, values: Values): Film {
  const overlays = film.overlays.map((overlay) => {
    const value = overlay["isDynamic"] ? values[keyOf(overlay)] : undefined;
    return value === undefined ? overlay : withValue(overlay, value, film.fps);
  });
  return { ...film, overlays };
}

/** How much a text of a fixed size can hold: an estimate, as the service makes it. */
export function capacityOf(overlay: Overlay): { letters: number; lines: number } | null {
  const pixels = (path: string, otherwise: number) =>
    Number.parseFloat(String(valueAt(overlay, path) ?? "")) || otherwise;
  if (overlay.type !== "text" || !valueAt(overlay, "styles.fontSizeFixed")) return null;
  const size = pixels("styles.fontSize", 0);
  if (!size) return null;
  const line = pixels("styles.lineHeight", 1.2);
  const room = pixels("styles.padding", size * 0.1) * 2;
  const lines = Math.max(1, Math.floor((Number(overlay["height"]) - room) / (size * line)));
  const perLine = Math.floor((Number(overlay["width"]) - room) / (size * 0.5 + pixels("styles.letterSpacing", 0)));
  return { letters: lines * Math.max(perLine, 1), lines };
}

/** Rows of cells. The separator is the one that the first line has most of. */
export function readCsv(text: string): string[][] {
  const [first = ""] = text.split(/\r?\n/, 1);
  const count = (sign: string) => first.split(sign).length;
  const separator = [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    row = [];
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = "";
    } else if (letter === "\n") endRow();
    else if (letter !== "\r") cell += letter;
  }
  if (cell || row.length) endRow();
  return rows.filter((cells) => cells.some((each) => each.trim()));
}

/** Rows of values. If the first row names variables, cells belong to those; otherwise to the variables in their order. */
export function readTable(text: string, names: readonly string[]): Values[] {
  const [head = [], ...rest] = readCsv(text);
  const wanted = (cell: string) => names.find((name) => name.toLowerCase() === cell.trim().toLowerCase());
  const columns = head.map(wanted);
  const isHead = columns.some(Boolean);
  const rows = isHead ? rest : [head, ...rest];
  return rows
    .map((cells) =>
      Object.fromEntries(
        cells.flatMap((cell, index) => {
          const name = isHead ? columns[index] : names[index];
          return name && cell.trim() ? [[name, cell.trim()]] : [];
        }),
      ),
    )
    .filter((values) => Object.keys(values).length > 0);
}
