/** The search dialog: the index is a file of the site, which is loaded when the dialog is first opened. */
import { asked, find, prepare, stemOf } from "./find.js";

let dialog;
let input;
let list;
let index;

// Addresses begin with /docs, wherever the site is served.
const home = new URL("../../", import.meta.url);
const load = () => {
  index ??= fetch(new URL("docs/search.json", home))
    .then((response) => response.json())
    .then(prepare)
    .catch((error) => {
      // The next letter tries again.
      index = undefined;
      throw error;
    });
  return index;
};

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[it]);
/** The words of the query in a text are marked, whatever their endings. They have letters and digits only. */
function marked(text, words) {
  const stems = words.map(stemOf).filter((it) => it.length > 1);
  if (stems.length === 0) return escapeHtml(text);
  const parts = text.split(new RegExp(`(${stems.join("|")})`, "gi"));
  return parts.map((part, at) => (at % 2 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part))).join("");
}

function resultHtml({ address, title, place, text, phrase }, at, words) {
  const link = escapeHtml(new URL(address.slice(1), home).href);
  const also = phrase ? `<em>${escapeHtml(phrase)}</em> ` : "";
  return `<li role="option" id="found-${at}" aria-selected="false"><a href="${link}" tabindex="-1"><span class="place">${escapeHtml(place)}</span><strong>${marked(title, words)}</strong><span>${also}${marked(text, words)}</span></a></li>`;
}

let chosen = 0;
function choose(next) {
  const options = [...list.querySelectorAll("[role=option]")];
  if (options.length === 0) return;
  chosen = (next + options.length) % options.length;
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === chosen));
  input.setAttribute("aria-activedescendant", options[chosen].id);
  options[chosen].scrollIntoView({ block: "nearest" });
}

function said(words, { isWhole, results }) {
  if (words.length === 0) return "";
  if (results.length === 0) return "Nothing found. Try another word.";
  const count = results.length === 1 ? "1 result" : `${results.length} results`;
  return isWhole ? count : `${count}. None contains every word.`;
}

async function update() {
  const query = input.value;
  const loaded = await load().catch(() => null);
  if (query !== input.value) return;
  if (!loaded) {
    dialog.querySelector("output").textContent = "The search cannot be loaded. Check the connection.";
    return;
  }
  const words = asked(query);
  const found = find(loaded, query);
  list.innerHTML = found.results.map((it, at) => resultHtml(it, at, words)).join("");
  list.scrollTop = 0;
  dialog.querySelector("output").textContent = said(words, found);
  input.removeAttribute("aria-activedescendant");
  choose(0);
}

function build() {
  dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = `<form method="dialog"><input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"></form><ul id="found" role="listbox" aria-label="Results"></ul><output></output>`;
  document.body.append(dialog);
  input = dialog.querySelector("input");
  list = dialog.querySelector("ul");
  input.addEventListener("input", update);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      list.querySelector('[aria-selected="true"] a')?.click();
    }
  });
}

export function openSearch() {
  if (!dialog) build();
  if (!dialog.open) dialog.showModal();
  input.select();
  load().catch(() => {});
}
