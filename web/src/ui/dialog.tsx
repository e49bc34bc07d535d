/** Dialogs, and the question before an act that cannot be undone. */
import { X } from "lucide-react";
import { AlertDialog as Alert, Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { sentence } from "@/api/http";
import { Button } from "./button";
import { cx } from "./cx";
import { Notice } from "./surface";

const VEIL = "fixed inset-0 z-40 animate-appear bg-black/45 backdrop-blur-[2px]";
const BOX =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto rounded-2xl border bg-surface shadow-float animate-appear";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  about?: ReactNode;
  wide?: boolean;
  /** A secret is on show: only its own button closes the dialog. */
  firm?: boolean;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, about, wide = false, firm = false, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          className={cx(BOX, wide ? "max-w-2xl" : "max-w-md")}
          {...(firm
            ? {
                onInteractOutside: (event: Event) => event.preventDefault(),
                onEscapeKeyDown: (event: Event) => event.preventDefault(),
              }
            : {})}
          {...(about ? {} : { "aria-describedby": undefined })}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <div>
              <Radix.Title className="text-lg font-semibold tracking-[-0.015em]">{title}</Radix.Title>
              {about && <Radix.Description className="mt-1 text-quiet">{about}</Radix.Description>}
            </div>
            {!firm && (
              <Radix.Close
                className="-mt-1 -mr-2 grid size-8 shrink-0 place-items-center rounded-lg text-quiet hover:bg-hover hover:text-text"
                aria-label="Close"
              >
                <X className="size-4" />
              </Radix.Close>
            )}
          </div>
          <div className="px-6 pt-5 pb-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmProps {
  trigger: ReactNode;
  title: string;
  children: ReactNode;
  act: string;
  onConfirm: () => Promise<unknown>;
}

export function Confirm({ trigger, title, children, act, onConfirm }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Alert.Root open={open} onOpenChange={(next) => !busy && setOpen(next)}>
      <Alert.Trigger asChild>{trigger}</Alert.Trigger>
      <Alert.Portal>
        <Alert.Overlay className={VEIL} />
        <Alert.Content className={cx(BOX, "max-w-md p-6")}>
          <Alert.Title className="text-lg font-semibold tracking-[-0.015em]">{title}</Alert.Title>
          <Alert.Description className="mt-2 text-quiet">{children}</Alert.Description>
          {problem && (
            <Notice tone="bad" className="mt-4">
              {problem}
            </Notice>
          )}
          <div className="mt-6 flex justify-end gap-2">
            <Alert.Cancel asChild>
              <Button disabled={busy}>Keep</Button>
            </Alert.Cancel>
            <Button look="danger" busy={busy} onClick={() => void confirm()}>
              {act}
            </Button>
          </div>
        </Alert.Content>
      </Alert.Portal>
    </Alert.Root>
  );
}
