/** Values of fields: shared by a selection, read from text, and written as the format wants them. */

import type { EditorState } from "@/editor/model/editor";
import { findOverlay, type Json, type Overlay, stepsOf } from "@/editor/model/film";
import { isNumber, type Schema } from "./schema";

const steps = new Map<string, readonly (string | number)[]>();

/** The value at a path. Like `valueAt`, but the paths of fields are taken apart once. */
export function readPath(from: Json | undefined, path: string): Json | undefined {
  const list = steps.get(path) ?? stepsOf(path);
  steps.set(path, list);
  let value = from;
  for (const step of list) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, Json | undefined>)[step];
  }
  return value;
}

let last: { film: unknown; selection: unknown; overlays: readonly Overlay[] } | null = null;

/** The selected overlays. Asked for by every field at every change, so the last answer is kept. */
export function selectedOf({ film, selection }: EditorState): readonly Overlay[] {
  if (last?.film !== film || last.selection !== selection)
    last = { film, selection, overlays: selection.flatMap((id) => findOverlay(film, id) ?? []) };
  return last.overlays;
}

export interface Shared {
  /** Undefined if the values differ or none is set. */
  value: Json | undefined;
  isMixed: boolean;
  /** Whether at least one of them has the field. */
  isSet: boolean;
}

const sameJson = (left: Json | undefined, right: Json | undefined) =>
  left === right ||
  (typeof left === "object" && typeof right === "object" && JSON.stringify(left) === JSON.stringify(right));

/** The value that several objects have at a path. */
export function sharedValue(objects: readonly Json[], path: string): Shared {
  const [first, ...others] = objects.map((object) => readPath(object, path));
  const isMixed = others.some((other) => !sameJson(first, other));
  return {
    value: isMixed ? undefined : first,
    isMixed,
    isSet: first !== undefined || others.some((other) => other !== undefined),
  };
}

export interface Quantity {
  number: number;
  unit: string;
}

const QUANTITY = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%°]*)\s*$/i;

/** `24px` as number and unit; null for anything else. */
export function readQuantity(value: Json | undefined): Quantity | null {
  if (typeof value === "number") return { number: value, unit: "" };
  const [, number, unit] = (typeof value === "string" && QUANTITY.exec(value)) || [];
  return number === undefined ? null : { number: Number(number), unit: unit === "°" ? "deg" : (unit ?? "") };
}

/** At most four digits after the point, none of them noise. */
export const tidy = (number: number) => Number(number.toFixed(4));

export const clamp = (number: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) =>
  Math.min(max, Math.max(min, number));

/** A number as the field stores it: a number, or a string with its unit. */
export function writeQuantity({ number, unit }: Quantity, schema: Schema): Json {
  const whole = schema.type === "integer" ? Math.round(number) : tidy(number);
  const clamped = clamp(whole, schema.minimum, schema.maximum);
  return isNumber(schema) ? clamped : `${clamped}${unit}`;
}

/** `fontSizeFixed` → `Font size fixed`. */
export const humanise = (name: string) => {
  const words = name
    .replace(/^Webkit/, "")
    .replaceAll(/[-_]/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
