/** The editor of one film: toolbar, regions and dialogs. */

import { useEffect } from "react";
import { useAccountEvents, useProjectEvents } from "@/api/events";
import { ActionsContext } from "@/editor/actions";
import { PublishDialog, RenderDialog, ShareDialog } from "@/editor/library/dialogs";
import type { Editor } from "@/editor/model/editor";
import { type Session, SessionContext, useSession, useSessionState } from "@/editor/save/session";
import { EditorContext } from "@/editor/use-editor";
import { useDocumentTitle } from "@/lib/hooks";
import { TooltipProvider } from "@/ui/tooltip";
import { ALL_ACTIONS } from "./actions";
import { ConflictsDialog } from "./conflicts-dialog";
import { Layout } from "./layout";
import { Palette } from "./palette";
import { SaveAsDialog } from "./save-as-dialog";
import { ShortcutsDialog } from "./shortcuts";
import { Toolbar } from "./toolbar";
import { closeDialog, openDialog, useUi } from "./ui";
import { useKeys } from "./use-keys";
import { VersionsDialog } from "./versions-dialog";

declare global {
  interface Window {
    rondo?: { editor?: Editor };
  }
}

export function EditorView({ session }: { session: Session }) {
  const { editor } = session;
  useEffect(() => {
    window.rondo = { ...window.rondo, editor };
    return () => {
      delete window.rondo?.editor;
    };
  }, [editor]);
  useEffect(() => session.start(), [session]);
  useKeys(editor, ALL_ACTIONS);
  return (
    <SessionContext value={session}>
      <EditorContext value={editor}>
        <ActionsContext value={ALL_ACTIONS}>
          <TooltipProvider>
            <div className="flex h-dvh flex-col overflow-hidden bg-background">
              <Toolbar />
              <main className="isolate flex min-h-0 flex-1 flex-col">
                <Layout />
              </main>
            </div>
            <Dialogs />
            <Events />
          </TooltipProvider>
        </ActionsContext>
      </EditorContext>
    </SessionContext>
  );
}

const close = (open: boolean) => !open && closeDialog();

function Dialogs() {
  const dialog = useUi((state) => state.dialog);
  return (
    <>
      {dialog === "palette" && <Palette />}
      {dialog === "shortcuts" && <ShortcutsDialog />}
      {dialog === "conflicts" && <ConflictsDialog />}
      {dialog === "versions" && <VersionsDialog />}
      {dialog === "saveAs" && <SaveAsDialog />}
      <RenderDialog open={dialog === "render"} onOpenChange={close} />
      <PublishDialog open={dialog === "publish"} onOpenChange={close} />
      <ShareDialog open={dialog === "share"} onOpenChange={close} />
    </>
  );
}

/** Listens to what changes elsewhere. */
function Events() {
  const session = useSession();
  const { id, name, hasConflicts, isGone } = useSessionState(({ id, name, conflicts, status }) => ({
    id,
    name,
    hasConflicts: conflicts.length > 0,
    isGone: status === "gone",
  }));
  useDocumentTitle(name);
  useAccountEvents();
  useProjectEvents((event) => {
    if (event.projectId === id) session.announce(event.etag);
  });
  useEffect(() => {
    if (hasConflicts) openDialog("conflicts");
  }, [hasConflicts]);
  useEffect(() => {
    if (isGone) openDialog("saveAs");
  }, [isGone]);
  return null;
}
