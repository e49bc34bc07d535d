/** Rows: where an overlay has room. */

import { endOf, type Film, type Overlay } from "./film";

/** Whether no overlay of a row is shown between two frames. Overlays in `without` do not count. */
export const isRowFree = (
  overlays: readonly Overlay[],
  row: number,
  from: number,
  end: number,
  without?: ReadonlySet<number>,
) =>
  !overlays.some(
    (overlay) => overlay.row === row && overlay.from < end && endOf(overlay) > from && !without?.has(overlay.id),
  );

/** The row nearest to `row` that is free between two frames. */
export function nearestFreeRow(overlays: readonly Overlay[], row: number, from: number, end: number): number {
  for (let away = 0; ; away++)
    for (const candidate of away ? [row - away, row + away] : [row])
      if (candidate >= 0 && isRowFree(overlays, candidate, from, end)) return candidate;
}

/** The number of rows: one more than the last that is used. */
export const rowCount = (film: Film) => film.overlays.reduce((count, { row }) => Math.max(count, Number(row) + 1), 0);
