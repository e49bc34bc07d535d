/** Where overlays are on the canvas, and the edits that put them elsewhere. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { endOf, type Film, type Overlay, valueAt } from "@/editor/model/film";
import { add, type Box, boxAround, centreOf, tenths, turn, wrapDegrees } from "./geometry";

/** The visible part of an overlay, in parts of its width and height. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

const WHOLE: Crop = { x: 0, y: 0, width: 1, height: 1 };

const MEDIA = new Set(["video", "image"]);
export const isMedia = (overlay: Overlay) => MEDIA.has(overlay.type);

/** Overlays that have a place on the canvas. */
export const isSeen = (overlay: Overlay) => overlay.type !== "sound";

export const isShownAt = (overlay: Overlay, frame: number) =>
  isSeen(overlay) && overlay.from <= frame && frame < endOf(overlay);

/** Whether an overlay can be touched: it is neither locked nor hidden. */
export const isFree = ({ state: { locked, hidden } }: Editor, id: number) =>
  !locked.includes(id) && !hidden.includes(id);

/** Back to front: a lower row is in front; on one row, the later in the list. */
export function stacked(film: Film): Overlay[] {
  return film.overlays.filter(isSeen).sort((a, b) => number(b.row) - number(a.row));
}

const number = (value: unknown, fallback = 0) => {
  const given = Number(value);
  return Number.isFinite(given) && value !== null ? given : fallback;
};

/** The box that an overlay's fields describe. */
export const boxOf = (overlay: Overlay): Box => ({
  left: number(overlay["left"]),
  top: number(overlay["top"]),
  width: Math.max(0, number(overlay["width"])),
  height: Math.max(0, number(overlay["height"])),
  rotation: number(overlay["rotation"]),
});

export function cropOf(overlay: Overlay): Crop {
  if (!isMedia(overlay) || valueAt(overlay, "styles.cropEnabled") !== true) return WHOLE;
  const percent = (field: string, fallback: number) => number(valueAt(overlay, `styles.${field}`), fallback) / 100;
  const crop = {
    x: percent("cropX", 0),
    y: percent("cropY", 0),
    width: percent("cropWidth", 100),
    height: percent("cropHeight", 100),
  };
  return crop.width > 0 && crop.height > 0 ? crop : WHOLE;
}

/** The visible part of a box: what people take for the overlay. */
export function windowOf(box: Box, crop: Crop): Box {
  const away = turn(
    [(crop.x + crop.width / 2 - 0.5) * box.width, (crop.y + crop.height / 2 - 0.5) * box.height],
    box.rotation,
  );
  return boxAround(add(centreOf(box), away), box.width * crop.width, box.height * crop.height, box.rotation);
}

/** The box whose visible part is a window. */
export function boxOfWindow(window: Box, crop: Crop): Box {
  const width = window.width / crop.width;
  const height = window.height / crop.height;
  const away = turn(
    [(0.5 - crop.x - crop.width / 2) * width, (0.5 - crop.y - crop.height / 2) * height],
    window.rotation,
  );
  return boxAround(add(centreOf(window), away), width, height, window.rotation);
}

/** The visible part of an overlay. Handles and snap lines follow it. */
export const frameOf = (overlay: Overlay): Box => windowOf(boxOf(overlay), cropOf(overlay));

const FIELDS = ["left", "top", "width", "height"] as const;

/** Edits that give an overlay another box. Fields that stay are not written. */
export function boxEdits(overlay: Overlay, box: Box): Edit[] {
  const edits: Edit[] = [];
  for (const field of FIELDS) {
    const value = tenths(box[field]);
    if (overlay[field] !== value) edits.push({ op: "set", id: overlay.id, path: field, value });
  }
  const rotation = tenths(wrapDegrees(box.rotation));
  // A turn that did not change stays as it was written.
  if (tenths(wrapDegrees(number(overlay["rotation"]))) !== rotation)
    edits.push({ op: "set", id: overlay.id, path: "rotation", value: rotation });
  return edits;
}

/** Edits that give an overlay another visible part. */
export const frameEdits = (overlay: Overlay, frame: Box): Edit[] =>
  boxEdits(overlay, boxOfWindow(frame, cropOf(overlay)));

/** Edits that show another part of an overlay. Without a crop the fields are taken out. */
export function cropEdits(overlay: Overlay, crop: Crop): Edit[] {
  const set = (field: string, value: number | boolean | undefined): Edit => ({
    op: "set",
    id: overlay.id,
    path: `styles.${field}`,
    value,
  });
  const isWhole = [crop.x, crop.y, 1 - crop.width, 1 - crop.height].every((part) => Math.abs(part) < 0.0005);
  if (isWhole)
    return ["cropEnabled", "cropX", "cropY", "cropWidth", "cropHeight"]
      .filter((field) => valueAt(overlay, `styles.${field}`) !== undefined)
      .map((field) => set(field, undefined));
  const percent = (part: number) => Math.round(part * 10_000) / 100;
  return [
    set("cropEnabled", true),
    set("cropX", percent(crop.x)),
    set("cropY", percent(crop.y)),
    set("cropWidth", percent(crop.width)),
    set("cropHeight", percent(crop.height)),
  ];
}

/** The edit that scales the letters of a text with its box; none if their size is automatic. */
export function fontEdits(overlay: Overlay, scale: number): Edit[] {
  if (overlay.type !== "text") return [];
  const size = valueAt(overlay, "styles.fontSize");
  const pixels = /^\s*([\d.]+)(?:px)?\s*$/.exec(String(size ?? ""))?.[1];
  if (!pixels || scale === 1) return [];
  const scaled = Math.max(1, tenths(Number(pixels) * scale));
  const value = typeof size === "number" ? scaled : `${scaled}${/px/.test(String(size)) ? "px" : ""}`;
  return [{ op: "set", id: overlay.id, path: "styles.fontSize", value }];
}
