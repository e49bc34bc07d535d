/** What people read in the region "Library". */

export const STRINGS = {
  region: "Library",
} as const;
