/** The fonts of the engine for the page, so that a caret stands where the engine paints letters. */

import { addOwnFont } from "@/film/own-fonts";

/** Names that stand for families. */
const ALIASES: Record<string, string> = {
  "font-sans": "Inter",
  "font-serif": "Merriweather",
  "font-mono": "Roboto Mono",
  "font-retro": "VT323",
  "font-league-spartan": "League Spartan",
  "font-bungee-inline": "Bungee Inline",
};

interface Face {
  weight: string;
  style: string;
  range: string | undefined;
  file: string;
}

let index: Promise<Map<string, Face[]>> | null = null;
const added = new Set<string>();

/** The list of fonts is text: lines of `range` (number, code points) and `face` (family, weight, style, range, file). */
async function readIndex(): Promise<Map<string, Face[]>> {
  const response = await fetch("/player/fonts/index");
  if (!response.ok) throw new Error(`The list of fonts cannot be loaded: status ${response.status}.`);
  const families = new Map<string, Face[]>();
  const ranges = new Map<string, string>();
  for (const line of (await response.text()).split("\n")) {
    const [kind, first = "", second = "", style = "", range = "", file = ""] = line.split("\t");
    if (kind === "range") ranges.set(first, second);
    if (kind !== "face") continue;
    const faces = families.get(first.toLowerCase()) ?? [];
    faces.push({ weight: second, style, range: ranges.get(range), file });
    families.set(first.toLowerCase(), faces);
  }
  return families;
}

/** The first family of a list, as the engine reads it. */
export function familyOf(list: unknown): string {
  const first =
    String(list ?? "")
      .split(",")[0]
      ?.trim()
      .replace(/^["']|["']$/g, "") ?? "";
  return ALIASES[first] ?? (first.startsWith("font-") || !first ? "Inter" : first);
}

/** What the page calls a family of the engine. Its own fonts of that name may differ. */
export const pageFamily = (family: string) => `"Film ${family.replace(/["\\]/g, "")}", "Film Inter", sans-serif`;

/** Makes a family known to the page and loads what a text needs of it. False if all of it was there. */
export async function loadFamily(
  family: string,
  font: { weight: string; style: string },
  text: string,
): Promise<boolean> {
  const css = `${font.style} ${font.weight} 20px ${pageFamily(family)}`;
  if (added.has(family) && document.fonts.check(css, text)) return false;
  index ??= readIndex().catch((error: unknown) => {
    index = null;
    throw error;
  });
  const families = await index;
  for (const name of [family, "Inter"]) {
    if (added.has(name)) continue;
    added.add(name);
    const faces = families.get(name.toLowerCase());
    if (!faces) await addOwnFont(name, `Film ${name}`).catch(() => false);
    for (const { weight, style, range, file } of faces ?? [])
      document.fonts.add(
        new FontFace(`Film ${name}`, `url(/player/fonts/${file})`, {
          weight,
          style,
          ...(range ? { unicodeRange: range } : {}),
        }),
      );
  }
  await document.fonts.load(css, text || "a");
  return true;
}
