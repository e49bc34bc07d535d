/** SRT and WebVTT, in and out. */

import { inOrder, type Line, newLine } from "./captions";

const ARROW = /^\s*(\S+)\s*-->\s*(\S+)/;

/** 00:01:02,345 and 01:02.345 in milliseconds; null if it is no time. */
function readTime(text: string): number | null {
  const match = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})$/.exec(text);
  if (!match) return null;
  const [, hours = "0", minutes = "0", seconds = "0", part = "0"] = match;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(part.padEnd(3, "0"));
}

/** The lines of a file; none if it is neither SRT nor WebVTT. */
export function readSubtitles(text: string): Line[] {
  const lines: Line[] = [];
  for (const block of text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n\s*\n/)) {
    const rows = block.split("\n");
    const timed = rows.findIndex((row) => ARROW.test(row));
    const [, from = "", to = ""] = ARROW.exec(rows[timed] ?? "") ?? [];
    const startMs = readTime(from);
    const endMs = readTime(to);
    const said = rows
      .slice(timed + 1)
      .join(" ")
      // Marks such as <i> and {\an8} are no words.
      .replaceAll(/<[^>]*>|\{\\[^}]*\}/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    if (timed >= 0 && startMs !== null && endMs !== null && endMs > startMs && said)
      lines.push(newLine(said, startMs, endMs));
  }
  return inOrder(lines);
}

function time(ms: number, point: string): string {
  const whole = Math.max(0, Math.round(ms));
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}${point}${String(whole % 1000).padStart(3, "0")}`;
}

/** Times in the file are those of the film: `offset` is where the overlay begins, in milliseconds. */
export const writeSrt = (lines: readonly Line[], offset: number) =>
  lines
    .map(
      (line, index) =>
        `${index + 1}\n${time(line.startMs + offset, ",")} --> ${time(line.endMs + offset, ",")}\n${line.text}\n`,
    )
    .join("\n");

export const writeVtt = (lines: readonly Line[], offset: number) =>
  `WEBVTT\n\n${lines.map((line) => `${time(line.startMs + offset, ".")} --> ${time(line.endMs + offset, ".")}\n${line.text}\n`).join("\n")}`;
