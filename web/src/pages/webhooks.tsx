/** Webhook endpoints. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Webhook as Icon, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "@/api/http";
import { queryClient, webhooks } from "@/api/queries";
import { WEBHOOK_EVENTS } from "@/api/webhook-events";
import { WebhookForm, type WebhookValues } from "@/film/webhook-form";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Secret } from "@/ui/secret";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";

export function WebhooksPage() {
  const { data, error, refetch } = useQuery(webhooks);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Add webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description={
          <>
            Get notified when a render finishes, without polling.{" "}
            <a
              href="/docs/webhooks"
              className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
            >
              Verify signatures
            </a>
          </>
        }
        actions={create}
      />
      <Card label="Webhooks">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} height="h-18" />
        ) : data.webhooks.length === 0 ? (
          <EmptyState icon={<Icon />} title="No webhooks" action={create}>
            Add an endpoint to receive render events.
          </EmptyState>
        ) : (
          <ul>
            {data.webhooks.map((webhook) => (
              <li key={webhook.id} className="border-b last:border-b-0">
                <Link
                  to="/dashboard/webhooks/$webhookId"
                  params={{ webhookId: webhook.id }}
                  className="flex items-center gap-4 px-5 py-3.5 transition-colors hover:bg-inset focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-mono text-[13px] font-medium">{webhook.url}</span>
                    <span className="block truncate text-[13px] text-muted">{webhook.events.join(" · ")}</span>
                  </span>
                  <span className="hidden text-[13px] text-muted sm:block">
                    Created <TimeAgo at={webhook.createdAt} />
                  </span>
                  {webhook.isActive ? (
                    <Badge tone="success" dot>
                      Active
                    </Badge>
                  ) : (
                    <Badge tone="warning" dot>
                      Disabled
                    </Badge>
                  )}
                  <ChevronRight className="hidden size-4 text-subtle sm:block" aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <WebhookDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function WebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useMutation({
    mutationFn: (body: WebhookValues) => api("post", "/webhooks", { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const close = () => {
    onClose();
    create.reset();
  };
  if (create.data) {
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => !next && close()}
        dismissible={false}
        wide
        title="Webhook created"
        description="Use the secret to verify signatures. It is not shown again."
      >
        <Secret value={create.data.secret ?? ""} label="Signing secret" />
        <div className="mt-6 flex justify-end">
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Add webhook"
      description="The endpoint must return a 2xx status within 10 seconds."
    >
      <WebhookForm
        initial={{ url: "", events: WEBHOOK_EVENTS.map(([name]) => name) }}
        submitLabel="Add"
        busy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate(values)}
        onCancel={close}
      />
    </Dialog>
  );
}
