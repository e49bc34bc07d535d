/** Text for HTML. */

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as it stands in HTML, in elements and in attributes. */
export const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter]);

/** `Limits and prices` is `limits-and-prices`. */
export const slug = (words) =>
  words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join("-");

/** The reverse of `escapeHtml`. */
export const decode = (html) =>
  html
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");

/** The text of HTML, for search and titles. */
export const textOf = (html) =>
  decode(html.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
