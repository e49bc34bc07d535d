/** All renders, newest first. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Film } from "lucide-react";
import { useState } from "react";
import { renders } from "@/api/queries";
import { RenderList } from "@/film/render-list";
import { plural } from "@/lib/format";
import { Button, buttonClass } from "@/ui/button";
import { Select } from "@/ui/field";
import { Pager, usePages } from "@/ui/pager";
import { Card, Empty, PageHeader, Problem, SkeletonRows } from "@/ui/surface";

const route = getRouteApi("/home/dashboard/renders");

export function Renders() {
  const { status, mode } = route.useSearch();
  const navigate = route.useNavigate();
  const [cursor, setCursor] = useState<string | undefined>();
  const pages = usePages(cursor, setCursor);
  const { data, error, refetch, isPlaceholderData } = useQuery(renders({ status, mode, cursor }));
  const filter = (next: { status?: string | undefined; mode?: string | undefined }) => {
    pages.reset();
    void navigate({ search: { status, mode, ...next }, replace: true });
  };
  const filtered = Boolean(status || mode);
  return (
    <>
      <PageHeader
        title="Renders"
        about="Every film that was asked for, live while it is being made."
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
          onChange={(event) => filter({ status: event.target.value || undefined })}
        >
          <option value="">Every status</option>
          <option value="PENDING">Waiting</option>
          <option value="PROCESSING">Rendering</option>
          <option value="COMPLETED">Completed</option>
          <option value="FAILED">Failed</option>
        </Select>
        <Select
          aria-label="Made from"
          value={mode ?? ""}
          onChange={(event) => filter({ mode: event.target.value || undefined })}
        >
          <option value="">From everything</option>
          <option value="template">From templates</option>
          <option value="project">From projects</option>
          <option value="direct">From compositions</option>
        </Select>
        {data && (
          <span className="nums ml-auto text-[13px] text-quiet" role="status">
            {plural(data.total, "render")}
          </span>
        )}
      </div>
      <Card label="Renders">
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : !data ? (
          <SkeletonRows rows={8} height="h-17" />
        ) : data.renders.length ? (
          <RenderList renders={data.renders} />
        ) : filtered ? (
          <Empty
            icon={<Film />}
            title="No render matches"
            action={<Button onClick={() => filter({ status: undefined, mode: undefined })}>Show all</Button>}
          >
            Choose another status or source.
          </Empty>
        ) : (
          <Empty
            icon={<Film />}
            title="No renders yet"
            action={
              <Link to="/dashboard/templates" className={buttonClass("primary")}>
                Make a film
              </Link>
            }
          >
            Render a template here, or send your first request through the API.
          </Empty>
        )}
      </Card>
      {data && <Pager pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-4" />}
    </>
  );
}
