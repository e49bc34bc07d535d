/** One project: variables, preview and renders. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Film, Pencil } from "lucide-react";
import { useMemo } from "react";
import { isMissing } from "@/api/http";
import { project, renders } from "@/api/queries";
import { RenderForm, RenderFormSkeleton } from "@/film/render-form";
import { RenderList } from "@/film/render-list";
import { BackLink } from "@/ui/back-link";
import { buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { CopyableId } from "@/ui/copy";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Missing } from "@/ui/missing";
import { PageHeader } from "@/ui/page-header";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";

export function ProjectPage() {
  const { projectId: id } = useParams({ from: "/home/dashboard/projects/$projectId" });
  const { data, error, refetch } = useQuery(project(id));
  const rendered = useQuery(renders({ projectId: id, limit: 10 }));
  const source = useMemo(() => ({ projectId: id }), [id]);
  return (
    <>
      <PageHeader
        back={<BackLink to="/dashboard/projects">Projects</BackLink>}
        title={data?.name ?? "Project"}
        description={
          data
            ? (data.description ?? (
                <span className="text-[13px]">
                  Updated <TimeAgo at={data.updatedAt} />
                </span>
              ))
            : " "
        }
        actions={
          <>
            <CopyableId value={id} />
            <Link to="/edit/$projectId" params={{ projectId: id }} className={buttonClass()}>
              <Pencil className="size-4" aria-hidden="true" /> Edit
            </Link>
          </>
        }
      />
      {isMissing(error) ? (
        <Missing what="project">
          <Link to="/dashboard/projects" className={buttonClass("primary")}>
            All projects
          </Link>
        </Missing>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-6">
          {data ? <RenderForm key={id} source={source} variables={data.variables} /> : <RenderFormSkeleton />}
          <Section title="Renders">
            {rendered.error ? (
              <ErrorState error={rendered.error} />
            ) : !rendered.data ? (
              <SkeletonRows rows={2} height="h-17" />
            ) : rendered.data.renders.length ? (
              <RenderList renders={rendered.data.renders} />
            ) : (
              <EmptyState icon={<Film />} title="No renders yet" className="py-10" />
            )}
          </Section>
        </div>
      )}
    </>
  );
}
