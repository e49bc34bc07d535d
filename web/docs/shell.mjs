/** The frame of every page: head, header, menu, contents of the page, and the links to the pages around it. */
import { escapeHtml } from "./html.mjs";

const icon = (path) =>
  `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
const ICONS = {
  search: icon('<circle cx="11" cy="11" r="7"/><path d="m20 20-3.8-3.8"/>'),
  menu: icon('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  theme: icon('<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 0 0 0-16z" fill="currentColor"/>'),
};
export const LOGO = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><defs><linearGradient id="logo-gradient" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#ff8a5c"/><stop offset="1" stop-color="#e5488a"/></linearGradient></defs><circle cx="12" cy="12" r="9" fill="none" stroke="url(#logo-gradient)" stroke-width="4" stroke-linecap="round" stroke-dasharray="43 14" transform="rotate(-60 12 12)"/><path d="M10 8.6v6.8l5.4-3.4z" fill="currentColor"/></svg>`;

/** Groups with many pages are folded, unless the page is one of theirs. */
const LONG = 10;

function menuOf(menu, path) {
  const item = ([address, title]) =>
    `<li><a href="${address}"${address === path ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`;
  const groups = menu.map(([group, pages]) => {
    const list = `<ul>${pages.map(item).join("")}</ul>`;
    if (pages.length < LONG) return `<section><h2>${escapeHtml(group)}</h2>${list}</section>`;
    const isOpen = pages.some(([address]) => address === path);
    return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(group)}</summary>${list}</details>`;
  });
  return groups.join("");
}

function contents(headings) {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return "";
  const links = listed.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join("")}</ul></aside>`;
}

function around(menu, path) {
  const pages = menu.flatMap(([, listed]) => listed);
  const at = pages.findIndex(([address]) => address === path);
  if (at < 0) return "";
  const step = (page, name) =>
    page ? `<a class="${name}" href="${page[0]}"><span>${name}</span>${escapeHtml(page[1])}</a>` : "<span></span>";
  return `<nav class="around" aria-label="Pages around this one">${step(pages[at - 1], "Previous")}${step(pages[at + 1], "Next")}</nav>`;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const written = (day) => {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[month - 1]} ${year}`;
};

/** What the page is about, and how old it is. */
function imprint(version, day) {
  const updated = day ? ` <span>Updated <time datetime="${day}">${written(day)}</time></span>` : "";
  return `<footer class="imprint"><span>Rondo ${version} · <a href="/docs/changelog">Changelog</a></span>${updated}</footer>`;
}

/**
 * A page: `path` is its address, `title` and `about` describe it, `html` is its content. `kind` chooses the layout: `guide`, `wide` or
 * `home`. `markdown` is the address of the same page as Markdown, `day` that of the last change.
 */
export function page({ path, title, about, html, headings = [], kind = "guide", markdown, day }, menu, frame) {
  const { service, isVersioned, version } = frame;
  const tools = markdown
    ? `<div class="tools"><button type="button" data-markdown="${markdown}">Copy as Markdown</button><a href="${markdown}">View as Markdown</a></div>`
    : "";
  return `<!doctype html>
<html lang="en"${service === null ? "" : ` data-service="${escapeHtml(service)}"`}${isVersioned ? " data-versioned" : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(about)}">
<title>${escapeHtml(title)} · Rondo</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="preload" href="/docs/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/theme.js"></script>
<script type="module" src="/docs/assets/docs.js"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="icon menu-button" aria-label="Menu" aria-expanded="false" aria-controls="menu">${ICONS.menu}</button>
<a class="brand" href="/docs">${LOGO}<span>Rondo</span> <em>Docs</em></a>
<button type="button" class="search-button" data-search>${ICONS.search}<span>Search</span><kbd>/</kbd></button>
<nav class="top" aria-label="Sections"><a href="/docs/format">Format</a><a href="/docs/api">API</a><a href="/docs/cookbook">Cookbook</a>${service === null ? "" : '<a href="/dashboard">Dashboard</a>'}</nav>
<button type="button" class="icon" data-theme-button aria-label="Theme: system">${ICONS.theme}</button>
</header>
<nav id="menu" aria-label="Documentation"><p class="version"><a href="/docs/changelog">Version ${version}</a></p>${menuOf(menu, path)}</nav>
<main id="content" tabindex="-1">
${tools}${html}
${around(menu, path)}
${imprint(version, day)}
</main>
${kind === "guide" ? contents(headings) : ""}
</body>
</html>
`;
}
