/** What people read in the region "Canvas". */

export const STRINGS = {
  region: "Canvas",
} as const;
