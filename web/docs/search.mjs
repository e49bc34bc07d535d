/** The index of the search: one entry for each page, section, field, name, parameter, reason and operation. client/find.js looks in it. */
import { isPlain, wordsOf } from "./client/find.js";
import { textOf } from "./html.mjs";
import { SYNONYMS } from "./synonyms.mjs";

/** Letters of the text that a result shows. Of the rest of a text, the index has each word once. */
const SHOWN = 120;

/** An entry: address, title, where it is, text. */
export const entry = (address, title, place, text = "") => ({ address, title, place, text });

/** The entries of a page of Markdown: one for each of its sections. */
export function sections(path, { title, html }) {
  const parts = html.split(/(?=<h[123] id=)/);
  return parts
    .map((part) => {
      const [, level, id, heading] = /^<h([123]) id="([^"]*)">([\s\S]*?)<\/h\1>/.exec(part) ?? [];
      if (!id) return null;
      const name = textOf(heading.replace(/<a class="anchor"[\s\S]*?<\/a>/g, ""));
      const text = textOf(part.slice(part.indexOf(`</h${level}>`) + 5).replace(/<button[\s\S]*?<\/button>/g, ""));
      return level === "1" ? entry(path, name, "Guide", text) : entry(`${path}#${id}`, name, title, text);
    })
    .filter(Boolean);
}

const CODE = /<code>([A-Z_]+)<\/code>/g;
/** A cell that holds nothing but codes. */
const CODES_CELL = /<td>(?:<code>[A-Z_]+<\/code>(?:, )?)+<\/td>/g;

/** Gives reasons and codes of problems an address on their page: those in cells of their own, and those that only sentences name. */
export function markCodes(html, names) {
  const counts = new Map();
  const mark = (text, isFirst) =>
    text.replace(CODE, (code, name) => {
      if (!names.has(name) || (isFirst && counts.has(name))) return code;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return `<code id="${count > 1 ? `${name}-${count}` : name}">${name}</code>`;
    });
  const cells = html.replace(CODES_CELL, (cell) => mark(cell, false));
  return cells.replace(/<p>[\s\S]*?<\/p>/g, (paragraph) => mark(paragraph, true));
}

/** An entry for each marked code, with the rest of its row or its paragraph. */
export const codeEntries = (path, html) =>
  [...html.matchAll(/<(tr|p)>([\s\S]*?)<\/\1>/g)].flatMap(([, tag, block]) =>
    [...block.matchAll(/<code id="([^"]*)">([A-Z_]+)<\/code>/g)].map(([, id, name]) => {
      const about = tag === "tr" ? block.replace(/<td>(?:<code id="[^"]*">[A-Z_]+<\/code>(?:, )?)+<\/td>/, "") : block;
      return entry(`${path}#${id}`, name, "Reason", textOf(about));
    }),
  );

/** The beginning of a text, up to the end of a word. */
function beginning(text) {
  if (text.length <= SHOWN) return text;
  const end = text.lastIndexOf(" ", SHOWN);
  return `${text.slice(0, end > 0 ? end : SHOWN)}…`;
}

/** What people call an entry, by its address and by its title. */
function phrases() {
  const by = new Map();
  for (const [words, targets] of SYNONYMS)
    for (const target of targets) by.set(target, [...(by.get(target) ?? []), words]);
  return by;
}

/** Words worth looking for: not a part of an id or a signature in an example. */
const isTelling = (word) => word.length > 1 && word.length < 30 && !isPlain(word) && !/\d.*[a-z].*\d|^\d{5}/.test(word);

/**
 * The index. `rows` are the entries: address, title, place, beginning of the text, phrases. `words` are those of the rest of the texts, and
 * `holders` the rows that have each, as differences in base 36. `names` are entries without a text, by their page: place, and titles that are
 * their anchors as well. client/find.js reads it.
 */
export function searchIndex(entries) {
  const by = phrases();
  const isName = ({ address, title, text }) => !text && address.endsWith(`#${title}`) && !by.has(title);
  const names = {};
  for (const { address, title, place } of entries.filter(isName)) {
    const page = address.slice(0, -title.length - 1);
    names[page] = [place, [names[page]?.[1], title].filter(Boolean).join(" ")];
  }
  const holders = new Map();
  const rows = entries
    .filter((it) => !isName(it))
    .map(({ address, title, place, text }, index) => {
      const shown = beginning(text);
      const known = new Set([title, place, shown].flatMap(wordsOf));
      for (const word of new Set(wordsOf(text).filter((it) => isTelling(it) && !known.has(it))))
        holders.set(word, [...(holders.get(word) ?? []), index]);
      const keys = new Set([address, title].flatMap((target) => by.get(target) ?? []));
      return [address, title, place, shown, ...(keys.size ? [[...keys].join(", ")] : [])];
    });
  const words = [...holders.keys()].sort();
  const differences = (list) => list.map((it, at) => (it - (list[at - 1] ?? 0)).toString(36)).join(" ");
  return { rows, words: words.join(" "), holders: words.map((word) => differences(holders.get(word))), names };
}
