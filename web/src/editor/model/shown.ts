/** The film as the editor's player shows it: without hidden overlays, with muted ones silent. The same film if there are none. */

import type { EditorState } from "./editor";
import { type Film, type Overlay, withValueAt } from "./film";

export function shownFilm({ film, hidden, muted }: Pick<EditorState, "film" | "hidden" | "muted">): Film {
  if (!hidden.length && !muted.length) return film;
  const [absent, silent] = [new Set(hidden), new Set(muted)];
  const overlays = film.overlays
    .filter(({ id }) => !absent.has(id))
    .map((overlay) => (silent.has(overlay.id) ? (withValueAt(overlay, "styles.volume", 0) as Overlay) : overlay));
  return { ...film, overlays };
}
