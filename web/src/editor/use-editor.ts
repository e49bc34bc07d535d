/** The editor of the open film, for components. */

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Editor, EditorState } from "./model/editor";
import { findOverlay, type Overlay } from "./model/film";

export const EditorContext = createContext<Editor | null>(null);

/** The editor itself, to act on. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("There is no editor around this component.");
  return editor;
}

/** A part of the editor's state. The component is drawn again when that part changes. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  return useStore(useEditor().store, useShallow(select));
}

/** The selected overlays. */
export const useSelected = (): Overlay[] =>
  useEditorState((state) => state.selection.flatMap((id) => findOverlay(state.film, id) ?? []));
