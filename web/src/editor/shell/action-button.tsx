/** A button of a toolbar that runs an action, with its keys in its tooltip. */

import { type ComponentProps, isValidElement, memo, type ReactNode } from "react";
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

/**
 * An icon; with children, an icon and text. Nothing if there is no such action. Toolbars are drawn with each change of the film:
 * a button is not, unless it looks different.
 */
export const ActionButton = memo(function ActionButton({
  action: id,
  icon,
  side,
  children,
  ...rest
}: ActionButtonProps) {
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
}, looksSame);

function looksSame(before: ActionButtonProps, after: ActionButtonProps): boolean {
  const { icon: oldIcon, ...old } = before;
  const { icon, ...props } = after;
  return sameFields(old, props) && sameIcon(oldIcon, icon);
}

const sameIcon = (before: ReactNode, after: ReactNode) =>
  before === after ||
  (isValidElement<object>(before) &&
    isValidElement<object>(after) &&
    before.type === after.type &&
    sameFields(before.props, after.props));

const sameFields = (before: object, after: object) =>
  Object.keys(before).length === Object.keys(after).length &&
  Object.entries(before).every(([name, value]) => value === (after as Record<string, unknown>)[name]);
