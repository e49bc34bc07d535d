/** Builds the render request for a template, a project or a composition. */
import type { Composition, RenderBody } from "@/api/types";
import type { Values } from "./variables-form";

/** A composition is the copy shown by the editUrl of a preview. It belongs to no project. */
export type Source = { templateId: string } | { projectId: string } | { composition: Composition };

type Overlay = Composition["overlays"][number];

const MEDIA: Overlay["type"][] = ["image", "video", "sound"];

/** Applies the values to the overlays, as the service does for templates and projects. */
function withValues(composition: Composition, values: Values): Composition {
  const overlays = composition.overlays.map((overlay) => {
    const value = overlay.isDynamic ? values[overlay.name || `overlay-${overlay.id}`] : undefined;
    if (value === undefined) return overlay;
    return { ...overlay, [MEDIA.includes(overlay.type) ? "src" : "content"]: value };
  });
  return { ...composition, overlays };
}

export function renderRequest(source: Source, values: Values): RenderBody {
  if ("composition" in source) return { inputProps: withValues(source.composition, values) };
  return Object.keys(values).length ? { ...source, replacements: values } : { ...source };
}
