/** What the fields on the screen belong to: the selected overlays, or the film. */

import { createContext, useContext, useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Edit } from "@/editor/model/edits";
import type { Json } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/inspector";
import { useEditor } from "@/editor/use-editor";
import { type Shared, selectedOf, sharedValue } from "./values";

/** `film`, or the type of the selected overlays; of several types, the first. */
export const TypeContext = createContext<string>("film");
export const useType = () => useContext(TypeContext);

/** The value of a field. The component is drawn again when that value changes, and not when others do. */
export function useShared(path: string): Shared {
  const { store } = useEditor();
  const isFilm = useType() === "film";
  return useStore(
    store,
    useShallow((state) => sharedValue(isFilm ? [state.film as Json] : selectedOf(state), path)),
  );
}

export interface Setter {
  /** One step of the history. Without a value the field is removed. */
  set(value: Json | undefined): void;
  /** Part of a gesture, which `end` ends. */
  drag(value: Json | undefined): void;
  end(): void;
}

/** Sets a field of everything that is selected. */
export function useSetter(path: string, label: string): Setter {
  const editor = useEditor();
  const isFilm = useType() === "film";
  return useMemo(() => {
    const edits = (value: Json | undefined): Edit[] =>
      isFilm ? [{ op: "set", path, value }] : editor.state.selection.map((id) => ({ op: "set", id, path, value }));
    const apply = (value: Json | undefined, gesture?: string) =>
      editor.apply(edits(value), {
        name: value === undefined ? STRINGS.resetStep(label) : STRINGS.change(label),
        ...(gesture ? { gesture } : {}),
      });
    return {
      set: (value) => {
        editor.endGesture();
        apply(value);
      },
      drag: (value) => apply(value, `inspector ${path}`),
      end: () => editor.endGesture(),
    };
  }, [editor, isFilm, path, label]);
}
