/** Webhook endpoints. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Webhook as Icon, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "@/api/http";
import { queryClient, webhooks } from "@/api/queries";
import type { WebhookEvent } from "@/api/types";
import { WEBHOOK_EVENTS } from "@/api/webhook-events";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Checkbox, Field, Input } from "@/ui/field";
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
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<WebhookEvent[]>(WEBHOOK_EVENTS.map(([name]) => name));
  const create = useMutation({
    mutationFn: () => api("post", "/webhooks", { body: { url: url.trim(), events } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const close = () => {
    onClose();
    setUrl("");
    setEvents(WEBHOOK_EVENTS.map(([name]) => name));
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Add webhook"
      description="The endpoint must return a 2xx status within 10 seconds."
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Alert tone="danger">{errorMessage(create.error)}</Alert>}
        <Field label="Endpoint URL">
          {(field) => (
            <Input
              {...field}
              type="url"
              required
              autoFocus
              value={url}
              onChange={(event) => setUrl(event.target.value)}
              placeholder="https://example.com/hooks/rondo"
            />
          )}
        </Field>
        <fieldset className="flex flex-col gap-2.5">
          <legend className="mb-2 text-[13px] font-medium">Events</legend>
          {WEBHOOK_EVENTS.map(([name, about]) => (
            <Checkbox
              key={name}
              label={<span className="font-mono text-[13px]">{name}</span>}
              hint={about}
              checked={events.includes(name)}
              onChange={(event) =>
                setEvents(event.target.checked ? [...events, name] : events.filter((other) => other !== name))
              }
            />
          ))}
        </fieldset>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={!events.length}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
