/** Lines of captions and their words: edit, split, merge, retime, find and replace. Times are milliseconds of the overlay. */

import type { Json, Overlay } from "@/editor/model/film";

export type Word = { [key: string]: Json | undefined; word: string; startMs: number; endMs: number };
export type Line = { [key: string]: Json | undefined; text: string; startMs: number; endMs: number; words: Word[] };

/** The shortest time of a word or line. */
const LEAST_MS = 40;

export const linesOf = (overlay: Overlay | undefined): Line[] =>
  Array.isArray(overlay?.["captions"]) ? (overlay["captions"] as Line[]) : [];

const tokens = (text: string) => text.split(/\s+/).filter(Boolean);
const ms = (value: number) => Math.round(value);

/** Words of a text, as long as their letters ask for. */
export function spread(words: readonly string[], startMs: number, endMs: number): Word[] {
  const letters = words.reduce((sum, word) => sum + word.length, 0) || 1;
  let at = startMs;
  return words.map((word) => {
    const from = at;
    at += ((endMs - startMs) * word.length) / letters;
    return { word, startMs: ms(from), endMs: ms(at), confidence: 1 };
  });
}

/** The words of a line, spread over its time if it has none. */
export const wordsOf = (line: Line): Word[] =>
  line.words?.length ? line.words : spread(tokens(line.text), line.startMs, line.endMs);

/** The line that is said at a time, or was said last, and the place of the word in its text. */
export function wordAt(lines: readonly Line[], at: number): { line: number; start: number; end: number } | null {
  const last = lines.findLastIndex(({ startMs }) => startMs <= at);
  const line = lines[Math.max(last, 0)];
  if (!line) return null;
  const words = [...line.text.matchAll(/\S+/g)];
  const said = wordsOf(line).findLastIndex(({ startMs }) => startMs <= at);
  const word = words[Math.max(0, Math.min(said, words.length - 1))];
  const start = word?.index ?? 0;
  return { line: Math.max(last, 0), start, end: start + (word?.[0].length ?? 0) };
}

export const newLine = (text: string, startMs: number, endMs: number): Line => ({
  text,
  startMs: ms(startMs),
  endMs: ms(endMs),
  words: spread(tokens(text), startMs, endMs),
});

const joined = (words: readonly Word[]) => words.map(({ word }) => word).join(" ");

/** The line with another text. Words that stay keep their times; what is new shares the time of what it replaces. */
export function withText(line: Line, text: string): Line {
  const before = wordsOf(line);
  const after = tokens(text);
  let head = 0;
  while (head < before.length && head < after.length && before[head]?.word === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail]?.word === after[after.length - 1 - tail]
  )
    tail++;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  const from = old[0]?.startMs ?? before[head - 1]?.endMs ?? line.startMs;
  const to = old.at(-1)?.endMs ?? before[before.length - tail]?.startMs ?? line.endMs;
  const middle =
    old.length === fresh.length
      ? old.map((word, index) => ({ ...word, word: fresh[index] ?? "" }))
      : spread(fresh, from, Math.max(to, from));
  const words = [...before.slice(0, head), ...middle, ...before.slice(before.length - tail)];
  return { ...line, text: after.join(" "), words };
}

/** Two lines instead of one, parted before the word at a place in the text. */
export function splitLine(line: Line, place: number): [Line, Line] | null {
  const words = wordsOf(line);
  const at = Math.max(1, tokens(line.text.slice(0, place)).length);
  const first = words.slice(0, at);
  const second = words.slice(at);
  if (!first.length || !second.length) return null;
  const middle = second[0]?.startMs ?? line.endMs;
  return [
    { ...line, text: joined(first), endMs: middle, words: first },
    { ...line, text: joined(second), startMs: middle, words: second },
  ];
}

export function mergeLines(first: Line, second: Line): Line {
  const words = [...wordsOf(first), ...wordsOf(second)];
  return { ...first, text: `${first.text} ${second.text}`.trim(), endMs: Math.max(first.endMs, second.endMs), words };
}

/** The line at other times; its words move and stretch with it. */
export function withTimes(line: Line, startMs: number, endMs: number): Line {
  const start = ms(Math.max(0, startMs));
  const end = ms(Math.max(start + LEAST_MS, endMs));
  const scale = (end - start) / Math.max(1, line.endMs - line.startMs);
  const at = (time: number) => ms(start + (time - line.startMs) * scale);
  const words = wordsOf(line).map((word) => ({ ...word, startMs: at(word.startMs), endMs: at(word.endMs) }));
  return { ...line, startMs: start, endMs: end, words };
}

/** The line with one word changed; the line holds all of its words. */
export function withWord(line: Line, index: number, change: Partial<Word>): Line {
  const words = wordsOf(line).map((word, place) => (place === index ? ({ ...word, ...change } as Word) : word));
  const changed = words[index];
  if (changed && changed.endMs < changed.startMs + LEAST_MS) changed.endMs = changed.startMs + LEAST_MS;
  return {
    ...line,
    text: joined(words),
    words,
    startMs: Math.min(line.startMs, ...words.map(({ startMs }) => startMs)),
    endMs: Math.max(line.endMs, ...words.map(({ endMs }) => endMs)),
  };
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Replaces a text in all lines, whatever its case. */
export function replaceIn(lines: readonly Line[], find: string, put: string): { lines: Line[]; count: number } {
  if (!find.trim()) return { lines: [...lines], count: 0 };
  const pattern = new RegExp(escaped(find), "gi");
  let count = 0;
  const changed = lines.map((line) => {
    const text = line.text.replaceAll(pattern, () => {
      count++;
      return put;
    });
    return text === line.text ? line : withText(line, text);
  });
  return { lines: changed.filter(({ text }) => text), count };
}

/** Times in the order of their start; lines do not reach into the next one. */
export const inOrder = (lines: readonly Line[]): Line[] => lines.toSorted((a, b) => a.startMs - b.startMs);

/** A part of a source that is heard in an overlay, in seconds, and where its sound comes to lie. */
interface Heard {
  start: number;
  end: number;
  /** Milliseconds in the overlay of a second of the source. */
  at: (seconds: number) => number;
}

/** What is heard of a clip: from where to where, and how its times become those of the overlay. */
export function heardOf(overlay: Overlay, fps: number): Heard {
  const speed = Number(overlay["speed"] ?? 1) || 1;
  const length = overlay.durationInFrames / fps;
  const segments = Array.isArray(overlay["segments"]) ? (overlay["segments"] as Record<string, number>[]) : [];
  if (!segments.length) {
    const start = Number(overlay["videoStartTime"] ?? overlay["startFromSound"] ?? 0) || 0;
    const most = Number(overlay["mediaSrcDuration"] ?? 0) || Number.POSITIVE_INFINITY;
    return { start, end: Math.min(start + length * speed, most), at: (seconds) => ((seconds - start) / speed) * 1000 };
  }
  let out = 0;
  const parts = segments.map((segment) => {
    const rate = speed * (segment["speed"] || 1);
    const part = { from: (segment["startFrame"] ?? 0) / fps, to: (segment["endFrame"] ?? 0) / fps, rate, out };
    out += (part.to - part.from) / rate;
    return part;
  });
  return {
    start: Math.min(...parts.map(({ from }) => from)),
    end: Math.max(...parts.map(({ to }) => to)),
    at: (seconds) => {
      const part = parts.find(({ from, to }) => seconds >= from && seconds < to);
      return part ? (part.out + (seconds - part.from) / part.rate) * 1000 : Number.NaN;
    },
  };
}

/** Lines of a transcription, whose times count from the start of what was heard, on the clock of the overlay. */
export function onClock(lines: readonly Line[], heard: Heard): Line[] {
  const moved = (time: number) => ms(heard.at(heard.start + time / 1000));
  return inOrder(
    lines.flatMap((line) => {
      const words = wordsOf(line)
        .map((word) => ({ ...word, startMs: moved(word.startMs), endMs: moved(word.endMs - 1) + 1 }))
        .filter(({ startMs, endMs }) => Number.isFinite(startMs) && Number.isFinite(endMs));
      const [first] = words;
      const last = words.at(-1);
      return first && last ? [{ ...line, text: joined(words), startMs: first.startMs, endMs: last.endMs, words }] : [];
    }),
  );
}
