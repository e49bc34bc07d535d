/** Where in a request a warning belongs. */
import type { RenderBody, Warning } from "@/api/types";
import type { Finding } from "./json-editor";

/** The finding of a warning, or nothing if it concerns the whole request. */
export function locate({ detail, message, severity, variable }: Warning, body: RenderBody): Finding[] {
  const path = typeof detail?.["path"] === "string" ? detail["path"] : "";
  const overlays = body.inputProps?.overlays ?? [];
  const named = variable == null ? -1 : overlays.findIndex((overlay) => overlay.name === variable);
  const place =
    body.inputProps && path
      ? `inputProps.${path}`
      : variable != null && body.replacements?.[variable] !== undefined
        ? `replacements.${variable}`
        : named >= 0
          ? `inputProps.overlays[${named}]`
          : "";
  const known = severity === "error" || severity === "warning" ? severity : "info";
  return place ? [{ path: place, message, severity: known }] : [];
}
