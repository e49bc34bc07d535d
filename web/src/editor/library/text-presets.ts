/** Texts that the library offers. */

import type { Json } from "@/editor/model/film";

export type Styles = { [key: string]: Json };

export interface TextPreset {
  id: string;
  label: string;
  content: string;
  /** Parts of the canvas: left, top, width, height. */
  box: readonly [number, number, number, number];
  /** Height of the letters, as a part of the canvas's shorter side. */
  size: number;
  styles: Styles;
}

const FADE_UP: Json = { enter: "slide-up", exit: "fade", enterDuration: 0.5, exitDuration: 0.3 };
const FADE: Json = { enter: "fade", exit: "fade", enterDuration: 0.4, exitDuration: 0.3 };

/** Texts as they look. Sizes in `styles` are written for a canvas of 1080 pixels and scaled. */
export const TEXT_PRESETS: readonly TextPreset[] = [
  {
    id: "title",
    label: "Title",
    content: "Your title",
    box: [0.08, 0.36, 0.84, 0.28],
    size: 0.13,
    styles: {
      fontFamily: "Inter",
      fontWeight: "800",
      color: "#ffffff",
      letterSpacing: "-2px",
      textShadow: "0px 4px 24px rgba(0,0,0,0.45)",
      animation: FADE_UP,
    },
  },
  {
    id: "subtitle",
    label: "Subtitle",
    content: "A line that says a little more",
    box: [0.12, 0.62, 0.76, 0.12],
    size: 0.05,
    styles: {
      fontFamily: "Inter",
      fontWeight: "500",
      color: "#ffffff",
      textShadow: "0px 2px 12px rgba(0,0,0,0.5)",
      animation: FADE,
    },
  },
  {
    id: "lower-third",
    label: "Lower third",
    content: "Ada Lovelace\nMathematician",
    box: [0.06, 0.76, 0.46, 0.15],
    size: 0.045,
    styles: {
      fontFamily: "Inter",
      fontWeight: "700",
      color: "#14171f",
      backgroundColor: "#ffffff",
      textAlign: "left",
      padding: "18px 28px",
      borderRadius: "14px",
      lineHeight: "1.25",
      animation: { enter: "slide-right", exit: "fade", enterDuration: 0.5, exitDuration: 0.3 },
    },
  },
  {
    id: "quote",
    label: "Quote",
    content: "“Say it in one\nsentence.”",
    box: [0.1, 0.3, 0.8, 0.4],
    size: 0.085,
    styles: {
      fontFamily: "Playfair Display",
      fontWeight: "700",
      fontStyle: "italic",
      color: "#fff7e8",
      lineHeight: "1.2",
      animation: FADE,
    },
  },
  {
    id: "label",
    label: "Label",
    content: "NEW",
    box: [0.36, 0.43, 0.28, 0.14],
    size: 0.06,
    styles: {
      fontFamily: "Inter",
      fontWeight: "800",
      color: "#ffffff",
      backgroundColor: "#d2452a",
      borderRadius: "999px",
      padding: "14px 40px",
      letterSpacing: "3px",
      animation: { enter: "elastic-scale", exit: "fade", enterDuration: 0.7, exitDuration: 0.2 },
    },
  },
  {
    id: "gradient",
    label: "Gradient",
    content: "Colourful",
    box: [0.08, 0.36, 0.84, 0.28],
    size: 0.14,
    styles: {
      fontFamily: "Outfit",
      fontWeight: "800",
      background: "linear-gradient(90deg, #ff7a5c, #ffb84d, #8cb2ff)",
      WebkitBackgroundClip: "text",
      WebkitTextFillColor: "transparent",
      letterSpacing: "-2px",
      animation: FADE_UP,
    },
  },
  {
    id: "words",
    label: "Word by word",
    content: "One word after another",
    box: [0.08, 0.34, 0.84, 0.32],
    size: 0.1,
    styles: {
      fontFamily: "Montserrat",
      fontWeight: "800",
      color: "#ffffff",
      textShadow: "0px 4px 20px rgba(0,0,0,0.45)",
      animatedText: {
        enabled: true,
        split: "word",
        splitStagger: 4,
        y: [60, 0],
        opacity: [0, 1],
        blur: [8, 0],
        duration: 16,
        easing: "easeOutExpo",
      },
    },
  },
  {
    id: "typewriter",
    label: "Typewriter",
    content: "Typed as you watch",
    box: [0.1, 0.4, 0.8, 0.2],
    size: 0.07,
    styles: {
      fontFamily: "JetBrains Mono",
      fontWeight: "500",
      color: "#9ff0c0",
      typeWriter: { enabled: true, cursor: true, typeSpeed: 2 },
    },
  },
  {
    id: "counter",
    label: "Counter",
    content: "100",
    box: [0.2, 0.3, 0.6, 0.4],
    size: 0.24,
    styles: {
      fontFamily: "Space Grotesk",
      fontWeight: "700",
      color: "#ffffff",
      counterMode: { enabled: true, from: 0, to: 100, duration: 60, postfix: " %", easing: "easeOutExpo" },
    },
  },
  {
    id: "handwritten",
    label: "Handwritten",
    content: "with love",
    box: [0.15, 0.36, 0.7, 0.28],
    size: 0.15,
    styles: { fontFamily: "Caveat", fontWeight: "700", color: "#ffe08a", transform: "rotate(-4deg)", animation: FADE },
  },
  {
    id: "headline",
    label: "Poster",
    content: "BIG NEWS",
    box: [0.05, 0.32, 0.9, 0.36],
    size: 0.22,
    styles: {
      fontFamily: "Bebas Neue",
      fontWeight: "400",
      color: "#ffd84d",
      lineHeight: "0.95",
      letterSpacing: "2px",
      animation: { enter: "zoom-blur", exit: "fade", enterDuration: 0.5, exitDuration: 0.2 },
    },
  },
  {
    id: "code",
    label: "Code",
    content: "const film = make();\nrender(film);",
    box: [0.12, 0.3, 0.76, 0.4],
    size: 0.05,
    styles: {
      codeBlock: { enabled: true, language: "javascript", theme: "dark", showLineNumbers: true, fontSize: 44 },
    },
  },
];
