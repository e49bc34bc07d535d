/** Borders and outlines of letters: a width, a style, a colour. */

import { toHex } from "./color";
import { split } from "./split";

export const LINES = ["solid", "dashed", "dotted", "double"] as const;

export interface Border {
  width: number;
  /** Empty for outlines of letters, which have none. */
  line: string;
  color: string;
}

/** The parts of a border; null if it is not understood. */
export function readBorder(text: string): Border | null {
  const border: Border = { width: 0, line: "", color: "#000000" };
  if (!text.trim() || text.trim() === "none") return border;
  for (const part of split(text, " ")) {
    const width = /^([\d.]+)(px)?$/.exec(part)?.[1];
    const color = width === undefined ? toHex(part) : null;
    if (width !== undefined) border.width = Number(width);
    else if ((LINES as readonly string[]).includes(part)) border.line = part;
    else if (color) border.color = color;
    else return null;
  }
  return border;
}

export const writeBorder = ({ width, line, color }: Border) => [`${width}px`, line, color].filter(Boolean).join(" ");
