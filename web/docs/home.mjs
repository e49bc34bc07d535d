/** The first page of the documentation. */
import { escapeHtml } from "./html.mjs";

const STARTS = [
  ["/docs/first-film", "First film in five minutes", "With curl, TypeScript, Python or an agent."],
  ["/docs/format", "Format reference", "Every overlay, style, preset, sticker and font, with pictures that move."],
  ["/docs/api", "API reference", "Every operation, with requests you can send."],
  ["/docs/cookbook", "Cookbook", "Small films to start from, with their JSON."],
];

/** `films` are those of the cookbook, of which some are shown. */
export function homePage(films) {
  const cards = STARTS.map(
    ([path, title, about]) =>
      `<li><a href="${path}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(about)}</span></a></li>`,
  );
  const shown = films
    .slice(0, 8)
    .map(
      ({ name, title, film }) =>
        `<li><a href="/docs/cookbook/${name}"><figure class="film"><img src="/docs/pictures/cookbook/${name}.webp" alt="" width="${film.width}" height="${film.height}" loading="lazy"></figure><strong>${escapeHtml(title)}</strong></a></li>`,
    );
  const html = `<h1>Rondo documentation</h1><p class="lead">Rondo renders films from JSON: text, pictures, video, sound, captions and effects on a timeline, styled with CSS. One request in, one film out.</p>
<ul class="cards starts">${cards.join("")}</ul>
${shown.length ? `<h2 id="cookbook">From the cookbook</h2><ul class="cards films">${shown.join("")}</ul>` : ""}
<h2 id="models">For language models</h2><p><a href="/llms.txt">llms.txt</a> lists these pages; <a href="/llms-full.txt">llms-full.txt</a> holds all of them as one text. Every page is also there as Markdown: add <code>.md</code> to its address. Agents connect over <a href="/docs/agents">MCP</a>.</p>`;
  return {
    path: "/docs",
    title: "Documentation",
    about: "Guides and references of Rondo",
    html,
    kind: "home",
    films: {},
    from: ["web/docs/home.mjs", "docs/cookbook/README.md"],
    entries: [],
  };
}
