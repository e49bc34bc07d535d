/** Keys, drawn as keys. */

import { keySigns } from "@/editor/keys";
import { cx } from "@/ui/cx";

export function KeyHint({ keys, className }: { keys: string; className?: string }) {
  return (
    <kbd className={cx("inline-flex gap-0.5 font-sans", className)}>
      {keySigns(keys).map((sign) => (
        <span
          key={sign}
          className="grid h-5 min-w-5 place-items-center rounded border bg-inset px-1 text-[11px] font-medium text-muted"
        >
          {sign}
        </span>
      ))}
    </kbd>
  );
}
