/** Dropdown menus. */

import { DropdownMenu as Menu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";

export function DropdownMenu({
  trigger,
  children,
  align = "end",
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-48 animate-pop-in rounded-xl border bg-surface p-1 shadow-float"
        >
          {children}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

export function MenuItem({
  icon,
  children,
  onSelect,
}: {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
}) {
  return (
    <Menu.Item
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 outline-none data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:text-muted"
    >
      {icon}
      {children}
    </Menu.Item>
  );
}

/** A radio group in a row of the menu. */
export function MenuRadioGroup<V extends string>({
  value,
  options,
  onChange,
}: {
  value: V;
  options: readonly (readonly [V, string, ReactNode])[];
  onChange: (value: V) => void;
}) {
  return (
    <Menu.RadioGroup
      value={value}
      onValueChange={(next) => onChange(next as V)}
      className="inline-flex rounded-lg border bg-inset p-0.5"
    >
      {options.map(([option, label, icon]) => (
        <Menu.RadioItem
          key={option}
          value={option}
          aria-label={label}
          title={label}
          onSelect={(event) => event.preventDefault()}
          className={cx(
            "grid size-7 cursor-pointer place-items-center rounded-md outline-none data-[highlighted]:ring-2 data-[highlighted]:ring-primary [&_svg]:size-3.5",
            option === value ? "bg-selected text-foreground shadow-card" : "text-muted",
          )}
        >
          {icon}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
