/** Inline alerts. */

import type { ReactNode } from "react";
import { cx } from "./cx";

export function Alert({
  tone = "info",
  children,
  className,
}: {
  tone?: "info" | "warning" | "danger" | "success";
  children: ReactNode;
  className?: string;
}) {
  const tones = {
    info: "bg-info-soft text-info",
    warning: "bg-warning-soft text-warning",
    danger: "bg-danger-soft text-danger",
    success: "bg-success-soft text-success",
  };
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      className={cx("rounded-lg px-3.5 py-2.5 text-[13px]", tones[tone], className)}
    >
      {children}
    </div>
  );
}
