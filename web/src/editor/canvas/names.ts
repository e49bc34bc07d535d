/** What overlays are called. */

import type { Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/canvas";
import { frameOf } from "./boxes";

const LONGEST = 40;

/** Type, text and size, for screen readers: Text “Hello”, 200 by 40. */
export function nameOf(overlay: Overlay): string {
  const { width, height } = frameOf(overlay);
  const type = STRINGS.types[overlay.type] ?? STRINGS.unknownType;
  return STRINGS.named(type, textOf(overlay), Math.round(width), Math.round(height));
}

function textOf(overlay: Overlay): string {
  const given = overlay["name"] ?? (isSource(overlay) ? overlay["src"] : overlay["content"]);
  if (typeof given !== "string") return "";
  const text = isSource(overlay) ? (given.split(/[?#]/)[0]?.split("/").at(-1) ?? "") : given;
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const isSource = ({ type }: Overlay) => type === "image" || type === "video";
