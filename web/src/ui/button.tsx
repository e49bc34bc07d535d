/** Buttons, and links that look like buttons. */

import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Spinner } from "./spinner";

const VARIANTS = {
  /** The primary action of a page. */
  primary: "bg-primary text-on-primary hover:opacity-90 shadow-card",
  /** Starts a render. */
  render: "bg-accent-fill text-on-accent hover:brightness-105 shadow-card",
  secondary: "bg-surface text-foreground border border-border-strong hover:bg-hover shadow-card",
  ghost: "text-muted hover:text-foreground hover:bg-hover",
  danger: "bg-danger-fill text-on-primary hover:brightness-105",
  dangerGhost: "text-danger hover:bg-danger-soft",
} as const;

const SIZES = {
  sm: "h-8 px-2.5 text-[13px] gap-1.5",
  md: "h-9 px-3.5 gap-2",
  lg: "h-11 px-5 text-[15px] gap-2",
  icon: "size-8 justify-center",
} as const;

interface Props extends ComponentProps<"button"> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  busy?: boolean;
  icon?: ReactNode;
}

export function buttonClass(variant: keyof typeof VARIANTS = "secondary", size: keyof typeof SIZES = "md") {
  return cx(
    "relative inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap transition-[background-color,opacity,filter,color] duration-100",
    "disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
  );
}

export function Button({ variant, size, busy = false, icon, className, children, disabled, type, ...rest }: Props) {
  return (
    <button
      type={type ?? "button"}
      className={cx(buttonClass(variant, size), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
