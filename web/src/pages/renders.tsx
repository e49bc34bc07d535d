/** The list of renders, newest first. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Film } from "lucide-react";
import { useState } from "react";
import { renders } from "@/api/queries";
import type { RenderFilter } from "@/api/types";
import { RENDER_MODES, RENDER_STATUSES } from "@/film/render-filter";
import { RenderList } from "@/film/render-list";
import { pluralize } from "@/lib/format";
import { oneOf } from "@/lib/one-of";
import { Button, buttonClass } from "@/ui/button";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Select } from "@/ui/field";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { SkeletonRows } from "@/ui/skeleton";

const route = getRouteApi("/home/dashboard/renders");

export function RendersPage() {
  const { status, mode } = route.useSearch();
  const navigate = route.useNavigate();
  const [cursor, setCursor] = useState<string | undefined>();
  const pages = useCursorPages(cursor, setCursor);
  const { data, error, refetch, isPlaceholderData } = useQuery(renders({ status, mode, cursor }));
  const filter = (next: RenderFilter) => {
    pages.reset();
    void navigate({ search: { status, mode, ...next }, replace: true });
  };
  const filtered = Boolean(status || mode);
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
        {data && (
          <span className="nums ml-auto text-[13px] text-muted" role="status">
            {pluralize(data.total, "render")}
          </span>
        )}
      </div>
      <Card label="Renders">
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={8} height="h-17" />
        ) : data.renders.length ? (
          <RenderList renders={data.renders} />
        ) : filtered ? (
          <EmptyState
            icon={<Film />}
            title="No renders found"
            action={<Button onClick={() => filter({ status: undefined, mode: undefined })}>Clear filters</Button>}
          >
            Try a different status or source.
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
