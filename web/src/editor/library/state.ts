/** What the library shows, so that actions and other regions can open its parts. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

export const TABS = ["media", "text", "elements", "captions", "templates", "variables"] as const;
export type Tab = (typeof TABS)[number];

interface State {
  tab: Tab;
  /** The overlays that get the next chosen file instead of a new overlay: media that are missing. */
  relinking: readonly number[];
  /** Asks for the chooser of files; counts the times it was asked for. */
  choosing: number;
}

export const library = createStore<State>(() => ({ tab: "media", relinking: [], choosing: 0 }));

export const useLibrary = <T>(select: (state: State) => T): T => useStore(library, select);

export const showTab = (tab: Tab) => library.setState({ tab });

/** Opens the chooser of files to upload. */
export const chooseFiles = () => library.setState((state) => ({ tab: "media", choosing: state.choosing + 1 }));
