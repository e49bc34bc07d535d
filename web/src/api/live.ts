/** The one stream of the account: renders that move on and the balance, written into what pages have read. */
import { useEffect, useState } from "react";
import { client } from "./queries";
import type { RenderEvent, RenderJob, Session } from "./types";

interface RenderPage {
  renders: RenderJob[];
}

function apply(event: RenderEvent) {
  const change = (job: RenderJob): RenderJob => ({
    ...job,
    status: event.status,
    progressPercentage: event.progress,
    outputUrl: event.outputUrl ?? job.outputUrl ?? null,
    errorMessage: event.error ?? job.errorMessage ?? null,
    updatedAt: event.updatedAt,
  });
  let known = false;
  client.setQueriesData<RenderPage>({ queryKey: ["renders"] }, (page) => {
    if (!page?.renders.some((job) => job.jobId === event.jobId)) return page;
    known = true;
    return { ...page, renders: page.renders.map((job) => (job.jobId === event.jobId ? change(job) : job)) };
  });
  client.setQueryData<RenderJob>(["render", event.jobId], (job) => job && change(job));
  const ended = event.status === "COMPLETED" || event.status === "FAILED";
  if (ended || !known) void client.invalidateQueries({ queryKey: ["renders"] });
  if (ended) {
    for (const key of ["usage", "account"]) void client.invalidateQueries({ queryKey: [key] });
    void client.invalidateQueries({ queryKey: ["render", event.jobId] });
  }
}

/** Opens the stream; tells whether it is open. */
export function useLive(): boolean {
  const [open, setOpen] = useState(true);
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource("/api/dashboard/events");
      source.onopen = () => {
        setOpen(true);
        // What happened while there was no stream.
        void client.invalidateQueries({ queryKey: ["renders"] });
      };
      source.onerror = () => {
        setOpen(false);
        // Refused, not broken off: perhaps the session has ended. The browser does not try that again by itself.
        if (source.readyState === EventSource.CLOSED) {
          void client.invalidateQueries({ queryKey: ["session"] });
          timer = setTimeout(connect, 5000);
        }
      };
      source.addEventListener("render", (message: MessageEvent<string>) =>
        apply(JSON.parse(message.data) as RenderEvent),
      );
      source.addEventListener("account", (message: MessageEvent<string>) => {
        const { credits } = JSON.parse(message.data) as { credits: number };
        client.setQueryData<Session>(["session"], (session) =>
          session?.account ? { ...session, account: { ...session.account, credits } } : session,
        );
      });
    };
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, []);
  return open;
}
