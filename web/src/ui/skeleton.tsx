/** Placeholders for content that is loading. */
import { Fragment, type ReactNode } from "react";
import { cx } from "./cx";

export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx("block animate-shimmer rounded-md bg-hover", className)} />
);

/** The same placeholder several times. */
export function Repeat({ count, children }: { count: number; children: ReactNode }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the elements are identical and never reordered.
  return Array.from({ length: count }, (_, index) => <Fragment key={index}>{children}</Fragment>);
}

/** Placeholder rows of a list. */
export function SkeletonRows({ rows = 5, height = "h-14" }: { rows?: number; height?: string }) {
  return (
    <div role="status" aria-label="Loading">
      <Repeat count={rows}>
        <div className={cx("flex items-center gap-4 border-b px-5 last:border-b-0", height)}>
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="ml-auto h-3.5 w-1/5" />
        </div>
      </Repeat>
    </div>
  );
}
