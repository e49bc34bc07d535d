/** What is shown in place of something that does not exist, with a way on. */

import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "./empty-state";

export function Missing({ what, children }: { what: string; children: ReactNode }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={`This ${what} does not exist`}
      className="rounded-xl border bg-surface"
      action={<span className="flex flex-wrap justify-center gap-2">{children}</span>}
    >
      It may have been deleted, or it belongs to another account.
    </EmptyState>
  );
}
