/** What fields and groups are called. */

import { CONTENT_NAMES, FILM_GROUPS, GROUP_NAMES, LABELS, PATH_LABELS, SECTIONS } from "@/editor/strings/inspector";
import type { Field } from "./schema";
import type { GroupName } from "./table";
import { humanise } from "./values";

export const labelOf = (type: string, { path, name }: Pick<Field, "path" | "name">): string =>
  PATH_LABELS[`${type}:${path}`] ?? PATH_LABELS[path] ?? LABELS[name] ?? humanise(name);

export const sectionName = (name: string) => SECTIONS[name] ?? humanise(name);

export const groupName = (type: string, group: GroupName): string =>
  type === "film"
    ? (FILM_GROUPS[group as keyof typeof FILM_GROUPS] ?? GROUP_NAMES[group])
    : group === "content"
      ? (CONTENT_NAMES[type] ?? GROUP_NAMES.content)
      : GROUP_NAMES[group];
