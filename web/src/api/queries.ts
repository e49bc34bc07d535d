/** What pages read. A key names what it holds, so that events and changes can find it. */
import { keepPreviousData, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiFailure, api, own } from "./http";

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status > 0 && error.status < 500),
    },
  },
});

export const session = queryOptions({
  queryKey: ["session"],
  queryFn: () => own("get", "/session"),
  staleTime: 60_000,
});

export const account = queryOptions({ queryKey: ["account"], queryFn: () => api("get", "/account") });
export const keys = queryOptions({ queryKey: ["keys"], queryFn: () => own("get", "/keys") });

export interface RenderFilter {
  status?: string | undefined;
  mode?: string | undefined;
  projectId?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}
export const renders = (filter: RenderFilter = {}) =>
  queryOptions({
    queryKey: ["renders", filter],
    queryFn: () => api("get", "/renders", { query: { limit: 20, ...filter } }),
    placeholderData: keepPreviousData,
  });
export const render = (jobId: string) =>
  queryOptions({ queryKey: ["render", jobId], queryFn: () => own("get", "/renders/{jobId}", { path: { jobId } }) });

export const templates = queryOptions({
  queryKey: ["templates"],
  queryFn: () => api("get", "/templates"),
  staleTime: 300_000,
});
export const templateVariables = (templateId: string) =>
  queryOptions({
    queryKey: ["template-variables", templateId],
    queryFn: () => api("get", "/templates/{templateId}/variables", { path: { templateId } }),
    staleTime: 300_000,
  });

export const projects = (cursor?: string) =>
  queryOptions({
    queryKey: ["projects", cursor ?? null],
    queryFn: () => api("get", "/projects", { query: { limit: 24, cursor } }),
    placeholderData: keepPreviousData,
  });
export const project = (id: string) =>
  queryOptions({ queryKey: ["project", id], queryFn: () => own("get", "/projects/{id}", { path: { id } }) });

export const webhooks = queryOptions({ queryKey: ["webhooks"], queryFn: () => api("get", "/webhooks") });
export const deliveries = (webhookId: string) =>
  queryOptions({
    queryKey: ["deliveries", webhookId],
    queryFn: () => own("get", "/webhooks/{id}/deliveries", { path: { id: webhookId } }),
    refetchInterval: (query) => (query.state.data?.some((delivery) => !delivery.finishedAt) ? 1500 : 15_000),
  });

export const usage = (from: string, to: string) =>
  queryOptions({
    queryKey: ["usage", from, to],
    queryFn: () => own("get", "/usage", { query: { from, to } }),
    placeholderData: keepPreviousData,
  });
export const transactions = queryOptions({
  queryKey: ["transactions"],
  queryFn: () => api("get", "/account/transactions"),
});
export const apps = queryOptions({ queryKey: ["apps"], queryFn: () => own("get", "/apps") });
export const sessions = queryOptions({ queryKey: ["sessions"], queryFn: () => own("get", "/sessions") });

export const operatorAccounts = (search: string, page: number) =>
  queryOptions({
    queryKey: ["operator-accounts", search, page],
    queryFn: () => own("get", "/operator/accounts", { query: { search, page } }),
    placeholderData: keepPreviousData,
  });
export const invites = queryOptions({ queryKey: ["invites"], queryFn: () => own("get", "/operator/invites") });
export const queue = queryOptions({
  queryKey: ["queue"],
  queryFn: () => own("get", "/operator/queue"),
  refetchInterval: 3000,
});
export const workers = queryOptions({
  queryKey: ["workers"],
  queryFn: () => own("get", "/operator/workers"),
  refetchInterval: 5000,
});
