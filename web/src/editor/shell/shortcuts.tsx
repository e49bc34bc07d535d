/** The list of shortcuts. Each can be given other keys, for this browser. */

import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { type Action, forgetRemapped, GROUPS, keysOf, remap, useActions, useRemapped } from "@/editor/actions";
import { keysOfEvent, keyText } from "@/editor/keys";
import { SHORTCUTS } from "@/editor/strings/shell";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/dialog";
import { SearchInput } from "@/ui/search-input";
import { KeyHint } from "./key-hint";
import { closeDialog } from "./ui";

export function ShortcutsDialog() {
  const actions = useActions();
  const remapped = useRemapped();
  const [search, setSearch] = useState("");
  const [recording, setRecording] = useState<string | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const wanted = search.trim().toLowerCase();
  const shown = actions.filter((action) => `${action.label} ${action.words ?? ""}`.toLowerCase().includes(wanted));

  useEffect(() => {
    if (!recording) return;
    const record = (event: KeyboardEvent) => {
      const [keys] = keysOfEvent(event);
      if (!keys) return;
      event.preventDefault();
      event.stopPropagation();
      setRecording(null);
      if (keys === "Escape" || keys === "Tab" || keys === "Shift+Tab") return;
      const action = actions.find(({ id }) => id === recording);
      const others = actions.filter((each) => each.id !== recording && each.region === action?.region);
      for (const other of others) {
        const left = keysOf(other).filter((each) => each !== keys);
        if (left.length === keysOf(other).length) continue;
        remap(other.id, left);
        setTaken(SHORTCUTS.taken(keyText(keys), other.label));
      }
      remap(recording, [keys]);
    };
    window.addEventListener("keydown", record, true);
    return () => window.removeEventListener("keydown", record, true);
  }, [recording, actions]);

  const record = (id: string) => {
    setTaken(null);
    setRecording(id);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeDialog()}
      title={SHORTCUTS.title}
      description={SHORTCUTS.hint}
      wide
    >
      <div className="mb-3 flex items-center gap-2">
        <SearchInput label={SHORTCUTS.search} value={search} onChange={setSearch} className="flex-1" />
        {Object.keys(remapped).length > 0 && (
          <Button size="sm" variant="ghost" onClick={forgetRemapped} icon={<RotateCcw className="size-3.5" />}>
            {SHORTCUTS.resetAll}
          </Button>
        )}
      </div>
      <p role="status" className={cx("text-[13px] text-warning", taken && "mb-3")}>
        {taken}
      </p>
      <div className="h-[min(56vh,520px)] overflow-y-auto pr-1" tabIndex={0} role="group" aria-label={SHORTCUTS.title}>
        {GROUPS.map((group) => {
          const within = shown.filter((action) => action.group === group);
          return (
            within.length > 0 && (
              <section key={group} className="mb-4">
                <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
                <ul className="divide-y rounded-lg border">
                  {within.map((action) => (
                    <ShortcutRow
                      key={action.id}
                      action={action}
                      isRecording={recording === action.id}
                      isRemapped={action.id in remapped}
                      onRecord={() => record(action.id)}
                    />
                  ))}
                </ul>
              </section>
            )
          );
        })}
        {!shown.length && <p className="py-10 text-center text-muted">{SHORTCUTS.none}</p>}
      </div>
    </Dialog>
  );
}

interface RowProps {
  action: Action;
  isRecording: boolean;
  isRemapped: boolean;
  onRecord: () => void;
}

function ShortcutRow({ action, isRecording, isRemapped, onRecord }: RowProps) {
  const keys = keysOf(action);
  return (
    <li className="flex min-h-9 items-center gap-2 py-0.5 pr-1 pl-3 text-[13px]">
      <span className="min-w-0 flex-1">
        {action.label}
        {action.region && <span className="text-muted"> · {action.region}</span>}
      </span>
      {isRemapped && (
        <Button
          size="icon"
          variant="ghost"
          className="size-7"
          aria-label={SHORTCUTS.reset(action.label)}
          onClick={() => remap(action.id)}
          icon={<RotateCcw className="size-3.5" />}
        />
      )}
      <button
        type="button"
        onClick={onRecord}
        className={cx(
          "flex h-7 min-w-16 items-center justify-end gap-1.5 rounded-md px-2 hover:bg-hover",
          isRecording && "bg-accent-soft text-accent",
        )}
      >
        <span className="sr-only">{SHORTCUTS.keysOf(action.label)} </span>
        {isRecording ? (
          SHORTCUTS.press
        ) : keys.length ? (
          keys.map((each) => <KeyHint key={each} keys={each} />)
        ) : (
          <span className="text-muted">{SHORTCUTS.add}</span>
        )}
      </button>
    </li>
  );
}
