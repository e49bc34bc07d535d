/** One project: variables, preview and renders. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Clock, Film } from "lucide-react";
import { useMemo } from "react";
import { isMissing } from "@/api/http";
import { project, renders } from "@/api/queries";
import type { Composition } from "@/api/types";
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
  const { projectId } = useParams({ from: "/home/dashboard/projects/$projectId" });
  return <ProjectView id={projectId} />;
}

/** The target of the API's editUrl. */
export function EditPage() {
  const { projectId } = useParams({ from: "/home/edit/$projectId" });
  return <ProjectView id={projectId} />;
}

function ProjectView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(project(id));
  // The editUrl of a preview shows a copy of its composition, which belongs to no project.
  const isCopy = id.startsWith("prv_");
  const rendered = useQuery({ ...renders({ projectId: id, limit: 10 }), enabled: !isCopy });
  const source = useMemo(
    () => (isCopy ? (data ? { composition: data.composition as unknown as Composition } : null) : { projectId: id }),
    [id, isCopy, data],
  );
  const variables = data?.variables.filter(({ overlayType }) => !isCopy || overlayType !== "caption");
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
        actions={<CopyableId value={id} />}
      />
      {isMissing(error) ? (
        isCopy ? (
          <EmptyState
            icon={<Clock />}
            title="This preview has expired"
            className="rounded-xl border bg-surface"
            action={
              <Link to="/dashboard/templates" className={buttonClass("primary")}>
                Browse templates
              </Link>
            }
          >
            Previews last 24 hours. Create a new one, or render the film to keep it.
          </EmptyState>
        ) : (
          <Missing what="project">
            <Link to="/dashboard/projects" className={buttonClass("primary")}>
              All projects
            </Link>
          </Missing>
        )
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-6">
          {source && variables ? <RenderForm key={id} source={source} variables={variables} /> : <RenderFormSkeleton />}
          {!isCopy && (
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
          )}
        </div>
      )}
    </>
  );
}
