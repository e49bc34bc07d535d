/** Tiles of the library, painted by the engine. */

import { useQuery } from "@tanstack/react-query";
import { paint, pictureUrl } from "@/film/painter";

export interface Sheet {
  url: string;
  columns: number;
  rows: number;
}

export interface Tile {
  /** Overlays on a canvas of the size of a tile. Their rows count within the tile. */
  overlays: Record<string, unknown>[];
}

/** Paints tiles in one frame, side by side: much cheaper than a film each. */
async function paintSheet(
  tiles: readonly Tile[],
  width: number,
  height: number,
  ground: string,
  frame: number,
): Promise<Sheet> {
  const columns = Math.min(6, Math.max(1, Math.floor(4000 / width)), tiles.length);
  const rows = Math.ceil(tiles.length / columns);
  let id = 1;
  const overlays = tiles.flatMap((tile, index) =>
    tile.overlays.map((overlay, depth) => ({
      row: depth,
      from: 0,
      durationInFrames: 300,
      ...overlay,
      id: id++,
      left: Number(overlay["left"] ?? 0) + (index % columns) * width,
      top: Number(overlay["top"] ?? 0) + Math.floor(index / columns) * height,
    })),
  );
  const film = {
    width: columns * width,
    height: rows * height,
    fps: 30,
    durationInFrames: 300,
    backgroundColor: ground,
    overlays,
  };
  const url = await pictureUrl(await paint(film, frame), 4096);
  return { url, columns, rows };
}

/** A sheet of tiles, painted once a page. */
export function useSheet(
  key: string,
  tiles: readonly Tile[] | undefined,
  width: number,
  height: number,
  ground: string,
  frame = 60,
) {
  return useQuery({
    queryKey: ["library-sheet", key, tiles?.length],
    queryFn: () => paintSheet(tiles ?? [], width, height, ground, frame),
    enabled: Boolean(tiles?.length),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
