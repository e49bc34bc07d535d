import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";

const LOOKS = {
  /** The main act of a page. */
  primary: "bg-ink text-on-ink hover:opacity-90 shadow-card",
  /** Making a film: what everything here leads to. */
  render: "bg-accent-fill text-on-accent hover:brightness-105 shadow-card",
  secondary: "bg-surface text-text border border-edge hover:bg-hover shadow-card",
  ghost: "text-quiet hover:text-text hover:bg-hover",
  danger: "bg-bad-fill text-on-ink hover:brightness-105",
  quietDanger: "text-bad hover:bg-bad-soft",
} as const;

const SIZES = {
  sm: "h-8 px-2.5 text-[13px] gap-1.5",
  md: "h-9 px-3.5 gap-2",
  lg: "h-11 px-5 text-[15px] gap-2",
  icon: "size-8 justify-center",
} as const;

interface Props extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
  busy?: boolean;
  icon?: ReactNode;
  asChild?: boolean;
}

export function buttonClass(look: keyof typeof LOOKS = "secondary", size: keyof typeof SIZES = "md") {
  return cx(
    "relative inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap transition-[background-color,opacity,filter,color] duration-100",
    "disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:shrink-0",
    LOOKS[look],
    SIZES[size],
  );
}

export function Button({
  look,
  size,
  busy = false,
  icon,
  asChild = false,
  className,
  children,
  disabled,
  type,
  ...rest
}: Props) {
  if (asChild) {
    return (
      <Slot.Root className={cx(buttonClass(look, size), className)} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={cx(buttonClass(look, size), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export function Spinner({ className }: { className?: string }) {
  return (
    <svg className={cx("size-4 animate-turn", className)} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle
        cx="12"
        cy="12"
        r="9"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="42 15"
      />
    </svg>
  );
}
