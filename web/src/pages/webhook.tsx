/** One webhook and its deliveries. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Inbox, RotateCw, Send } from "lucide-react";
import { useEffect, useState } from "react";
import { api, dashboardApi } from "@/api/http";
import { deliveries, queryClient, webhooks } from "@/api/queries";
import type { Webhook, WebhookEvent } from "@/api/types";
import { WEBHOOK_EVENTS } from "@/api/webhook-events";
import { DeliveryRow } from "@/film/delivery-row";
import { WebhookForm, type WebhookValues } from "@/film/webhook-form";
import { Alert } from "@/ui/alert";
import { BackLink } from "@/ui/back-link";
import { Badge } from "@/ui/badge";
import { Button, buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/dialog";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Checkbox } from "@/ui/field";
import { Missing } from "@/ui/missing";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { showError, showToast } from "@/ui/toast";

const route = getRouteApi("/home/dashboard/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const navigate = route.useNavigate();
  const list = useQuery(webhooks);
  const deliveryList = useQuery(deliveries(webhookId));
  const [secret, setSecret] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
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
            <Button onClick={() => setEditing(true)}>Edit</Button>
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
        <Missing what="webhook">
          <Link to="/dashboard/webhooks" className={buttonClass("primary")}>
            All webhooks
          </Link>
        </Missing>
      </>
    );
  return (
    <>
      {header}
      <div className="flex flex-col gap-6">
        {webhook && !webhook.isActive && (
          <Alert tone="warning" className="flex flex-col items-start gap-3 py-3 sm:flex-row sm:items-center">
            <p className="flex-1">
              {deliveryList.data?.[0]?.state === "failed"
                ? "This webhook was disabled because deliveries failed for several days. Send a test event to check the endpoint, then enable the webhook."
                : "This webhook is disabled. It receives no events until you enable it."}
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
      {webhook && editing && <EditDialog webhook={webhook} onClose={() => setEditing(false)} />}
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

function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [isActive, setActive] = useState(webhook.isActive);
  const change = useMutation({
    mutationFn: (values: WebhookValues) =>
      api("patch", "/webhooks/{webhookId}", { path: { webhookId: webhook.id }, body: { ...values, isActive } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      showToast("Webhook saved.");
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title="Edit webhook"
      description="The signing secret stays the same."
    >
      <WebhookForm
        initial={webhook}
        submitLabel="Save"
        busy={change.isPending}
        error={change.error}
        onSubmit={(values) => change.mutate(values)}
        onCancel={onClose}
      >
        <Checkbox
          label="Active"
          hint="Without it, the endpoint receives no events."
          checked={isActive}
          onChange={(event) => setActive(event.target.checked)}
        />
      </WebhookForm>
    </Dialog>
  );
}
