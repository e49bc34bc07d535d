/** The steps of the history by name. Choosing one goes there. */

import { Check, ChevronDown } from "lucide-react";
import { DropdownMenu as Menu } from "radix-ui";
import { STRINGS } from "@/editor/strings/shell";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/tooltip";

/** More would be slow to draw; older steps are reached with Undo. */
const MOST = 200;

export function HistoryMenu() {
  return (
    <Menu.Root modal={false}>
      <Tooltip text={STRINGS.history}>
        <Menu.Trigger asChild>
          <Button
            variant="ghost"
            size="icon"
            className="-ml-1 w-5 max-md:hidden"
            aria-label={STRINGS.history}
            icon={<ChevronDown className="size-3.5" />}
          />
        </Menu.Trigger>
      </Tooltip>
      <Menu.Portal>
        <Menu.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-h-[min(420px,70vh)] w-60 animate-pop-in overflow-y-auto rounded-xl border bg-surface p-1 shadow-float"
        >
          <Steps />
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Steps() {
  const editor = useEditor();
  const { steps, step } = useEditorState(({ steps, step }) => ({ steps, step }));
  const first = Math.max(0, Math.min(steps.length - MOST, step - MOST / 2));
  const shown = steps.slice(first, first + MOST);
  return (
    <Menu.RadioGroup value={String(step)} onValueChange={(value) => editor.goTo(Number(value))}>
      {shown
        .map((name, index) => {
          const position = first + index;
          return (
            <Menu.RadioItem
              // Steps have no identity but their place.
              key={position}
              value={String(position)}
              className={cx(
                "flex h-8 cursor-pointer items-center gap-2 rounded-lg px-2.5 text-[13px] outline-none data-[highlighted]:bg-hover",
                position > step && "text-muted",
                position === step && "font-medium",
              )}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {position === step && <Check className="size-3.5 text-accent" aria-hidden="true" />}
            </Menu.RadioItem>
          );
        })
        .reverse()}
    </Menu.RadioGroup>
  );
}
