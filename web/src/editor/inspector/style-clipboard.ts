/** The look of an overlay, copied onto others. Kept by the browser, so that it reaches other films. */

import type { Editor } from "@/editor/model/editor";
import type { Edit } from "@/editor/model/edits";
import type { Json, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/inspector";
import { overlayFields } from "./schema";

const STORED = "rondo-editor-style";

type Styles = Record<string, Json>;

const stylesOf = (overlay: Overlay) => (overlay["styles"] ?? {}) as Styles;

export function copyStyle(editor: Editor) {
  const [overlay] = editor.selected();
  if (!overlay) return;
  const copied = { styles: stylesOf(overlay), template: overlay["template"] };
  localStorage.setItem(STORED, JSON.stringify(copied));
}

function copied(): { styles: Styles; template?: Json } | null {
  try {
    const read = JSON.parse(localStorage.getItem(STORED) ?? "null") as { styles?: Styles; template?: Json } | null;
    return read && typeof read.styles === "object"
      ? { styles: read.styles, ...(read.template ? { template: read.template } : {}) }
      : null;
  } catch {
    return null;
  }
}

export const hasStyle = () => localStorage.getItem(STORED) !== null;

/** The names of the styles that overlays of a type have. */
const namesOf = (type: string) =>
  new Set(
    overlayFields(type)
      .filter(({ path }) => path.startsWith("styles."))
      .map(({ path }) => path.split(".")[1] as string),
  );

/** Gives the selected overlays the copied styles, as far as their type has them. */
export function pasteStyle(editor: Editor) {
  const look = copied();
  if (!look) return;
  const edits = editor.selected().flatMap((overlay): Edit[] => {
    const names = namesOf(overlay.type);
    const styles = Object.fromEntries(Object.entries(look.styles).filter(([name]) => names.has(name)));
    return [
      { op: "set", id: overlay.id, path: "styles", value: styles },
      ...(overlay.type === "caption" && look.template !== undefined
        ? [{ op: "set", id: overlay.id, path: "template", value: look.template } as const]
        : []),
    ];
  });
  editor.apply(edits, { name: STRINGS.pasteStyle });
}

export function resetStyle(editor: Editor) {
  const styled = editor.selected().filter((overlay) => overlay["styles"] !== undefined);
  editor.apply(
    styled.map(({ id }) => ({ op: "set", id, path: "styles" })),
    { name: STRINGS.resetStyle },
  );
}
