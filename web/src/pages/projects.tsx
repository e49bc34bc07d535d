/** Saved films. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { projects, renders } from "@/api/queries";
import { FilmFrame } from "@/film/thumb";
import { length, plural } from "@/lib/format";
import { Ago } from "@/ui/bits";
import { buttonClass } from "@/ui/button";
import { Pager, usePages } from "@/ui/pager";
import { Empty, PageHeader, Problem, Skeleton } from "@/ui/surface";

export function Projects() {
  const [cursor, setCursor] = useState<string | undefined>();
  const { data, error, refetch, isPlaceholderData } = useQuery(projects(cursor));
  const films = useQuery(renders({ status: "COMPLETED", limit: 100 })).data?.renders;
  const pages = usePages(cursor, setCursor);
  return (
    <>
      <PageHeader
        title="Projects"
        about="Films you saved. Rendering a template saves one; change its variables and render again."
      />
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : data?.total === 0 ? (
        <Empty
          icon={<FolderOpen />}
          title="No projects yet"
          className="rounded-xl border bg-surface"
          action={
            <Link to="/dashboard/templates" className={buttonClass("primary")}>
              Browse templates
            </Link>
          }
        >
          Render a template, or send a composition with createProject, and it is kept here.
        </Empty>
      ) : (
        <>
          <ul className="grid gap-5 min-[560px]:grid-cols-2 xl:grid-cols-3">
            {data
              ? data.projects.map((project) => (
                  <li key={project.id} className="min-w-0">
                    <Link
                      to="/dashboard/projects/$projectId"
                      params={{ projectId: project.id }}
                      className="block rounded-xl border bg-surface shadow-card transition-colors hover:border-edge"
                    >
                      <FilmFrame
                        src={films?.find((job) => job.projectId === project.id)?.outputUrl ?? null}
                        contain
                        className="aspect-16/9 rounded-t-[11px] bg-[#0e1016]"
                      />
                      <span className="block px-4 pt-3 pb-3.5">
                        <span className="block truncate font-semibold tracking-[-0.01em]">{project.name}</span>
                        <span className="nums flex justify-between gap-3 text-[13px] text-quiet">
                          <span className="truncate">
                            {project.width} × {project.height}
                            {project.durationInFrames != null && ` · ${length(project.durationInFrames / project.fps)}`}{" "}
                            · {plural(project.variables.length, "variable")}
                          </span>
                          <Ago at={project.updatedAt} />
                        </span>
                      </span>
                    </Link>
                  </li>
                ))
              : Array.from({ length: 6 }, (_, index) => (
                  <Skeleton key={index} className="aspect-[1/0.76] rounded-xl" />
                ))}
          </ul>
          {data && <Pager pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-6" />}
        </>
      )}
    </>
  );
}
