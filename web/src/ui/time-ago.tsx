/** Relative times. */
import { formatDateTime, formatRelativeTime } from "@/lib/format";
import { useNow } from "@/lib/hooks";

export function TimeAgo({ at, none = "Never" }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at) return <span className="text-muted">{none}</span>;
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatRelativeTime(at, now)}
    </time>
  );
}
