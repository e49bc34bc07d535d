/** Fonts that the account uploaded. The service adds them to films that name them; players of this page get them the same way. */

import { createStore } from "zustand/vanilla";
import { type ApiData, api } from "@/api/http";
import { queryClient } from "@/api/queries";

export type OwnFont = ApiData<"get", "/fonts">["fonts"][number];

export const ownFonts = createStore<{ fonts: readonly OwnFont[] }>(() => ({ fonts: [] }));

let loading: Promise<void> | null = null;

/** Asks for the fonts once. A page that cannot know them shows other fonts. */
export function loadOwnFonts(): Promise<void> {
  loading ??= api("get", "/fonts").then(
    ({ fonts }) => ownFonts.setState({ fonts }),
    () => {
      loading = null;
    },
  );
  return loading;
}

/** Asks again after a font was uploaded or deleted. */
export async function ownFontsChanged() {
  loading = null;
  await loadOwnFonts();
  for (const queryKey of [["registry", "fonts"], ["fonts"]]) void queryClient.invalidateQueries({ queryKey });
}

/** The families of a list such as `"Open Sans", sans-serif`, in lower case. */
export function familiesIn(list: string): string[] {
  const names = list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? [];
  return names.map((name) =>
    name
      .trim()
      .replace(/^["']|["']$/g, "")
      .trim()
      .replace(/\s+/g, " ")
      .toLowerCase(),
  );
}

/** Overlays do not change: what they name is found once. */
const named = new WeakMap<object, readonly string[]>();

function familiesOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const known = named.get(value);
  if (known) return known;
  const found = Object.entries(value).flatMap(([key, each]) =>
    key === "fontFamily" && typeof each === "string" ? familiesIn(each) : familiesOf(each),
  );
  named.set(value, found);
  return found;
}

interface Face {
  family: string;
  src: string;
}

const shown = new WeakMap<object, { fonts: readonly OwnFont[]; film: object }>();

/** A film with the files of uploaded families that it names, as the service adds them; the same film if there are none. */
export function withOwnFonts<T>(film: T): T {
  const { fonts } = ownFonts.getState();
  if (fonts.length === 0 || typeof film !== "object" || film === null) return film;
  const known = shown.get(film);
  if (known?.fonts === fonts) return known.film as T;
  const result = added(film as T & { fontFaces?: readonly Face[] }, fonts);
  shown.set(film, { fonts, film: result as object });
  return result;
}

function added<T>(film: T & { fontFaces?: readonly Face[] }, fonts: readonly OwnFont[]): T {
  const own = Array.isArray(film.fontFaces) ? film.fontFaces : [];
  const wanted = new Set(familiesOf(film));
  for (const { family } of own) wanted.delete(String(family).trim().toLowerCase());
  const faces = fonts
    .filter(({ family, isBuiltIn }) => !isBuiltIn && wanted.has(family.toLowerCase()))
    .flatMap(({ family, files }) => files.map(({ fileUrl }) => ({ family, src: fileUrl })));
  return faces.length === 0 ? film : { ...film, fontFaces: [...own, ...faces].slice(0, 32) };
}

/**
 * Loads a family for this page, under another name than the page's own fonts may have. The file is fetched: pages of the
 * service load fonts from nowhere else. False if the account has no such family.
 */
export async function addOwnFont(family: string, name: string): Promise<boolean> {
  await loadOwnFonts();
  const { fonts } = ownFonts.getState();
  const own = fonts.find((font) => !font.isBuiltIn && font.family.toLowerCase() === family.toLowerCase());
  if (!own) return false;
  for (const { fileUrl, weight, style } of own.files) {
    const bytes = await (await fetch(fileUrl)).arrayBuffer();
    document.fonts.add(await new FontFace(name, bytes, { weight, style }).load());
  }
  return true;
}
