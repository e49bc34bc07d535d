/** What is open around the film: dialogs, panels, sheets. Not part of the film, and not of its history. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Region } from "@/editor/actions";

export type DialogName = "palette" | "shortcuts" | "versions" | "saveAs" | "render" | "publish" | "rename";
export type PanelName = "Library" | "Inspector" | "Timeline";

interface Ui {
  dialog: DialogName | null;
  /** Panels that people closed. Remembered per browser. */
  closed: readonly PanelName[];
  /** On a phone: the region that lies over the canvas and the timeline. */
  sheet: "Library" | "Inspector" | null;
  /** The region that had the focus last. */
  region: Region | null;
}

const STORED = "rondo-editor-closed";
const PANELS: readonly PanelName[] = ["Library", "Inspector", "Timeline"];

function readClosed(): PanelName[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? PANELS.filter((name) => stored.includes(name)) : [];
  } catch {
    return [];
  }
}

export const ui = createStore<Ui>(() => ({ dialog: null, closed: readClosed(), sheet: null, region: null }));
export const useUi = <T>(select: (state: Ui) => T): T => useStore(ui, select);

export const openDialog = (dialog: DialogName) => ui.setState({ dialog });
export const closeDialog = () => ui.setState({ dialog: null });

export const openSheet = (sheet: Ui["sheet"]) => ui.setState({ sheet });

export function togglePanel(name: PanelName) {
  const { closed } = ui.getState();
  const next = closed.includes(name) ? closed.filter((each) => each !== name) : [...closed, name];
  ui.setState({ closed: next });
  try {
    localStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** Whether the window is too narrow for panels beside the canvas. */
export const isPhone = () => window.matchMedia("(max-width: 767px)").matches;

/** Shows a region and moves the focus to its first control. */
export function focusRegion(name: Region) {
  if (isPhone()) openSheet(name === "Library" || name === "Inspector" ? name : null);
  else if (name !== "Canvas" && ui.getState().closed.includes(name)) togglePanel(name);
  requestAnimationFrame(() => {
    const region = document.querySelector(`[role=region][aria-label=${name}], section[aria-label=${name}]`);
    const first = region?.querySelector<HTMLElement>(
      '[tabindex="0"], button:not(:disabled), input:not(:disabled), select, textarea, a[href]',
    );
    first?.focus();
    ui.setState({ region: name });
  });
}
