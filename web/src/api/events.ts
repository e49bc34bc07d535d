/** The account's event stream. Updates renders and the balance in the query cache. */

import { useEffect, useRef, useState } from "react";
import { queryClient } from "./queries";
import type { AccountEvent, RenderEvent, RenderJob, RenderPage, Session } from "./types";

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
  queryClient.setQueriesData<RenderPage>({ queryKey: ["renders"] }, (page) => {
    if (!page?.renders.some((job) => job.jobId === event.jobId)) return page;
    known = true;
    return { ...page, renders: page.renders.map((job) => (job.jobId === event.jobId ? change(job) : job)) };
  });
  queryClient.setQueryData<RenderJob>(["render", event.jobId], (job) => job && change(job));
  const ended = event.status === "COMPLETED" || event.status === "FAILED";
  if (ended || !known) void queryClient.invalidateQueries({ queryKey: ["renders"] });
  if (ended) {
    for (const key of ["usage", "account", "statement"]) void queryClient.invalidateQueries({ queryKey: [key] });
    void queryClient.invalidateQueries({ queryKey: ["render", event.jobId] });
  }
}

/** A project was changed or deleted: by another tab, an agent or a key. */
export interface ProjectEvent {
  projectId: string;
  /** The state that it has now; none if it was deleted. */
  etag: string | null;
}

const projectListeners = new Set<(event: ProjectEvent) => void>();

/** Calls a function when a project changed, while the stream is open. */
export function useProjectEvents(listener: (event: ProjectEvent) => void) {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const tell = (event: ProjectEvent) => latest.current(event);
    projectListeners.add(tell);
    return () => {
      projectListeners.delete(tell);
    };
  }, []);
}

/** Opens the stream. Returns whether it is connected. */
export function useAccountEvents(): boolean {
  const [open, setOpen] = useState(true);
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource("/api/dashboard/events");
      source.onopen = () => {
        setOpen(true);
        // Fetch what changed while disconnected.
        void queryClient.invalidateQueries({ queryKey: ["renders"] });
      };
      source.onerror = () => {
        setOpen(false);
        // Rejected, for example because the session expired. The browser does not reconnect automatically.
        if (source.readyState === EventSource.CLOSED) {
          void queryClient.invalidateQueries({ queryKey: ["session"] });
          timer = setTimeout(connect, 5000);
        }
      };
      source.addEventListener("render", (message: MessageEvent<string>) =>
        apply(JSON.parse(message.data) as RenderEvent),
      );
      source.addEventListener("account", (message: MessageEvent<string>) => {
        const { credits } = JSON.parse(message.data) as AccountEvent;
        queryClient.setQueryData<Session>(["session"], (session) =>
          session?.account ? { ...session, account: { ...session.account, credits } } : session,
        );
      });
      source.addEventListener("project", (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as ProjectEvent;
        void queryClient.invalidateQueries({ queryKey: ["projects"] });
        for (const listener of projectListeners) listener(event);
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
