/**
 * Draws the pictures of the documentation with the program: `node web/docs/pictures.mjs PROGRAM [GROUP…]`. A group is an overlay type, an area
 * of the registry, or `cookbook`. Needs ffmpeg.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { published } from "./cookbook.mjs";
import { everyFilm } from "./format/pages.mjs";
import { slug } from "./html.mjs";
import { MEDIA, root, sources } from "./sources.mjs";

/** The longer side of a picture, and the quality of its file. */
const SIDE = { reference: 480, cookbook: 800 };
const QUALITY = { reference: 62, cookbook: 76 };

/** Media from the folders of the repository. */
const local = (composition) =>
  JSON.stringify(composition).replace(/http:\/\/127\.0\.0\.1:8080\/docs\/media\/([\w.-]+)/g, (_, name) =>
    join(root, MEDIA[name]),
  );

/** Every picture that the pages show: its path in docs/pictures, and its film. */
export function everyPicture() {
  const made = sources();
  return [
    ...everyFilm(made)
      .filter((it) => it.made?.composition)
      .map(({ group, id, made: { composition } }) => ({ group, name: slug(id), composition })),
    ...made.films.map(({ name, film }) => ({ group: "cookbook", name, composition: published(film) })),
  ];
}

function draw(program, { group, name, composition }, folder) {
  const [film, frame] = [join(folder, "film.json"), join(folder, "frame.png")];
  writeFileSync(film, local(composition));
  const number = composition.posterFrame ?? Math.floor(composition.durationInFrames * 0.6);
  execFileSync(program, ["frame", film, "--frame", String(number), "-o", frame], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kind = group === "cookbook" ? "cookbook" : "reference";
  const size = `scale=${SIDE[kind]}:${SIDE[kind]}:force_original_aspect_ratio=decrease:flags=area`;
  const output = join(root, "docs/pictures", group, `${name}.webp`);
  mkdirSync(join(root, "docs/pictures", group), { recursive: true });
  const encode = ["-c:v", "libwebp", "-quality", String(QUALITY[kind]), "-compression_level", "6"];
  execFileSync("ffmpeg", ["-v", "error", "-y", "-i", frame, "-vf", size, ...encode, output]);
}

if (process.argv[1] === import.meta.filename) {
  const [program, ...groups] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "rondo-pictures-"));
  const wanted = everyPicture().filter(({ group }) => groups.length === 0 || groups.includes(group));
  for (const picture of wanted) draw(program, picture, folder);
  rmSync(folder, { recursive: true, force: true });
  console.log(`${wanted.length} pictures`);
}
