/** The list of renders, newest first. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, Film, OctagonX } from "lucide-react";
import { useState } from "react";
import { api } from "@/api/http";
import { queryClient, renders } from "@/api/queries";
import type { RenderFilter, RenderJob } from "@/api/types";
import { canDownload, downloadName, downloadUrl } from "@/film/output";
import { RENDER_DAYS, RENDER_MODES, RENDER_STATUSES } from "@/film/render-filter";
import { RenderList } from "@/film/render-list";
import { isFinal } from "@/film/render-status";
import { lastDays } from "@/lib/dates";
import { pluralize } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { oneOf } from "@/lib/one-of";
import { Button, buttonClass } from "@/ui/button";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Select } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { SearchInput } from "@/ui/search-input";
import { SkeletonRows } from "@/ui/skeleton";
import { showError, showToast } from "@/ui/toast";

const route = getRouteApi("/home/dashboard/renders");
const NO_FILTER: RenderFilter = { status: undefined, mode: undefined, days: undefined, search: undefined };

export function RendersPage() {
  const { status, mode, days, search } = route.useSearch();
  const navigate = route.useNavigate();
  const [cursor, setCursor] = useState<string | undefined>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const pages = useCursorPages(cursor, setCursor);
  const settledSearch = useDebounced(search, 250);
  const createdAfter = days ? `${lastDays(Number(days)).from}T00:00:00Z` : undefined;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    renders({ status, mode, createdAfter, search: settledSearch, cursor }),
  );
  const filter = (next: RenderFilter) => {
    pages.reset();
    setSelected(new Set());
    void navigate({ search: { status, mode, days, search, ...next }, replace: true });
  };
  const select = (jobId: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(jobId);
    else next.delete(jobId);
    setSelected(next);
  };
  const filtered = Boolean(status || mode || days || search);
  const chosen = data?.renders.filter((job) => selected.has(job.jobId)) ?? [];
  return (
    <>
      <PageHeader
        title="Renders"
        description="All renders, with live progress."
        actions={
          <Link to="/dashboard/templates" className={buttonClass("render")}>
            New render
          </Link>
        }
      />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search renders"
          value={search ?? ""}
          onChange={(text) => filter({ search: text || undefined })}
          className="w-full sm:w-64"
        />
        <Select
          aria-label="Status"
          value={status ?? ""}
          onChange={(event) => filter({ status: oneOf(event.target.value, RENDER_STATUSES) })}
        >
          <option value="">All statuses</option>
          <option value="PENDING">Queued</option>
          <option value="PROCESSING">Rendering</option>
          <option value="COMPLETED">Completed</option>
          <option value="FAILED">Failed</option>
        </Select>
        <Select
          aria-label="Source"
          value={mode ?? ""}
          onChange={(event) => filter({ mode: oneOf(event.target.value, RENDER_MODES) })}
        >
          <option value="">All sources</option>
          <option value="template">Template</option>
          <option value="project">Project</option>
          <option value="direct">API request</option>
        </Select>
        <Select
          aria-label="Date"
          value={days ?? ""}
          onChange={(event) => filter({ days: oneOf(event.target.value, RENDER_DAYS) })}
        >
          <option value="">Any time</option>
          <option value="1">Today</option>
          <option value="7">Last 7 days</option>
          <option value="30">Last 30 days</option>
        </Select>
        {data && (
          <span className="nums ml-auto text-[13px] text-muted" role="status">
            {pluralize(data.total, "render")}
          </span>
        )}
      </div>
      {chosen.length > 0 && <Selection jobs={chosen} onDone={() => setSelected(new Set())} />}
      <Card label="Renders">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={8} height="h-17" />
        ) : data.renders.length ? (
          <RenderList renders={data.renders} selected={selected} onSelect={select} />
        ) : filtered ? (
          <EmptyState
            icon={<Film />}
            title="No renders found"
            action={<Button onClick={() => filter(NO_FILTER)}>Clear filters</Button>}
          >
            Try a different search, status, source or date.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<Film />}
            title="No renders yet"
            action={
              <Link to="/dashboard/templates" className={buttonClass("primary")}>
                New render
              </Link>
            }
          >
            Render a template, or send a request to the API.
          </EmptyState>
        )}
      </Card>
      {data && <Pagination pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-4" />}
    </>
  );
}

/** What can be done with the selected renders. */
function Selection({ jobs, onDone }: { jobs: RenderJob[]; onDone: () => void }) {
  const files = jobs.filter((job) => job.outputUrl && canDownload(job.format));
  const running = jobs.filter((job) => !isFinal(job.status));
  const cancel = useMutation({
    mutationFn: () =>
      Promise.all(running.map(({ jobId }) => api("post", "/renders/{jobId}/cancel", { path: { jobId } }))),
    onSuccess: (cancelled) => {
      void queryClient.invalidateQueries({ queryKey: ["renders"] });
      showToast(`${pluralize(cancelled.length, "render")} cancelled. Credits refunded.`);
      onDone();
    },
    onError: showError,
  });
  return (
    <div
      role="group"
      aria-label="Selected renders"
      className="mb-4 flex flex-wrap items-center gap-2 rounded-xl border bg-surface px-4 py-2.5 shadow-card"
    >
      <span className="nums mr-auto font-medium">{pluralize(jobs.length, "render")} selected</span>
      <Button
        size="sm"
        disabled={!files.length}
        onClick={() => files.forEach(save)}
        icon={<Download className="size-3.5" />}
      >
        Download {files.length || ""}
      </Button>
      <Button
        size="sm"
        disabled={!running.length}
        busy={cancel.isPending}
        onClick={() => cancel.mutate()}
        icon={<OctagonX className="size-3.5" />}
      >
        Cancel {running.length || ""}
      </Button>
      <Button size="sm" variant="ghost" onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}

/** Saves the file of a render. */
function save(job: RenderJob) {
  const link = document.createElement("a");
  link.href = downloadUrl(job);
  link.download = downloadName(job);
  link.click();
}
