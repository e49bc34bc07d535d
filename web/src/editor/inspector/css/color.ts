/** CSS colours as `#rrggbb` or `#rrggbbaa`. */

let context: CanvasRenderingContext2D | null = null;

const two = (value: number) =>
  Math.max(0, Math.min(255, Math.round(value)))
    .toString(16)
    .padStart(2, "0");

/** Any CSS colour as hex, with two digits of alpha unless it is opaque; null if it is not a colour. */
export function toHex(color: string): string | null {
  const text = color.trim();
  const [, short] = /^#([0-9a-f]{3,4})$/i.exec(text) ?? [];
  if (short) return opaque(`#${short.replaceAll(/./g, "$&$&")}`.toLowerCase());
  if (/^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return opaque(text.toLowerCase());
  context ??= document.createElement("canvas").getContext("2d");
  if (!context || !text || !CSS.supports("color", text) || /^(currentcolor|inherit|initial|unset)$/i.test(text))
    return null;
  context.fillStyle = "#000";
  context.fillStyle = text;
  const read = context.fillStyle;
  if (read.startsWith("#")) return read;
  const [red = 0, green = 0, blue = 0, alpha = 1] = (read.match(/[\d.]+/g) ?? []).map(Number);
  return opaque(`#${two(red)}${two(green)}${two(blue)}${two(alpha * 255)}`);
}

const opaque = (hex: string) => (hex.length === 9 && hex.endsWith("ff") ? hex.slice(0, 7) : hex);

/** From 0 to 1. */
export const alphaOf = (hex: string) => (hex.length === 9 ? Number.parseInt(hex.slice(7), 16) / 255 : 1);

export const withAlpha = (hex: string, alpha: number) => opaque(`${hex.slice(0, 7)}${two(alpha * 255)}`);

const COLOR = /#[0-9a-f]{3,8}\b|rgba?\([^()]*\)/gi;
/** How much of a film is looked through, in characters. */
const MOST_TEXT = 400_000;

/** The colours of a film, the most frequent first. */
export function colorsOf(film: unknown, most = 14): string[] {
  const counts = new Map<string, number>();
  for (const [found] of JSON.stringify(film).slice(0, MOST_TEXT).matchAll(COLOR)) {
    const hex = toHex(found);
    if (hex) counts.set(hex, (counts.get(hex) ?? 0) + 1);
  }
  return [...counts]
    .sort((left, right) => right[1] - left[1])
    .slice(0, most)
    .map(([hex]) => hex);
}
