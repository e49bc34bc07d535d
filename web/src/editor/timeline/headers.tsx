/** The headers of the rows: their numbers, and switches to lock, hide and mute them. */

import {
  ArrowDown,
  ArrowUp,
  Eye,
  EyeOff,
  GripVertical,
  Lock,
  LockOpen,
  Plus,
  Trash2,
  Volume2,
  VolumeX,
} from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Flag } from "@/editor/model/editor";
import type { Film } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { insertRows, removeRow, shiftTrack } from "./operations";
import { rowOf, tracksOf } from "./rows";
import { useViewState } from "./use-view";
import { shownPart } from "./window";

export const WIDE_HEADER = 116;
export const NARROW_HEADER = 40;

const clipsOf = (film: Film, row: number) => film.overlays.filter((clip) => rowOf(clip) === row);

export const RowHeaders = memo(function RowHeaders() {
  const film = useEditorState((state) => state.film);
  const { rowHeight, header } = useViewState(({ rowHeight, header }) => ({ rowHeight, header }));
  const { first, last } = useViewState(shownPart);
  const { rows } = tracksOf(film);
  return (
    <div className="sticky left-0 z-30 border-r bg-surface" style={{ width: header }}>
      {rows.slice(first, last).map((row, index) => (
        <RowHeader
          key={row}
          row={row}
          track={first + index}
          top={(first + index) * rowHeight}
          height={rowHeight}
          isNarrow={header === NARROW_HEADER}
          isSpare={first + index === rows.length - 1}
        />
      ))}
    </div>
  );
});

interface RowHeaderProps {
  row: number;
  track: number;
  top: number;
  height: number;
  isNarrow: boolean;
  /** The empty row at the end. */
  isSpare: boolean;
}

function RowHeader({ row, track, top, height, isNarrow, isSpare }: RowHeaderProps) {
  const editor = useEditor();
  const { locked, hidden, muted, sounds, count, selected } = useEditorState((state) => {
    const clips = clipsOf(state.film, row);
    const all = (flag: Flag) => clips.length > 0 && clips.every(({ id }) => state[flag].includes(id));
    return {
      locked: all("locked"),
      hidden: all("hidden"),
      muted: all("muted"),
      sounds: clips.some(({ type }) => type === "sound" || type === "video"),
      count: clips.length,
      selected: clips.some(({ id }) => state.selection.includes(id)),
    };
  });
  const toggle = (flag: Flag, on: boolean) =>
    editor.flag(
      flag,
      clipsOf(editor.state.film, row).map(({ id }) => id),
      on,
    );
  const shift = (by: 1 | -1) => editor.apply(shiftTrack(editor.state.film, track, by), { name: STRINGS.steps.moveRow });
  const menu = (
    <DropdownMenu
      align="start"
      trigger={
        <button
          type="button"
          data-plain
          aria-label={STRINGS.rowMenu(row)}
          className={cx(
            "grid h-6 min-w-6 place-items-center rounded-md px-1 text-xs font-medium nums hover:bg-hover",
            selected ? "text-foreground" : "text-muted",
          )}
        >
          {row}
        </button>
      }
    >
      {isNarrow && count > 0 && (
        <>
          <MenuItem icon={locked ? <LockOpen /> : <Lock />} onSelect={() => toggle("locked", !locked)}>
            {locked ? STRINGS.unlock : STRINGS.lock}
          </MenuItem>
          <MenuItem icon={hidden ? <Eye /> : <EyeOff />} onSelect={() => toggle("hidden", !hidden)}>
            {hidden ? STRINGS.show : STRINGS.hide}
          </MenuItem>
          {sounds && (
            <MenuItem icon={muted ? <Volume2 /> : <VolumeX />} onSelect={() => toggle("muted", !muted)}>
              {muted ? STRINGS.unmute : STRINGS.mute}
            </MenuItem>
          )}
        </>
      )}
      <MenuItem icon={<ArrowUp />} onSelect={() => shift(-1)}>
        {STRINGS.rowUp}
      </MenuItem>
      <MenuItem icon={<ArrowDown />} onSelect={() => shift(1)}>
        {STRINGS.rowDown}
      </MenuItem>
      <MenuItem
        icon={<Plus />}
        onSelect={() => editor.apply(insertRows(editor.state.film, row), { name: STRINGS.steps.insertRow })}
      >
        {STRINGS.insertRow}
      </MenuItem>
      <MenuItem
        icon={<Trash2 />}
        onSelect={() => editor.apply(removeRow(editor.state.film, row), { name: STRINGS.steps.removeRow })}
      >
        {STRINGS.removeRow}
      </MenuItem>
    </DropdownMenu>
  );
  return (
    <div
      data-part={isSpare ? undefined : "row"}
      className={cx(
        "group absolute inset-x-0 flex items-center gap-0.5 border-b px-1 select-none",
        selected && "bg-hover",
        !isSpare && "cursor-grab",
      )}
      style={{ top, height }}
    >
      {isSpare ? (
        <span className={cx("text-xs text-muted nums", isNarrow ? "mx-auto" : "ml-6")}>{row}</span>
      ) : (
        <>
          {!isNarrow && (
            <GripVertical aria-hidden className="size-3.5 shrink-0 text-subtle opacity-0 group-hover:opacity-100" />
          )}
          {menu}
          {!isNarrow && count > 0 && (
            <div className="ml-auto flex">
              {sounds && (
                <Switch label={STRINGS.muteRow(row)} on={muted} onToggle={(on) => toggle("muted", on)}>
                  {muted ? <VolumeX /> : <Volume2 />}
                </Switch>
              )}
              <Switch label={STRINGS.hideRow(row)} on={hidden} onToggle={(on) => toggle("hidden", on)}>
                {hidden ? <EyeOff /> : <Eye />}
              </Switch>
              <Switch label={STRINGS.lockRow(row)} on={locked} onToggle={(on) => toggle("locked", on)}>
                {locked ? <Lock /> : <LockOpen />}
              </Switch>
            </div>
          )}
        </>
      )}
    </div>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onToggle: (on: boolean) => void;
  children: ReactNode;
}

/** Faint until it is on, or the pointer or the focus is near. */
const Switch = ({ label, on, onToggle, children }: SwitchProps) => (
  <button
    type="button"
    data-plain
    aria-label={label}
    aria-pressed={on}
    title={label}
    onClick={() => onToggle(!on)}
    className={cx(
      "grid size-6 place-items-center rounded-md hover:bg-hover [&_svg]:size-3.5",
      on
        ? "text-accent"
        : "text-muted opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-70",
    )}
  >
    {children}
  </button>
);
