/** Keys as text: "Mod+Shift+Z". Mod is the Command key on a Mac and the Control key elsewhere. */

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const MODIFIERS = ["Mod", "Ctrl", "Alt", "Shift"] as const;

/** What is printed for a key, if it is not its name. */
const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Backspace: "⌫",
  Delete: "Del",
  Enter: "↵",
  Escape: "Esc",
  PageUp: "PgUp",
  PageDown: "PgDn",
};
const MAC_SIGNS: Record<string, string> = { Mod: "⌘", Ctrl: "⌃", Alt: "⌥", Shift: "⇧" };

/** The same keys written in one way: modifiers in order, letters in capitals. */
export function normalizeKeys(keys: string): string {
  // The plus sign itself is a key: "Mod++".
  const parts = keys.endsWith("++") || keys === "+" ? [...keys.slice(0, -1).split("+"), "+"] : keys.split("+");
  const key = parts.at(-1) ?? "";
  const held = new Set(parts.slice(0, -1).filter(Boolean).map(capitalize));
  return [...MODIFIERS.filter((name) => held.has(name)), key.length === 1 ? key.toUpperCase() : key].join("+");
}

/** The keys of an event, in the ways an action may have written them; none for a modifier alone. */
export function keysOfEvent(event: KeyboardEvent): string[] {
  if (["Control", "Shift", "Alt", "Meta", "Dead", "Process", "Unidentified"].includes(event.key)) return [];
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  const write = (key: string, shift: boolean) =>
    [
      ...(mod ? ["Mod"] : []),
      ...(other ? ["Ctrl"] : []),
      ...(event.altKey ? ["Alt"] : []),
      ...(shift ? ["Shift"] : []),
      key,
    ].join("+");
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isSign = key.length === 1 && key.toLowerCase() === key;
  const ways = [write(key, event.shiftKey && !isSign)];
  // Shift and a digit, or Alt and a letter, type another sign: the place of the key counts as well.
  const place = /^(?:Digit|Key)(.)$/.exec(event.code)?.[1];
  if (place && (event.shiftKey || event.altKey)) ways.push(write(place, event.shiftKey));
  return [...new Set(ways)];
}

/** The parts of keys as people read them: ["⌘", "Z"] or ["Ctrl", "Z"]. */
export function keySigns(keys: string): string[] {
  const parts =
    keys.endsWith("++") || keys === "+" ? [...keys.slice(0, -1).split("+").filter(Boolean), "+"] : keys.split("+");
  return parts.map((part) => (isMac ? MAC_SIGNS[part] : part === "Mod" ? "Ctrl" : undefined) ?? SIGNS[part] ?? part);
}

export const keyText = (keys: string) => keySigns(keys).join(isMac ? "" : "+");

/** For `aria-keyshortcuts`. */
export const ariaKeys = (keys: string) => keys.replace("Mod", isMac ? "Meta" : "Control").replace("Ctrl", "Control");

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
