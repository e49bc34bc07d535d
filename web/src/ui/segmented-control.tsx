/** A segmented control: a radio group in a row. */

import type { ReactNode } from "react";
import { cx } from "./cx";

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [V, ReactNode])[];
  onChange: (value: V) => void;
  className?: string;
}

export function SegmentedControl<V extends string>({ label, value, options, onChange, className }: ChoiceProps<V>) {
  return (
    <div role="radiogroup" aria-label={label} className={cx("inline-flex rounded-lg border bg-inset p-0.5", className)}>
      {options.map(([option, text], index) => (
        <button
          key={option}
          type="button"
          role="radio"
          aria-checked={option === value}
          tabIndex={option === value ? 0 : -1}
          onClick={() => onChange(option)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            const next = (index + step + options.length) % options.length;
            const [chosen] = options[next] ?? [value];
            onChange(chosen);
            (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
          }}
          className={cx(
            "inline-flex h-7 items-center justify-center gap-1.5 rounded-md px-2.5 text-[13px] font-medium whitespace-nowrap transition-colors",
            option === value
              ? "bg-selected text-foreground shadow-card ring-1 ring-border"
              : "text-muted hover:text-foreground",
          )}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
