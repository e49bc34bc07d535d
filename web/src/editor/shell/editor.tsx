/** The editor of one film: toolbar, library, canvas, inspector and timeline. */

import { Redo2, Undo2 } from "lucide-react";
import { useEffect } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { Canvas } from "@/editor/canvas/canvas";
import { Inspector } from "@/editor/inspector/inspector";
import { Library } from "@/editor/library/library";
import type { Editor } from "@/editor/model/editor";
import { STRINGS } from "@/editor/strings/shell";
import { Timeline } from "@/editor/timeline/timeline";
import { EditorContext, useEditor, useEditorState } from "@/editor/use-editor";
import { Button } from "@/ui/button";

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
  return (
    <EditorContext value={editor}>
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
    </EditorContext>
  );
}

function Toolbar() {
  const editor = useEditor();
  const { step, last } = useEditorState((state) => ({ step: state.step, last: state.steps.length - 1 }));
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-3">
      <Button
        variant="ghost"
        size="icon"
        aria-label={STRINGS.undo}
        disabled={step === 0}
        onClick={() => editor.undo()}
        icon={<Undo2 className="size-4" />}
      />
      <Button
        variant="ghost"
        size="icon"
        aria-label={STRINGS.redo}
        disabled={step === last}
        onClick={() => editor.redo()}
        icon={<Redo2 className="size-4" />}
      />
    </header>
  );
}
