/** What a film is made from, and the request for it. */
import type { RenderRequest } from "@/api/types";
import type { Values } from "./variables";

/** A whole composition stands for the throwaway copy of a preview, which no project holds. */
export type Source = { templateId: string } | { projectId: string } | { composition: Record<string, unknown> };

interface Overlay {
  id?: unknown;
  name?: unknown;
  type?: unknown;
  isDynamic?: unknown;
}

const MEDIA = ["image", "video", "sound"];

/** Puts values into the overlays they belong to, as the service does for templates and projects. */
function filled(composition: Record<string, unknown>, values: Values): Record<string, unknown> {
  const overlays = Array.isArray(composition["overlays"]) ? (composition["overlays"] as Overlay[]) : [];
  return {
    ...composition,
    overlays: overlays.map((overlay) => {
      const name = typeof overlay.name === "string" && overlay.name ? overlay.name : `overlay-${String(overlay.id)}`;
      const value = overlay.isDynamic === true ? values[name] : undefined;
      return value === undefined
        ? overlay
        : { ...overlay, [MEDIA.includes(String(overlay.type)) ? "src" : "content"]: value };
    }),
  };
}

export function requestFor(source: Source, values: Values): RenderRequest {
  if ("composition" in source) return { inputProps: filled(source.composition, values) };
  return Object.keys(values).length ? { ...source, replacements: values } : { ...source };
}
