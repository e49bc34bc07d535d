/** The preview of a request, fetched when typing pauses. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/api/http";
import type { RenderBody } from "@/api/types";
import { useDebounced } from "@/lib/hooks";

const DEBOUNCE_MS = 200;

export function usePreview(request: RenderBody | null) {
  const text = useMemo(() => (request ? JSON.stringify(request) : null), [request]);
  const settled = useDebounced(text, DEBOUNCE_MS);
  const query = useQuery({
    queryKey: ["preview", settled],
    queryFn: ({ signal }) => api("post", "/previews", { body: JSON.parse(settled ?? "{}") as RenderBody, signal }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    staleTime: 3_600_000,
    retry: false,
  });
  return {
    preview: query.data ?? null,
    error: query.error,
    /** The preview does not reflect the current request yet. */
    pending: text !== null && (text !== settled || query.isFetching),
  };
}

export type PreviewState = ReturnType<typeof usePreview>;
