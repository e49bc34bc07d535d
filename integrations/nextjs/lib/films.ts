/** The films that this app has started. In memory: use your database instead, so that they survive a restart. */

export interface Film {
  status: string;
  progress: number;
  url?: string;
  error?: string;
}

// Routes may be loaded apart from each other: they share what is global.
const store = globalThis as { films?: Map<string, Film>; deliveries?: Set<string> };
store.films ??= new Map();
store.deliveries ??= new Set();

export const films = store.films;
/** Deliveries that were taken: each may arrive more than once. */
export const deliveries = store.deliveries;
