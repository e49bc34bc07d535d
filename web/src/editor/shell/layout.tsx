/** Where the regions are: panels on wide windows, one side panel on tablets, sheets on phones. */

import { LayoutPanelLeft, SlidersHorizontal } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { Canvas } from "@/editor/canvas/canvas";
import { Inspector } from "@/editor/inspector/inspector";
import { Library } from "@/editor/library/library";
import { LAYOUT } from "@/editor/strings/shell";
import { Timeline } from "@/editor/timeline/timeline";
import { useEditor } from "@/editor/use-editor";
import { useMediaQuery } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { PHONE, TABLET, ui, useUi } from "./ui";

export function Layout() {
  const isPhone = useMediaQuery(PHONE);
  const isTablet = useMediaQuery(TABLET);
  return isPhone ? <PhoneLayout /> : <PanelLayout key={isTablet ? "tablet" : "wide"} isTablet={isTablet} />;
}

function PanelLayout({ isTablet }: { isTablet: boolean }) {
  const closed = useUi((state) => state.closed);
  const name = isTablet ? "rondo-editor-tablet" : "rondo-editor-wide";
  const showTimeline = !closed.includes("Timeline");
  const rows = useDefaultLayout({ id: `${name}-rows`, panelIds: showTimeline ? ["top", "timeline"] : ["top"] });
  const left = !isTablet && !closed.includes("Library");
  const right = isTablet
    ? !(closed.includes("Library") && closed.includes("Inspector"))
    : !closed.includes("Inspector");
  const columns = useDefaultLayout({
    id: `${name}-columns`,
    panelIds: [...(left ? ["left"] : []), "canvas", ...(right ? ["right"] : [])],
  });
  return (
    <Group orientation="vertical" className="min-h-0 flex-1" {...rows}>
      <Panel id="top" minSize={160}>
        <Group orientation="horizontal" {...columns}>
          {left && (
            <>
              <Panel id="left" defaultSize={296} minSize={200} maxSize={460} groupResizeBehavior="preserve-pixel-size">
                <Library />
              </Panel>
              <Handle label={LAYOUT.resizeLibrary} />
            </>
          )}
          <Panel id="canvas" minSize={240}>
            <Canvas />
          </Panel>
          {right && (
            <>
              <Handle label={LAYOUT.resizeInspector} />
              <Panel id="right" defaultSize={296} minSize={240} maxSize={480} groupResizeBehavior="preserve-pixel-size">
                {isTablet ? <SidePanel /> : <Inspector />}
              </Panel>
            </>
          )}
        </Group>
      </Panel>
      {showTimeline && (
        <>
          <Handle label={LAYOUT.resizeTimeline} isRow />
          <Panel id="timeline" defaultSize={288} minSize={120} groupResizeBehavior="preserve-pixel-size">
            <Timeline />
          </Panel>
        </>
      )}
    </Group>
  );
}

/** A line that is easier to grab than it looks. */
const Handle = ({ label, isRow = false }: { label: string; isRow?: boolean }) => (
  <Separator
    aria-label={label}
    className={cx(
      "relative z-10 bg-border outline-none transition-colors hover:bg-border-strong focus-visible:bg-accent-fill data-[separator=active]:bg-accent-fill",
      isRow ? "h-px" : "w-px",
    )}
  />
);

const TABS = [
  ["Library", LAYOUT.library, LayoutPanelLeft],
  ["Inspector", LAYOUT.inspector, SlidersHorizontal],
] as const;

/** On a tablet, library and inspector share a panel. What is selected opens the inspector. */
function SidePanel() {
  const shown = useUi((state) => state.side);
  useOpenInspector();
  return (
    <div className="flex size-full flex-col bg-surface">
      <div className="flex h-10 shrink-0 items-center gap-1 border-b px-2" role="group" aria-label={LAYOUT.panels}>
        {TABS.map(([name, label, Icon]) => (
          <button
            key={name}
            type="button"
            aria-pressed={shown === name}
            onClick={() => ui.setState({ side: name })}
            className={cx(
              "flex h-7 flex-1 items-center justify-center gap-1.5 rounded-md text-[13px] font-medium",
              shown === name ? "bg-hover text-foreground" : "text-muted hover:text-foreground",
            )}
          >
            <Icon className="size-3.5" aria-hidden="true" />
            {label}
          </button>
        ))}
      </div>
      <Kept isShown={shown === "Library"}>
        <Library />
      </Kept>
      <Kept isShown={shown === "Inspector"}>
        <Inspector />
      </Kept>
    </div>
  );
}

const Kept = ({ isShown, children }: { isShown: boolean; children: ReactNode }) => (
  <div className="min-h-0 flex-1" hidden={!isShown}>
    {children}
  </div>
);

function useOpenInspector() {
  const editor = useEditor();
  useEffect(() => {
    let had = editor.state.selection.length > 0;
    if (had) ui.setState({ side: "Inspector" });
    return editor.on("select", ({ selection }) => {
      if (!had && selection.length) ui.setState({ side: "Inspector" });
      had = selection.length > 0;
    });
  }, [editor]);
}

function PhoneLayout() {
  return (
    <>
      <div className="min-h-0 flex-[1.1]">
        <Canvas />
      </div>
      <div className="min-h-0 flex-1 border-t">
        <Timeline />
      </div>
      <nav
        aria-label={LAYOUT.panels}
        className="flex shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)] text-muted"
      >
        {TABS.map(([name, label, Icon]) => (
          <button
            key={name}
            type="button"
            onClick={() => ui.setState({ sheet: name })}
            className="flex h-12 flex-1 flex-col items-center justify-center gap-0.5 text-[11px] font-medium hover:text-foreground"
          >
            <Icon className="size-4.5" aria-hidden="true" />
            {label}
          </button>
        ))}
      </nav>
      <Sheet />
    </>
  );
}

/** Lies over the timeline. The canvas stays in view: people see what they change. */
function Sheet() {
  const sheet = useUi((state) => state.sheet);
  const close = () => ui.setState({ sheet: null });
  return (
    <Dialog.Root modal={false} open={sheet !== null} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Content
          data-sheet
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed inset-x-0 bottom-0 z-30 flex h-[56dvh] animate-pop-in flex-col rounded-t-2xl border-t bg-surface shadow-float outline-none"
        >
          <div className="flex h-11 shrink-0 items-center justify-between border-b pr-2 pl-4">
            <Dialog.Title className="text-sm font-semibold">
              {sheet === "Inspector" ? LAYOUT.inspector : LAYOUT.library}
            </Dialog.Title>
            <Dialog.Close className="h-8 rounded-lg px-3 text-[13px] font-medium text-accent hover:bg-hover">
              {LAYOUT.done}
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1">{sheet === "Inspector" ? <Inspector /> : <Library />}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
