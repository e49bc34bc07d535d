/** Addresses that are called when renders end. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Webhook as Icon, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api, sentence } from "@/api/http";
import { client, webhooks } from "@/api/queries";
import type { EventName } from "@/api/types";
import { Ago, Badge } from "@/ui/bits";
import { Button } from "@/ui/button";
import { Secret } from "@/ui/code";
import { Dialog } from "@/ui/dialog";
import { Check, Field, Input } from "@/ui/field";
import { Card, Empty, Notice, PageHeader, Problem, SkeletonRows } from "@/ui/surface";

export const EVENTS: [EventName, string][] = [
  ["render.completed", "A film is finished"],
  ["render.failed", "A render has failed"],
];

export function Webhooks() {
  const { data, error, refetch } = useQuery(webhooks);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)} icon={<Plus className="size-4" />}>
      Add a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        about={
          <>
            Instead of asking again and again: Rondo calls you when a render ends.{" "}
            <a href="/docs/webhooks" className="underline decoration-edge underline-offset-3 hover:decoration-current">
              How to check signatures
            </a>
          </>
        }
        actions={create}
      />
      <Card label="Webhooks">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={3} height="h-18" />
        ) : data.webhooks.length === 0 ? (
          <Empty icon={<Icon />} title="No webhooks yet" action={create}>
            Add the address of your server, and it is told about every film.
          </Empty>
        ) : (
          <ul>
            {data.webhooks.map((webhook) => (
              <li key={webhook.id} className="border-b last:border-b-0">
                <Link
                  to="/dashboard/webhooks/$webhookId"
                  params={{ webhookId: webhook.id }}
                  className="flex items-center gap-4 px-5 py-3.5 transition-colors hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-mono text-[13px] font-medium">{webhook.url}</span>
                    <span className="block truncate text-[13px] text-quiet">{webhook.events.join(" · ")}</span>
                  </span>
                  <span className="hidden text-[13px] text-quiet sm:block">
                    Added <Ago at={webhook.createdAt} />
                  </span>
                  {webhook.isActive ? (
                    <Badge tone="good" dot>
                      Active
                    </Badge>
                  ) : (
                    <Badge tone="warn" dot>
                      Switched off
                    </Badge>
                  )}
                  <ChevronRight className="hidden size-4 text-faint sm:block" aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <NewWebhook open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function NewWebhook({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<EventName[]>(EVENTS.map(([name]) => name));
  const create = useMutation({
    mutationFn: () => api("post", "/webhooks", { body: { url: url.trim(), events } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const close = () => {
    onClose();
    setUrl("");
    setEvents(EVENTS.map(([name]) => name));
    create.reset();
  };
  if (create.data) {
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => !next && close()}
        firm
        wide
        title="The secret of this webhook"
        about="Every delivery is signed with it. Copy it now: it is shown this once."
      >
        <Secret value={create.data.secret ?? ""} label="Signing secret" />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onClick={close}>
            I have copied it
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
      title="Add a webhook"
      about="An address of yours that answers within ten seconds with a status from 200 to 299."
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {create.error && <Notice tone="bad">{sentence(create.error)}</Notice>}
        <Field label="Address">
          {(given) => (
            <Input
              {...given}
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
          {EVENTS.map(([name, about]) => (
            <Check
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
          <Button type="submit" look="primary" busy={create.isPending} disabled={!events.length}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
