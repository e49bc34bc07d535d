/** What every control gets. */

import type { Setter } from "@/editor/inspector/scope";
import type { Placed } from "@/editor/inspector/table";
import type { Json } from "@/editor/model/film";

export interface ControlProps extends Setter {
  field: Placed;
  /** The id of its first input, which the label names. */
  id: string;
  label: string;
  value: Json | undefined;
  isMixed: boolean;
  /** What an absent field means. */
  fallback: Json | undefined;
}

/** A value as text, for controls of strings that may also be numbers. */
export const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Classes of an input: dense, 28 pixels high, 32 where fingers touch. */
export const INPUT =
  "h-8 w-full min-w-0 rounded-md border border-transparent bg-inset px-2 text-base sm:h-7 sm:text-[12px] tabular-nums text-foreground hover:border-border-strong focus:border-border-strong";
