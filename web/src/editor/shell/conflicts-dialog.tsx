/** What two people, tabs or agents changed at once: both values, and a choice for each. */

import { useState } from "react";
import type { Json } from "@/editor/model/film";
import { type Conflict, differences } from "@/editor/model/merge";
import { useSession, useSessionState } from "@/editor/save/session";
import { CONFLICTS } from "@/editor/strings/shell";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/dialog";
import { closeDialog } from "./ui";

export function ConflictsDialog() {
  const session = useSession();
  const conflicts = useSessionState((state) => state.conflicts);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, theirs: boolean) => {
    const next = new Set(taken);
    if (theirs) next.add(key);
    else next.delete(key);
    setTaken(next);
  };
  const apply = () => {
    session.resolve(taken);
    closeDialog();
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && closeDialog()}
      title={CONFLICTS.title}
      description={CONFLICTS.hint}
    >
      {conflicts.length > 1 && (
        <div className="mb-3 flex gap-2">
          <Button size="sm" onClick={() => setTaken(new Set())}>
            {CONFLICTS.allMine}
          </Button>
          <Button size="sm" onClick={() => setTaken(new Set(conflicts.map(({ key }) => key)))}>
            {CONFLICTS.allTheirs}
          </Button>
        </div>
      )}
      <ul className="flex max-h-[50vh] flex-col gap-3 overflow-y-auto">
        {conflicts.map((conflict) => (
          <ConflictChoice
            key={conflict.key}
            conflict={conflict}
            takesTheirs={taken.has(conflict.key)}
            onChoose={(theirs) => choose(conflict.key, theirs)}
          />
        ))}
      </ul>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={closeDialog}>{CONFLICTS.later}</Button>
        <Button variant="primary" onClick={apply}>
          {CONFLICTS.apply}
        </Button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  conflict: Conflict;
  takesTheirs: boolean;
  onChoose: (theirs: boolean) => void;
}

function ConflictChoice({ conflict, takesTheirs, onChoose }: ChoiceProps) {
  const paths = differences(conflict.ours, conflict.theirs, 4).filter(Boolean);
  return (
    <li>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">{titleOf(conflict)}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {([false, true] as const).map((isTheirs) => (
            <label
              key={String(isTheirs)}
              className={cx(
                "flex cursor-pointer items-start gap-2.5 rounded-lg border p-2.5 text-[13px]",
                takesTheirs === isTheirs ? "border-foreground bg-hover" : "hover:bg-hover",
              )}
            >
              <input
                type="radio"
                name={conflict.key}
                checked={takesTheirs === isTheirs}
                onChange={() => onChoose(isTheirs)}
                className="mt-0.5 accent-(--accent-fill)"
              />
              <span className="min-w-0">
                <span className="font-medium">{isTheirs ? CONFLICTS.theirs : CONFLICTS.mine}</span>
                <Values value={isTheirs ? conflict.theirs : conflict.ours} paths={paths} />
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  );
}

/** The values that differ, one line each. */
function Values({ value, paths }: { value: Json | undefined; paths: readonly string[] }) {
  if (value === undefined) return <span className="block text-muted">{CONFLICTS.deleted}</span>;
  if (!paths.length) return <span className="block truncate text-muted">{textOf(value)}</span>;
  return (
    <span className="block">
      {paths.map((path) => (
        <span key={path} className="block truncate text-muted">
          {path}: <span className="text-foreground">{textOf(at(value, path))}</span>
        </span>
      ))}
    </span>
  );
}

const at = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split(".")
    .reduce<Json | undefined>(
      (part, step) => (typeof part === "object" && part !== null && !Array.isArray(part) ? part[step] : undefined),
      value,
    );

const textOf = (value: Json | undefined) =>
  value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);

/** "Text “Hello”", "Film: width". */
function titleOf({ field, ours, theirs }: Conflict): string {
  if (field !== undefined) return CONFLICTS.field(field);
  const overlay = (ours ?? theirs) as Record<string, Json | undefined>;
  const type = String(overlay["type"] ?? "overlay");
  const words = overlay["name"] ?? overlay["content"];
  const name = type.charAt(0).toUpperCase() + type.slice(1);
  return typeof words === "string" && words ? `${name} “${words.slice(0, 60)}”` : name;
}
