/** One template: fill it in, look at it, render it. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useMemo } from "react";
import { templates, templateVariables } from "@/api/queries";
import { Maker } from "@/film/maker";
import { words } from "@/lib/format";
import { Badge } from "@/ui/bits";
import { PageHeader, Problem, Skeleton } from "@/ui/surface";

const route = getRouteApi("/home/dashboard/templates/$templateId");

export function TemplatePage() {
  const { templateId } = route.useParams();
  const variables = useQuery(templateVariables(templateId));
  const template = useQuery(templates).data?.templates.find(({ id }) => id === templateId);
  const source = useMemo(() => ({ templateId }), [templateId]);
  return (
    <>
      <PageHeader
        back={<Back to="/dashboard/templates">Templates</Back>}
        title={template?.name ?? "Template"}
        about={template?.description ?? " "}
        badge={template && <Badge>{words(template.category)}</Badge>}
      />
      {variables.error ? (
        <Problem error={variables.error} retry={() => void variables.refetch()} />
      ) : variables.data ? (
        <Maker key={templateId} source={source} variables={variables.data.variables} />
      ) : (
        <MakerSkeleton />
      )}
    </>
  );
}

export function Back({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="mb-2 -ml-1 flex w-fit items-center gap-0.5 rounded text-[13px] text-quiet hover:text-text">
      <ChevronLeft className="size-4" aria-hidden="true" /> {children}
    </Link>
  );
}

export function MakerSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]"
    >
      <Skeleton className="h-120 rounded-xl" />
      <Skeleton className="h-120 rounded-xl" />
    </div>
  );
}
