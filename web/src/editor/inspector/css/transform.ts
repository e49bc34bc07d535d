/** Transforms as numbers to turn: what else they hold is kept. */

import { functions } from "./split";

export const PARTS = [
  { name: "translateX", unit: "px", rest: 0, step: 1 },
  { name: "translateY", unit: "px", rest: 0, step: 1 },
  { name: "scale", unit: "", rest: 1, step: 0.05 },
  { name: "rotate", unit: "deg", rest: 0, step: 1 },
  { name: "skewX", unit: "deg", rest: 0, step: 1 },
  { name: "skewY", unit: "deg", rest: 0, step: 1 },
  { name: "rotateX", unit: "deg", rest: 0, step: 1 },
  { name: "rotateY", unit: "deg", rest: 0, step: 1 },
  { name: "perspective", unit: "px", rest: 0, step: 10 },
] as const;

export type Part = (typeof PARTS)[number];
export type Transform = readonly { name: string; value: string }[];

const SINGLE = /^-?[\d.]+(px|deg)?$/;

/** The functions of a transform; null if it is not understood. */
export const readTransform = (text: string): Transform | null =>
  !text.trim() || text.trim() === "none" ? [] : functions(text);

const isPart = (part: Part, { name, value }: Transform[number]) =>
  name.toLowerCase() === part.name.toLowerCase() && SINGLE.test(value);

export const partOf = (transform: Transform, part: Part): number => {
  const found = transform.find((one) => isPart(part, one));
  return found ? Number.parseFloat(found.value) : part.rest;
};

/** The transform with another value of a part. Perspective comes first, or it does nothing. */
export function withPart(transform: Transform, part: Part, value: number): string {
  const next = { name: part.name, value: `${value}${part.unit}` };
  const isThere = transform.some((one) => isPart(part, one));
  const list = isThere
    ? transform.map((one) => (isPart(part, one) ? next : one))
    : part.name === "perspective"
      ? [next, ...transform]
      : [...transform, next];
  return list
    .filter((one) => one !== next || value !== part.rest)
    .map(({ name, value: inside }) => `${name}(${inside})`)
    .join(" ");
}
