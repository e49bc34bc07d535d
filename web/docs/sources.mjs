/** What the documentation is made from: the guides, the OpenAPI document, the registry, the films of the cookbook. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");
export const read = (path) => readFileSync(join(root, path), "utf8");
const readJson = (path) => JSON.parse(read(path));

/** The version of Rondo that these sources describe. */
export const version = () => /^\[workspace\.package\][^[]*?^version = "([^"]+)"/m.exec(read("Cargo.toml"))[1];

/** The media that films of the documentation use, by their names in /docs/media. */
export const MEDIA = {
  "photo.jpg": "examples/media/photo.jpg",
  "citrus.svg": "examples/media/citrus.svg",
  "house.svg": "examples/media/house.svg",
  "orbits.svg": "examples/media/orbits.svg",
  "rings.svg": "examples/media/rings.svg",
  "music.m4a": "examples/media/music.m4a",
  "clip.mp4": "docs/media/clip.mp4",
};

/** The films of the cookbook in the order of its table: name, title, what it shows, composition. */
export function cookbook() {
  const table = read("docs/cookbook/README.md");
  return [...table.matchAll(/^\| \[([^\]]+)\]\(([\w-]+)\.json\) \| (.*?) \|$/gm)].map(([, title, name, about]) => ({
    name,
    title,
    about,
    film: readJson(`docs/cookbook/${name}.json`),
  }));
}

export function sources() {
  const document = readJson("web/openapi/api.json");
  return {
    document,
    schemas: document.components.schemas,
    registry: readJson("web/docs/registry.json"),
    sentences: readJson("docs/format/names.json"),
    films: existsSync(join(root, "docs/cookbook")) ? cookbook() : [],
  };
}

/** The files below a folder, by their path in it. */
export function filesIn(folder, prefix = "") {
  const place = join(root, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true }).flatMap((it) =>
    it.isDirectory() ? filesIn(`${folder}/${it.name}`, `${prefix}${it.name}/`) : [`${prefix}${it.name}`],
  );
}
