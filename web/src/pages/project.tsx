/** One saved film: its variables, frames and renders. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Film } from "lucide-react";
import { useMemo } from "react";
import { project, renders } from "@/api/queries";
import { Maker } from "@/film/maker";
import { RenderList } from "@/film/render-list";
import { Ago } from "@/ui/bits";
import { Id } from "@/ui/code";
import { Empty, PageHeader, Problem, Section, SkeletonRows } from "@/ui/surface";
import { Back, MakerSkeleton } from "./template";

export function ProjectPage() {
  const { projectId } = useParams({ from: "/home/dashboard/projects/$projectId" });
  return <Opened id={projectId} />;
}

/** Where the editUrl of the API leads. */
export function EditPage() {
  const { projectId } = useParams({ from: "/home/edit/$projectId" });
  return <Opened id={projectId} />;
}

function Opened({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(project(id));
  // A preview has an edit address too: what it shows is a copy that no project holds.
  const isCopy = id.startsWith("prv_");
  const made = useQuery({ ...renders({ projectId: id, limit: 10 }), enabled: !isCopy });
  const source = useMemo(
    () => (isCopy ? (data ? { composition: data.composition } : null) : { projectId: id }),
    [id, isCopy, data],
  );
  const variables = data?.variables.filter(({ overlayType }) => !isCopy || overlayType !== "caption");
  return (
    <>
      <PageHeader
        back={<Back to="/dashboard/projects">Projects</Back>}
        title={data?.name ?? "Project"}
        about={
          data
            ? (data.description ?? (
                <span className="text-[13px]">
                  Changed <Ago at={data.updatedAt} />
                </span>
              ))
            : " "
        }
        actions={<Id value={id} />}
      />
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <div className="flex flex-col gap-6">
          {source && variables ? <Maker key={id} source={source} variables={variables} /> : <MakerSkeleton />}
          {!isCopy && (
            <Section title="Renders of this project">
              {made.error ? (
                <Problem error={made.error} />
              ) : !made.data ? (
                <SkeletonRows rows={2} height="h-17" />
              ) : made.data.renders.length ? (
                <RenderList renders={made.data.renders} />
              ) : (
                <Empty icon={<Film />} title="Not rendered yet" className="py-10" />
              )}
            </Section>
          )}
        </div>
      )}
    </>
  );
}
