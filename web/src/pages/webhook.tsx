/** One webhook and its deliveries. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronRight, Inbox, RotateCw, Send } from "lucide-react";
import { useEffect, useState } from "react";
import { api, dashboardApi } from "@/api/http";
import { deliveries, queryClient, webhooks } from "@/api/queries";
import type { Delivery, WebhookEvent } from "@/api/types";
import { WEBHOOK_EVENTS } from "@/api/webhook-events";
import { formatDateTime, formatMilliseconds, pluralize } from "@/lib/format";
import { Alert } from "@/ui/alert";
import { BackLink } from "@/ui/back-link";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Section } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyableId } from "@/ui/copy";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/dialog";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";

const route = getRouteApi("/home/dashboard/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const navigate = route.useNavigate();
  const list = useQuery(webhooks);
  const deliveryList = useQuery(deliveries(webhookId));
  const [secret, setSecret] = useState<string | null>(null);
  const webhook = list.data?.webhooks.find(({ id }) => id === webhookId);
  // A failed delivery may have disabled the webhook.
  useEffect(() => {
    if (deliveryList.dataUpdatedAt) void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  }, [deliveryList.dataUpdatedAt]);
  const refreshDeliveries = () => queryClient.invalidateQueries({ queryKey: ["deliveries", webhookId] });
  const test = useMutation({
    mutationFn: (event: WebhookEvent) =>
      api("post", "/webhooks/{webhookId}/test", { path: { webhookId }, query: { event } }),
    onSuccess: ({ event }) => {
      showToast(`Test event sent: ${event}`);
      void refreshDeliveries();
    },
    onError: showError,
  });
  const reactivate = useMutation({
    mutationFn: () => dashboardApi("post", "/webhooks/{id}/reactivate", { path: { id: webhookId } }),
    onSuccess: () => {
      showToast("Webhook enabled.");
      void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
    },
    onError: showError,
  });
  const rotate = async () => {
    const changed = await api("post", "/webhooks/{webhookId}/rotate", { path: { webhookId } });
    setSecret(changed.secret ?? null);
  };
  const remove = async () => {
    await api("delete", "/webhooks", { query: { id: webhookId } });
    await queryClient.invalidateQueries({ queryKey: ["webhooks"] });
    showToast("Webhook deleted.");
    await navigate({ to: "/dashboard/webhooks" });
  };
  const header = (
    <PageHeader
      back={<BackLink to="/dashboard/webhooks">Webhooks</BackLink>}
      title={webhook ? new URL(webhook.url).host : "Webhook"}
      badge={
        webhook &&
        (webhook.isActive ? (
          <Badge tone="success" dot>
            Active
          </Badge>
        ) : (
          <Badge tone="warning" dot>
            Disabled
          </Badge>
        ))
      }
      description={webhook ? <span className="font-mono text-[13px] break-all">{webhook.url}</span> : " "}
      actions={
        webhook && (
          <>
            <DropdownMenu
              trigger={
                <Button busy={test.isPending} icon={<Send className="size-4" />}>
                  Send test event
                </Button>
              }
            >
              {WEBHOOK_EVENTS.map(([name]) => (
                <MenuItem key={name} onSelect={() => test.mutate(name)}>
                  <span className="font-mono text-[13px]">{name}</span>
                </MenuItem>
              ))}
            </DropdownMenu>
            <ConfirmDialog
              trigger={<Button>Rotate secret</Button>}
              title="Rotate signing secret?"
              confirmLabel="Rotate"
              onConfirm={rotate}
            >
              For 24 hours, deliveries are signed with both secrets in the webhook-signature header. X-Rondo-Signature
              uses the new secret immediately. Update your server within that time.
            </ConfirmDialog>
            <ConfirmDialog
              trigger={<Button variant="dangerGhost">Delete</Button>}
              title="Delete this webhook?"
              confirmLabel="Delete webhook"
              onConfirm={remove}
            >
              The endpoint stops receiving events. The secret and the delivery history are deleted.
            </ConfirmDialog>
          </>
        )
      }
    />
  );
  if (list.data && !webhook)
    return (
      <>
        {header}
        <ErrorState error={new Error("Webhook not found. It may have been deleted.")} />
      </>
    );
  return (
    <>
      {header}
      <div className="flex flex-col gap-6">
        {webhook && !webhook.isActive && (
          <Alert tone="warning" className="flex flex-col items-start gap-3 py-3 sm:flex-row sm:items-center">
            <p className="flex-1">
              This webhook was disabled because deliveries failed for several days. Send a test event to check the
              endpoint, then enable the webhook.
            </p>
            <Button size="sm" busy={reactivate.isPending} onClick={() => reactivate.mutate()}>
              Enable
            </Button>
          </Alert>
        )}
        <Section
          title="Deliveries"
          description="Newest first"
          actions={
            <Button
              size="sm"
              variant="ghost"
              onClick={() => void refreshDeliveries()}
              icon={<RotateCw className={cx("size-3.5", deliveryList.isFetching && "animate-spin")} />}
            >
              Refresh
            </Button>
          }
        >
          {deliveryList.error ? (
            <ErrorState error={deliveryList.error} retry={() => void deliveryList.refetch()} />
          ) : !deliveryList.data ? (
            <SkeletonRows rows={4} />
          ) : deliveryList.data.length === 0 ? (
            <EmptyState icon={<Inbox />} title="No deliveries">
              Send a test event, or wait for a render to finish.
            </EmptyState>
          ) : (
            <ul>
              {deliveryList.data.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={() => void refreshDeliveries()} />
              ))}
            </ul>
          )}
        </Section>
      </div>
      <Dialog
        open={secret !== null}
        onOpenChange={(open) => !open && setSecret(null)}
        dismissible={false}
        wide
        title="New signing secret"
        description="Copy the secret now. It is not shown again."
      >
        <Secret value={secret ?? ""} label="Signing secret" />
        <div className="mt-6 flex justify-end">
          <Button variant="primary" onClick={() => setSecret(null)}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  );
}

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

function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed: () => void }) {
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
