/** A JSON editor that marks validation errors. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { Issue } from "@/api/http";
import { cspNonce } from "@/lib/csp";
import { complete, type Schema, type Schemas } from "./json-completion";
import { findPath } from "./json-path";

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--foreground)", fontWeight: "500" },
  { tag: tags.string, color: "var(--success)" },
  { tag: tags.number, color: "var(--info)" },
  { tag: [tags.bool, tags.null], color: "var(--accent)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--muted)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "transparent", color: "var(--foreground)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.65" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--foreground)" },
  ".cm-cursor": { borderLeftColor: "var(--foreground)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklab, var(--hover) 60%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--accent-fill) 24%, transparent) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--border)",
    borderRadius: "8px",
    boxShadow: "0 12px 32px -8px rgb(6 9 18 / 28%)",
    fontFamily: "var(--font-sans)",
    maxWidth: "420px",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", maxHeight: "16em" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--hover)", color: "var(--foreground)" },
  ".cm-completionInfo": { padding: "8px 12px", fontSize: "13px" },
  ".cm-diagnostic": { padding: "8px 12px", borderLeftWidth: "3px" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--muted)", padding: "0 6px" },
});

export interface EditorHandle {
  /** Selects the value at a JSON path. */
  select: (path: string) => void;
  /** Replaces the document. */
  set: (text: string) => void;
}

/** Something about the value at a JSON path. */
export interface Finding extends Pick<Issue, "path" | "message"> {
  severity: "error" | "warning" | "info";
}

/** The schema of the request, and those it refers to. */
export interface RequestSchema {
  root: Schema;
  schemas: Schemas;
}

interface Props {
  initial: string;
  findings: Finding[];
  /** For completion, once it is loaded. */
  schema: RequestSchema | undefined;
  onChange: (text: string) => void;
  ref: Ref<EditorHandle>;
  /** What the document is, for people who do not see it. */
  label?: string;
}

const LABEL = "Request body (JSON). Press Escape, then Tab to leave the editor.";

export function JsonEditor({ initial, findings, schema, onChange, ref, label = LABEL }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const latestSchema = useRef(schema);
  latestSchema.current = schema;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text after mounting.
  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          highlightActiveLine(),
          foldGutter(),
          lintGutter(),
          drawSelection(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          json(),
          syntaxHighlighting(highlighting),
          theme,
          EditorView.lineWrapping,
          autocompletion({
            override: [
              (context) =>
                latestSchema.current
                  ? complete(context, latestSchema.current.root, latestSchema.current.schemas)
                  : null,
            ],
          }),
          keymap.of([
            ...completionKeymap,
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            indentWithTab,
          ]),
          EditorView.cspNonce.of(cspNonce),
          EditorView.contentAttributes.of({
            tabindex: "0",
            "aria-label": label,
          }),
          EditorView.updateListener.of(
            (update) => update.docChanged && latestOnChange.current(update.state.doc.toString()),
          ),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const syntax = editor.state.doc.toString().trim() ? jsonParseLinter()(editor) : [];
    const found: Diagnostic[] = findings.map(({ path, message, severity }) => ({
      ...findPath(editor.state, path),
      severity,
      message,
    }));
    const next = [...syntax, ...found];
    let shown = 0;
    forEachDiagnostic(editor.state, () => shown++);
    if (shown || next.length) editor.dispatch(setDiagnostics(editor.state, next));
  });
  useImperativeHandle(ref, () => ({
    select: (path) => {
      const editor = view.current;
      if (!editor) return;
      const { from, to } = findPath(editor.state, path);
      editor.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      editor.focus();
    },
    set: (text) => view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: text } }),
  }));
  return <div ref={container} className="h-full min-h-0 overflow-hidden" />;
}
