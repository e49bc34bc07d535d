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

/** The text of HTML, for search and titles. */
export const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
