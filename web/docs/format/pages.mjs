/** The pages of the format reference: made from the schemas, the registry and the sentences of docs/format/names.json. */
import { codeBlock } from "../code.mjs";
import { escapeHtml, slug } from "../html.mjs";
import { inline } from "../markdown.mjs";
import { entry } from "../search.mjs";
import { AREAS, film } from "./films.mjs";
import { aboutOf, factsOf, fieldList } from "./schema.mjs";
import { BASES, STYLES } from "./styles.mjs";

/** The overlay types: the schema of their styles, and how their page is called. */
const TYPES = {
  text: ["Text", ["AnimatedText", "TypeWriter", "CounterMode", "CodeBlock"]],
  image: ["Image", ["Layout3d", "Greenscreen", "ChannelThresholds"]],
  video: ["Video", ["MediaSegment"]],
  sound: ["Sound", []],
  shape: ["Shape", ["GradientTransition"]],
  sticker: ["Sticker", []],
  caption: ["Caption", ["Caption", "CaptionWord", "HighlightStyle"]],
  effect: ["Effect", ["Column"]],
};

/** The areas of the registry: title, what their names are for, and where a name stands in an overlay. */
const LISTS = {
  animations: [
    "Enter and exit",
    "Names for `animation.enter` and `animation.exit`. As an exit, a preset runs backwards, and slides leave on the opposite side.",
    "styles.animation.enter",
  ],
  during: [
    "During",
    "Names for `animation.during`: motion between entrance and exit. Drifts move a picture inside its box; loops move the whole overlay.",
    "styles.animation.during",
  ],
  layouts: [
    "3D layouts",
    "Names for `layout3D.layout` of images. With `settle`, the image turns flat as it enters.",
    "styles.layout3D.layout",
  ],
  effects: ["Effects", "Names for the `content` of an effect overlay.", "content"],
  shapes: [
    "Shapes",
    "Names for the `content` of a shape overlay. SVG path data in a box of 100 × 100 works too.",
    "content",
  ],
  stickers: [
    "Stickers",
    "Names for the `content` of a sticker overlay. Every [emoji](/docs/format/emoji) is a sticker as well.",
    "content",
  ],
  captions: [
    "Caption templates",
    "Names for the `template` of a caption overlay. Each field of `styles` replaces one of the template's.",
    "template",
  ],
  easings: [
    "Easings",
    "Names for `easing` in keyframes. `cubic-bezier()`, `steps()`, `linear()` and `spring()` work too.",
    "styles.staggeredMotion.easing",
  ],
  filters: ["Filters", "Names for `filter`. Any CSS filters work too.", "styles.filter"],
  fonts: [
    "Fonts",
    "Names for `fontFamily` that every installation has. [Fonts](/docs/fonts) tells how to use others.",
    "styles.fontFamily",
  ],
};

/** Where the schemas are described. */
const PLACES = {
  Composition: "/docs/format/composition",
  ColorVariable: "/docs/format/composition#ColorVariable",
  FontVariable: "/docs/format/composition#FontVariable",
  FontFace: "/docs/format/composition#FontFace",
  Overlay: "/docs/format/composition#Overlay",
  Animation: "/docs/format/motion#Animation",
  StaggeredMotion: "/docs/format/motion#StaggeredMotion",
  ...Object.fromEntries(
    Object.entries(TYPES).flatMap(([type, [title, nested]]) => [
      [`${title}Overlay`, `/docs/format/${type}`],
      [`${title}Styles`, `/docs/format/${type}#styles`],
      ...nested.map((name) => [name, `/docs/format/${type}#${name}`]),
    ]),
  ),
};
export const placeOf = (name) => PLACES[name] ?? null;

/** Objects in styles that get a film: the type and the style that shows them. */
const SHOWN = {
  Animation: ["text", "animation"],
  StaggeredMotion: ["text", "staggeredMotion"],
  AnimatedText: ["text", "animatedText"],
  TypeWriter: ["text", "typeWriter"],
  CounterMode: ["text", "counterMode"],
  CodeBlock: ["text", "codeBlock"],
  Layout3d: ["image", "layout3D"],
  GradientTransition: ["shape", "gradientTransition"],
  HighlightStyle: ["caption", "highlightStyle"],
  Column: ["effect", "columns"],
};

/** The film of a style, with the part of the overlay that makes it; null if there is nothing to see. */
export function styleFilm(type, style) {
  const [value, more = {}] = STYLES[type]?.[style] ?? [];
  if (value === undefined) return null;
  const { styles = {}, behind, box, note, content, ...options } = more;
  const shown = { ...styles, [style]: value };
  const example = { ...(content ? { content } : {}), styles: shown };
  if (note || type === "sound") return { example, note };
  const base = BASES[type];
  const overlay = { ...base, ...box, ...(content ? { content } : {}), styles: { ...base.styles, ...shown } };
  return { example, ...film(behind ? [overlay, behind] : [overlay], { frames: 80, ...options }) };
}

/** The film of a name in the registry. */
export function nameFilm(area, row) {
  const made = AREAS[area](row.name, row);
  const {
    id,
    row: _row,
    from,
    durationInFrames,
    left,
    top,
    width,
    height,
    src,
    captions,
    ...example
  } = made.composition.overlays[0];
  if (area === "captions" || area === "effects" || area === "stickers" || area === "shapes")
    return { example, ...made };
  // Of the styles, those that the name is about.
  const path = LISTS[area][2].split(".");
  const styles = { [path[1]]: example.styles[path[1]] };
  return { example: { type: example.type, styles }, ...made };
}

const pictureOf = (group, id, made, alt) => {
  if (!made?.composition) return "";
  const src = `/docs/pictures/${group}/${slug(id)}.webp`;
  const attributes = made.moves ? " data-moves" : "";
  return `<figure class="film" data-film="${escapeHtml(id)}"${attributes}><img src="${src}" alt="${escapeHtml(alt)}" width="480" height="270" loading="lazy" decoding="async"></figure>`;
};

/** JSON as people write it: objects that are shorter than `width` letters are on one line. */
export function pretty(value, width = 58, indent = "") {
  const flat = JSON.stringify(value);
  if (value === null || typeof value !== "object" || flat.length + indent.length < width)
    return flat === undefined ? "" : spaced(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `${deeper}${isList ? "" : `${JSON.stringify(name)}: `}${pretty(item, width, deeper)}`);
  return `${isList ? "[" : "{"}\n${parts.join(",\n")}\n${indent}${isList ? "]" : "}"}`;
}
/** Letters on a line beside a picture. */
const NARROW = 34;
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.entries(value).filter(([, item]) => item !== undefined);
  return parts.length
    ? `{ ${parts.map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`).join(", ")} }`
    : "{}";
}

/** A field or a name: what it is, its JSON, and its film beside it. */
function entryHtml({ id, title, facts, about, made, group, alt }) {
  const json = made
    ? codeBlock({ language: "json", code: pretty(made.example, NARROW), label: `JSON of ${title}` })
    : "";
  const note = made?.note ? `<p class="note">${inline(made.note)}</p>` : "";
  return `<section class="entry" id="${escapeHtml(id)}"><div class="entry-text"><h3><a href="#${escapeHtml(id)}"><code>${escapeHtml(title)}</code></a></h3>${facts ? `<p class="facts">${facts}</p>` : ""}<p>${inline(about)}</p>${note}</div><div class="entry-shown">${pictureOf(group, id, made, alt)}${json}</div></section>`;
}

const filterBox = (what) =>
  `<p class="filter"><input type="search" data-filter placeholder="Filter ${escapeHtml(what)}" aria-label="Filter ${escapeHtml(what)}"></p>`;

/** A page of an overlay type. */
function typePage(type, schemas) {
  const [title, nested] = TYPES[type];
  const overlay = schemas[`${title}Overlay`];
  const styles = schemas[`${title}Styles`];
  const link = placeOf;
  const films = {};
  const listed = [];
  const path = `/docs/format/${type}`;
  const entries = Object.entries(styles.properties).map(([name, field]) => {
    const id = name;
    const made = styleFilm(type, name);
    if (made?.composition) films[id] = made.composition;
    listed.push(entry(`${path}#${id}`, name, `${title} style`, field.description));
    const facts = factsOf(field, false, link);
    return entryHtml({
      id,
      title: name,
      facts,
      about: aboutOf(field),
      made,
      group: type,
      alt: `${title} overlay with ${name}`,
    });
  });
  for (const [name, field] of Object.entries(overlay.properties))
    listed.push(entry(`${path}#overlay-${name}`, name, `${title} overlay`, field.description));
  const parts = nested.map((name) => objectHtml(name, schemas, films, listed, path));
  const base = { ...BASES[type], id: 1, from: 0, durationInFrames: 80, row: 0 };
  const html = `<h1>${title} overlay</h1><p class="lead">${inline(overlay.description)}</p>
${codeBlock({ language: "json", code: pretty(base), title: `A ${type} overlay` })}
<h2 id="overlay">Fields</h2>${fieldList(overlay, { prefix: "overlay-", link })}
<h2 id="styles">Styles</h2><p>${inline(styles.description)} The examples show what is added to the overlay above.</p>${filterBox("styles")}
<div class="entries">${entries.join("")}</div>${parts.join("")}`;
  listed.unshift(entry(path, `${title} overlay`, "Format", overlay.description));
  return { path, title: `${title} overlay`, about: overlay.description, html, films, entries: listed };
}

/** An object inside an overlay: its fields and, where there is something to see, a film. */
function objectHtml(name, schemas, films, listed, path) {
  const schema = schemas[name];
  const [type, style] = SHOWN[name] ?? [];
  const made = type ? styleFilm(type, style) : null;
  if (made?.composition) films[style] ??= made.composition;
  listed.push(entry(`${path}#${name}`, name, "Object", schema.description));
  for (const [field, { description }] of Object.entries(schema.properties ?? {}))
    listed.push(entry(`${path}#${name}-${field}`, `${name}.${field}`, "Field", description));
  const shown = made
    ? `<div class="shown">${pictureOf(type, style, made, name)}${codeBlock({ language: "json", code: pretty(made.example) })}</div>`
    : "";
  return `<h2 id="${name}">${name}</h2><p>${inline(schema.description ?? "")}</p>${shown}${fieldList(schema, { prefix: `${name}-`, link: placeOf })}`;
}

/** A page of names. */
function listPage(area, registry, sentences) {
  const [title, lead] = LISTS[area];
  const path = `/docs/format/${area}`;
  const films = {};
  const listed = [entry(path, title, "Format", lead)];
  const entries = registry[area].map((row) => {
    const name = row.name ?? row.family;
    const made = nameFilm(area, { ...row, name });
    const id = slug(name) === name ? name : name.replaceAll(" ", "-");
    films[id] = made.composition;
    const about = sentences[area]?.[name] ?? "";
    listed.push(entry(`${path}#${id}`, name, title, [about, ...(row.aliases ?? [])].join(" ")));
    const facts = [];
    if (row.aliases?.length)
      facts.push(`also ${row.aliases.map((alias) => `<code>${escapeHtml(alias)}</code>`).join(" ")}`);
    if (row.kind) facts.push(escapeHtml(row.kind));
    if (row.category) facts.push(escapeHtml(row.category));
    if (row.css) facts.push(`<code>${escapeHtml(row.css)}</code>`);
    if (row.fontFamily) facts.push(`set in ${escapeHtml(row.fontFamily)}`);
    if (row.weights)
      facts.push(`weights ${escapeHtml(row.weights.join(", "))}${row.italicWeights?.length ? ", italic" : ""}`);
    return entryHtml({ id, title: name, facts: facts.join(" · "), about, made, group: area, alt: `${title}: ${name}` });
  });
  const html = `<h1>${escapeHtml(title)}</h1><p class="lead">${inline(lead)}</p>${filterBox("names")}<div class="entries">${entries.join("")}</div>`;
  return { path, title, about: `${registry[area].length} names`, html, films, entries: listed };
}

function emojiPage(registry) {
  const cells = registry.emoji.map(
    ({ name, emoji }) =>
      `<li id="${name}" data-entry="${name}"><span aria-hidden="true">${emoji}</span><code>${name}</code></li>`,
  );
  const html = `<h1>Emoji</h1><p class="lead">${inline(`All ${registry.emoji.length.toLocaleString("en-US")} emoji are stickers: use these names as the \`content\` of a sticker overlay, or write the emoji itself.`)}</p>
${codeBlock({ language: "json", code: pretty({ type: "sticker", content: "emoji-rocket" }) })}
${filterBox("emoji")}<ul class="emoji">${cells.join("")}</ul>`;
  const path = "/docs/format/emoji";
  return {
    path,
    title: "Emoji",
    about: "Every emoji as a sticker",
    html,
    films: {},
    entries: [
      entry(path, "Emoji", "Format", "Every emoji as a sticker, by its name."),
      ...registry.emoji.map(({ name }) => entry(`${path}#${name}`, name, "Emoji")),
    ],
  };
}

/** The overlay types, each with its page. */
const overlayHtml = ({ description }) =>
  `<h2 id="Overlay">Overlay</h2><p>${inline(description)}</p><ul>${Object.entries(TYPES)
    .map(([type, [title]]) => `<li><a href="/docs/format/${type}">${title} overlay</a></li>`)
    .join("")}</ul>`;

function compositionPage(schemas) {
  const listed = [entry("/docs/format/composition", "Composition", "Format", schemas.Composition.description)];
  const path = "/docs/format/composition";
  for (const [name, { description }] of Object.entries(schemas.Composition.properties))
    listed.push(entry(`${path}#${name}`, name, "Composition", description));
  const html = `<h1>Composition</h1><p class="lead">${inline(schemas.Composition.description)}</p>
${codeBlock({ language: "json", code: pretty({ width: 1280, height: 720, fps: 30, durationInFrames: 90, backgroundColor: "#0f172a", overlays: [] }) })}
<h2 id="fields">Fields</h2>${fieldList(schemas.Composition, { prefix: "", link: placeOf })}
${overlayHtml(schemas.Overlay)}
${["ColorVariable", "FontVariable", "FontFace"].map((name) => objectHtml(name, schemas, {}, listed, path)).join("")}`;
  listed.push(entry(`${path}#Overlay`, "Overlay", "Object", schemas.Overlay.description));
  return { path, title: "Composition", about: schemas.Composition.description, html, films: {}, entries: listed };
}

function motionPage(schemas) {
  const films = {};
  const path = "/docs/format/motion";
  const listed = [entry(path, "Motion", "Format", "animation staggeredMotion keyframes")];
  const html = `<h1>Motion</h1><p class="lead">${inline("`animation` uses presets; `staggeredMotion` uses keyframes of your own. Most overlay types have both in their `styles`.")}</p>
${["Animation", "StaggeredMotion"].map((name) => objectHtml(name, schemas, films, listed, path)).join("")}`;
  return { path, title: "Motion", about: "Animations and keyframes", html, films, entries: listed };
}

/** All pages of the reference. */
export function formatPages({ schemas, registry, sentences }) {
  return [
    compositionPage(schemas),
    ...Object.keys(TYPES).map((type) => typePage(type, schemas)),
    motionPage(schemas),
    ...Object.keys(LISTS).map((area) => listPage(area, registry, sentences)),
    emojiPage(registry),
  ];
}

/** What has a page, for checks and for the pictures: every name and every style with its film. */
export function everyFilm({ schemas, registry }) {
  const films = [];
  for (const [type, [title]] of Object.entries(TYPES))
    for (const style of Object.keys(schemas[`${title}Styles`].properties))
      films.push({ group: type, id: style, made: styleFilm(type, style) });
  for (const area of Object.keys(LISTS))
    for (const row of registry[area]) {
      const name = row.name ?? row.family;
      films.push({ group: area, id: name, made: nameFilm(area, { ...row, name }) });
    }
  return films;
}
