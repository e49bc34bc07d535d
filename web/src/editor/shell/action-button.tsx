/** A button of a toolbar that runs an action, with its keys in its tooltip. */

import type { ComponentProps, ReactNode } from "react";
import { useAction } from "@/editor/actions";
import { ariaKeys, keySigns } from "@/editor/keys";
import { Button } from "@/ui/button";
import { Tooltip } from "@/ui/tooltip";

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, "onClick" | "icon" | "action"> {
  /** The id of the action. */
  action: string;
  icon: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
}

/** An icon; with children, an icon and text. Nothing if there is no such action. */
export function ActionButton({ action: id, icon, side, children, ...rest }: ActionButtonProps) {
  const action = useAction(id);
  if (!action) return null;
  return (
    <Tooltip text={action.label} keys={action.keys ? keySigns(action.keys) : undefined} {...(side ? { side } : {})}>
      <Button
        variant="ghost"
        size={children ? "sm" : "icon"}
        icon={icon}
        disabled={!action.enabled}
        onClick={action.run}
        aria-keyshortcuts={action.keys && ariaKeys(action.keys)}
        {...(children ? {} : { "aria-label": action.label })}
        {...rest}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
