/** What is open around the film: dialogs, panels, sheets. Not part of the film, and not of its history. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Region } from "@/editor/actions";

/** "rename" is the field in the toolbar. */
export type DialogName =
  | "palette"
  | "shortcuts"
  | "conflicts"
  | "versions"
  | "saveAs"
  | "rename"
  | "render"
  | "publish"
  | "share";
export type PanelName = "Library" | "Inspector" | "Timeline";

interface Ui {
  dialog: DialogName | null;
  /** Panels that people closed. Remembered per browser. */
  closed: readonly PanelName[];
  /** On a phone: the region that lies over the canvas and the timeline. */
  sheet: "Library" | "Inspector" | null;
  /** On a tablet: the region that the side panel shows. */
  side: "Library" | "Inspector";
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

export const ui = createStore<Ui>(() => ({
  dialog: null,
  closed: readClosed(),
  sheet: null,
  side: "Library",
  region: null,
}));
export const useUi = <T>(select: (state: Ui) => T): T => useStore(ui, select);

export const openDialog = (dialog: DialogName) => ui.setState({ dialog });
export const closeDialog = () => ui.setState({ dialog: null });

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

/** Too narrow for panels beside the canvas. */
export const PHONE = "(max-width: 767px)";
/** Room for one panel beside the canvas. */
export const TABLET = "(min-width: 768px) and (max-width: 1099px)";

/** Shows a region, where it is hidden: a closed panel, the other one of a tablet, a sheet of a phone. */
export function showRegion(name: Region) {
  const isSide = name === "Library" || name === "Inspector";
  if (isSide) ui.setState({ side: name });
  if (window.matchMedia(PHONE).matches) ui.setState({ sheet: isSide ? name : null });
  else if (name !== "Canvas" && ui.getState().closed.includes(name)) togglePanel(name);
}

/** Shows a region and moves the focus to its first control. */
export function focusRegion(name: Region) {
  showRegion(name);
  requestAnimationFrame(() => {
    const region = document.querySelector(`[role=region][aria-label=${name}], section[aria-label=${name}]`);
    const first = region?.querySelector<HTMLElement>(
      '[tabindex="0"], button:not(:disabled), input:not(:disabled), select, textarea, a[href]',
    );
    first?.focus();
    ui.setState({ region: name });
  });
}
