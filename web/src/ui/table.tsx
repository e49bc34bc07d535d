/** Tables. They scroll horizontally on narrow screens. */

import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";

export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <div className="relative overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b">{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export const Th = ({ className, ...rest }: ComponentProps<"th">) => (
  <th
    scope="col"
    className={cx("h-10 px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5", className)}
    {...rest}
  />
);

export const Tr = ({ className, ...rest }: ComponentProps<"tr">) => (
  <tr className={cx("group/row border-b transition-colors last:border-b-0 hover:bg-inset", className)} {...rest} />
);

export const Td = ({ className, ...rest }: ComponentProps<"td">) => (
  <td className={cx("h-13 px-3 py-2 align-middle first:pl-5 last:pr-5", className)} {...rest} />
);
