/** The timeline's view, for components. */

import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useEditor } from "@/editor/use-editor";
import { type ViewState, viewOf } from "./view";

export const useView = () => viewOf(useEditor());

/** A part of the view. The component is drawn again when that part changes. */
export function useViewState<T>(select: (state: ViewState) => T): T {
  return useStore(useView().store, useShallow(select));
}
