/** A confirmation before a destructive action. */

import { AlertDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { errorMessage } from "@/lib/error";
import { Alert } from "./alert";
import { Button } from "./button";
import { cx } from "./cx";
import { CONTENT_CLASS, OVERLAY_CLASS } from "./dialog";

interface ConfirmProps {
  /** The button that opens it; without one, `open` says whether it is shown. */
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
}

export function ConfirmDialog({ trigger, title, children, confirmLabel, onConfirm, ...control }: ConfirmProps) {
  const [openedHere, setOpenedHere] = useState(false);
  const open = control.open ?? openedHere;
  const setOpen = control.onOpenChange ?? setOpenedHere;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !busy && setOpen(next)}>
      {trigger && <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={OVERLAY_CLASS} />
        <AlertDialog.Content className={cx(CONTENT_CLASS, "max-w-md p-6")}>
          <AlertDialog.Title className="text-lg font-semibold tracking-[-0.015em]">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted">{children}</AlertDialog.Description>
          {problem && (
            <Alert tone="danger" className="mt-4">
              {problem}
            </Alert>
          )}
          <div className="mt-6 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>Cancel</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" busy={busy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
