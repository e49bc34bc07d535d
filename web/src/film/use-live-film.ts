/** The film of a form as the player takes it: a preview without values, and the values that were typed. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Composition, Preview, Variable } from "@/api/types";
import { renderRequest, type Source, variableName } from "./render-request";
import { type PreviewState, usePreview } from "./use-preview";
import type { Values } from "./variables-form";

/** What a preview answers to a player. */
interface OpenPreview {
  composition: Composition;
  media: Record<string, { proxy: string }>;
}

export interface LiveFilm {
  /** Address of a preview of the film; null until there is one. */
  src: string | null;
  replacements: Record<string, string>;
  error: Error | null;
}

/** The address of a preview under the name by which this page was opened. */
export const previewPath = ({ previewId }: Preview) => `/preview/${previewId}`;

/** Whether this page decodes video, as the player asks. Otherwise the service paints frames with it, of the preview as it was made. */
const DECODES = "VideoDecoder" in globalThis && "AudioDecoder" in globalThis;
const NONE = {};

export function useLiveFilm(source: Source, variables: Variable[], values: Values, state: PreviewState): LiveFilm {
  const plain = useMemo(() => renderRequest(source, {}), [source]);
  const base = usePreview(plain);
  const opened = useOpenPreview(base.preview, !DECODES);
  const addressOf = useMediaAddresses(variables, values, state);
  const last = useRef<Record<string, string>>({});
  const replacements = useMemo(() => {
    const filled: Record<string, string> = {};
    for (const { name, type } of variables) {
      const value = values[name];
      if (typeof value !== "string") continue;
      // The file before stays until it is known where this one can be read.
      const shown = type === "url" ? (addressOf(value) ?? last.current[name]) : value;
      if (shown !== undefined) filled[name] = shown;
    }
    return filled;
  }, [variables, values, addressOf]);
  useEffect(() => {
    last.current = replacements;
  }, [replacements]);
  const error = base.preview ? null : base.error;
  const isPaintedHere = DECODES || opened?.composition.overlays.every(({ type }) => type !== "video");
  if (isPaintedHere) return { src: base.preview && previewPath(base.preview), replacements, error };
  return { src: state.preview && previewPath(state.preview), replacements: NONE, error: null };
}

/** What a preview answers to a player, when it is wanted. */
function useOpenPreview(preview: Preview | null, wanted: boolean): OpenPreview | null {
  const { data } = useQuery({
    queryKey: ["open-preview", preview?.previewId],
    queryFn: async ({ signal }) => {
      const response = await fetch(preview ? previewPath(preview) : "", {
        headers: { accept: "application/json" },
        signal,
      });
      if (!response.ok) throw new Error("The preview cannot be read.");
      return (await response.json()) as OpenPreview;
    },
    enabled: preview !== null && wanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? null;
}

/**
 * Tells where this page may read a file that is the value of a variable; null until it is known. Files of other sites
 * are read through a preview that shows them.
 */
function useMediaAddresses(variables: Variable[], values: Values, { preview, pending }: PreviewState) {
  const [told, setTold] = useState<Record<string, string>>({});
  const root = preview ? preview.previewUrl.slice(0, preview.previewUrl.lastIndexOf("/preview/") + 1) : null;
  const addressOf = useMemo(
    () => (value: string) => {
      const own = `${location.origin}/`;
      const known = told[value];
      if (known) return known;
      if (value.startsWith("data:") || value.startsWith(own)) return value;
      if (root && value.startsWith(root)) return own + value.slice(root.length);
      return null;
    },
    [told, root],
  );
  const unknown = variables.flatMap(({ name, type }) => {
    const value = values[name];
    return type === "url" && typeof value === "string" && addressOf(value) === null ? [{ name, value }] : [];
  });
  const data = useOpenPreview(preview, !pending && unknown.length > 0);
  const found = data && !pending ? unknown.flatMap((variable) => proxied(data, variable)) : [];
  useEffect(() => {
    if (found.length) setTold((known) => ({ ...known, ...Object.fromEntries(found) }));
  });
  return addressOf;
}

/** The value of a variable, and where the service passes it on. */
function proxied({ composition, media }: OpenPreview, { name, value }: { name: string; value: string }) {
  const overlay = composition.overlays.find((overlay) => variableName(overlay) === name);
  const proxy = overlay && "src" in overlay ? media[overlay.src ?? ""]?.proxy : undefined;
  return proxy ? [[value, location.origin + proxy.slice(proxy.lastIndexOf("/preview/"))] as const] : [];
}
