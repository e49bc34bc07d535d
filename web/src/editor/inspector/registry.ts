/** Names of the registry: presets, fonts, shapes. Asked for once a session. */

import { useQuery } from "@tanstack/react-query";
import { type ApiData, api } from "@/api/http";

export interface Entry {
  name: string;
  aliases?: readonly string[];
  [key: string]: unknown;
}

type Area =
  | "animations"
  | "during"
  | "layouts"
  | "effects"
  | "shapes"
  | "stickers"
  | "captions"
  | "easings"
  | "filters"
  | "fonts";
const NONE: readonly Entry[] = [];

export function useRegistry(area: Area, isWanted = true): readonly Entry[] {
  const { data } = useQuery({
    queryKey: ["registry", area],
    queryFn: () => api("get", "/registry/{area}", { path: { area } }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
  return ((data as ApiData<"get", "/registry/{area}"> | undefined)?.entries as readonly Entry[] | undefined) ?? NONE;
}
