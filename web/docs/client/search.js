/** Search over all pages, in the browser: the index is a file of the site. */

/** Results that are shown. */
const MOST = 12;
let dialog;
let input;
let list;
let index;

async function load() {
  // Addresses begin with /docs, wherever the site is served.
  const home = new URL("../../", import.meta.url);
  index ??= (await (await fetch(new URL("docs/search.json", home))).json()).map(([address, title, place, text]) => ({
    address: new URL(address.slice(1), home).href,
    title,
    place,
    text,
    key: title.toLowerCase(),
    // `fontSize` is also found as "font size".
    words: `${title.replace(/([a-z])([A-Z])/g, "$1 $2")} ${title}`.toLowerCase().split(/[^\p{L}\p{N}]+/u),
    body: `${place} ${text}`.toLowerCase(),
  }));
  return index;
}

/** How well an entry fits one word; 0 if it does not. */
function fit(entry, word) {
  if (entry.key === word) return 100;
  if (entry.key.startsWith(word)) return 60 - Math.min(entry.key.length - word.length, 20);
  if (entry.words.some((it) => it === word)) return 45;
  if (entry.words.some((it) => it.startsWith(word))) return 34;
  if (entry.key.includes(word)) return 20;
  return entry.body.includes(word) ? 6 : 0;
}

/** The entries that have every word, the best first. */
export function find(entries, query) {
  const words = query.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const whole = words.join(" ");
  const found = [];
  for (const entry of entries) {
    let score = entry.key === whole ? 120 : 0;
    const isFound = words.every((word) => {
      const points = fit(entry, word);
      score += points;
      return points > 0;
    });
    if (isFound) found.push([score + (entry.place === "Guide" || entry.place === "Format" ? 4 : 0), entry]);
  }
  return found
    .sort(([one], [other]) => other - one)
    .slice(0, MOST)
    .map(([, entry]) => entry);
}

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[it]);
/** The words of the query in a text are marked. */
function marked(text, words) {
  const html = escapeHtml(text);
  const safe = words.map((word) => escapeHtml(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return safe.length ? html.replace(new RegExp(`(${safe.join("|")})`, "gi"), "<mark>$1</mark>") : html;
}

function around(text, words) {
  const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((it) => it >= 0), text.length);
  const start = Math.max(0, at === text.length ? 0 : at - 40);
  return (start > 0 ? "…" : "") + text.slice(start, start + 130);
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

async function update() {
  const query = input.value;
  const results = find(await load(), query);
  if (query !== input.value) return;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  list.innerHTML = results
    .map(
      (it, at) =>
        `<li role="option" id="found-${at}" aria-selected="false"><a href="${escapeHtml(it.address)}" tabindex="-1"><span class="place">${escapeHtml(it.place)}</span><strong>${marked(it.title, words)}</strong><span>${marked(around(it.text, words), words)}</span></a></li>`,
    )
    .join("");
  dialog.querySelector("output").textContent =
    words.length === 0 ? "" : results.length ? `${results.length} results` : "Nothing found. Try another word.";
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
  load();
}
