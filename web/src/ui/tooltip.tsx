/** Names of icons, shown when a pointer rests on them or they have the focus. */

import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={500} skipDelayDuration={300}>
    {children}
  </Radix.Provider>
);

interface TooltipProps {
  text: ReactNode;
  /** Keys that do the same, as signs. */
  keys?: readonly string[] | undefined;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactElement;
}

/** Within a `TooltipProvider`. The child keeps its accessible name. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-[70] flex animate-fade-in items-center gap-2 rounded-md bg-primary px-2 py-1 text-xs font-medium text-on-primary shadow-float"
        >
          {text}
          {keys && <span className="opacity-65">{keys.join(" ")}</span>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
