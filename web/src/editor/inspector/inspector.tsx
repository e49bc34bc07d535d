/** The region "Inspector": every field of the selected overlays, or of the film when nothing is selected. */

import {
  ChevronsDownUp,
  ChevronsUpDown,
  Clipboard,
  ClipboardPaste,
  Ellipsis,
  RotateCcw,
  Search,
  X,
} from "lucide-react";
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { type Action, isEnabled } from "@/editor/actions";
import { STRINGS, TYPE_NAMES } from "@/editor/strings/inspector";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { Spinner } from "@/ui/spinner";
import "./inspector.css";
import { actions } from "./actions";
import { type Found, useCheck } from "./check";
import { SmallButton } from "./controls/parts";
import { groupsOf, search } from "./fields-of";
import { Group } from "./groups";
import { setAllOpen, setOpen } from "./open";
import { Problems } from "./problems";
import { TYPES } from "./schema";
import { TypeContext } from "./scope";
import { selectedOf } from "./values";

const JsonView = lazy(() => import("./json-view"));

/** Milliseconds that a field is looked for after people jump to it: groups open first. */
const FOCUS_MS = 1000;

export function Inspector() {
  useCheck();
  const editor = useEditor();
  const region = useRef<HTMLElement>(null);
  const types = useEditorState((state) => [...new Set(selectedOf(state).map(({ type }) => type))]);
  const [query, setQuery] = useState("");
  const [isJson, setJson] = useState(false);
  const [goTo, setGoTo] = useState<string | null>(null);
  const [wanted, setWanted] = useState<{ path: string } | null>(null);
  const type = types[0] ?? "film";
  const groups = groupsOf(types);
  const text = useDeferredValue(query.trim());
  const found = useMemo(() => search(groups, type, text), [groups, type, text]);
  const isUnknown = types.some((one) => !TYPES.includes(one));

  useEffect(() => {
    if (!wanted) return;
    const until = performance.now() + FOCUS_MS;
    let frame = 0;
    const look = () => {
      const row = region.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(wanted.path)}"]`);
      const input = row?.querySelector<HTMLElement>("input, textarea, select, button");
      if (row && input) {
        row.scrollIntoView({ block: "center" });
        input.focus();
      } else if (performance.now() < until) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [wanted]);

  /** Selects what a warning is about and goes to its field, or to its place in the JSON. */
  const show = ({ id, path }: Found) => {
    editor.select(id === undefined ? [] : [id]);
    setQuery("");
    const own = groupsOf(selectedOf(editor.state).map((overlay) => overlay.type));
    const at = (field: { path: string }) => path === field.path || path.startsWith(`${field.path}[`);
    const group = own.find(({ fields }) => fields.some(at));
    const field = group?.fields.find(at);
    setJson(!field && path !== "");
    if (!group || !field) return setGoTo(path);
    setOpen(`group ${group.group}`, true);
    const [section] = field.sections;
    if (section) setOpen(`section ${section}`, true);
    setWanted({ path: field.path });
  };

  return (
    <section
      ref={region}
      aria-label={STRINGS.region}
      data-inspector=""
      className="flex size-full min-w-0 flex-col overflow-hidden bg-surface text-[13px]"
    >
      <TypeContext value={type}>
        <header className="flex shrink-0 flex-col gap-2 border-b px-3 pt-2 pb-2">
          <div className="flex items-center gap-1">
            <Title types={types} />
            <ViewSwitch isJson={isJson} onChange={setJson} />
            <Menu hasSelection={types.length > 0} />
          </div>
          {!isJson && (
            <div className="relative">
              <Search
                className="pointer-events-none absolute top-2 left-2 size-3.5 text-muted sm:top-[7px]"
                aria-hidden="true"
              />
              <input
                aria-label={STRINGS.search}
                placeholder={STRINGS.search}
                value={query}
                onChange={(event) => setQuery(event.target.value)}
                onKeyDown={(event) => event.key === "Escape" && setQuery("")}
                className="h-8 w-full rounded-md bg-inset pr-7 pl-7 text-base sm:h-7 sm:text-[12px]"
              />
              {query && (
                <SmallButton
                  aria-label={STRINGS.clearSearch}
                  className="absolute top-0.5 right-0.5"
                  onClick={() => setQuery("")}
                >
                  <X className="size-3.5" />
                </SmallButton>
              )}
            </div>
          )}
        </header>
        <Problems onShow={show} />
        {isJson ? (
          <Suspense fallback={<Spinner className="m-auto size-5" />}>
            <div className="min-h-0 flex-1">
              <JsonView goTo={goTo} />
            </div>
          </Suspense>
        ) : (
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-6">
            {isUnknown && <p className="p-3 text-[12px] text-muted">{STRINGS.unknownType(type)}</p>}
            {found.map(({ group, fields }) => (
              <Group key={group} group={group} fields={fields} isSearched={text !== ""} />
            ))}
            {text && !found.length && <p className="p-3 text-[12px] text-muted">{STRINGS.noMatch(text)}</p>}
          </div>
        )}
      </TypeContext>
    </section>
  );
}

function Title({ types }: { types: readonly string[] }) {
  const count = useEditorState((state) => state.selection.length);
  const name = useEditorState((state) => {
    const [overlay, ...others] = selectedOf(state);
    const own = overlay?.["name"];
    return others.length || typeof own !== "string" ? "" : own;
  });
  const [type] = types;
  const text = count > 1 ? STRINGS.overlays(count) : type === undefined ? STRINGS.film : (TYPE_NAMES[type] ?? type);
  return (
    <h2 className="flex min-w-0 flex-1 items-baseline gap-1.5 text-[13px] font-semibold">
      {text}
      {name && <span className="truncate text-[12px] font-normal text-muted">{name}</span>}
    </h2>
  );
}

function ViewSwitch({ isJson, onChange }: { isJson: boolean; onChange: (isJson: boolean) => void }) {
  return (
    <div role="radiogroup" aria-label={STRINGS.view} className="flex h-7 rounded-md bg-inset p-0.5">
      {[STRINGS.fieldsView, STRINGS.jsonView].map((name, index) => {
        const isOn = isJson === (index === 1);
        return (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={isOn}
            tabIndex={isOn ? 0 : -1}
            onClick={() => onChange(index === 1)}
            onKeyDown={(event) => {
              if (!/^Arrow/.test(event.key)) return;
              event.preventDefault();
              onChange(!isJson);
              (event.currentTarget.parentElement?.children[isJson ? 0 : 1] as HTMLElement | undefined)?.focus();
            }}
            className={cx(
              "rounded-[5px] px-2 text-[11.5px]",
              isOn ? "bg-selected text-foreground shadow-card ring-1 ring-border" : "text-muted hover:text-foreground",
            )}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}

const ICONS = [Clipboard, ClipboardPaste, RotateCcw];

function Menu({ hasSelection }: { hasSelection: boolean }) {
  const editor = useEditor();
  return (
    <DropdownMenu
      trigger={
        <SmallButton aria-label={STRINGS.more}>
          <Ellipsis className="size-4" />
        </SmallButton>
      }
    >
      {hasSelection &&
        actions.map((action: Action, index) => {
          const Icon = ICONS[index] ?? Clipboard;
          return (
            <MenuItem key={action.id} icon={<Icon />} onSelect={() => isEnabled(action, editor) && action.run(editor)}>
              {action.label}
            </MenuItem>
          );
        })}
      <MenuItem icon={<ChevronsUpDown />} onSelect={() => setAllOpen(true)}>
        {STRINGS.expandAll}
      </MenuItem>
      <MenuItem icon={<ChevronsDownUp />} onSelect={() => setAllOpen(false)}>
        {STRINGS.collapseAll}
      </MenuItem>
    </DropdownMenu>
  );
}
