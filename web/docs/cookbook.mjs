/** The cookbook: a page with all films, and one for each with its JSON. */
import { codeBlock } from "./code.mjs";
import { pretty } from "./format/pages.mjs";
import { escapeHtml } from "./html.mjs";
import { inline } from "./markdown.mjs";
import { entry } from "./search.mjs";

/** In the repository, media are beside the films. On the site, they have addresses. */
export function published(film) {
  return JSON.parse(
    JSON.stringify(film).replace(
      /"(?:\.\.\/)+(?:examples|docs)\/media\/([\w.-]+)"/g,
      '"http://127.0.0.1:8080/docs/media/$1"',
    ),
  );
}

const figure = ({ name, title, film }, isLive) =>
  `<figure class="film${film.height > film.width ? " portrait" : ""}"${isLive ? ` data-film="${name}" data-moves` : ""} data-width="${film.width}" data-height="${film.height}"><img src="/docs/pictures/cookbook/${name}.webp" alt="${escapeHtml(title)}" width="${film.width}" height="${film.height}" loading="lazy" decoding="async"></figure>`;

export function cookbookPages(films) {
  const cards = films.map(
    (it) =>
      `<li><a href="/docs/cookbook/${it.name}">${figure(it, false)}<strong>${escapeHtml(it.title)}</strong><span>${escapeHtml(it.about.replaceAll("`", ""))}</span></a></li>`,
  );
  const index = {
    path: "/docs/cookbook",
    title: "Cookbook",
    about: `${films.length} small films with their JSON`,
    html: `<h1>Cookbook</h1><p class="lead">${films.length} small films to start from. Each is a complete composition: copy it, change texts and colours, and render it.</p><ul class="cards films">${cards.join("")}</ul>`,
    films: {},
    from: ["docs/cookbook/README.md"],
    entries: [entry("/docs/cookbook", "Cookbook", "Cookbook", "examples recipes small films")],
  };
  const pages = films.map((it) => {
    const composition = published(it.film);
    const seconds = (composition.durationInFrames / (composition.fps ?? 30)).toFixed(1).replace(/\.0$/, "");
    const path = `/docs/cookbook/${it.name}`;
    return {
      path,
      title: it.title,
      about: it.about,
      html: `<p class="crumb"><a href="/docs/cookbook">Cookbook</a></p><h1>${escapeHtml(it.title)}</h1><p class="lead">${inline(it.about)}</p><p class="facts">${composition.width} × ${composition.height} · ${seconds} s · ${composition.overlays.length} overlays</p><div class="recipe">${figure({ ...it, film: composition }, true)}${codeBlock({ language: "json", code: pretty(composition), title: `${it.name}.json` })}</div>`,
      films: { [it.name]: composition },
      from: [`docs/cookbook/${it.name}.json`],
      entries: [entry(path, it.title, "Cookbook", it.about)],
    };
  });
  return [index, ...pages];
}
