/** Boxes and points on the canvas, in pixels of the film. */

import type { Point } from "@/editor/player";

/** A rectangle turned about its centre, in degrees. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  rotation: number;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A handle by its side: -1 is left or top, 1 is right or bottom, 0 is between. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

export type Quad = readonly [Point, Point, Point, Point];

/** Clockwise from the top left, as in a quad. */
export const HANDLES: readonly Handle[] = [
  { x: -1, y: -1 },
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
];

export const isCorner = ({ x, y }: Handle) => x !== 0 && y !== 0;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A vector turned clockwise, as it is seen. */
export function turn([x, y]: Point, degrees: number): Point {
  if (!degrees) return [x, y];
  const [sin, cos] = [Math.sin(radians(degrees)), Math.cos(radians(degrees))];
  return [x * cos - y * sin, x * sin + y * cos];
}

export const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];

export const centreOf = (box: Box): Point => [box.left + box.width / 2, box.top + box.height / 2];

/** The box of a size around a centre. */
export const boxAround = ([x, y]: Point, width: number, height: number, rotation: number): Box => ({
  left: x - width / 2,
  top: y - height / 2,
  width,
  height,
  rotation,
});

/** A point of a box: the handle's corner, the middle of a side, or the centre. */
export const pointOf = (box: Box, { x, y }: { x: number; y: number }): Point =>
  add(centreOf(box), turn([(x * box.width) / 2, (y * box.height) / 2], box.rotation));

export const quadOf = (box: Box): Quad => [
  pointOf(box, { x: -1, y: -1 }),
  pointOf(box, { x: 1, y: -1 }),
  pointOf(box, { x: 1, y: 1 }),
  pointOf(box, { x: -1, y: 1 }),
];

/** Whether a point is inside a quad, whichever way round its corners go. */
export function isInside([x, y]: Point, quad: Quad): boolean {
  let inside = false;
  for (let index = 0, last = 3; index < 4; last = index++) {
    const [ax, ay] = quad[index] as Point;
    const [bx, by] = quad[last] as Point;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

export function boundsOf(points: readonly Point[]): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return bounds;
}

/** What surrounds boxes as they are seen. */
export const boundsOfBoxes = (boxes: readonly Box[]): Bounds => boundsOf(boxes.flatMap((box) => [...quadOf(box)]));

export const boxOfBounds = ({ left, top, right, bottom }: Bounds): Box => ({
  left,
  top,
  width: right - left,
  height: bottom - top,
  rotation: 0,
});

export const overlaps = (a: Bounds, b: Bounds) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** The smallest side a handle can make. */
const LEAST_SIDE = 4;

interface ResizeOptions {
  keepRatio: boolean;
  fromCentre: boolean;
}

/**
 * A box after one of its handles was dragged. What lies opposite the handle stays where it is, or the centre with `fromCentre`.
 * Sides are whole pixels unless the ratio is kept.
 */
export function resize(start: Box, handle: Handle, drag: Point, { keepRatio, fromCentre }: ResizeOptions): Box {
  const [dx, dy] = turn(drag, -start.rotation);
  const reach = fromCentre ? 2 : 1;
  let width = start.width + handle.x * dx * reach;
  let height = start.height + handle.y * dy * reach;
  if (keepRatio) {
    const scale = ratioScale(start, handle, width, height);
    width = start.width * scale;
    height = start.height * scale;
    // The longer side is a whole number of pixels: the other follows it.
    const longer = Math.max(width, height);
    const whole = Math.max(LEAST_SIDE, Math.round(longer)) / longer;
    width *= whole;
    height *= whole;
  } else {
    width = handle.x ? Math.max(LEAST_SIDE, Math.round(width)) : width;
    height = handle.y ? Math.max(LEAST_SIDE, Math.round(height)) : height;
  }
  return resizeTo(start, handle, width, height, fromCentre);
}

/** A box of another size. What lies opposite the handle stays where it is, or the centre with `fromCentre`. */
export function resizeTo(start: Box, handle: Handle, width: number, height: number, fromCentre: boolean): Box {
  if (fromCentre) return boxAround(centreOf(start), width, height, start.rotation);
  const anchor = pointOf(start, { x: -handle.x, y: -handle.y });
  const away: Point = [(handle.x * width) / 2, (handle.y * height) / 2];
  return boxAround(add(anchor, turn(away, start.rotation)), width, height, start.rotation);
}

function ratioScale(start: Box, handle: Handle, width: number, height: number): number {
  if (!handle.y) return Math.max(width / start.width, LEAST_SIDE / start.width);
  if (!handle.x) return Math.max(height / start.height, LEAST_SIDE / start.height);
  // The point of the diagonal nearest to the pointer.
  const scale =
    (width * start.width + height * start.height) / (start.width * start.width + start.height * start.height);
  return Math.max(scale, LEAST_SIDE / Math.max(start.width, start.height));
}

/** A box scaled and turned about a point, with others. */
export function transformAbout(box: Box, about: Point, scale: number, degrees: number): Box {
  const [x, y] = turn(subtract(centreOf(box), about), degrees);
  const centre: Point = add(about, [x * scale, y * scale]);
  return boxAround(centre, box.width * scale, box.height * scale, box.rotation + degrees);
}

/** The angle from a centre to a point; up is 0. */
export const angleTo = ([cx, cy]: Point, [x, y]: Point) => (Math.atan2(x - cx, cy - y) * 180) / Math.PI;

/** Degrees above -180 and up to 180. */
export const wrapDegrees = (degrees: number) => {
  const turned = ((degrees % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
};

/** A number as it is written into a film: tenths of pixels. */
export const tenths = (value: number) => {
  const rounded = Math.round(value * 10) / 10;
  return Object.is(rounded, -0) ? 0 : rounded;
};
