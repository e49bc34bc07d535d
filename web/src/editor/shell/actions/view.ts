/** Actions: dialogs, panels, and moving between regions. */

import type { Action } from "@/editor/actions";
import { focusRegion, openDialog, togglePanel } from "@/editor/shell/ui";
import { isDark, setTheme } from "@/lib/theme";

export const viewActions: readonly Action[] = [
  {
    id: "view.palette",
    label: "Search actions",
    group: "View",
    keys: ["Mod+K", "Mod+Shift+P"],
    whileTyping: true,
    words: "command palette",
    run: () => openDialog("palette"),
  },
  {
    id: "view.shortcuts",
    label: "Keyboard shortcuts",
    group: "View",
    keys: ["?"],
    words: "keys remap help",
    run: () => openDialog("shortcuts"),
  },
  ...(["Library", "Inspector", "Timeline"] as const).map(
    (name, index): Action => ({
      id: `view.toggle${name}`,
      label: `Show or hide the ${name.toLowerCase()}`,
      group: "View",
      keys: [`Mod+Alt+${index + 1}`],
      words: "panel",
      run: () => togglePanel(name),
    }),
  ),
  ...(["Canvas", "Timeline", "Inspector", "Library"] as const).map(
    (name, index): Action => ({
      id: `view.go${name}`,
      label: `Go to the ${name.toLowerCase()}`,
      group: "View",
      keys: [`Alt+${index + 1}`],
      whileTyping: true,
      words: "focus region",
      run: () => focusRegion(name),
    }),
  ),
  {
    id: "view.theme",
    label: "Light or dark",
    group: "View",
    words: "theme appearance",
    run() {
      setTheme(isDark() ? "light" : "dark");
    },
  },
];
