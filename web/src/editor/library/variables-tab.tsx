/** The variables of a film: which overlays they are, what they are called, and values to try. */

import { Crosshair, Lock, Pin, Table2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { type PlayerElement, usePlayer } from "@/editor/player";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState, useSelected } from "@/editor/use-editor";
import { IconButton, Note, SmallButton, SmallInput, TabBody } from "./parts";
import { capacityOf, isMedia, titleOf, type Values, type Variable, variablesOf } from "./values";
import { VariableTable } from "./variable-table";

type Replaced = PlayerElement & { replacements: unknown };

export function VariablesTab() {
  const film = useEditorState((state) => state.film);
  const variables = useMemo(() => variablesOf(film), [film]);
  const [values, setValues] = useState<Values>({});
  const [isTable, setTable] = useState(false);
  const player = usePlayer() as Replaced | null;
  const isTrying = Object.keys(values).length > 0;
  // The canvas shows the values while this tab is open.
  useEffect(() => {
    if (!player || !isTrying) return;
    player.replacements = values;
    return () => {
      player.replacements = {};
    };
  }, [player, values, isTrying]);
  const change = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = values;
    setValues(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <TabBody
      label={STRINGS.tab.variables}
      head={
        <>
          <MakeVariable />
          <SmallButton disabled={!variables.length} onClick={() => setTable(true)}>
            <Table2 aria-hidden="true" /> {STRINGS.variables.openTable}
          </SmallButton>
        </>
      }
    >
      {variables.length === 0 && <Note className="px-1 py-4">{STRINGS.variables.none}</Note>}
      {isTrying && (
        <div
          className="mb-2.5 flex items-center gap-2 rounded-lg bg-info-soft p-2 text-[12.5px] text-info"
          role="status"
        >
          <span className="flex-1">{STRINGS.variables.trying}</span>
          <SmallButton onClick={() => setValues({})}>{STRINGS.variables.reset}</SmallButton>
        </div>
      )}
      <ul aria-label={STRINGS.variables.list} className="flex flex-col gap-2">
        {variables.map((variable) => (
          <VariableRow
            key={variable.overlays[0]?.id}
            variable={variable}
            value={values[variable.name]}
            onChange={(value) => change(variable.name, value)}
          />
        ))}
      </ul>
      {isTable && <VariableTable open onOpenChange={setTable} />}
    </TabBody>
  );
}

/** Marks the selection as dynamic. */
function MakeVariable() {
  const editor = useEditor();
  const fixed = useSelected().filter((overlay) => !overlay["isDynamic"]);
  const [first] = fixed;
  const make = () => {
    const taken = new Set(variablesOf(editor.state.film).map(({ name }) => name));
    const edits = fixed.flatMap((overlay) => {
      const base =
        titleOf(overlay)
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
          .replaceAll(/^_+|_+$/g, "") || overlay.type;
      let name = base;
      for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
      taken.add(name);
      return [
        { op: "set", id: overlay.id, path: "isDynamic", value: true } as const,
        { op: "set", id: overlay.id, path: "name", value: name } as const,
      ];
    });
    editor.apply(edits, { name: STRINGS.steps.makeVariable });
  };
  if (!first) return null;
  return (
    <SmallButton onClick={make} className="min-w-0">
      <span className="truncate">
        {fixed.length === 1 ? STRINGS.variables.make(titleOf(first)) : STRINGS.variables.makeMany(fixed.length)}
      </span>
    </SmallButton>
  );
}

interface RowProps {
  variable: Variable;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function VariableRow({ variable, value, onChange }: RowProps) {
  const editor = useEditor();
  const [name, setName] = useState<string | null>(null);
  const ids = variable.overlays.map(({ id }) => id);
  const capacity = variable.overlays[0] && capacityOf(variable.overlays[0]);
  const shown = value ?? variable.default;
  const isOver = capacity !== null && capacity !== undefined && [...shown].length > capacity.letters;
  const wanted = name?.trim();
  const isTaken =
    wanted && wanted !== variable.name && variablesOf(editor.state.film).some((other) => other.name === wanted);
  const rename = () => {
    if (wanted && wanted !== variable.name) {
      onChange(undefined);
      editor.apply(
        ids.map((id) => ({ op: "set", id, path: "name", value: wanted })),
        { name: STRINGS.steps.renameVariable },
      );
    }
    setName(null);
  };
  const keep = () => {
    if (value === undefined) return;
    editor.apply(
      variable.overlays.map((overlay) => ({
        op: "set",
        id: overlay.id,
        path: isMedia(overlay.type) ? "src" : "content",
        value,
      })),
      { name: STRINGS.steps.keepValue },
    );
    onChange(undefined);
  };
  return (
    <li className="rounded-lg border bg-inset p-1.5">
      <div className="flex items-center gap-0.5">
        <SmallInput
          aria-label={STRINGS.variables.name(variable.name)}
          value={name ?? variable.name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
          onBlur={rename}
          onKeyDown={(event) => event.key === "Enter" && rename()}
          className="h-6! flex-1 border-transparent! bg-transparent! px-1! font-mono text-[12px]! font-medium"
        />
        <span className="px-1 text-[11px] text-muted">
          {STRINGS.kinds[variable.type as keyof typeof STRINGS.kinds]}
        </span>
        <IconButton label={STRINGS.variables.select(variable.name)} onClick={() => editor.select(ids)}>
          <Crosshair aria-hidden="true" />
        </IconButton>
        <IconButton
          label={STRINGS.variables.remove(variable.name)}
          onClick={() =>
            editor.apply(
              ids.map((id) => ({ op: "set", id, path: "isDynamic" })),
              { name: STRINGS.steps.makeFixed },
            )
          }
        >
          <Lock aria-hidden="true" />
        </IconButton>
      </div>
      {isTaken && <Note className="px-1 text-warning">{STRINGS.variables.taken}</Note>}
      <div className="mt-1 flex items-start gap-0.5">
        <textarea
          rows={1}
          aria-label={STRINGS.variables.value(variable.name)}
          placeholder={variable.default}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value || undefined)}
          className="control field-sizing-content max-h-32 w-full resize-none px-2 py-1 text-base leading-snug wrap-anywhere sm:text-[12.5px]"
        />
        {variable.type !== "caption" && (
          <IconButton label={STRINGS.variables.keep(variable.name)} disabled={value === undefined} onClick={keep}>
            <Pin aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {capacity && (
        <Note className={isOver ? "mt-1 text-warning" : "mt-1"}>
          {isOver ? STRINGS.variables.over : STRINGS.variables.capacity(capacity.letters, capacity.lines)}
        </Note>
      )}
    </li>
  );
}
