/** Price and warnings of a request. */
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { Quote, Warning } from "@/api/types";
import { length, number, plural } from "@/lib/format";
import { cx } from "@/ui/cx";

export function QuoteLine({ quote, className }: { quote: Quote | undefined; className?: string }) {
  return (
    <p
      className={cx("nums text-[13px]", quote?.sufficient === false ? "text-bad" : "text-quiet", className)}
      aria-live="polite"
    >
      {quote ? (
        <>
          <span className="font-semibold text-text">{plural(quote.credits, "credit")}</span> for{" "}
          {length(quote.durationSeconds)} of film
          {quote.sufficient
            ? ` · ${number(quote.creditsAvailable)} available`
            : ` · only ${number(quote.creditsAvailable)} available`}
        </>
      ) : (
        "The price appears with the preview."
      )}
    </p>
  );
}

const LOOKS = {
  error: ["text-bad", CircleAlert],
  warning: ["text-warn", TriangleAlert],
  info: ["text-info", Info],
} as const;

export function Warnings({ warnings }: { warnings: Warning[] }) {
  if (!warnings.length) return null;
  return (
    <ul aria-label="Warnings" className="flex flex-col divide-y rounded-xl border bg-surface shadow-card">
      {warnings.map((warning, index) => {
        const [colour, Icon] = LOOKS[warning.severity as keyof typeof LOOKS] ?? LOOKS.info;
        return (
          <li key={index} className="flex items-start gap-3 px-4 py-3">
            <Icon className={cx("mt-0.5 size-4 shrink-0", colour)} aria-hidden="true" />
            <div className="min-w-0">
              <p className="break-words">{warning.message}</p>
              {warning.hint && <p className="mt-0.5 text-[13px] break-words text-quiet">{warning.hint}</p>}
              <p className="mt-1 font-mono text-[11.5px] text-quiet">
                {warning.code}
                {warning.variable ? ` · ${warning.variable}` : ""}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
