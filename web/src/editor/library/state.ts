/** What the library shows, so that actions and other regions can open its parts. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

export const TABS = ["media", "stock", "text", "elements", "captions", "templates", "variables"] as const;
export type Tab = (typeof TABS)[number];
/** Not there in every service. */
export const OPTIONAL_TAB = "stock" satisfies Tab;

interface State {
  tab: Tab;
  /** The overlays that get the next chosen file instead of a new overlay: media that are missing. */
  relinking: readonly number[];
  /** Asks for the chooser of files; counts the times it was asked for. */
  choosing: number;
  /** Captions of which a word is to be edited, and when it is said (without that, the one at the playhead); null once that is done. */
  captions: { id: number; said: number | null } | null;
}

export const library = createStore<State>(() => ({ tab: "media", relinking: [], choosing: 0, captions: null }));

export const useLibrary = <T>(select: (state: State) => T): T => useStore(library, select);

/** Opens captions to edit the word that is said at a moment of the overlay, or at the playhead. */
export const editCaptions = (id: number, said: number | null) =>
  library.setState({ tab: "captions", captions: { id, said } });

export const showTab = (tab: Tab) => library.setState({ tab });

/** Opens the chooser of files to upload. */
export const chooseFiles = () => library.setState((state) => ({ tab: "media", choosing: state.choosing + 1 }));
