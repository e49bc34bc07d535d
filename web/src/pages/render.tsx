/** One render: video, details, request and actions. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronRight, CircleAlert, Download, OctagonX, RefreshCw, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "@/api/http";
import { queryClient, render } from "@/api/queries";
import type { RenderBody, RenderWithRequest } from "@/api/types";
import { isFinal, RenderProgress, renderName, renderSource, StatusBadge } from "@/film/render-status";
import { useCreateRender } from "@/film/use-create-render";
import { formatBytes, formatDateTime, formatDuration, formatMilliseconds, formatNumber, pluralize } from "@/lib/format";
import { BackLink } from "@/ui/back-link";
import { Button, buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyableId } from "@/ui/copy";
import { DescriptionList } from "@/ui/description-list";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Skeleton } from "@/ui/skeleton";
import { Spinner } from "@/ui/spinner";
import { showError, showToast } from "@/ui/toast";

const route = getRouteApi("/home/dashboard/renders/$jobId");

export function RenderPage() {
  const { jobId } = route.useParams();
  const { data, error, refetch } = useQuery({
    ...render(jobId),
    refetchInterval: (query) => (query.state.data && !isFinal(query.state.data.status) ? 5000 : false),
  });
  if (error && !data)
    return (
      <>
        <PageHeader back={<BackLink to="/dashboard/renders">Renders</BackLink>} title="Render" />
        <ErrorState error={error} retry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader
        back={<BackLink to="/dashboard/renders">Renders</BackLink>}
        title={data ? renderName(data) : "Render"}
        badge={data && <StatusBadge job={data} />}
        actions={data && <Actions job={data} />}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        {data ? <Video job={data} /> : <Skeleton className="aspect-16/10 w-full rounded-xl" />}
        {data ? <Details job={data} /> : <Skeleton className="h-90 rounded-xl" />}
      </div>
      {data && <Inputs job={data} />}
    </>
  );
}

function Actions({ job }: { job: RenderWithRequest }) {
  const navigate = route.useNavigate();
  const again = useCreateRender();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: ["render", job.jobId] });
    void queryClient.invalidateQueries({ queryKey: ["renders"] });
  };
  const cancel = useMutation({
    mutationFn: () => api("post", "/renders/{jobId}/cancel", { path: { jobId: job.jobId } }),
    onSuccess: () => {
      refresh();
      showToast("Render cancelled. Credits refunded.");
    },
    onError: showError,
  });
  const remove = async () => {
    await api("delete", "/renders/{jobId}", { path: { jobId: job.jobId } });
    refresh();
    showToast("Video deleted.");
    await navigate({ to: "/dashboard/renders" });
  };
  return (
    <>
      {!isFinal(job.status) && (
        <Button busy={cancel.isPending} onClick={() => cancel.mutate()} icon={<OctagonX className="size-4" />}>
          Cancel
        </Button>
      )}
      {job.request && (
        <Button
          busy={again.isPending}
          onClick={() => again.mutate(bodyOf(job.request))}
          icon={<RefreshCw className="size-4" />}
        >
          Render again
        </Button>
      )}
      {job.outputUrl && (
        <a className={buttonClass("primary")} href={`${job.outputUrl}?download`} download={`${job.jobId}.mp4`}>
          <Download className="size-4" /> Download
        </a>
      )}
      {job.outputUrl && (
        <ConfirmDialog
          trigger={
            <Button variant="dangerGhost" size="icon" className="size-9" aria-label="Delete video">
              <Trash2 className="size-4" />
            </Button>
          }
          title="Delete this video?"
          confirmLabel="Delete video"
          onConfirm={remove}
        >
          The file is deleted and its URL stops working. The render stays in your history. Credits are not refunded.
        </ConfirmDialog>
      )}
    </>
  );
}

/** The request body without the mode, which the service derives. */
function bodyOf(request: RenderWithRequest["request"]): RenderBody {
  const { mode: _, ...body } = request as RenderBody & { mode?: string };
  return body;
}

function Video({ job }: { job: RenderWithRequest }) {
  if (job.status === "COMPLETED" && job.outputUrl) {
    return (
      <div className="grid max-h-[72vh] place-items-center overflow-hidden rounded-xl border bg-[#0b0c10] shadow-card">
        <video
          key={job.outputUrl}
          src={job.outputUrl}
          controls
          playsInline
          preload="metadata"
          width={job.width}
          height={job.height}
          aria-label={`Video: ${renderName(job)}`}
          className="max-h-[72vh] w-full object-contain"
        />
      </div>
    );
  }
  return (
    <div className="grid aspect-16/10 place-items-center rounded-xl border bg-surface p-6 sm:p-8 text-center shadow-card">
      {isFinal(job.status) ? (
        <div>
          <CircleAlert className="mx-auto mb-4 size-8 text-danger" aria-hidden="true" />
          <p className="text-[15px] font-semibold">
            {job.status === "FAILED" ? "Render failed" : "Video not available"}
          </p>
          <p className="mx-auto mt-1.5 max-w-md break-words text-muted">
            {job.status === "FAILED"
              ? (job.errorMessage ?? "No error message was reported.")
              : "The file was deleted. Render again to recreate it."}
          </p>
          {job.status === "FAILED" && <p className="mt-3 text-[13px] text-muted">You were not charged.</p>}
        </div>
      ) : (
        <div className="w-full max-w-sm" aria-live="polite">
          <p className="nums text-5xl font-semibold tracking-[-0.04em]">
            {job.progressPercentage}
            <span className="text-2xl text-muted"> %</span>
          </p>
          <RenderProgress job={job} className="mt-5 h-2!" />
          <p className="mt-4 flex items-center justify-center gap-2 text-muted">
            {job.status === "PENDING" ? (
              "Waiting for a worker"
            ) : (
              <>
                <Spinner className="size-3.5" /> Rendering
                {job.estimatedTimeRemaining ? ` · about ${formatDuration(job.estimatedTimeRemaining)} left` : ""}
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

function Details({ job }: { job: RenderWithRequest }) {
  const rows: [string, ReactNode][] = [
    ["ID", <CopyableId key="id" value={job.jobId} />],
    ["Source", renderSource(job.mode)],
    ...(job.project ? [["Project", <ProjectLink key="project" project={job.project} />] as [string, ReactNode]] : []),
    ["Resolution", `${job.width} × ${job.height}`],
    ["Duration", `${formatDuration(job.durationInFrames / job.fps)} · ${formatNumber(job.durationInFrames)} frames`],
    ["Frame rate", `${job.fps} fps`],
    ["Credits", pluralize(job.creditsUsed, "credit")],
    ...(job.outputSize != null ? [["File size", formatBytes(job.outputSize)] as [string, string]] : []),
    ...(job.duration != null ? [["Render time", formatMilliseconds(job.duration)] as [string, string]] : []),
    ["Created", formatDateTime(job.createdAt)],
    ...(job.completedAt ? [["Finished", formatDateTime(job.completedAt)] as [string, string]] : []),
  ];
  return (
    <Section title="Details">
      <DescriptionList rows={rows} className="px-5 py-4" />
    </Section>
  );
}

function ProjectLink({ project }: { project: NonNullable<RenderWithRequest["project"]> }) {
  return (
    <Link
      to="/dashboard/projects/$projectId"
      params={{ projectId: project.id }}
      className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
    >
      {project.name}
    </Link>
  );
}

function Inputs({ job }: { job: RenderWithRequest }) {
  const metadata = job.metadata as Record<string, unknown> | null | undefined;
  return (
    <div className="mt-6 flex flex-col gap-6">
      {metadata && Object.keys(metadata).length > 0 && (
        <CodeBlock label="Metadata" text={JSON.stringify(metadata, null, 2)} />
      )}
      {job.request && <CodeBlock label="Request" text={JSON.stringify(bodyOf(job.request), null, 2)} />}
      {job.inputProps != null && (
        <details className="group rounded-xl border bg-surface shadow-card">
          <summary className="flex items-center gap-2 rounded-xl px-5 py-3.5 font-medium">
            <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden="true" />{" "}
            Resolved composition
          </summary>
          <div className="px-5 pb-5">
            <CodeBlock label="inputProps" text={JSON.stringify(job.inputProps, null, 2)} />
          </div>
        </details>
      )}
    </div>
  );
}
