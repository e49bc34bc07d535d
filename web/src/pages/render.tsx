/** One render: its file, details, deliveries, request and actions. */

import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronRight, CircleAlert, Download, OctagonX, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useMemo } from "react";
import { api, isMissing } from "@/api/http";
import { queryClient, render, renderDeliveries, session } from "@/api/queries";
import type { Composition, Preview, RenderBody, RenderWithRequest } from "@/api/types";
import { DeliveryRow } from "@/film/delivery-row";
import { LivePlayer, useBroken } from "@/film/live-player";
import { canDownload, downloadName, downloadUrl, fileFacts, formatName, outputKind, outputNoun } from "@/film/output";
import { OutputFiles } from "@/film/output-files";
import { OutputView } from "@/film/output-view";
import { FrameImage } from "@/film/preview-player";
import { RenderCopy } from "@/film/render-copy";
import { prefillForm } from "@/film/render-form";
import { isFinal, RenderProgress, renderName, renderSource, StatusBadge } from "@/film/render-status";
import { isNarration, isTranscription } from "@/film/speech";
import { useCreateRender } from "@/film/use-create-render";
import { previewPath } from "@/film/use-live-film";
import { formatBytes, formatDateTime, formatDuration, formatMilliseconds, pluralize } from "@/lib/format";
import { storeRequest, stringify } from "@/playground/draft";
import { BackLink } from "@/ui/back-link";
import { Button, buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyableId, CopyButton } from "@/ui/copy";
import { DescriptionList } from "@/ui/description-list";
import { ErrorState } from "@/ui/error-state";
import { Missing } from "@/ui/missing";
import { PageHeader } from "@/ui/page-header";
import { Skeleton } from "@/ui/skeleton";
import { Spinner } from "@/ui/spinner";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";

/** Time between two looks at a job that is not done. */
const REFRESH_MS = 5000;

/** Percent of progress between two frames that are shown. */
const LIVE_STEP = 10;

const route = getRouteApi("/home/dashboard/renders/$jobId");

/** Whether the render, or its copy, is not done yet. */
const isChanging = ({ status, destination }: RenderWithRequest) =>
  !isFinal(status) || (status === "COMPLETED" && destination?.status === "PENDING");

export function RenderPage() {
  const { jobId } = route.useParams();
  const { data, error, refetch } = useQuery(render(jobId));
  const changing = data !== undefined && isChanging(data);
  // Events tell the progress and nothing else of the job. Each would put off the interval of a query.
  useEffect(() => {
    if (!changing) return;
    const timer = setInterval(() => document.hidden || void refetch(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [changing, refetch]);
  if (isMissing(error) && !data)
    return (
      <>
        <PageHeader back={<BackLink to="/dashboard/renders">Renders</BackLink>} title="Render" />
        <Missing what="render">
          <Link to="/dashboard/renders" className={buttonClass("primary")}>
            All renders
          </Link>
        </Missing>
      </>
    );
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
        {data ? <Output job={data} /> : <Skeleton className="aspect-16/10 w-full rounded-xl" />}
        {data ? <Details job={data} /> : <Skeleton className="h-90 rounded-xl" />}
      </div>
      {data && <OutputFiles job={data} />}
      {data && <RenderCopy job={data} />}
      {data && <Deliveries job={data} />}
      {data && <Inputs job={data} />}
    </>
  );
}

/** The webhook deliveries of the render, if there are any. */
function Deliveries({ job }: { job: RenderWithRequest }) {
  const { data, refetch } = useQuery({ ...renderDeliveries(job.jobId), enabled: isFinal(job.status) });
  if (!data?.length) return null;
  return (
    <Section title="Webhook deliveries" className="mt-6">
      <ul>
        {data.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={() => void refetch()} />
        ))}
      </ul>
    </Section>
  );
}

function Actions({ job }: { job: RenderWithRequest }) {
  const navigate = route.useNavigate();
  const again = useCreateRender();
  const accountId = useSuspenseQuery(session).data.account?.id ?? "";
  /** Opens the form that the render came from, with its values. */
  const edit = () => {
    const body = bodyOf(job.request);
    const values = Object.fromEntries(
      Object.entries(body.replacements ?? {}).map(([name, value]) => [
        name,
        isNarration(value) || isTranscription(value) ? value : String(value ?? ""),
      ]),
    );
    if (body.templateId) {
      prefillForm(accountId, { templateId: body.templateId }, values);
      void navigate({ to: "/dashboard/templates/$templateId", params: { templateId: body.templateId } });
    } else if (body.projectId) {
      prefillForm(accountId, { projectId: body.projectId }, values);
      void navigate({ to: "/dashboard/projects/$projectId", params: { projectId: body.projectId } });
    } else {
      storeRequest(stringify(body));
      void navigate({ to: "/dashboard/playground" });
    }
  };
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
  const several = job.outputs.length > 1;
  const remove = async () => {
    await api("delete", "/renders/{jobId}", { path: { jobId: job.jobId } });
    refresh();
    showToast(several ? "Files deleted." : "File deleted.");
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
        <Button onClick={edit} icon={<Pencil className="size-4" />}>
          Edit
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
      {job.outputUrl &&
        (canDownload(job.format) ? (
          <a className={buttonClass("primary")} href={downloadUrl(job)} download={downloadName(job)}>
            <Download className="size-4" /> Download
          </a>
        ) : (
          <CopyButton text={job.outputUrl} label="Copy URL" variant="primary" size="md" />
        ))}
      {job.outputUrl && (
        <ConfirmDialog
          trigger={
            <Button
              variant="dangerGhost"
              size="icon"
              className="size-9"
              aria-label={several ? "Delete files" : "Delete file"}
            >
              <Trash2 className="size-4" />
            </Button>
          }
          title={several ? `Delete these ${job.outputs.length} files?` : `Delete this ${outputNoun(job.format)}?`}
          confirmLabel="Delete"
          onConfirm={remove}
        >
          {several ? "All files are deleted and their URLs stop" : "The file is deleted and its URL stops"} working. The
          render stays in your history. Credits are not refunded.
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

function Output({ job }: { job: RenderWithRequest }) {
  const { data: film } = useQuery({
    queryKey: ["film-of-render", job.jobId],
    queryFn: ({ signal }) => api("post", "/previews", { body: filmOf(job), signal }),
    enabled: !job.outputUrl && job.status !== "FAILED" && Boolean(job.request) && outputKind(job.format) !== "sound",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [broken, giveUp] = useBroken();
  const poster = film?.resolved.posterFrame;
  const place = useMemo(() => (poster === undefined ? null : { frame: poster }), [poster]);
  if (job.status === "COMPLETED" && job.outputUrl) return <OutputView job={{ ...job, outputUrl: job.outputUrl }} />;
  if (film && !broken && job.status !== "FAILED")
    return (
      <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
        <LivePlayer src={previewPath(film)} place={place} onBroken={giveUp} />
        <div className="border-t px-5 py-4">
          {isFinal(job.status) ? (
            <p className="flex items-start gap-2.5 text-muted">
              <CircleAlert className="mt-1 size-4 shrink-0" aria-hidden="true" />
              The file was deleted or has expired. This is the film it was made of: render again to recreate it.
            </p>
          ) : (
            <Running job={job} />
          )}
        </div>
      </div>
    );
  return (
    <div className="relative grid aspect-16/10 place-items-center overflow-hidden rounded-xl border bg-surface p-6 text-center shadow-card sm:p-8">
      {film && job.status === "PROCESSING" && <LiveFrame job={job} film={film} />}
      {isFinal(job.status) ? (
        <div>
          <CircleAlert className="mx-auto mb-4 size-8 text-danger" aria-hidden="true" />
          <p className="text-[15px] font-semibold">
            {job.status === "FAILED" ? "Render failed" : "File not available"}
          </p>
          <p className="mx-auto mt-1.5 max-w-md break-words text-muted">
            {job.status === "FAILED"
              ? (job.errorMessage ?? "No error message was reported.")
              : "The file was deleted or has expired. Render again to recreate it."}
          </p>
          {job.status === "FAILED" && <p className="mt-3 text-[13px] text-muted">You were not charged.</p>}
        </div>
      ) : (
        <div className="absolute inset-x-0 bottom-0 z-10 border-t bg-surface px-5 py-4">
          <Running job={job} />
        </div>
      )}
    </div>
  );
}

/** The film as it was resolved for the render, or else its request. */
function filmOf(job: RenderWithRequest): RenderBody {
  if (job.inputProps != null) return { inputProps: job.inputProps as unknown as Composition };
  const { createProject, projectName, webhookUrl, ...body } = bodyOf(job.request);
  return body;
}

function Running({ job }: { job: RenderWithRequest }) {
  return (
    <div aria-live="polite">
      <p className="mb-2.5 flex items-center gap-2 text-muted">
        {job.status === "PENDING" ? (
          "Waiting for a worker"
        ) : (
          <>
            <Spinner className="size-3.5" /> Rendering
            {job.estimatedTimeRemaining ? ` · about ${formatDuration(job.estimatedTimeRemaining)} left` : ""}
          </>
        )}
        <span className="nums ml-auto text-lg font-semibold text-foreground">{job.progressPercentage} %</span>
      </p>
      <RenderProgress job={job} className="h-2!" />
      {job.streamUrl && (
        <p className="mt-3 text-left text-[13px] text-muted">
          You can watch the finished part:{" "}
          <a
            href={job.streamUrl}
            target="_blank"
            rel="noreferrer"
            className="underline decoration-border-strong underline-offset-3 hover:decoration-current"
          >
            open the stream
          </a>{" "}
          in Safari or in a player such as VLC.
        </p>
      )}
    </div>
  );
}

/** The frame that a running render has reached, in steps, where there is no player: each is drawn by the service. */
function LiveFrame({ job, film }: { job: RenderWithRequest; film: Preview }) {
  const reached = Math.floor(job.progressPercentage / LIVE_STEP) * LIVE_STEP;
  const frame = Math.round((reached / 100) * (film.resolved.durationInFrames - 1));
  return (
    <div className="absolute inset-x-0 top-0 bottom-20 bg-[#0b0c10]">
      <FrameImage
        src={`${previewPath(film)}.png?frame=${frame}`}
        alt={`Frame ${frame}`}
        width={job.width}
        height={job.height}
        quiet
      />
    </div>
  );
}

function Details({ job }: { job: RenderWithRequest }) {
  const file = fileFacts(job, bodyOf(job.request).output);
  const rows: [string, ReactNode][] = [
    ["ID", <CopyableId key="id" value={job.jobId} />],
    ["Source", renderSource(job.mode)],
    ...(job.project ? [["Project", <ProjectLink key="project" project={job.project} />] as [string, ReactNode]] : []),
    ["Format", formatName(job.format)],
    ...(outputKind(job.format) === "sound"
      ? []
      : ([["Resolution", `${file.width} × ${file.height}`]] satisfies [string, string][])),
    ["Duration", `${formatDuration(file.frames / job.fps)} · ${pluralize(file.frames, "frame")}`],
    ["Frame rate", `${job.fps} fps`],
    ["Credits", pluralize(job.creditsUsed, "credit")],
    ...(job.outputSize != null ? [["File size", formatBytes(job.outputSize)] as [string, string]] : []),
    ...(job.duration != null ? [["Render time", formatMilliseconds(job.duration)] as [string, string]] : []),
    ["Created", formatDateTime(job.createdAt)],
    ...(job.completedAt ? [["Finished", formatDateTime(job.completedAt)] as [string, string]] : []),
    ...(job.expiresAt ? [["Expires", <TimeAgo key="expires" at={job.expiresAt} />] as [string, ReactNode]] : []),
    ...(job.outputUrl ? [["URL", <CopyableId key="url" value={job.outputUrl} />] as [string, ReactNode]] : []),
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
