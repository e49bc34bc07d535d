/** Terms and values in two columns. */

import type { ReactNode } from "react";
import { cx } from "./cx";

export function DescriptionList({
  rows,
  className,
}: {
  rows: readonly (readonly [string, ReactNode])[];
  className?: string;
}) {
  return (
    <dl className={cx("grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5", className)}>
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="nums min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
