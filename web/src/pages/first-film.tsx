/** Three steps to the first film: a key, a request, the film. */
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, KeyRound, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { own } from "@/api/http";
import { client, keys, renders, session } from "@/api/queries";
import type { NewKey } from "@/api/types";
import { renderName, StatusBadge } from "@/film/status";
import { Button, buttonClass } from "@/ui/button";
import { CodeBlock, Secret } from "@/ui/code";
import { cx } from "@/ui/cx";
import { Notice } from "@/ui/surface";
import { complain } from "@/ui/toast";

const CLOSED = "rondo-guide-closed";

export function firstRequest(key: string): string {
  return `curl -X POST ${location.origin}/api/v1/renders \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"templateId": "tpl_quote_card", "replacements": {"quote": "Made with one request."}}'`;
}

export function FirstFilm({ started }: { started: boolean | null }) {
  const [closed, setClosed] = useState(() => localStorage.getItem(CLOSED) === "yes");
  const account = useSuspenseQuery(session).data.account;
  const [made, setMade] = useState<NewKey | null>(null);
  const known = useQuery(keys);
  const recent = useQuery(renders({ limit: 6 }));
  const create = useMutation({
    mutationFn: () => own("post", "/keys", { body: { name: "First key" } }),
    onSuccess: (key) => {
      setMade(key);
      void client.invalidateQueries({ queryKey: ["keys"] });
    },
    onError: complain,
  });
  const hasKey = Boolean(made) || Boolean(known.data?.some((key) => !key.revokedAt));
  const first = recent.data?.renders.at(-1);
  const complete = Boolean(started && first?.status === "COMPLETED" && hasKey && !made);
  if (closed || started === null || known.data === undefined || complete) return null;
  const close = () => {
    localStorage.setItem(CLOSED, "yes");
    setClosed(true);
  };
  return (
    <section aria-label="Your first film" className="relative overflow-hidden rounded-xl border bg-surface shadow-card">
      <div aria-hidden="true" className="absolute inset-x-0 top-0 h-0.5 bg-linear-to-r from-[#ff8a5c] to-[#e5488a]" />
      <div className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
        <div>
          <h2 className="text-lg font-semibold tracking-[-0.015em]">Your first film, in three steps</h2>
          <p className="text-quiet">From nothing to an MP4 with one request.</p>
        </div>
        <Button look="ghost" size="icon" onClick={close} aria-label="Close the guide">
          <X className="size-4" />
        </Button>
      </div>
      {account?.credits === 0 && (
        <Notice tone="warn" className="mx-5 mt-4 sm:mx-6">
          Rendering takes credits, and you have none yet.{" "}
          {account.isOperator ? (
            <Link to="/dashboard/operator/accounts" className="font-medium underline underline-offset-3">
              Give yourself some
            </Link>
          ) : (
            "Ask the operator of this installation for some."
          )}
        </Notice>
      )}
      <ol className="grid gap-x-8 px-5 pt-5 pb-6 sm:px-6">
        <Step number={1} done={hasKey} title="Create an API key" last={false}>
          {made ? (
            <>
              <Secret value={made.apiKey} label="Your API key" />
              <p className="mt-2 text-[13px] text-quiet">
                It is shown this once. Keep it on your server, not in a page.
              </p>
            </>
          ) : hasKey ? (
            <p className="text-quiet">
              Done.{" "}
              <Link to="/dashboard/keys" className="underline underline-offset-3">
                See your keys
              </Link>
            </p>
          ) : (
            <Button
              look="primary"
              busy={create.isPending}
              onClick={() => create.mutate()}
              icon={<KeyRound className="size-4" />}
            >
              Create a key
            </Button>
          )}
        </Step>
        <Step number={2} done={Boolean(started)} title="Send a request" last={false}>
          <CodeBlock label="Terminal" text={firstRequest(made?.apiKey ?? "rnd_…")} />
          <p className="mt-2 text-[13px] text-quiet">
            No terminal at hand?{" "}
            <Link
              to="/dashboard/templates/$templateId"
              params={{ templateId: "tpl_quote_card" }}
              className="underline underline-offset-3"
            >
              Render the same template here
            </Link>
            .
          </p>
        </Step>
        <Step number={3} done={first?.status === "COMPLETED"} title="Watch it" last>
          {first ? (
            <Link
              to="/dashboard/renders/$jobId"
              params={{ jobId: first.jobId }}
              className={cx(buttonClass(), "max-w-full")}
            >
              <span className="truncate">{renderName(first)}</span> <StatusBadge job={first} />
            </Link>
          ) : (
            <p className="text-quiet">
              The film appears here as soon as the request has arrived, and moves on by itself.
            </p>
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
      {!last && <span aria-hidden="true" className="absolute top-8 bottom-1 left-[13.5px] w-px bg-line" />}
      <span
        className={cx(
          "nums grid size-7 place-items-center rounded-full text-[13px] font-semibold",
          done ? "bg-good-soft text-good" : "bg-hover text-quiet",
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
