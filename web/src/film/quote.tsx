/** The price of a render. */
import type { Preview } from "@/api/types";
import { formatDuration, formatNumber, pluralize } from "@/lib/format";
import { cx } from "@/ui/cx";
import { MissingCredits } from "./credits";

/** The credits of a film and its speech, rounded up as they are charged. */
export function totalCredits({ quote, aiSkipped }: Preview): number {
  return aiSkipped ? Math.ceil(quote.credits + aiSkipped.estimatedCredits - 1e-9) : quote.credits;
}

export const canPay = (preview: Preview) => totalCredits(preview) <= preview.quote.creditsAvailable;

export function QuoteSummary({ preview, className }: { preview: Preview | null | undefined; className?: string }) {
  if (preview && !canPay(preview))
    return <MissingCredits needed={totalCredits(preview)} available={preview.quote.creditsAvailable} />;
  return (
    <p className={cx("nums text-[13px] text-muted", className)} aria-live="polite">
      {preview ? (
        <>
          <span className="font-semibold text-foreground">{pluralize(totalCredits(preview), "credit")}</span> for{" "}
          {formatDuration(preview.quote.durationSeconds)} of video
          {preview.aiSkipped && ` and speech (${formatNumber(preview.aiSkipped.estimatedCredits)})`}
          {` · ${formatNumber(preview.quote.creditsAvailable)} available`}
        </>
      ) : (
        "The price is calculated with the preview."
      )}
    </p>
  );
}
