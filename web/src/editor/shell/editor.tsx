/** The editor of one film: toolbar, library, canvas, inspector and timeline. */

import { Redo2, Undo2 } from "lucide-react";
import { useEffect } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { ActionsContext } from "@/editor/actions";
import { Canvas } from "@/editor/canvas/canvas";
import { Inspector } from "@/editor/inspector/inspector";
import { Library } from "@/editor/library/library";
import type { Editor } from "@/editor/model/editor";
import { Timeline } from "@/editor/timeline/timeline";
import { EditorContext } from "@/editor/use-editor";
import { TooltipProvider } from "@/ui/tooltip";
import { ActionButton } from "./action-button";
import { ALL_ACTIONS } from "./actions";
import { Palette } from "./palette";
import { ShortcutsDialog } from "./shortcuts";
import { useUi } from "./ui";
import { useKeys } from "./use-keys";

declare global {
  interface Window {
    rondo?: { editor?: Editor };
  }
}

export function EditorView({ editor }: { editor: Editor }) {
  useEffect(() => {
    window.rondo = { ...window.rondo, editor };
    return () => {
      delete window.rondo?.editor;
    };
  }, [editor]);
  useKeys(editor, ALL_ACTIONS);
  return (
    <EditorContext value={editor}>
      <ActionsContext value={ALL_ACTIONS}>
        <TooltipProvider>
          <div className="flex h-dvh flex-col overflow-hidden bg-background">
            <Toolbar />
            <Group orientation="vertical" className="min-h-0 flex-1">
              <Panel defaultSize="65%">
                <Group orientation="horizontal">
                  <Panel defaultSize="20%">
                    <Library />
                  </Panel>
                  <Separator className="w-px bg-border" />
                  <Panel>
                    <Canvas />
                  </Panel>
                  <Separator className="w-px bg-border" />
                  <Panel defaultSize="22%">
                    <Inspector />
                  </Panel>
                </Group>
              </Panel>
              <Separator className="h-px bg-border" />
              <Panel>
                <Timeline />
              </Panel>
            </Group>
          </div>
          <Dialogs />
        </TooltipProvider>
      </ActionsContext>
    </EditorContext>
  );
}

function Dialogs() {
  const dialog = useUi((state) => state.dialog);
  if (dialog === "palette") return <Palette />;
  return dialog === "shortcuts" ? <ShortcutsDialog /> : null;
}

function Toolbar() {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-3">
      <ActionButton action="edit.undo" icon={<Undo2 className="size-4" />} />
      <ActionButton action="edit.redo" icon={<Redo2 className="size-4" />} />
    </header>
  );
}
