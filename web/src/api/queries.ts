/** Queries. Mutations and events find cache entries by their keys. */

import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, type ApiQuery, api, dashboardApi } from "./http";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
  },
});

export const session = queryOptions({
  queryKey: ["session"],
  queryFn: () => dashboardApi("get", "/session"),
  staleTime: 60_000,
});

export const account = queryOptions({ queryKey: ["account"], queryFn: () => api("get", "/account") });
export const keys = queryOptions({ queryKey: ["keys"], queryFn: () => dashboardApi("get", "/keys") });

export const renders = (filter: ApiQuery<"get", "/renders"> = {}) =>
  queryOptions({
    queryKey: ["renders", filter],
    queryFn: () => api("get", "/renders", { query: { limit: 20, ...filter } }),
    placeholderData: keepPreviousData,
  });
export const render = (jobId: string) =>
  queryOptions({
    queryKey: ["render", jobId],
    queryFn: () => dashboardApi("get", "/renders/{jobId}", { path: { jobId } }),
  });

export const renderDeliveries = (jobId: string) =>
  queryOptions({
    queryKey: ["render-deliveries", jobId],
    queryFn: () => dashboardApi("get", "/renders/{jobId}/deliveries", { path: { jobId } }),
    refetchInterval: (query) => (query.state.data?.some((delivery) => !delivery.finishedAt) ? 1500 : false),
  });

export const templates = queryOptions({
  queryKey: ["templates"],
  queryFn: () => api("get", "/templates"),
  staleTime: 300_000,
  // The service draws missing pictures after it starts. Published projects have none, so this ends.
  refetchInterval: ({ state }) => {
    const isMissing = state.data?.templates.some(
      ({ own, thumbnailUrl, previewVideoUrl }) => !own && (!thumbnailUrl || !previewVideoUrl),
    );
    return isMissing && state.dataUpdateCount < 200 ? 4000 : false;
  },
});
export const templateVariables = (templateId: string) =>
  queryOptions({
    queryKey: ["template-variables", templateId],
    queryFn: () => api("get", "/templates/{templateId}/variables", { path: { templateId } }),
    staleTime: 300_000,
  });

export const projects = (search: string, cursor?: string) =>
  queryOptions({
    queryKey: ["projects", search, cursor ?? null],
    queryFn: () => api("get", "/projects", { query: { limit: 24, search, cursor } }),
    placeholderData: keepPreviousData,
  });
export const project = (id: string) =>
  queryOptions({
    queryKey: ["project", id],
    queryFn: () => api("get", "/projects/{projectId}", { path: { projectId: id } }),
  });

/** Whose photos and videos can be searched; none without keys. */
export const stockProviders = queryOptions({
  queryKey: ["stock-providers"],
  queryFn: () => api("get", "/stock/providers"),
  staleTime: Number.POSITIVE_INFINITY,
});
export const stock = (query: Omit<ApiQuery<"get", "/stock">, "page">) =>
  infiniteQueryOptions({
    queryKey: ["stock", query],
    queryFn: ({ pageParam, signal }) => api("get", "/stock", { query: { ...query, page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
    staleTime: 600_000,
    retry: false,
  });

/** Uploads and narrations. */
export const media = (filter: ApiQuery<"get", "/uploads">) =>
  queryOptions({
    queryKey: ["media", filter],
    queryFn: () => api("get", "/uploads", { query: { limit: 24, ...filter } }),
    placeholderData: keepPreviousData,
  });
export const mediaUses = (uploadId: string) =>
  queryOptions({
    queryKey: ["media-uses", uploadId],
    queryFn: () => dashboardApi("get", "/uploads/{uploadId}/uses", { path: { uploadId } }),
    staleTime: 0,
  });

export const brand = queryOptions({ queryKey: ["brand"], queryFn: () => api("get", "/brand"), staleTime: 60_000 });
export const fonts = queryOptions({
  queryKey: ["fonts"],
  queryFn: () => api("get", "/registry/{area}", { path: { area: "fonts" } }),
  staleTime: 300_000,
});

/** The schema of POST /renders, from the API's own description. */
export const requestSchema = queryOptions({
  queryKey: ["request-schema"],
  queryFn: async () => {
    const response = await fetch("/api/v1/openapi.json");
    const document = (await response.json()) as { components: { schemas: Record<string, object> } };
    return { root: { $ref: "#/components/schemas/RenderBody" }, schemas: document.components.schemas };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const voices = queryOptions({
  queryKey: ["voices"],
  queryFn: () => api("get", "/ai/voices"),
  staleTime: 300_000,
});

export const webhooks = queryOptions({ queryKey: ["webhooks"], queryFn: () => api("get", "/webhooks") });
export const deliveries = (webhookId: string) =>
  queryOptions({
    queryKey: ["deliveries", webhookId],
    queryFn: () => dashboardApi("get", "/webhooks/{id}/deliveries", { path: { id: webhookId } }),
    refetchInterval: (query) => (query.state.data?.some((delivery) => !delivery.finishedAt) ? 1500 : 15_000),
  });

export const destinations = queryOptions({
  queryKey: ["destinations"],
  queryFn: () => api("get", "/destinations"),
});

export const usage = (from: string, to: string) =>
  queryOptions({
    queryKey: ["usage", from, to],
    queryFn: () => dashboardApi("get", "/usage", { query: { from, to } }),
    placeholderData: keepPreviousData,
  });
export const statement = (from: string, to: string) =>
  queryOptions({
    queryKey: ["statement", from, to],
    queryFn: () => dashboardApi("get", "/statement", { query: { from, to } }),
    placeholderData: keepPreviousData,
  });
export const apps = queryOptions({ queryKey: ["apps"], queryFn: () => dashboardApi("get", "/apps") });
export const sessions = queryOptions({ queryKey: ["sessions"], queryFn: () => dashboardApi("get", "/sessions") });

export const auditEvents = (cursor?: string) =>
  queryOptions({
    queryKey: ["audit", cursor ?? null],
    queryFn: () => dashboardApi("get", "/audit", { query: { cursor } }),
    placeholderData: keepPreviousData,
  });

export const operatorAuditEvents = (email: string, cursor?: string) =>
  queryOptions({
    queryKey: ["operator-audit", email, cursor ?? null],
    queryFn: () => dashboardApi("get", "/operator/audit", { query: { email, cursor } }),
    placeholderData: keepPreviousData,
  });
export const operatorAccounts = (search: string, page: number) =>
  queryOptions({
    queryKey: ["operator-accounts", search, page],
    queryFn: () => dashboardApi("get", "/operator/accounts", { query: { search, page } }),
    placeholderData: keepPreviousData,
  });
export const invites = queryOptions({ queryKey: ["invites"], queryFn: () => dashboardApi("get", "/operator/invites") });
export const queue = queryOptions({
  queryKey: ["queue"],
  queryFn: () => dashboardApi("get", "/operator/queue"),
  refetchInterval: 3000,
});
export const workers = queryOptions({
  queryKey: ["workers"],
  queryFn: () => dashboardApi("get", "/operator/workers"),
  refetchInterval: 5000,
});
