/** Binds the keys of the actions to the page. */

import { useEffect } from "react";
import { type Action, isEnabled, keysOf, type Region } from "@/editor/actions";
import { keysOfEvent } from "@/editor/keys";
import type { Editor } from "@/editor/model/editor";
import { pasteKept, pasteText } from "./clipboard";
import { ui } from "./ui";

const REGIONS: readonly Region[] = ["Canvas", "Timeline", "Inspector", "Library"];

export function useKeys(editor: Editor, actions: readonly Action[]) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const pressed = keysOfEvent(event);
      const action = pressed.length ? findAction(pressed, editor, actions, event) : undefined;
      if (!action) return;
      event.preventDefault();
      action.run(editor);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isInDialog(event.target)) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const pasted = text || event.clipboardData?.files.length ? pasteText(editor, text) : pasteKept(editor);
      if (pasted) event.preventDefault();
    };
    const onFocus = ({ target }: Event) => {
      const region = regionOf(target);
      if (region) ui.setState({ region });
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("paste", onPaste);
    window.addEventListener("pointerdown", onFocus, true);
    window.addEventListener("focusin", onFocus);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("paste", onPaste);
      window.removeEventListener("pointerdown", onFocus, true);
      window.removeEventListener("focusin", onFocus);
    };
  }, [editor, actions]);
}

/** The enabled action of the keys: one of the region with the focus comes first. */
function findAction(
  pressed: readonly string[],
  editor: Editor,
  actions: readonly Action[],
  event: KeyboardEvent,
): Action | undefined {
  const region = regionOf(event.target) ?? ui.getState().region;
  const typing = isTyping(event.target);
  const inDialog = isInDialog(event.target);
  const used = usesKey(event);
  const found = actions.filter((action) => {
    const keys = keysOf(action);
    if (!pressed.some((each) => keys.includes(each))) return false;
    if (action.region && action.region !== region) return false;
    if (action.isNative && pressed.some((each) => action.keys?.includes(each))) return false;
    if (event.repeat && !action.repeats) return false;
    if ((typing || inDialog || used) && !action.whileTyping) return false;
    return isEnabled(action, editor);
  });
  return found.find((action) => action.region) ?? found[0];
}

function regionOf(target: EventTarget | null): Region | undefined {
  if (!(target instanceof Element)) return undefined;
  const name = target.closest(REGIONS.map((region) => `[aria-label=${region}]`).join())?.getAttribute("aria-label");
  return REGIONS.find((region) => region === name);
}

const TEXT_INPUTS = "input:not([type=range],[type=checkbox],[type=radio],[type=button],[type=color]), textarea, select";

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_INPUTS));

const isInDialog = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    "[role=dialog]:not([data-sheet]), [role=alertdialog], [role=menu], [role=listbox]:not([data-keys])",
  ) !== null;

const ACTIVATES =
  "button, a[href], summary, [role=button], [role=tab], [role=radio], [role=switch], [role=checkbox], input";
const MOVES = "[role=slider], [role=radio], [role=tab], [role=separator], [role=spinbutton], input";

/** Whether the control with the focus has its own use for the key. */
function usesKey({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || ctrlKey || metaKey) return false;
  if (key === " " || key === "Enter") return target.matches(ACTIVATES);
  return /^(Arrow|Home|End|Page)/.test(key) && target.matches(MOVES);
}
