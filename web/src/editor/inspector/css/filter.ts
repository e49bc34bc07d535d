/** Filters as a list of functions, most of them with a slider. */

import { functions } from "./split";

export interface Dial {
  name: string;
  unit: "" | "px" | "deg";
  min: number;
  max: number;
  step: number;
  /** Where it does nothing. */
  rest: number;
}

export const DIALS: readonly Dial[] = [
  { name: "blur", unit: "px", min: 0, max: 40, step: 0.5, rest: 0 },
  { name: "brightness", unit: "", min: 0, max: 2, step: 0.01, rest: 1 },
  { name: "contrast", unit: "", min: 0, max: 2, step: 0.01, rest: 1 },
  { name: "saturate", unit: "", min: 0, max: 3, step: 0.01, rest: 1 },
  { name: "hue-rotate", unit: "deg", min: -180, max: 180, step: 1, rest: 0 },
  { name: "grayscale", unit: "", min: 0, max: 1, step: 0.01, rest: 0 },
  { name: "sepia", unit: "", min: 0, max: 1, step: 0.01, rest: 0 },
  { name: "invert", unit: "", min: 0, max: 1, step: 0.01, rest: 0 },
];

export type Filters = readonly { name: string; value: string }[];

/** The functions of a filter; null if it is a name or not understood. */
export const readFilters = (text: string): Filters | null =>
  !text.trim() || text.trim() === "none" ? [] : functions(text);

/** The value of a dial. */
export function dialOf(filters: Filters, dial: Dial): number {
  const text = filters.find(({ name }) => name === dial.name)?.value;
  if (text === undefined) return dial.rest;
  const number = Number.parseFloat(text);
  if (!Number.isFinite(number)) return dial.unit ? 0 : 1;
  return text.endsWith("%") ? number / 100 : number;
}

/** The filter with another value of a dial; one at rest is left out. */
export function withDial(filters: Filters, dial: Dial, value: number): string {
  const next = { name: dial.name, value: `${value}${dial.unit}` };
  const isThere = filters.some(({ name }) => name === dial.name);
  const list = isThere ? filters.map((filter) => (filter.name === dial.name ? next : filter)) : [...filters, next];
  return list
    .filter((filter) => filter !== next || value !== dial.rest)
    .map(({ name, value: inside }) => `${name}(${inside})`)
    .join(" ");
}
