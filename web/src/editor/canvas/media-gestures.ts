/** Crop, and the place and size of a picture inside its frame. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import { findOverlay, type Overlay, valueAt } from "@/editor/model/film";
import type { Point } from "@/editor/player";
import { STRINGS } from "@/editor/strings/canvas";
import { boxEdits, boxOf, boxOfWindow, type Crop, cropEdits, cropOf, windowOf } from "./boxes";
import { type Handle, subtract, tenths, turn } from "./geometry";
import { type Gesture, Steps, show } from "./gestures";
import { addressOf } from "./media-addresses";

/** The smallest part of a side that a crop leaves. */
const LEAST_PART = 0.02;
/** The most a picture is enlarged inside its frame. */
const MOST_ZOOM = 20;

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Drags a side or corner of what is shown. The picture stays. */
export function cropGesture(editor: Editor, overlay: Overlay, handle: Handle, start: Point): Gesture {
  const box = boxOf(overlay);
  const crop = cropOf(overlay);
  const steps = new Steps(editor, STRINGS.steps.crop);
  return {
    move({ point }) {
      const [dx, dy] = turn(subtract(point, start), -box.rotation);
      const x = side(crop.x, crop.width, handle.x, dx / box.width);
      const y = side(crop.y, crop.height, handle.y, dy / box.height);
      const next = { x: x.from, y: y.from, width: x.part, height: y.part };
      steps.apply(cropEdits(steps.now(overlay), next));
      const window = windowOf(box, next);
      show({ readout: STRINGS.size(tenths(window.width), tenths(window.height)) });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

function side(from: number, part: number, handle: number, drag: number): { from: number; part: number } {
  if (handle < 0) {
    const next = clamp(from + drag, 0, from + part - LEAST_PART);
    return { from: next, part: from + part - next };
  }
  return { from, part: handle > 0 ? clamp(part + drag, LEAST_PART, 1 - from) : part };
}

/** The size of a picture or film in its file; null until it is known. */
const sizes = new Map<string, Point | null>();

function naturalSize(overlay: Overlay): Point | null {
  const src = addressOf(String(overlay["src"] ?? ""));
  const known = sizes.get(src);
  if (known !== undefined || !src) return known ?? null;
  sizes.set(src, null);
  if (overlay.type === "image") {
    const image = new Image();
    image.onload = () => sizes.set(src, [image.naturalWidth, image.naturalHeight]);
    image.src = src;
  } else {
    const video = document.createElement("video");
    video.preload = "metadata";
    video.onloadedmetadata = () => sizes.set(src, [video.videoWidth, video.videoHeight]);
    video.src = src;
  }
  return null;
}

/** Asks for the size of a file, so that it is known when it is dragged. */
export const prepareMedia = (overlay: Overlay) => void naturalSize(overlay);

/** How much of a picture lies outside its box on each axis. */
function overflow(overlay: Overlay): Point {
  const natural = naturalSize(overlay);
  const fit = valueAt(overlay, "styles.objectFit") ?? "cover";
  if (!natural?.[0] || !natural[1] || fit === "fill") return [0, 0];
  const { width, height } = boxOf(overlay);
  const ratios = [width / natural[0], height / natural[1]] as const;
  const scale = fit === "cover" ? Math.max(...ratios) : fit === "none" ? 1 : Math.min(...ratios);
  return [natural[0] * scale - width, natural[1] * scale - height];
}

const KEYWORDS: Record<string, number> = { left: 0, top: 0, center: 50, right: 100, bottom: 100 };

/** An object position in percent. */
function positionOf(overlay: Overlay): Point {
  const words = String(valueAt(overlay, "styles.objectPosition") ?? "50% 50%")
    .trim()
    .split(/\s+/);
  const swapped = /^(top|bottom)$/.test(words[0] ?? "") || /^(left|right)$/.test(words[1] ?? "");
  const [x, y = "center"] = swapped ? [words[1] ?? "center", words[0]] : words;
  const percent = (word: string | undefined) =>
    KEYWORDS[word ?? ""] ?? (/%$/.test(word ?? "") ? Number.parseFloat(word ?? "") : 50);
  return [percent(x), percent(y)];
}

/** Drags the picture inside its frame: its object position, or what a crop shows of it. */
export function slideGesture(editor: Editor, overlay: Overlay, start: Point): Gesture {
  const box = boxOf(overlay);
  const crop = cropOf(overlay);
  const window = windowOf(box, crop);
  const position = positionOf(overlay);
  const outside = overflow(overlay);
  const steps = new Steps(editor, STRINGS.steps.slide);
  const isCropped = crop.width < 1 || crop.height < 1;
  return {
    move({ point }) {
      const drag = turn(subtract(point, start), -box.rotation);
      if (isCropped) {
        const next = moved(crop, drag[0] / box.width, drag[1] / box.height);
        steps.apply([
          ...boxEdits(steps.now(overlay), boxOfWindow(window, next)),
          ...cropEdits(steps.now(overlay), next),
        ]);
        return;
      }
      const [x, y] = position.map((percent, axis) => {
        const room = outside[axis] as number;
        return Math.abs(room) < 0.5 ? percent : clamp(percent - ((drag[axis] as number) / room) * 100, 0, 100);
      }) as [number, number];
      steps.apply([objectPosition(overlay, x, y)]);
      show({ readout: STRINGS.objectPosition(Math.round(x), Math.round(y)) });
    },
    end: (cancelled) => steps.end(cancelled),
  };
}

const objectPosition = ({ id }: Overlay, x: number, y: number): Edit => ({
  op: "set",
  id,
  path: "styles.objectPosition",
  value: `${tenths(x)}% ${tenths(y)}%`,
});

/** A crop after the picture beneath it moved. */
const moved = (crop: Crop, dx: number, dy: number): Crop => ({
  ...crop,
  x: clamp(crop.x - dx, 0, 1 - crop.width),
  y: clamp(crop.y - dy, 0, 1 - crop.height),
});

/** How much a picture is enlarged inside its frame. */
export function zoomOf(overlay: Overlay): number {
  const { width, height } = cropOf(overlay);
  return 1 / Math.max(width, height);
}

/** Enlarges the picture inside its frame, which stays. Steps of one gesture are one. */
export function zoomMedia(editor: Editor, id: number, factor: number, gesture: string) {
  const overlay = findOverlay(editor.document(), id);
  if (!overlay) return;
  const crop = cropOf(overlay);
  const window = windowOf(boxOf(overlay), crop);
  const most = Math.max(crop.width, crop.height);
  const times = clamp(factor, most, MOST_ZOOM * most);
  const [width, height] = [crop.width / times, crop.height / times];
  const next = {
    width,
    height,
    x: clamp(crop.x + (crop.width - width) / 2, 0, 1 - width),
    y: clamp(crop.y + (crop.height - height) / 2, 0, 1 - height),
  };
  const edits = [...boxEdits(overlay, boxOfWindow(window, next)), ...cropEdits(overlay, next)];
  if (edits.length) editor.apply(edits, { name: STRINGS.steps.zoom, gesture });
}

/** Shows the whole of an overlay again, where it lies. */
export function resetCrop(editor: Editor, id: number) {
  const overlay = findOverlay(editor.document(), id);
  if (!overlay) return;
  const window = windowOf(boxOf(overlay), cropOf(overlay));
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  editor.apply([...cropEdits(overlay, whole), ...boxEdits(overlay, window)], { name: STRINGS.steps.uncrop });
}
