/** Where files were being sent to when the page was closed, kept in the browser: chosen again, they go on. */

import { queryClient } from "@/api/queries";
import type { Session } from "@/api/types";

/** A place for a file at the service. */
export interface Place {
  id: string;
  uploadUrl: string;
  fileUrl: string;
  contentType: string;
  name: string;
}

const NAME = "rondo-uploads";
/** Places that are kept, and for how many milliseconds: as long as the service takes parts. */
const MOST = 20;
const AGE = 86_400_000;

type Kept = Record<string, Place & { at: number }>;

/** What tells files apart. Accounts do not share places. */
export function placeKey({ name, size, lastModified }: File): string {
  const account = queryClient.getQueryData<Session>(["session"])?.account?.id ?? "";
  return JSON.stringify([account, name, size, lastModified]);
}

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "{}") as Kept;
    return Object.fromEntries(Object.entries(kept).filter(([, { at }]) => Date.now() - at < AGE));
  } catch {
    return {};
  }
}

/** Where a file was being sent to, if it was. */
export const remembered = (key: string): Place | null => read()[key] ?? null;

/** Keeps the place of a file, or forgets it. */
export function remember(key: string, place: Place | null) {
  const { [key]: _, ...others } = read();
  const entries = Object.entries(others).sort(([, a], [, b]) => b.at - a.at);
  const kept = place ? [[key, { ...place, at: Date.now() }] as const, ...entries].slice(0, MOST) : entries;
  try {
    localStorage.setItem(NAME, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage (a private window), uploads go on until the page is closed.
  }
}
