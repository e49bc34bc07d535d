/** Modal dialogs. */

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";

export const OVERLAY_CLASS = "fixed inset-0 z-40 animate-fade-in bg-black/45 backdrop-blur-[2px]";

export const CONTENT_CLASS =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto rounded-2xl border bg-surface shadow-float animate-fade-in";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** If false, Escape and clicks outside do not close the dialog. For secrets that are shown once. */
  dismissible?: boolean;
  children: ReactNode;
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  dismissible = true,
  children,
}: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY_CLASS} />
        <Radix.Content
          className={cx(CONTENT_CLASS, wide ? "max-w-2xl" : "max-w-md")}
          {...(!dismissible
            ? {
                onInteractOutside: (event: Event) => event.preventDefault(),
                onEscapeKeyDown: (event: Event) => event.preventDefault(),
              }
            : {})}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <div>
              <Radix.Title className="text-lg font-semibold tracking-[-0.015em]">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
            </div>
            {dismissible && (
              <Radix.Close
                className="-mt-1 -mr-2 grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-hover hover:text-foreground"
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
