/** One webhook: its deliveries, and what can be done with it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronRight, Inbox, RotateCw, Send } from "lucide-react";
import { useEffect, useState } from "react";
import { api, own } from "@/api/http";
import { client, deliveries, webhooks } from "@/api/queries";
import type { Delivery, EventName } from "@/api/types";
import { absolute, milliseconds, plural } from "@/lib/format";
import { Ago, Badge, Dropdown, Item } from "@/ui/bits";
import { Button } from "@/ui/button";
import { CodeBlock, Id, Secret } from "@/ui/code";
import { cx } from "@/ui/cx";
import { Confirm, Dialog } from "@/ui/dialog";
import { Empty, Notice, PageHeader, Problem, Section, SkeletonRows } from "@/ui/surface";
import { complain, say } from "@/ui/toast";
import { Back } from "./template";
import { EVENTS } from "./webhooks";

const route = getRouteApi("/home/dashboard/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const navigate = route.useNavigate();
  const list = useQuery(webhooks);
  const sent = useQuery(deliveries(webhookId));
  const [secret, setSecret] = useState<string | null>(null);
  const webhook = list.data?.webhooks.find(({ id }) => id === webhookId);
  // The delivery that failed last may have switched the webhook off.
  useEffect(() => {
    if (sent.dataUpdatedAt) void client.invalidateQueries({ queryKey: ["webhooks"] });
  }, [sent.dataUpdatedAt]);
  const refreshDeliveries = () => client.invalidateQueries({ queryKey: ["deliveries", webhookId] });
  const test = useMutation({
    mutationFn: (event: EventName) =>
      api("post", "/webhooks/{webhookId}/test", { path: { webhookId }, query: { event } }),
    onSuccess: ({ event }) => {
      say(`A test of ${event} is on its way.`);
      void refreshDeliveries();
    },
    onError: complain,
  });
  const reactivate = useMutation({
    mutationFn: () => own("post", "/webhooks/{id}/reactivate", { path: { id: webhookId } }),
    onSuccess: () => {
      say("The webhook is active again.");
      void client.invalidateQueries({ queryKey: ["webhooks"] });
    },
    onError: complain,
  });
  const rotate = async () => {
    const changed = await api("post", "/webhooks/{webhookId}/rotate", { path: { webhookId } });
    setSecret(changed.secret ?? null);
  };
  const remove = async () => {
    await api("delete", "/webhooks", { query: { id: webhookId } });
    await client.invalidateQueries({ queryKey: ["webhooks"] });
    say("The webhook was deleted.");
    await navigate({ to: "/dashboard/webhooks" });
  };
  const header = (
    <PageHeader
      back={<Back to="/dashboard/webhooks">Webhooks</Back>}
      title={webhook ? new URL(webhook.url).host : "Webhook"}
      badge={
        webhook &&
        (webhook.isActive ? (
          <Badge tone="good" dot>
            Active
          </Badge>
        ) : (
          <Badge tone="warn" dot>
            Switched off
          </Badge>
        ))
      }
      about={webhook ? <span className="font-mono text-[13px] break-all">{webhook.url}</span> : " "}
      actions={
        webhook && (
          <>
            <Dropdown
              trigger={
                <Button busy={test.isPending} icon={<Send className="size-4" />}>
                  Send a test
                </Button>
              }
            >
              {EVENTS.map(([name]) => (
                <Item key={name} onSelect={() => test.mutate(name)}>
                  <span className="font-mono text-[13px]">{name}</span>
                </Item>
              ))}
            </Dropdown>
            <Confirm
              trigger={<Button>Rotate secret</Button>}
              title="Rotate the secret?"
              act="Rotate"
              onConfirm={rotate}
            >
              Deliveries are signed with a new secret from now on. Your server refuses them until it knows it.
            </Confirm>
            <Confirm
              trigger={<Button look="quietDanger">Delete</Button>}
              title="Delete this webhook?"
              act="Delete the webhook"
              onConfirm={remove}
            >
              Events no longer go to this address. Its secret and its deliveries are lost.
            </Confirm>
          </>
        )
      }
    />
  );
  if (list.data && !webhook)
    return (
      <>
        {header}
        <Problem error={new Error("There is no such webhook. It may have been deleted.")} />
      </>
    );
  return (
    <>
      {header}
      <div className="flex flex-col gap-6">
        {webhook && !webhook.isActive && (
          <Notice tone="warn" className="flex flex-col items-start gap-3 py-3 sm:flex-row sm:items-center">
            <p className="flex-1">
              Deliveries to this address failed for days, so it was switched off and is no longer told about renders.
              Send a test to see whether it answers again.
            </p>
            <Button size="sm" busy={reactivate.isPending} onClick={() => reactivate.mutate()}>
              Switch on
            </Button>
          </Notice>
        )}
        <Section
          title="Deliveries"
          about="Newest first"
          actions={
            <Button
              size="sm"
              look="ghost"
              onClick={() => void refreshDeliveries()}
              icon={<RotateCw className={cx("size-3.5", sent.isFetching && "animate-turn")} />}
            >
              Refresh
            </Button>
          }
        >
          {sent.error ? (
            <Problem error={sent.error} retry={() => void sent.refetch()} />
          ) : !sent.data ? (
            <SkeletonRows rows={4} />
          ) : sent.data.length === 0 ? (
            <Empty icon={<Inbox />} title="Nothing was sent yet">
              Send a test, or wait for a render to end.
            </Empty>
          ) : (
            <ul>
              {sent.data.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={() => void refreshDeliveries()} />
              ))}
            </ul>
          )}
        </Section>
      </div>
      <Dialog
        open={secret !== null}
        onOpenChange={(open) => !open && setSecret(null)}
        firm
        wide
        title="The new secret"
        about="Copy it now: it is shown this once."
      >
        <Secret value={secret ?? ""} label="Signing secret" />
        <div className="mt-6 flex justify-end">
          <Button look="primary" onClick={() => setSecret(null)}>
            I have copied it
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
      <Badge tone="good" dot>
        Delivered
      </Badge>
    );
  if (state === "FAILED")
    return (
      <Badge tone="bad" dot>
        Failed
      </Badge>
    );
  return (
    <Badge tone="info" dot>
      On its way
    </Badge>
  );
}

function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed: () => void }) {
  const replay = useMutation({
    mutationFn: () => own("post", "/deliveries/{id}/replay", { path: { id: delivery.id } }),
    onSuccess: () => {
      say("The event is sent again.");
      onReplayed();
    },
    onError: complain,
  });
  const last = delivery.attempts.at(-1);
  const body = typeof delivery.body === "string" ? pretty(delivery.body) : JSON.stringify(delivery.body, null, 2);
  return (
    <li className="border-b last:border-b-0">
      <details className="group">
        <summary className="flex min-h-14 items-center gap-3 px-5 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2">
          <ChevronRight
            className="size-4 shrink-0 text-quiet transition-transform group-open:rotate-90"
            aria-hidden="true"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-mono text-[13px] font-medium">{delivery.event}</span>
            <span className="block truncate text-[13px] text-quiet">
              {last
                ? last.status
                  ? `Answered ${last.status} in ${milliseconds(last.ms)}`
                  : (last.error ?? "No answer")
                : "Waiting to be sent"}
            </span>
          </span>
          <span className="hidden text-[13px] text-quiet sm:block">
            <Ago at={delivery.createdAt} />
          </span>
          {outcome(delivery)}
        </summary>
        <div className="flex flex-col gap-4 px-5 pt-1 pb-5 sm:pl-12">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Id value={delivery.id} />
            <Button
              size="sm"
              busy={replay.isPending}
              onClick={() => replay.mutate()}
              icon={<RotateCw className="size-3.5" />}
            >
              Send again
            </Button>
          </div>
          <CodeBlock label="Payload" text={body} />
          <div>
            <p className="mb-2 text-[13px] font-medium">{plural(delivery.attempts.length, "attempt")}</p>
            <ol className="flex flex-col gap-2">
              {delivery.attempts.map((attempt) => (
                <li key={attempt.number} className="rounded-lg border px-3.5 py-2.5">
                  <p className="nums flex flex-wrap justify-between gap-x-4 text-[13px]">
                    <span className="font-medium">
                      {attempt.status ? `Status ${attempt.status}` : (attempt.error ?? "No answer")}
                    </span>
                    <span className="text-quiet">
                      {absolute(attempt.at)} · {milliseconds(attempt.ms)}
                    </span>
                  </p>
                  {attempt.response && (
                    <pre
                      tabIndex={0}
                      className="mt-2 max-h-40 overflow-auto rounded-md bg-sunken p-2.5 font-mono text-xs whitespace-pre-wrap"
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
