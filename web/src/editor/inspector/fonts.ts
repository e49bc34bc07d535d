/** Faces of the service, so that names of fonts are drawn in their fonts. Loaded when a name is seen. */

import { addOwnFont, ownFonts } from "@/film/own-fonts";

interface Face {
  file: string;
  weight: number;
  isItalic: boolean;
}

let index: Promise<Map<string, Face[]>> | null = null;

/** The faces by family, from the list the player reads. */
async function readIndex(): Promise<Map<string, Face[]>> {
  const faces = new Map<string, Face[]>();
  const text = await (await fetch("/player/fonts/index")).text();
  for (const line of text.split("\n")) {
    const [kind, family, weight, style, , file] = line.split("\t");
    if (kind !== "face" || !family || !file) continue;
    const list = faces.get(family) ?? [];
    list.push({ file, weight: Number(weight), isItalic: style !== "normal" });
    faces.set(family, list);
  }
  return faces;
}

const loaded = new Map<string, Promise<string | null>>();
// A family that was not there may have been uploaded since.
ownFonts.subscribe(() => loaded.clear());

/** Loads the upright face of a family that is nearest to 400. The name under which it is drawn, null if there is none. */
export function showFont(family: string): Promise<string | null> {
  const known = loaded.get(family) ?? load(family);
  loaded.set(family, known);
  return known;
}

async function load(family: string): Promise<string | null> {
  try {
    index ??= readIndex();
    const faces = (await index).get(family) ?? [];
    const name = `rondo ${family}`;
    if (faces.length === 0) return (await addOwnFont(family, name)) ? name : null;
    const [face] = faces
      .filter(({ isItalic }) => !isItalic)
      .sort((left, right) => Math.abs(left.weight - 400) - Math.abs(right.weight - 400));
    if (!face) return null;
    const drawn = new FontFace(name, `url("/player/fonts/${face.file}")`);
    await drawn.load();
    document.fonts.add(drawn);
    return name;
  } catch {
    return null;
  }
}
