/** Inline alerts. */

import type { ReactNode } from "react";
import { cx } from "./cx";

export function Alert({
  tone = "info",
  children,
  className,
}: {
  tone?: "info" | "warn" | "bad" | "good";
  children: ReactNode;
  className?: string;
}) {
  const tones = {
    info: "bg-info-soft text-info",
    warn: "bg-warn-soft text-warn",
    bad: "bg-bad-soft text-bad",
    good: "bg-good-soft text-good",
  };
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={cx("rounded-lg px-3.5 py-2.5 text-[13px]", tones[tone], className)}
    >
      {children}
    </div>
  );
}
