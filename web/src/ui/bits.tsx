/** Small things: badges, moments, progress, choices side by side, menus. */
import { DropdownMenu as Menu } from "radix-ui";
import { type ReactNode, useId } from "react";
import { absolute, ago } from "@/lib/format";
import { useNow } from "@/lib/hooks";
import { cx } from "./cx";

const TONES = {
  neutral: "bg-hover text-quiet",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  accent: "bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof TONES;

export const Badge = ({
  tone = "neutral",
  children,
  dot = false,
}: {
  tone?: Tone;
  children: ReactNode;
  dot?: boolean;
}) => (
  <span
    className={cx(
      "inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap",
      TONES[tone],
    )}
  >
    {dot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
    {children}
  </span>
);

export function Ago({ at, none = "Never" }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at) return <span className="text-quiet">{none}</span>;
  return (
    <time dateTime={at} title={absolute(at)} className="whitespace-nowrap">
      {ago(at, now)}
    </time>
  );
}

export function Progress({ percent, label, className }: { percent: number; label: string; className?: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={cx("h-1.5 overflow-hidden rounded-full bg-hover", className)}
    >
      <div
        className="h-full rounded-full bg-accent-fill transition-[width] duration-500 ease-out"
        style={{ width: `${Math.max(percent, 2)}%` }}
      />
    </div>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [V, ReactNode])[];
  onChange: (value: V) => void;
  className?: string;
}

/** A few choices side by side, as radio buttons. */
export function Choice<V extends string>({ label, value, options, onChange, className }: ChoiceProps<V>) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx("inline-flex rounded-lg border bg-sunken p-0.5", className)}
    >
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
            option === value ? "bg-chosen text-text shadow-card ring-1 ring-line" : "text-quiet hover:text-text",
          )}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Dropdown({
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
          className="z-50 min-w-48 animate-rise rounded-xl border bg-surface p-1 shadow-float"
        >
          {children}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

export function Item({
  icon,
  children,
  onSelect,
  bad = false,
}: {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  bad?: boolean;
}) {
  return (
    <Menu.Item
      onSelect={onSelect}
      className={cx(
        "flex h-9 items-center gap-2.5 rounded-lg px-2.5 outline-none data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:text-quiet",
        bad && "text-bad [&_svg]:text-bad",
      )}
    >
      {icon}
      {children}
    </Menu.Item>
  );
}

/** One of a few, side by side in a menu. */
export function RadioItems<V extends string>({
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
      className="inline-flex rounded-lg border bg-sunken p-0.5"
    >
      {options.map(([option, label, icon]) => (
        <Menu.RadioItem
          key={option}
          value={option}
          aria-label={label}
          title={label}
          onSelect={(event) => event.preventDefault()}
          className={cx(
            "grid size-7 cursor-pointer place-items-center rounded-md outline-none data-[highlighted]:ring-2 data-[highlighted]:ring-ink [&_svg]:size-3.5",
            option === value ? "bg-chosen text-text shadow-card" : "text-quiet",
          )}
        >
          {icon}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** Words and values beside each other. */
export function Facts({ rows, className }: { rows: readonly (readonly [string, ReactNode])[]; className?: string }) {
  return (
    <dl className={cx("grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5", className)}>
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="nums min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Logo({ className }: { className?: string }) {
  // Several logos may be on a page, and one of them hidden.
  const ring = useId();
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <defs>
        <linearGradient id={ring} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#ff8a5c" />
          <stop offset="1" stopColor="#e5488a" />
        </linearGradient>
      </defs>
      <circle
        cx="12"
        cy="12"
        r="9"
        fill="none"
        stroke={`url(#${ring})`}
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="43 14"
        transform="rotate(-60 12 12)"
      />
      <path d="M10 8.6v6.8l5.4-3.4z" fill="currentColor" />
    </svg>
  );
}
