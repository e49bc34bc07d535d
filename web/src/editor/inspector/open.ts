/** Which groups, sections and items are open. Kept while other overlays are selected. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

interface Opened {
  /** For everything that people did not open or close themselves. */
  all: boolean | null;
  keys: Readonly<Record<string, boolean>>;
}

const store = createStore<Opened>(() => ({ all: null, keys: {} }));

export const setAllOpen = (all: boolean) => store.setState({ all, keys: {} });
export const setOpen = (key: string, isOpen: boolean) =>
  store.setState(({ keys }) => ({ keys: { ...keys, [key]: isOpen } }));

/** Whether something is open, and what turns that around. */
export function useOpen(key: string, isOpenAtFirst: boolean) {
  const isOpen = useStore(store, ({ all, keys }) => keys[key] ?? all ?? isOpenAtFirst);
  return [isOpen, () => setOpen(key, !isOpen)] as const;
}
