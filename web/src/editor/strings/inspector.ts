/** What people read in the region "Inspector". */

export const STRINGS = {
  region: "Inspector",
} as const;
