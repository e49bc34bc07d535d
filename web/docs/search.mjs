/** The index of the search: one entry for each page, section, field, name and operation. client/search.js looks in it. */
import { textOf } from "./html.mjs";

/** Letters of the text of an entry. More makes the index larger, and hardly finds more. */
const LONGEST = 320;

/** An entry: address, title, where it is, text. */
export const entry = (address, title, place, text = "") => [address, title, place, text.slice(0, LONGEST)];

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
