/** The theme: light, dark or system. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const KEY = "rondo-theme";
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function setTheme(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}

const system = window.matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export function isDark(): boolean {
  const theme = currentTheme();
  return theme === "system" ? system.matches : theme === "dark";
}

/** The same, for what is drawn in script: it is drawn again when it changes. */
export function useIsDark(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    system.addEventListener("change", listener);
    return () => {
      listeners.delete(listener);
      system.removeEventListener("change", listener);
    };
  }, isDark);
}
