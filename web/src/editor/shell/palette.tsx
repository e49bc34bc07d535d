/** The palette: every action, found by a few letters. */

import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { type Action, GROUPS, isEnabled, keysOf, useActions } from "@/editor/actions";
import { PALETTE } from "@/editor/strings/shell";
import { useEditor } from "@/editor/use-editor";
import { OVERLAY_CLASS } from "@/ui/dialog";
import { KeyHint } from "./key-hint";
import { closeDialog } from "./ui";

export function Palette() {
  const editor = useEditor();
  const actions = useActions();
  const choose = (action: Action) => {
    closeDialog();
    // After the dialog gave the focus back, so that the action may move it.
    setTimeout(() => action.run(editor));
  };
  const offered = actions.filter((action) => action.id !== "view.palette" && isEnabled(action, editor));
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeDialog()}>
      <Dialog.Portal>
        <Dialog.Overlay className={OVERLAY_CLASS} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-140 -translate-x-1/2 animate-fade-in overflow-hidden rounded-xl border bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">{PALETTE.title}</Dialog.Title>
          <Command loop label={PALETTE.title}>
            <Command.Input
              autoFocus
              placeholder={PALETTE.placeholder}
              className="h-12 w-full border-b bg-transparent px-4 text-base outline-none sm:text-[15px]"
            />
            <Command.List className="max-h-[min(420px,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-[13px] text-muted">{PALETTE.none}</Command.Empty>
              {GROUPS.map((group) => {
                const within = offered.filter((action) => action.group === group);
                return (
                  within.length > 0 && (
                    <Command.Group
                      key={group}
                      heading={group}
                      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[11px] [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
                    >
                      {within.map((action) => (
                        <PaletteItem key={action.id} action={action} onChoose={choose} />
                      ))}
                    </Command.Group>
                  )
                );
              })}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteItem({ action, onChoose }: { action: Action; onChoose: (action: Action) => void }) {
  const [keys] = keysOf(action);
  return (
    <Command.Item
      value={action.id}
      keywords={[action.label, action.group, ...(action.words ? [action.words] : [])]}
      onSelect={() => onChoose(action)}
      className="flex h-8.5 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-[13px] data-[selected=true]:bg-hover"
    >
      <span className="min-w-0 flex-1 truncate">{action.label}</span>
      {keys && <KeyHint keys={keys} />}
    </Command.Item>
  );
}
