/**
 * Actions: everything people can do by key, palette or toolbar. Each region exports its own from `<region>/actions.ts`; the shell
 * collects them, binds their keys and lists them.
 */

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { normalizeKeys } from "./keys";
import type { Editor, EditorState } from "./model/editor";
import { useEditor } from "./use-editor";

export type Region = "Canvas" | "Timeline" | "Inspector" | "Library";

/** The headings of the palette and of the list of shortcuts, in their order. */
export const GROUPS = ["Edit", "Select", "Play", "Arrange", "Timeline", "Add", "View", "Film"] as const;
export type ActionGroup = (typeof GROUPS)[number];

export interface Action {
  /** Region and verb: "timeline.split". Remapped keys are stored under it. */
  id: string;
  label: string;
  group: ActionGroup;
  /** "Mod+Shift+Z"; several if several do the same. Keys are named as in `KeyboardEvent.key`, the space bar is "Space". */
  keys?: readonly string[];
  /** The keys act only while this region has the focus, and before those of actions without a region. */
  region?: Region;
  /** The keys act also while people type. */
  whileTyping?: boolean;
  /** Its own keys are the browser's, whose event runs it (paste). */
  isNative?: boolean;
  /** The keys act again while they are held. */
  repeats?: boolean;
  /** Other words that find the action in the palette. */
  words?: string;
  /** Whether there is something to act on. Without it, always. */
  enabled?(editor: Editor): boolean;
  run(editor: Editor): void;
}

export const isEnabled = (action: Action, editor: Editor) => action.enabled?.(editor) ?? true;

/** Keys that people chose, by the id of the action. An empty list takes its keys from an action. */
type Remapped = Record<string, readonly string[]>;
const STORED = "rondo-editor-keys";

const keymap = createStore<{ remapped: Remapped }>(() => ({ remapped: readRemapped() }));

function readRemapped(): Remapped {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(([, keys]) => Array.isArray(keys) && keys.every((key) => typeof key === "string")),
    );
  } catch {
    return {};
  }
}

/** Gives an action other keys; without keys, its own again. */
export function remap(id: string, keys?: readonly string[]) {
  const { [id]: _, ...others } = keymap.getState().remapped;
  const remapped = keys ? { ...others, [id]: keys.map(normalizeKeys) } : others;
  keymap.setState({ remapped });
  try {
    localStorage.setItem(STORED, JSON.stringify(remapped));
  } catch {
    // Without storage the keys last until the page is closed.
  }
}

/** Gives all actions their own keys again. */
export function forgetRemapped() {
  for (const id of Object.keys(keymap.getState().remapped)) remap(id);
}

export const keysOf = (action: Action, { remapped } = keymap.getState()): readonly string[] =>
  remapped[action.id] ?? action.keys?.map(normalizeKeys) ?? [];

/** Which actions have other keys than their own; components are drawn again when that changes. */
export const useRemapped = () => useStore(keymap, (state) => state.remapped);

export const ActionsContext = createContext<readonly Action[]>([]);

/** All actions. */
export const useActions = () => useContext(ActionsContext);

/** One action, ready for a button: its label, its first key, whether it can run now. Undefined if there is no such action. */
export function useAction(id: string) {
  const editor = useEditor();
  const action = useActions().find((each) => each.id === id);
  useRemapped();
  // `enabled` reads the editor: it is asked again at each change of the editor.
  const enabled = useStore(editor.store, (_: EditorState) => action !== undefined && isEnabled(action, editor));
  if (!action) return undefined;
  return { label: action.label, keys: keysOf(action)[0], enabled, run: () => action.run(editor) };
}
