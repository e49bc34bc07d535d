/** The price of a render. */
import type { Quote } from "@/api/types";
import { formatDuration, formatNumber, pluralize } from "@/lib/format";
import { cx } from "@/ui/cx";

export function QuoteSummary({ quote, className }: { quote: Quote | undefined; className?: string }) {
  return (
    <p
      className={cx("nums text-[13px]", quote?.sufficient === false ? "text-danger" : "text-muted", className)}
      aria-live="polite"
    >
      {quote ? (
        <>
          <span className="font-semibold text-foreground">{pluralize(quote.credits, "credit")}</span> for{" "}
          {formatDuration(quote.durationSeconds)} of video
          {quote.sufficient
            ? ` · ${formatNumber(quote.creditsAvailable)} available`
            : ` · only ${formatNumber(quote.creditsAvailable)} available`}
        </>
      ) : (
        "The price is calculated with the preview."
      )}
    </p>
  );
}
