/** Toast notifications. */

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { errorMessage } from "@/lib/error";

interface Message {
  id: number;
  text: string;
  isError: boolean;
}

let messages: Message[] = [];
let last = 0;
const listeners = new Set<() => void>();
const set = (next: Message[]) => {
  messages = next;
  for (const listener of listeners) listener();
};
const add = (text: string, isError: boolean) => set([...messages.slice(-3), { id: ++last, text, isError }]);

export const showToast = (text: string) => add(text, false);
export const showError = (error: unknown) => add(errorMessage(error), true);

/** Escape dismisses notifications. A dialog beneath them is what people mean to close: it gets the key as well. */
function passEscape() {
  if (!document.querySelector("[role=dialog], [role=alertdialog]")) return;
  set([]);
  setTimeout(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
}

export function Toaster() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <Radix.Provider duration={5000} label="Notification">
      {shown.map(({ id, text, isError }) => (
        <Radix.Root
          key={id}
          duration={isError ? 9000 : 4500}
          onEscapeKeyDown={passEscape}
          onOpenChange={(open) => !open && set(messages.filter((message) => message.id !== id))}
          className="flex w-full animate-pop-in items-start gap-3 rounded-xl border bg-surface p-3.5 shadow-float"
        >
          {isError ? (
            <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
          ) : (
            <CircleCheck className="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
          )}
          <Radix.Description className="min-w-0 flex-1 break-words">{text}</Radix.Description>
          <Radix.Close
            aria-label="Dismiss"
            className="-m-1 grid size-6 shrink-0 place-items-center rounded-md text-muted hover:text-foreground"
          >
            <X className="size-3.5" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-[60] flex w-[calc(100vw-32px)] max-w-sm flex-col gap-2 outline-none" />
    </Radix.Provider>
  );
}
