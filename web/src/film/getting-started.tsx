/** The getting-started guide: create a key, send a request, watch the video. */

import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, KeyRound, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { dashboardApi } from "@/api/http";
import { keys, queryClient, renders, session } from "@/api/queries";
import type { NewApiKey } from "@/api/types";
import { Alert } from "@/ui/alert";
import { Button, buttonClass } from "@/ui/button";
import { CodeBlock } from "@/ui/code-block";
import { cx } from "@/ui/cx";
import { Secret } from "@/ui/secret";
import { showError } from "@/ui/toast";
import { CreditsContact } from "./credits";
import { renderName, StatusBadge } from "./render-status";
import { quickstartRequest } from "./snippets";

const DISMISSED_KEY = "rondo-guide-closed";

export function GettingStarted({ started }: { started: boolean | null }) {
  const [closed, setClosed] = useState(() => localStorage.getItem(DISMISSED_KEY) === "yes");
  const account = useSuspenseQuery(session).data.account;
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const existing = useQuery(keys);
  const recent = useQuery(renders({ limit: 6 }));
  const create = useMutation({
    mutationFn: () => dashboardApi("post", "/keys", { body: { name: "First key" } }),
    onSuccess: (key) => {
      setCreated(key);
      void queryClient.invalidateQueries({ queryKey: ["keys"] });
    },
    onError: showError,
  });
  const hasKey = Boolean(created) || Boolean(existing.data?.some((key) => !key.revokedAt));
  const first = recent.data?.renders.at(-1);
  const complete = Boolean(started && first?.status === "COMPLETED" && hasKey && !created);
  if (closed || started === null || existing.data === undefined || complete) return null;
  const close = () => {
    localStorage.setItem(DISMISSED_KEY, "yes");
    setClosed(true);
  };
  return (
    <section aria-label="Getting started" className="relative overflow-hidden rounded-xl border bg-surface shadow-card">
      <div aria-hidden="true" className="absolute inset-x-0 top-0 h-0.5 bg-linear-to-r from-[#ff8a5c] to-[#e5488a]" />
      <div className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
        <div>
          <h2 className="text-lg font-semibold tracking-[-0.015em]">Render your first video</h2>
          <p className="text-muted">Three steps from an API key to an MP4.</p>
        </div>
        <Button variant="ghost" size="icon" onClick={close} aria-label="Dismiss">
          <X className="size-4" />
        </Button>
      </div>
      {account?.credits === 0 && (
        <Alert tone="warning" className="mx-5 mt-4 sm:mx-6">
          You have no credits. Each render uses credits. <CreditsContact />
        </Alert>
      )}
      <ol className="grid gap-x-8 px-5 pt-5 pb-6 sm:px-6">
        <Step number={1} done={hasKey} title="Create an API key" last={false}>
          {created ? (
            <>
              <Secret value={created.apiKey} label="Your API key" />
              <p className="mt-2 text-[13px] text-muted">
                The key is shown only once. Store it on your server, never in client-side code.
              </p>
            </>
          ) : hasKey ? (
            <p className="text-muted">
              Done.{" "}
              <Link to="/dashboard/keys" className="underline underline-offset-3">
                View API keys
              </Link>
            </p>
          ) : (
            <Button
              variant="primary"
              busy={create.isPending}
              onClick={() => create.mutate()}
              icon={<KeyRound className="size-4" />}
            >
              Create API key
            </Button>
          )}
        </Step>
        <Step number={2} done={Boolean(started)} title="Send a request" last={false}>
          <CodeBlock label="Terminal" text={quickstartRequest(created?.apiKey ?? "rnd_…")} />
          <p className="mt-2 text-[13px] text-muted">
            Prefer the browser?{" "}
            <Link
              to="/dashboard/templates/$templateId"
              params={{ templateId: "tpl_quote_card" }}
              className="underline underline-offset-3"
            >
              Render this template in the dashboard
            </Link>
            .
          </p>
        </Step>
        <Step number={3} done={first?.status === "COMPLETED"} title="Watch the video" last>
          {first ? (
            <Link
              to="/dashboard/renders/$jobId"
              params={{ jobId: first.jobId }}
              className={cx(buttonClass(), "max-w-full")}
            >
              <span className="truncate">{renderName(first)}</span> <StatusBadge job={first} />
            </Link>
          ) : (
            <p className="text-muted">The render appears here with live progress.</p>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Step({
  number,
  done,
  title,
  last,
  children,
}: {
  number: number;
  done: boolean;
  title: string;
  last: boolean;
  children: ReactNode;
}) {
  return (
    <li className="relative grid grid-cols-[28px_minmax(0,1fr)] gap-x-4 pb-6 last:pb-0">
      {!last && <span aria-hidden="true" className="absolute top-8 bottom-1 left-[13.5px] w-px bg-border" />}
      <span
        className={cx(
          "nums grid size-7 place-items-center rounded-full text-[13px] font-semibold",
          done ? "bg-success-soft text-success" : "bg-hover text-muted",
        )}
      >
        {done ? <Check className="size-4" aria-label="Done" /> : number}
      </span>
      <div className="min-w-0">
        <h3 className="mb-2.5 leading-7 font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}
