/** The actions of the timeline that have no button: in a menu of the toolbar, and where people press the other mouse button. */

import { ContextMenu, DropdownMenu } from "radix-ui";
import { type ReactElement, type ReactNode, useState } from "react";
import { useAction } from "@/editor/actions";
import { keyText } from "@/editor/keys";
import { STRINGS } from "@/editor/strings/timeline";
import { SPEEDS } from "./actions";

/** Ids of actions; null is a line between them. */
const CLIP: readonly (string | null)[] = [
  "timeline.split",
  "timeline.trimStart",
  "timeline.trimEnd",
  "timeline.toPlayhead",
  null,
  "edit.copy",
  "edit.paste",
  "timeline.duplicate",
  "edit.delete",
  "timeline.ripple",
  "timeline.closeGaps",
  null,
  "edit.group",
  "edit.ungroup",
  null,
];
const FILM: readonly (string | null)[] = [
  "timeline.fitLength",
  "timeline.lengthToPlayhead",
  null,
  "timeline.rowHeight",
  "timeline.follow",
];
const MARKERS = [
  "timeline.marker",
  "timeline.nextMarker",
  "timeline.previousMarker",
  "timeline.clearMarkers",
  "timeline.beats",
];
const ROWS = ["timeline.insertRow", "timeline.rowUp", "timeline.rowDown", "timeline.removeRow", "timeline.selectRow"];
const SPEED = SPEEDS.map((speed) => `timeline.speed${speed}`);

const PANEL =
  "z-50 max-h-(--radix-popper-available-height) min-w-52 animate-pop-in overflow-y-auto rounded-lg border bg-surface p-1 shadow-float";
const ITEM =
  "flex h-7 items-center gap-6 rounded-md px-2 text-[13px] outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-45 data-[state=open]:bg-hover";

/** Both menus of the library have the same parts. */
type Parts = Pick<
  typeof ContextMenu,
  "Content" | "Item" | "Portal" | "Separator" | "Sub" | "SubContent" | "SubTrigger"
>;

/** A menu below a button. */
export function MoreMenu({ children }: { children: ReactElement }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" sideOffset={6} collisionPadding={8} className={PANEL}>
          <Items parts={DropdownMenu as Parts} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu at the pointer. */
export function ClipMenu({ children }: { children: ReactElement }) {
  const [open, setOpen] = useState(false);
  return (
    <ContextMenu.Root modal={false} onOpenChange={setOpen}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content collisionPadding={8} className={PANEL}>
          {open && <Items parts={ContextMenu} />}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Items({ parts }: { parts: Parts }) {
  return (
    <>
      <List ids={CLIP} parts={parts} />
      <Submenu label={STRINGS.speed} ids={SPEED} parts={parts} />
      <Submenu label={STRINGS.markers} ids={MARKERS} parts={parts} />
      <Submenu label={STRINGS.rows} ids={ROWS} parts={parts} />
      <parts.Separator className="my-1 h-px bg-border" />
      <List ids={FILM} parts={parts} />
    </>
  );
}

function Submenu({ label, ids, parts }: { label: string; ids: readonly (string | null)[]; parts: Parts }) {
  return (
    <parts.Sub>
      <parts.SubTrigger className={ITEM}>
        {label}
        <span aria-hidden className="ml-auto text-subtle">
          ›
        </span>
      </parts.SubTrigger>
      <parts.Portal>
        <parts.SubContent className={PANEL} collisionPadding={8}>
          <List ids={ids} parts={parts} />
        </parts.SubContent>
      </parts.Portal>
    </parts.Sub>
  );
}

const List = ({ ids, parts }: { ids: readonly (string | null)[]; parts: Parts }): ReactNode =>
  ids.map((id, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the lists are constant.
    id ? <Item key={id} id={id} parts={parts} /> : <parts.Separator key={index} className="my-1 h-px bg-border" />,
  );

function Item({ id, parts }: { id: string; parts: Parts }) {
  const action = useAction(id);
  if (!action) return null;
  return (
    <parts.Item className={ITEM} disabled={!action.enabled} onSelect={action.run}>
      {action.label}
      {action.keys && (
        <span aria-hidden className="ml-auto text-xs text-muted">
          {keyText(action.keys)}
        </span>
      )}
    </parts.Item>
  );
}
