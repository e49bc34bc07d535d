/** The small bars over the canvas: for what is selected, for media that are open, and for the view. */

import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  ArrowDownToLine,
  ArrowUpToLine,
  Check,
  ChevronDown,
  ChevronUp,
  Crop,
  EyeOff,
  Frame,
  Grid3x3,
  Group,
  Layers,
  Lock,
  LockOpen,
  Maximize,
  Minus,
  Plus,
  Type,
  Ungroup,
} from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import type { ReactNode } from "react";
import { type Action, useAction } from "@/editor/actions";
import type { Overlay } from "@/editor/model/film";
import { isOneGroup } from "@/editor/model/groups";
import { ActionButton } from "@/editor/shell/action-button";
import { STRINGS } from "@/editor/strings/canvas";
import { useEditor, useEditorState, useSelected } from "@/editor/use-editor";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { Tooltip } from "@/ui/tooltip";
import { isMedia, isSeen } from "./boxes";
import { resetCrop, zoomMedia, zoomOf } from "./media-gestures";
import { hasInside, leaveMode } from "./modes";
import { type SafeZone, setGuides, useView, zoomTo } from "./view";

const BAR =
  "absolute z-10 flex items-center gap-0.5 rounded-xl border bg-surface p-0.5 shadow-float [&_button]:size-7 [&_button]:rounded-[9px] pointer-coarse:[&_button]:size-9";

const ALIGN = [
  ["canvas.alignLeft", <AlignStartVertical key="icon" />],
  ["canvas.alignCentre", <AlignCenterVertical key="icon" />],
  ["canvas.alignRight", <AlignEndVertical key="icon" />],
  ["canvas.alignTop", <AlignStartHorizontal key="icon" />],
  ["canvas.alignMiddle", <AlignCenterHorizontal key="icon" />],
  ["canvas.alignBottom", <AlignEndHorizontal key="icon" />],
  ["canvas.distributeX", <AlignHorizontalDistributeCenter key="icon" />],
  ["canvas.distributeY", <AlignVerticalDistributeCenter key="icon" />],
] as const;

const ORDER = [
  ["canvas.toFront", <ArrowUpToLine key="icon" />],
  ["canvas.forward", <ChevronUp key="icon" />],
  ["canvas.backward", <ChevronDown key="icon" />],
  ["canvas.toBack", <ArrowDownToLine key="icon" />],
] as const;

/** Aligning, order, lock and hide. Narrow regions have menus in place of rows of buttons. */
export function SelectionBar() {
  const selected = useSelected().filter(isSeen);
  const locked = useEditorState((state) => state.locked);
  const { isQuiet, rulers } = useView(({ dragging, mode, rulers }) => ({ isQuiet: dragging || mode !== null, rulers }));
  const playing = useEditorState((state) => state.playing);
  const [first] = selected;
  if (!first || isQuiet || playing) return null;
  const isLocked = selected.every(({ id }) => locked.includes(id));
  const isOpenable = selected.length === 1 && hasInside(first);
  return (
    <div
      role="toolbar"
      aria-label={STRINGS.selectionBar}
      className={cx(BAR, rulers ? "top-6" : "top-2", "left-1/2 -translate-x-1/2")}
    >
      {isOpenable && (
        <ActionButton
          action="canvas.open"
          icon={isMedia(first) ? <Crop className="size-4" /> : <Type className="size-4" />}
        />
      )}
      <span className="hidden items-center gap-0.5 @xl:flex">
        {ALIGN.slice(0, selected.length > 2 ? 8 : 6).map(([action, icon]) => (
          <ActionButton key={action} action={action} icon={<span className="[&_svg]:size-4">{icon}</span>} />
        ))}
      </span>
      <span className="flex @xl:hidden">
        <ActionMenu label={STRINGS.align} icon={<AlignCenterVertical className="size-4" />} actions={ALIGN} />
      </span>
      <Divider />
      {selected.length > 1 && (
        <ActionButton
          {...(isOneGroup(selected)
            ? { action: "edit.ungroup", icon: <Ungroup className="size-4" /> }
            : { action: "edit.group", icon: <Group className="size-4" /> })}
        />
      )}
      <ActionMenu label={STRINGS.order} icon={<Layers className="size-4" />} actions={ORDER} />
      <ActionButton
        action="canvas.lock"
        icon={isLocked ? <LockOpen className="size-4" /> : <Lock className="size-4" />}
      />
      <ActionButton action="canvas.hide" icon={<EyeOff className="size-4" />} />
    </div>
  );
}

const Divider = () => <span className="mx-0.5 h-4 w-px bg-border" />;

interface ActionMenuProps {
  label: string;
  icon: ReactNode;
  actions: readonly (readonly [Action["id"], ReactNode])[];
}

function ActionMenu({ label, icon, actions }: ActionMenuProps) {
  return (
    <DropdownMenu
      align="start"
      trigger={<Button variant="ghost" size="icon" aria-label={label} title={label} icon={icon} />}
    >
      {actions.map(([id, sign]) => (
        <ActionItem key={id} id={id} icon={sign} />
      ))}
    </DropdownMenu>
  );
}

function ActionItem({ id, icon }: { id: string; icon: ReactNode }) {
  const action = useAction(id);
  if (!action?.enabled) return null;
  return (
    <MenuItem icon={icon} onSelect={action.run}>
      {action.label}
    </MenuItem>
  );
}

/** Zoom inside the frame, and a way out. */
export function MediaBar({ overlay }: { overlay: Overlay }) {
  const editor = useEditor();
  const zoom = zoomOf(overlay);
  return (
    <div
      role="toolbar"
      aria-label={STRINGS.mediaBar}
      className={cx(BAR, "bottom-3 left-1/2 -translate-x-1/2 gap-2 p-1 pl-3")}
    >
      <input
        type="range"
        aria-label={STRINGS.zoomInside}
        min={1}
        max={5}
        step={0.01}
        value={Math.min(5, zoom)}
        className="w-28 accent-accent-fill sm:w-40"
        onChange={(event) =>
          zoomMedia(editor, overlay.id, Number(event.target.value) / zoom, `media-zoom-${overlay.id}`)
        }
        onPointerUp={() => editor.endGesture()}
        onKeyUp={() => editor.endGesture()}
      />
      <output className="nums w-10 text-right text-xs text-muted">{STRINGS.percent(zoom)}</output>
      <Button
        variant="ghost"
        size="sm"
        className="h-7! w-auto!"
        disabled={zoom <= 1.0005}
        onClick={() => resetCrop(editor, overlay.id)}
      >
        {STRINGS.resetCrop}
      </Button>
      <Button variant="primary" size="sm" className="h-7! w-auto!" onClick={() => leaveMode(editor)}>
        {STRINGS.done}
      </Button>
    </div>
  );
}

const ZONES = Object.entries(STRINGS.safeZone) as [SafeZone, string][];
const ZOOMS = [0.25, 0.5, 1, 2, 4];

/** Guides and zoom. */
export function ViewBar() {
  const view = useView(({ scale, safeZone, rulers, grid, snapping }) => ({ scale, safeZone, rulers, grid, snapping }));
  const isGuided = view.safeZone !== null || view.rulers || view.grid;
  return (
    <div role="toolbar" aria-label={STRINGS.viewBar} className={cx(BAR, "right-2 bottom-2")}>
      <Menu.Root modal={false}>
        <Tooltip text={STRINGS.guides} side="top">
          <Menu.Trigger asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={STRINGS.guides}
              className={isGuided ? "text-accent!" : ""}
              icon={<Grid3x3 className="size-4" />}
            />
          </Menu.Trigger>
        </Tooltip>
        <MenuContent>
          <Heading>{STRINGS.safeZones}</Heading>
          <Menu.RadioGroup
            value={view.safeZone ?? "none"}
            onValueChange={(zone) => setGuides({ safeZone: zone === "none" ? null : (zone as SafeZone) })}
          >
            {[["none", STRINGS.noSafeZone] as const, ...ZONES].map(([zone, name]) => (
              <Menu.RadioItem key={zone} value={zone} className={ITEM}>
                {name}
                <Menu.ItemIndicator className="ml-auto">
                  <Check className="size-3.5" />
                </Menu.ItemIndicator>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator className="my-1 h-px bg-border" />
          {(["rulers", "grid", "snapping"] as const).map((name) => (
            <Menu.CheckboxItem
              key={name}
              checked={view[name]}
              onCheckedChange={(on) => setGuides({ [name]: on === true })}
              onSelect={(event) => event.preventDefault()}
              className={ITEM}
            >
              {STRINGS[name]}
              <Menu.ItemIndicator className="ml-auto">
                <Check className="size-3.5" />
              </Menu.ItemIndicator>
            </Menu.CheckboxItem>
          ))}
        </MenuContent>
      </Menu.Root>
      <Divider />
      <ActionButton action="canvas.zoomOut" icon={<Minus className="size-4" />} side="top" />
      <Menu.Root modal={false}>
        <Menu.Trigger asChild>
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${STRINGS.zoom} ${STRINGS.percent(view.scale)}`}
            className="nums w-14! px-0! text-xs"
          >
            {STRINGS.percent(view.scale)}
          </Button>
        </Menu.Trigger>
        <MenuContent>
          <FitItem />
          {ZOOMS.map((zoom) => (
            <Menu.Item key={zoom} className={ITEM} onSelect={() => zoomTo(zoom)}>
              {STRINGS.percent(zoom)}
            </Menu.Item>
          ))}
        </MenuContent>
      </Menu.Root>
      <ActionButton action="canvas.zoomIn" icon={<Plus className="size-4" />} side="top" />
      <span className="hidden @md:flex">
        <ActionButton action="canvas.fit" icon={<Maximize className="size-4" />} side="top" />
      </span>
    </div>
  );
}

const ITEM =
  "flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-[13px] outline-none data-[highlighted]:bg-hover pointer-coarse:h-10";

function FitItem() {
  const fit = useAction("canvas.fit");
  return fit ? (
    <Menu.Item className={ITEM} onSelect={fit.run}>
      <Frame className="size-4 text-muted" />
      {fit.label}
    </Menu.Item>
  ) : null;
}

const Heading = ({ children }: { children: ReactNode }) => (
  <Menu.Label className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">{children}</Menu.Label>
);

const MenuContent = ({ children }: { children: ReactNode }) => (
  <Menu.Portal>
    <Menu.Content
      align="end"
      side="top"
      sideOffset={6}
      collisionPadding={8}
      className="z-50 min-w-44 animate-pop-in rounded-xl border bg-surface p-1 shadow-float"
    >
      {children}
    </Menu.Content>
  </Menu.Portal>
);
