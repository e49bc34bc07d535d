/** What a clip is called on the timeline. */

import { endOf, type Film, type Json, type Overlay, valueAt } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { clockTime } from "./time";

const MOST_CHARACTERS = 80;

export const typeName = (type: string) => STRINGS.types[type] ?? type;

/** The text, the file, the shape: what people know the clip by. */
export function clipName(clip: Overlay): string {
  const name = short(clip["name"]);
  switch (clip.type) {
    case "text":
      return short(clip["content"]) || name || capital(typeName("text"));
    case "caption":
      return name || short(valueAt(clip, "captions[0].text")) || capital(typeName("caption"));
    case "image":
    case "video":
    case "sound":
      return name || fileName(clip["src"]) || capital(typeName(clip.type));
    default:
      return name || identifier(clip["content"]) || capital(typeName(clip.type));
  }
}

/** The accessible name: "Title, text, 0:02 to 0:05, row 2". */
export const spokenName = (clip: Overlay, film: Film) =>
  STRINGS.clip(
    clipName(clip),
    typeName(clip.type),
    clockTime(clip.from, film.fps),
    clockTime(endOf(clip), film.fps),
    clip.row,
  );

const short = (value: Json | undefined) =>
  typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, MOST_CHARACTERS) : "";

/** A file without its folders and its ending. Uploads are stored under numbers, which are no names. */
function fileName(src: Json | undefined): string {
  if (typeof src !== "string" || src.startsWith("data:")) return "";
  const file = src.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  if (/^[a-z]{2,4}_[\w-]+\.\w+$/.test(file)) return "";
  try {
    return short(decodeURIComponent(file.replace(/\.\w{1,5}$/, "")));
  } catch {
    return short(file);
  }
}

/** Names such as "rounded-rectangle"; drawings by path have none. */
const identifier = (content: Json | undefined) =>
  typeof content === "string" && content.length < 32 && !/^[Mm]\s*-?\d/.test(content)
    ? capital(content.replaceAll("-", " "))
    : "";

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
