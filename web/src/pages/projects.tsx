/** The list of projects. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { projects, renders } from "@/api/queries";
import { VideoThumbnail } from "@/film/thumbnail";
import { formatDuration, pluralize } from "@/lib/format";
import { buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { Repeat, Skeleton } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";

export function ProjectsPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const { data, error, refetch, isPlaceholderData } = useQuery(projects(cursor));
  const films = useQuery(renders({ status: "COMPLETED", limit: 100 })).data?.renders;
  const pages = useCursorPages(cursor, setCursor);
  return (
    <>
      <PageHeader title="Projects" description="Saved compositions. Change the variables and render again." />
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data?.total === 0 ? (
        <EmptyState
          icon={<FolderOpen />}
          title="No projects yet"
          className="rounded-xl border bg-surface"
          action={
            <Link to="/dashboard/templates" className={buttonClass("primary")}>
              Browse templates
            </Link>
          }
        >
          Render a template, or send a request with createProject.
        </EmptyState>
      ) : (
        <>
          <ul className="grid gap-5 min-[560px]:grid-cols-2 xl:grid-cols-3">
            {data ? (
              data.projects.map((project) => (
                <li key={project.id} className="min-w-0">
                  <Link
                    to="/dashboard/projects/$projectId"
                    params={{ projectId: project.id }}
                    className="block rounded-xl border bg-surface shadow-card transition-colors hover:border-border-strong"
                  >
                    <VideoThumbnail
                      src={films?.find((job) => job.projectId === project.id)?.outputUrl ?? null}
                      contain
                      className="aspect-16/9 rounded-t-[11px] bg-[#0e1016]"
                    />
                    <span className="block px-4 pt-3 pb-3.5">
                      <span className="block truncate font-semibold tracking-[-0.01em]">{project.name}</span>
                      <span className="nums flex justify-between gap-3 text-[13px] text-muted">
                        <span className="truncate">
                          {project.width} × {project.height}
                          {project.durationInFrames != null &&
                            ` · ${formatDuration(project.durationInFrames / project.fps)}`}{" "}
                          · {pluralize(project.variables.length, "variable")}
                        </span>
                        <TimeAgo at={project.updatedAt} />
                      </span>
                    </span>
                  </Link>
                </li>
              ))
            ) : (
              <Repeat count={6}>
                <Skeleton className="aspect-[1/0.76] rounded-xl" />
              </Repeat>
            )}
          </ul>
          {data && (
            <Pagination pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-6" />
          )}
        </>
      )}
    </>
  );
}
