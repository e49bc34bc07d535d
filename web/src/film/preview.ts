/** A request as the service would render it, asked for once typing pauses. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/api/http";
import type { Preview, RenderRequest } from "@/api/types";
import { useSettled } from "@/lib/hooks";

const PAUSE = 750;

export function usePreview(request: RenderRequest | null) {
  const text = useMemo(() => (request ? JSON.stringify(request) : null), [request]);
  const settled = useSettled(text, PAUSE);
  const query = useQuery({
    queryKey: ["preview", settled],
    queryFn: ({ signal }): Promise<Preview> =>
      api("post", "/previews", { body: JSON.parse(settled ?? "{}") as unknown, signal }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    staleTime: 3_600_000,
    retry: false,
  });
  return {
    preview: query.data ?? null,
    error: query.error,
    /** What is shown does not yet show what was typed. */
    pending: text !== null && (text !== settled || query.isFetching),
  };
}

export type PreviewState = ReturnType<typeof usePreview>;
