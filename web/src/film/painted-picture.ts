/** Pictures of films that have none, painted in the browser by the player's engine. */

import { useQuery } from "@tanstack/react-query";
import { api } from "@/api/http";
import { paint, pictureUrl } from "./painter";

/** Frames of a film that does not say. */
const DEFAULT_LENGTH = 150;

interface Painted {
  /** Names the film and its state: it is painted once for each. */
  key: readonly unknown[];
  load: () => Promise<unknown>;
  /** Whether the picture is in sight. */
  isWanted: boolean;
  /** Its longer side in pixels at most. */
  side: number;
}

/** The address of a picture of the film, undefined until it is painted. The frame is the poster's, otherwise in the middle. */
export function usePaintedPicture({ key, load, isWanted, side }: Painted): string | undefined {
  return useQuery({
    queryKey: ["painted-picture", ...key],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    async queryFn() {
      const film = (await load()) as { posterFrame?: number; durationInFrames?: number };
      const length = film.durationInFrames ?? DEFAULT_LENGTH;
      const frame = Math.floor(film.posterFrame ?? length / 2);
      return pictureUrl(await paint(film, Math.max(0, Math.min(frame, length - 1))), side);
    },
  }).data;
}

export const filmOfProject = async (projectId: string): Promise<unknown> =>
  (await api("get", "/projects/{projectId}", { path: { projectId } })).composition;

/** The film of a template, with its own values. */
export async function filmOfTemplate(templateId: string): Promise<unknown> {
  const { previewUrl } = await api("post", "/previews", { body: { templateId } });
  const response = await fetch(new URL(previewUrl).pathname, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error("The template cannot be read. Try again.");
  return ((await response.json()) as { composition: unknown }).composition;
}
