/** Gradients as stops. Those with other lengths than per cent are left as text. */

import { toHex } from "./color";
import { split } from "./split";

export interface Stop {
  color: string;
  /** Per cent. */
  at: number;
}

export interface Gradient {
  kind: "linear" | "radial" | "conic";
  /** Degrees; of radial gradients there is none. */
  angle: number;
  /** The shape and place of a radial or conic gradient, kept as it is: `circle at center`. */
  shape: string;
  stops: Stop[];
}

const SIDES: Record<string, number> = {
  "to top": 0,
  "to top right": 45,
  "to right": 90,
  "to bottom right": 135,
  "to bottom": 180,
  "to bottom left": 225,
  "to left": 270,
  "to top left": 315,
};

export function readGradient(text: string): Gradient | null {
  const [, kind, inside] = /^\s*(linear|radial|conic)-gradient\((.*)\)\s*$/is.exec(text) ?? [];
  if (!kind || inside === undefined) return null;
  const parts = split(inside, ",");
  const gradient: Gradient = {
    kind: kind.toLowerCase() as Gradient["kind"],
    angle: kind.toLowerCase() === "conic" ? 0 : 180,
    shape: "",
    stops: [],
  };
  const [first = ""] = parts;
  if (!readStop(first)) {
    parts.shift();
    const degrees = /^(?:from\s+)?(-?[\d.]+)deg$/i.exec(first)?.[1];
    const side = SIDES[first.toLowerCase().replaceAll(/\s+/g, " ")];
    if (degrees !== undefined) gradient.angle = Number(degrees);
    else if (side !== undefined) gradient.angle = side;
    else if (gradient.kind === "linear") return null;
    else gradient.shape = first;
  }
  const stops = parts.map(readStop);
  if (stops.length < 2 || stops.some((stop) => !stop)) return null;
  gradient.stops = placeStops(stops as { color: string; at: number | null }[]);
  return gradient;
}

function readStop(text: string): { color: string; at: number | null } | null {
  const parts = split(text, " ");
  const at = /^(-?[\d.]+)%$/.exec(parts.at(-1) ?? "")?.[1];
  const color = parts.length === (at === undefined ? 1 : 2) ? toHex(parts[0] ?? "") : null;
  return color ? { color, at: at === undefined ? null : Number(at) } : null;
}

/** Stops without a place lie evenly between those that have one. */
function placeStops(stops: { color: string; at: number | null }[]): Stop[] {
  const placed = stops.map(({ at }, index) =>
    at !== null ? at : index === 0 ? 0 : index === stops.length - 1 ? 100 : null,
  );
  return stops.map(({ color }, index) => {
    let before = index;
    while (placed[before] === null) before--;
    let after = index;
    while (placed[after] === null) after++;
    const from = placed[before] ?? 0;
    const share = after === before ? 0 : (index - before) / (after - before);
    return { color, at: Math.round((from + ((placed[after] ?? 100) - from) * share) * 100) / 100 };
  });
}

export function writeGradient({ kind, angle, shape, stops }: Gradient): string {
  const start =
    kind === "linear" ? `${angle}deg` : shape || (kind === "conic" ? `from ${angle}deg` : "circle at center");
  const sorted = [...stops].sort((left, right) => left.at - right.at);
  return `${kind}-gradient(${[start, ...sorted.map(({ color, at }) => `${color} ${at}%`)].join(", ")})`;
}

export const NEW_GRADIENT: Gradient = {
  kind: "linear",
  angle: 135,
  shape: "",
  stops: [
    { color: "#6366f1", at: 0 },
    { color: "#ec4899", at: 100 },
  ],
};
