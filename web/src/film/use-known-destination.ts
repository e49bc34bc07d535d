/** Output options without a destination that the account does not have: a draft may name one that was deleted since. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { destinations } from "@/api/queries";
import type { OutputOptions } from "./render-request";

export function useKnownDestination(options: OutputOptions): OutputOptions {
  const { data } = useQuery(destinations);
  return useMemo(() => {
    const { destination, ...others } = options;
    const isKnown = !destination || !data || data.destinations.some(({ name }) => name === destination);
    return isKnown ? options : others;
  }, [options, data]);
}
