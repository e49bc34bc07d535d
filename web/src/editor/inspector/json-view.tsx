/** The selection as JSON, both ways: what is typed changes the film, and what changes in the film is shown. */

import { useEffect, useMemo, useRef, useState } from "react";
import type { Edit } from "@/editor/model/edits";
import type { Film, Json, Overlay } from "@/editor/model/film";
import { JSON_VIEW } from "@/editor/strings/inspector";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { type EditorHandle, type Finding, JsonEditor } from "@/playground/json-editor";
import { useChecked } from "./check";
import { jsonSchema } from "./schema";
import { useType } from "./scope";
import { selectedOf } from "./values";

/** What the view shows: one overlay, several, or the film without its overlays. */
function shown(film: Film, overlays: readonly Overlay[]): Json {
  const [first] = overlays;
  if (overlays.length > 1) return [...overlays];
  if (first) return first;
  const { overlays: _, ...rest } = film;
  return rest as Json;
}

const write = (value: Json) => JSON.stringify(value, null, 2);
const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Why an object cannot be an overlay, or null. */
function problemOf(value: Json | undefined): string | null {
  if (!isObject(value)) return JSON_VIEW.notObject;
  if (typeof value["type"] !== "string") return JSON_VIEW.type;
  const missing = ["from", "durationInFrames", "row"].find((name) => typeof value[name] !== "number");
  return missing ? JSON_VIEW.missing(missing) : null;
}

type Parsed = { edits: Edit[] } | { problem: string };

/** The edits that turn the selection into what was typed. The ids stay. */
function editsOf(value: Json, film: Film, overlays: readonly Overlay[]): Parsed {
  if (!overlays.length) {
    if (!isObject(value)) return { problem: JSON_VIEW.notObject };
    const missing = ["width", "height", "fps", "durationInFrames"].find((name) => typeof value[name] !== "number");
    if (missing) return { problem: JSON_VIEW.missing(missing) };
    const names = new Set([...Object.keys(film), ...Object.keys(value)]);
    names.delete("overlays");
    return {
      edits: [...names]
        .filter((name) => JSON.stringify(film[name]) !== JSON.stringify(value[name]))
        .map((name) => ({ op: "set", path: name, value: value[name] })),
    };
  }
  const typed = overlays.length > 1 ? value : [value];
  if (!Array.isArray(typed) || typed.length !== overlays.length) return { problem: JSON_VIEW.notList(overlays.length) };
  const problem = typed.map(problemOf).find((one) => one !== null);
  if (problem) return { problem };
  return {
    edits: overlays.flatMap((overlay, index): Edit[] => {
      const next = { ...(typed[index] as Record<string, Json>), id: overlay.id };
      return JSON.stringify(next) === JSON.stringify(overlay)
        ? []
        : [{ op: "set", id: overlay.id, path: "", value: next }];
    }),
  };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export default function JsonView({ goTo }: { goTo: string | null }) {
  const editor = useEditor();
  const type = useType();
  const handle = useRef<EditorHandle>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const selection = useEditorState((state) => state.selection);
  const text = useEditorState((state) => write(shown(state.film, selectedOf(state))));
  const typed = useRef(text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first text; later ones are set below.
  const initial = useMemo(() => text, []);
  useEffect(() => {
    // What people type is theirs: spaces and the order of lines stay while it means the same.
    if (JSON.stringify(parse(typed.current)) === JSON.stringify(JSON.parse(text))) return;
    typed.current = text;
    handle.current?.set(text);
    setProblem(null);
  }, [text]);
  useEffect(() => {
    if (goTo !== null) handle.current?.select(goTo);
  }, [goTo]);
  const found = useChecked((state) => state.found);
  const findings = useMemo((): Finding[] => {
    const own = found.flatMap(({ id, path, message, severity }) => {
      const at = id === undefined ? -1 : selection.indexOf(id);
      if (selection.length === 0) return id === undefined ? [{ path, message, severity }] : [];
      if (at < 0) return [];
      return [{ path: selection.length > 1 ? `[${at}].${path}` : path, message, severity }];
    });
    return problem ? [{ path: "", message: problem, severity: "error" }, ...own] : own;
  }, [found, selection, problem]);
  const change = (next: string) => {
    typed.current = next;
    const value = parse(next);
    if (value === undefined) return;
    const { film } = editor.state;
    const parsed = editsOf(value, film, selectedOf(editor.state));
    if ("problem" in parsed) return setProblem(parsed.problem);
    setProblem(null);
    editor.apply(parsed.edits, { name: JSON_VIEW.change, gesture: `json ${selection.join()}` });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the editor ends the step of the history.
    <div className="flex size-full min-h-0 flex-col" onBlur={() => editor.endGesture()}>
      <div className="min-h-0 flex-1">
        <JsonEditor
          ref={handle}
          initial={initial}
          findings={findings}
          schema={jsonSchema(type)}
          label={JSON_VIEW.label}
          onChange={change}
        />
      </div>
      {problem && (
        <p role="alert" className="border-t bg-danger-soft px-3 py-2 text-[12px] text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
