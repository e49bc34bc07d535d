/** Pictures painted by the player's engine, in a player that nobody sees: tiles of the library, and films with other values. */

import { useQuery } from "@tanstack/react-query";
import { loadPlayer, type PlayerElement } from "@/editor/player";

let painter: Promise<PlayerElement> | null = null;
/** One film at a time: a picture waits for the one before it. */
let queue: Promise<unknown> = Promise.resolve();

async function start(): Promise<PlayerElement> {
  await loadPlayer();
  const element = document.createElement("rondo-player") as PlayerElement;
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.className = "pointer-events-none fixed top-0 left-0 size-px overflow-hidden opacity-0";
  document.body.append(element);
  return element;
}

/** Ends the hidden player. The next picture starts another one. */
export function stopPainter() {
  void painter?.then((element) => element.remove());
  painter = null;
}

/** The pixels of one frame of a film. */
export function paint(composition: unknown, frame: number): Promise<ImageData> {
  const picture = queue.then(async () => {
    painter ??= start();
    const element = await painter;
    element.composition = composition;
    return element.frame(frame);
  });
  queue = picture.catch(() => undefined);
  return picture;
}

/** The frame as an address that images show, no larger than `most` pixels on its longer side. */
export async function pictureUrl(pixels: ImageData, most: number): Promise<string> {
  const scale = Math.min(1, most / Math.max(pixels.width, pixels.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(pixels.width * scale);
  canvas.height = Math.round(pixels.height * scale);
  const bitmap = await createImageBitmap(pixels);
  const context = canvas.getContext("2d");
  if (context) context.imageSmoothingQuality = "high";
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/webp", 0.9);
}

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
