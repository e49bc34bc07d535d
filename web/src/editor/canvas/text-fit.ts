/** The size and place of a text in its box, as the engine finds them. */

import { type Overlay, valueAt } from "@/editor/model/film";
import { boxOf } from "./boxes";
import { familyOf, pageFamily } from "./fonts";

export interface TextLook {
  family: string;
  weight: string;
  style: "normal" | "italic";
  /** Pixels of the film. */
  size: number;
  /** From the top of the box. */
  top: number;
  height: number;
  css: Record<string, string>;
  color: string;
}

const string = (overlay: Overlay, field: string) => {
  const value = valueAt(overlay, `styles.${field}`);
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
};

/** A length without a unit is in pixels. */
const withUnit = (value: string) => value.replace(/(^|\s)(-?[\d.]+)(?=\s|$)/g, "$1$2px");

/** Lengths in pixels times a factor; others follow the size of the letters. */
export const scaled = (value: string, factor: number) =>
  withUnit(value).replace(/(-?[\d.]+)px/g, (_, pixels: string) => `${Number(pixels) * factor}px`);

/** Fields of the look that are CSS as they are. Lengths in pixels are scaled with the canvas. */
function cssOf(overlay: Overlay): Record<string, string> {
  const border = /([\d.]+)px/.exec(string(overlay, "border"))?.[1];
  return {
    lineHeight: string(overlay, "lineHeight") || "1.2",
    letterSpacing: withUnit(string(overlay, "letterSpacing")) || "normal",
    wordSpacing: withUnit(string(overlay, "wordSpacing")) || "normal",
    textTransform: string(overlay, "textTransform") || "none",
    textAlign: /^(center|right)$/.test(string(overlay, "textAlign")) ? string(overlay, "textAlign") : "left",
    padding: withUnit(string(overlay, "padding")) || "0.1em",
    borderWidth: border ? `${border}px` : "0px",
  };
}

let ruler: HTMLDivElement | null = null;

/** A hidden block that lays out text with the engine's rules. */
function rulerFor(family: string, look: Pick<TextLook, "weight" | "style" | "css">, text: string): HTMLDivElement {
  if (!ruler?.isConnected) {
    ruler = document.createElement("div");
    ruler.setAttribute("aria-hidden", "true");
    document.body.append(ruler);
  }
  Object.assign(ruler.style, {
    position: "fixed",
    left: "0",
    top: "0",
    visibility: "hidden",
    pointerEvents: "none",
    contain: "layout style",
    boxSizing: "border-box",
    borderStyle: "solid",
    whiteSpace: "pre-wrap",
    fontSynthesis: "none",
    textRendering: "geometricPrecision",
    fontFamily: pageFamily(family),
    fontWeight: look.weight,
    fontStyle: look.style,
    ...look.css,
  });
  // A last line break opens a line only before something.
  ruler.textContent = text.endsWith("\n") || text === "" ? `${text}\u200b` : text;
  return ruler;
}

/** The size that letters start from when an overlay names none. */
function automaticSize(overlay: Overlay, text: string, css: Record<string, string>): number {
  const { width, height } = boxOf(overlay);
  const scale = Number(valueAt(overlay, "styles.fontSizeScale") ?? 1) || 1;
  const lines = text.split("\n");
  const longest = Math.max(...lines.map((line) => [...new Intl.Segmenter().segment(line)].length));
  if (!longest) return Math.min(48, 0.6 * height) * scale;
  const sides = (css["padding"] ?? "")
    .split(/\s+/)
    .map((part) => Number.parseFloat(part) * (part.endsWith("em") ? 16 : 1));
  const [top = 0, right = top, bottom = top, left = right] = sides;
  const border = css["borderWidth"] === "0px" ? 0 : 4;
  const lineHeight = Number.parseFloat(css["lineHeight"] ?? "") || 1.2;
  const across = Math.max(20, width - left - right - border);
  const down = Math.max(20, height - top - bottom - border);
  let size = 0.95 * Math.min(down / lines.length / lineHeight, across / (longest * 0.5));
  if (longest > 40) size *= Math.max(0.85, 1 - (longest - 40) / 200);
  if (lines.length > 4) size *= Math.max(0.9, 1 - 0.02 * (lines.length - 4));
  if (width < 60 || height < 20) size *= 0.9;
  const least = Math.min(16, Math.max(8, 0.1 * height));
  return Math.min(Math.max(size, least), 0.8 * height, 0.15 * width, 200) * scale;
}

/** Where an overlay's text is and how large its letters are. */
export function lookOf(overlay: Overlay): TextLook {
  const { width, height } = boxOf(overlay);
  const text = String(overlay["content"] ?? "");
  const css = cssOf(overlay);
  const family = familyOf(valueAt(overlay, "styles.fontFamily"));
  const weight = string(overlay, "fontWeight") || "400";
  const style = /italic|oblique/.test(string(overlay, "fontStyle")) ? "italic" : "normal";
  const block = rulerFor(family, { weight, style, css }, text);
  const given = /^([\d.]+)(?:px)?$/.exec(string(overlay, "fontSize"))?.[1];
  const start = given ? Number(given) : automaticSize(overlay, text, css);
  const isFixed = valueAt(overlay, "styles.fontSizeFixed") === true && given !== undefined;
  const size = isFixed ? start : search(block, start, width, height);
  if (isFixed) Object.assign(block.style, { overflowWrap: "break-word", width: `${width}px` });
  block.style.fontSize = `${size}px`;
  const tall = Math.min(block.getBoundingClientRect().height, height);
  const vertical = string(overlay, "verticalAlign");
  const top = vertical === "top" ? 0 : vertical === "bottom" ? height - tall : (height - tall) / 2;
  return { family, weight, style, size, top, height: tall, css, color: string(overlay, "color") || "black" };
}

/** Quarters of pixels that were found last: with whole words, and with broken ones. 0 if the first size fit. */
const last = { whole: 0, broken: 0 };

/** The largest size that fits; words break only where even half the size would break one. The block is left at that size. */
function search(block: HTMLElement, start: number, width: number, height: number): number {
  block.style.width = `${width}px`;
  const largest = (words: keyof typeof last) => {
    block.style.overflowWrap = words === "whole" ? "normal" : "break-word";
    const fits = (quarters: number) => {
      block.style.fontSize = `${quarters / 4}px`;
      if (words === "whole" && block.scrollWidth > Math.ceil(width)) return false;
      return block.getBoundingClientRect().height <= height + 0.01;
    };
    let [low, high] = [4, Math.ceil(start * 4)];
    // A key rarely changes the size: what was found last is tried before all others.
    const guess = last[words];
    if (guess > low && guess + 1 < high && !fits(guess + 1) && fits(guess)) return guess / 4;
    last[words] = 0;
    if (fits(start * 4)) return start;
    while (high > low + 1) {
      const middle = Math.floor((low + high) / 2);
      if (fits(middle)) low = middle;
      else high = middle;
    }
    last[words] = low;
    return Math.min(low / 4, start);
  };
  const whole = largest("whole");
  return whole < start / 2 ? largest("broken") : whole;
}
