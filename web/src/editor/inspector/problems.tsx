/** The warnings of the film: those of the selection first in sight, the others one click away. */

import { ChevronDown, ChevronRight, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { STRINGS } from "@/editor/strings/inspector";
import { useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { type Found, useChecked } from "./check";
import { SEVERITIES } from "./field-row";

/** How many are listed. */
const MOST = 50;

export function Problems({ onShow }: { onShow: (found: Found) => void }) {
  const [isOpen, setOpen] = useState(false);
  const selection = useEditorState((state) => state.selection);
  const found = useChecked(
    useShallow((state) =>
      selection.length ? state.found.filter(({ id }) => id !== undefined && selection.includes(id)) : state.found,
    ),
  );
  if (!found.length) return null;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="shrink-0 border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex h-8 w-full items-center gap-1.5 px-3 text-left text-[12px] text-warning outline-offset-[-2px] hover:bg-hover"
      >
        <TriangleAlert className="size-3.5" aria-hidden="true" />
        <span className="flex-1">{STRINGS.warnings(found.length)}</span>
        <Chevron className="size-3.5 text-muted" aria-hidden="true" />
      </button>
      {isOpen && (
        <ul className="max-h-56 overflow-y-auto pb-1.5">
          {found.slice(0, MOST).map((one, index) => {
            const [color, Icon] = SEVERITIES[one.severity];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two warnings may read the same.
              <li key={index}>
                <button
                  type="button"
                  title={STRINGS.showField}
                  onClick={() => onShow(one)}
                  className="flex w-full gap-1.5 px-3 py-1.5 text-left text-[12px] leading-4 outline-offset-[-2px] hover:bg-hover"
                >
                  <Icon className={cx("mt-px size-3.5 shrink-0", color)} aria-hidden="true" />
                  <span className="min-w-0 break-words">
                    {one.message}
                    {one.hint && <span className="mt-0.5 block text-[11px] text-muted">{one.hint}</span>}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
