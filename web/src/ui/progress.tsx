/** Progress bars. */
import { cx } from "./cx";

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
