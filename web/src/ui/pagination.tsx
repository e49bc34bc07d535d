/** Cursor pagination. */

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { cx } from "./cx";

export function useCursorPages(cursor: string | undefined, setCursor: (cursor: string | undefined) => void) {
  const [before, setBefore] = useState<(string | undefined)[]>([]);
  return {
    page: before.length + 1,
    forward: (next: string) => {
      setBefore([...before, cursor]);
      setCursor(next);
    },
    back: () => {
      setCursor(before.at(-1));
      setBefore(before.slice(0, -1));
    },
    reset: () => {
      setBefore([]);
      setCursor(undefined);
    },
  };
}

export function Pagination({
  pages,
  next,
  busy,
  className,
}: {
  pages: ReturnType<typeof useCursorPages>;
  next: string | null;
  busy: boolean;
  className?: string;
}) {
  if (pages.page === 1 && !next) return null;
  return (
    <nav aria-label="Pages" className={cx("flex items-center justify-between gap-3", className)}>
      <span className="nums text-[13px] text-muted">Page {pages.page}</span>
      <span className="flex gap-2">
        <Button
          size="sm"
          disabled={pages.page === 1 || busy}
          onClick={pages.back}
          icon={<ChevronLeft className="size-4" />}
        >
          Newer
        </Button>
        <Button size="sm" disabled={!next || busy} onClick={() => next && pages.forward(next)}>
          Older <ChevronRight className="size-4" />
        </Button>
      </span>
    </nav>
  );
}
