/** The state of a list without entries. */

import type { ReactNode } from "react";
import { cx } from "./cx";

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: EmptyProps) {
  return (
    <div className={cx("flex flex-col items-center px-6 py-14 text-center", className)}>
      <div
        className="mb-4 grid size-12 place-items-center rounded-full border bg-inset text-muted [&_svg]:size-5"
        aria-hidden="true"
      >
        {icon}
      </div>
      <p className="text-[15px] font-semibold">{title}</p>
      {children && <p className="mt-1 max-w-sm text-muted">{children}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
