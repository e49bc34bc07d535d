/** One delivery of an event to a webhook, with its attempts. */

import { useMutation } from "@tanstack/react-query";
import { ChevronRight, RotateCw } from "lucide-react";
import { dashboardApi } from "@/api/http";
import type { Delivery } from "@/api/types";
import { formatDateTime, formatMilliseconds, pluralize } from "@/lib/format";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { CopyableId } from "@/ui/copy";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";

function outcome(delivery: Delivery) {
  const state = delivery.state.toUpperCase();
  if (state === "DELIVERED")
    return (
      <Badge tone="success" dot>
        Delivered
      </Badge>
    );
  if (state === "FAILED")
    return (
      <Badge tone="danger" dot>
        Failed
      </Badge>
    );
  return (
    <Badge tone="info" dot>
      Pending
    </Badge>
  );
}

export function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed: () => void }) {
  const replay = useMutation({
    mutationFn: () => dashboardApi("post", "/deliveries/{id}/replay", { path: { id: delivery.id } }),
    onSuccess: () => {
      showToast("Event resent.");
      onReplayed();
    },
    onError: showError,
  });
  const last = delivery.attempts.at(-1);
  const body = typeof delivery.body === "string" ? pretty(delivery.body) : JSON.stringify(delivery.body, null, 2);
  return (
    <li className="border-b last:border-b-0">
      <details className="group">
        <summary className="flex min-h-14 items-center gap-3 px-5 py-2.5 hover:bg-inset focus-visible:-outline-offset-2">
          <ChevronRight
            className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
            aria-hidden="true"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-mono text-[13px] font-medium">{delivery.event}</span>
            <span className="block truncate text-[13px] text-muted">
              {last
                ? last.status
                  ? `HTTP ${last.status} in ${formatMilliseconds(last.ms)}`
                  : (last.error ?? "No response")
                : "Queued"}
            </span>
          </span>
          <span className="hidden text-[13px] text-muted sm:block">
            <TimeAgo at={delivery.createdAt} />
          </span>
          {outcome(delivery)}
        </summary>
        <div className="flex flex-col gap-4 px-5 pt-1 pb-5 sm:pl-12">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <CopyableId value={delivery.id} />
            <Button
              size="sm"
              busy={replay.isPending}
              onClick={() => replay.mutate()}
              icon={<RotateCw className="size-3.5" />}
            >
              Resend
            </Button>
          </div>
          <CodeBlock label="Payload" text={body} />
          <div>
            <p className="mb-2 text-[13px] font-medium">{pluralize(delivery.attempts.length, "attempt")}</p>
            <ol className="flex flex-col gap-2">
              {delivery.attempts.map((attempt) => (
                <li key={attempt.number} className="rounded-lg border px-3.5 py-2.5">
                  <p className="nums flex flex-wrap justify-between gap-x-4 text-[13px]">
                    <span className="font-medium">
                      {attempt.status ? `Status ${attempt.status}` : (attempt.error ?? "No response")}
                    </span>
                    <span className="text-muted">
                      {formatDateTime(attempt.at)} · {formatMilliseconds(attempt.ms)}
                    </span>
                  </p>
                  {attempt.response && (
                    <pre
                      tabIndex={0}
                      className="mt-2 max-h-40 overflow-auto rounded-md bg-inset p-2.5 font-mono text-xs whitespace-pre-wrap"
                    >
                      {attempt.response}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
          </div>
        </div>
      </details>
    </li>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
