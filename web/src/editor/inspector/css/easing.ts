/** Easings as Bézier curves, to draw and to bend them. */

export type Curve = readonly [x1: number, y1: number, x2: number, y2: number];

/** What named easings look like. Those that are no such curve (bounce, elastic, spring) are not here. */
export const CURVES: Record<string, Curve> = {
  linear: [0, 0, 1, 1],
  ease: [0.25, 0.1, 0.25, 1],
  "ease-in": [0.42, 0, 1, 1],
  "ease-out": [0, 0, 0.58, 1],
  "ease-in-out": [0.42, 0, 0.58, 1],
  easeInQuad: [0.11, 0, 0.5, 0],
  easeOutQuad: [0.5, 1, 0.89, 1],
  easeInOutQuad: [0.45, 0, 0.55, 1],
  easeInCubic: [0.32, 0, 0.67, 0],
  easeOutCubic: [0.33, 1, 0.68, 1],
  easeInOutCubic: [0.65, 0, 0.35, 1],
  easeInQuart: [0.5, 0, 0.75, 0],
  easeOutQuart: [0.25, 1, 0.5, 1],
  easeInOutQuart: [0.76, 0, 0.24, 1],
  easeInExpo: [0.7, 0, 0.84, 0],
  easeOutExpo: [0.16, 1, 0.3, 1],
  easeInOutExpo: [0.87, 0, 0.13, 1],
  easeInBack: [0.36, 0, 0.66, -0.56],
  easeOutBack: [0.34, 1.56, 0.64, 1],
  easeInOutBack: [0.68, -0.6, 0.32, 1.6],
};

export function readCurve(text: string): Curve | null {
  const inside = /^\s*cubic-bezier\(([^()]*)\)\s*$/i.exec(text)?.[1];
  const numbers = inside?.split(",").map(Number) ?? [];
  return numbers.length === 4 && numbers.every(Number.isFinite)
    ? (numbers as unknown as Curve)
    : (CURVES[text.trim()] ?? null);
}

export const writeCurve = (curve: Curve) =>
  `cubic-bezier(${curve.map((value) => Math.round(value * 100) / 100).join(", ")})`;
