/** Shadows of boxes and letters. */

import { toHex } from "./color";
import { split } from "./split";

export interface Shadow {
  x: number;
  y: number;
  blur: number;
  spread: number;
  color: string;
  inset: boolean;
}

/** The shadows of a value; null if one of them has another unit than pixels. */
export function readShadows(text: string): Shadow[] | null {
  if (!text.trim() || text.trim() === "none") return [];
  const shadows = split(text, ",").map(readShadow);
  return shadows.every((shadow) => shadow) ? (shadows as Shadow[]) : null;
}

function readShadow(text: string): Shadow | null {
  const lengths: number[] = [];
  const shadow: Shadow = { x: 0, y: 0, blur: 0, spread: 0, color: "#000000", inset: false };
  for (const part of split(text, " ")) {
    const length = /^(-?(?:\d+\.?\d*|\.\d+))(px)?$/.exec(part);
    if (length && (length[2] || Number(length[1]) === 0)) lengths.push(Number(length[1]));
    else if (part === "inset") shadow.inset = true;
    else {
      const color = toHex(part);
      if (!color) return null;
      shadow.color = color;
    }
  }
  const [x, y, blur = 0, spread = 0] = lengths;
  return x === undefined || y === undefined || lengths.length > 4 ? null : { ...shadow, x, y, blur, spread };
}

export const writeShadows = (shadows: readonly Shadow[], isText: boolean): string =>
  shadows
    .map(({ x, y, blur, spread, color, inset }) =>
      [
        ...(inset && !isText ? ["inset"] : []),
        ...(isText ? [x, y, blur] : [x, y, blur, spread]).map((n) => `${n}px`),
        color,
      ].join(" "),
    )
    .join(", ");
