/** Warnings about a request. */

import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { Warning } from "@/api/types";
import { cx } from "@/ui/cx";

const SEVERITIES = {
  error: ["text-danger", CircleAlert],
  warning: ["text-warning", TriangleAlert],
  info: ["text-info", Info],
} as const;

/** Warnings that concern people. Fields in which the editor keeps what is its own, such as groups, do not. */
export const withoutEditorFields = (warnings: readonly Warning[]): Warning[] =>
  warnings.filter(({ code }) => code !== "EDITOR_FIELD_IGNORED");

interface Props {
  warnings: Warning[];
  /** Where a warning belongs in a request, if it can be shown. */
  pathOf?: (warning: Warning) => string | undefined;
  onSelect?: (path: string) => void;
}

export function Warnings({ warnings, pathOf, onSelect }: Props) {
  if (!warnings.length) return null;
  return (
    <ul aria-label="Warnings" className="flex flex-col divide-y rounded-xl border bg-surface shadow-card">
      {warnings.map((warning) => {
        const path = pathOf?.(warning);
        const [color, Icon] = SEVERITIES[warning.severity as keyof typeof SEVERITIES] ?? SEVERITIES.info;
        return (
          <li
            key={`${warning.code} ${warning.variable ?? ""} ${warning.message}`}
            className="flex items-start gap-3 px-4 py-3"
          >
            <Icon className={cx("mt-0.5 size-4 shrink-0", color)} aria-hidden="true" />
            <div className="min-w-0">
              <p className="break-words">{warning.message}</p>
              {warning.hint && <p className="mt-0.5 text-[13px] break-words text-muted">{warning.hint}</p>}
              <p className="mt-1 font-mono text-[11.5px] text-muted">
                {warning.code}
                {warning.variable ? ` · ${warning.variable}` : ""}
              </p>
              {path && (
                <button
                  type="button"
                  onClick={() => onSelect?.(path)}
                  className="mt-1 block rounded font-mono text-[12px] break-all underline underline-offset-3"
                >
                  {path}
                </button>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
