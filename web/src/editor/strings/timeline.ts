/** What people read in the region "Timeline". */

export const STRINGS = {
  region: "Timeline",
} as const;
