/** Edits: the only way a film changes. The service applies the same ones for agents (`POST /projects/{id}/edits`). */

import { type Film, freeId, type Json, type Overlay, withValueAt } from "./film";

export type Edit =
  /** Sets a field of an overlay; without `id`, of the film. Without `value` the field is removed. */
  | { op: "set"; id?: number; path: string; value?: Json | undefined }
  /** Adds an overlay, at the end of the list by default. An absent id gets the next free number. */
  | { op: "add"; overlay: Omit<Overlay, "id"> & { id?: number }; index?: number }
  | { op: "remove"; id: number }
  /** Moves an overlay to another place in the list of overlays. */
  | { op: "move"; id: number; index: number };

/** The film after the edits. The film itself stays as it is; what they do not touch is shared. */
export function applyEdits(film: Film, edits: readonly Edit[]): Film {
  return edits.reduce(applyEdit, film);
}

function applyEdit(film: Film, edit: Edit): Film {
  switch (edit.op) {
    case "set": {
      if (edit.id === undefined) return withValueAt(film as Json, edit.path, edit.value) as unknown as Film;
      const index = indexOf(film, edit.id);
      const overlay = film.overlays[index] as Overlay;
      return withOverlays(film, film.overlays.with(index, withValueAt(overlay, edit.path, edit.value) as Overlay));
    }
    case "add": {
      const taken = edit.overlay.id !== undefined && film.overlays.some(({ id }) => id === edit.overlay.id);
      if (taken) throw new EditError(`Overlay ${edit.overlay.id} exists.`);
      const overlay = { id: freeId(film.overlays), ...edit.overlay } as Overlay;
      return withOverlays(film, film.overlays.toSpliced(edit.index ?? film.overlays.length, 0, overlay));
    }
    case "remove":
      return withOverlays(film, film.overlays.toSpliced(indexOf(film, edit.id), 1));
    case "move": {
      const index = indexOf(film, edit.id);
      const overlay = film.overlays[index] as Overlay;
      return withOverlays(film, film.overlays.toSpliced(index, 1).toSpliced(edit.index, 0, overlay));
    }
  }
}

/** An edit that the film does not allow. Nothing was changed. */
export class EditError extends Error {}

function indexOf(film: Film, id: number): number {
  const index = film.overlays.findIndex((overlay) => overlay.id === id);
  if (index < 0) throw new EditError(`There is no overlay ${id}.`);
  return index;
}

const withOverlays = (film: Film, overlays: Overlay[]): Film => ({ ...film, overlays });
