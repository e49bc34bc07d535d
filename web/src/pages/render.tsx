/** One render: its film, how it came about, and what can be done with it. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronRight, CircleAlert, Download, OctagonX, RefreshCw, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "@/api/http";
import { client, render } from "@/api/queries";
import type { RenderWithRequest } from "@/api/types";
import { useRender } from "@/film/maker";
import { isOver, RenderProgress, renderName, StatusBadge } from "@/film/status";
import { absolute, bytes, length, milliseconds, number, plural, words } from "@/lib/format";
import { Facts } from "@/ui/bits";
import { Button, buttonClass, Spinner } from "@/ui/button";
import { CodeBlock, Id } from "@/ui/code";
import { Confirm } from "@/ui/dialog";
import { PageHeader, Problem, Section, Skeleton } from "@/ui/surface";
import { complain, say } from "@/ui/toast";
import { Back } from "./template";

const route = getRouteApi("/home/dashboard/renders/$jobId");

export function Render() {
  const { jobId } = route.useParams();
  const { data, error, refetch } = useQuery({
    ...render(jobId),
    refetchInterval: (query) => (query.state.data && !isOver(query.state.data.status) ? 5000 : false),
  });
  if (error && !data)
    return (
      <>
        <PageHeader back={<Back to="/dashboard/renders">Renders</Back>} title="Render" />
        <Problem error={error} retry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader
        back={<Back to="/dashboard/renders">Renders</Back>}
        title={data ? renderName(data) : "Render"}
        badge={data && <StatusBadge job={data} />}
        actions={data && <Actions job={data} />}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        {data ? <Screen job={data} /> : <Skeleton className="aspect-16/10 w-full rounded-xl" />}
        {data ? <Details job={data} /> : <Skeleton className="h-90 rounded-xl" />}
      </div>
      {data && <Inputs job={data} />}
    </>
  );
}

function Actions({ job }: { job: RenderWithRequest }) {
  const navigate = route.useNavigate();
  const again = useRender();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ["render", job.jobId] });
    void client.invalidateQueries({ queryKey: ["renders"] });
  };
  const cancel = useMutation({
    mutationFn: () => api("post", "/renders/{jobId}/cancel", { path: { jobId: job.jobId } }),
    onSuccess: () => {
      refresh();
      say("The render was cancelled. Its credits are back.");
    },
    onError: complain,
  });
  const remove = async () => {
    await api("delete", "/renders/{jobId}", { path: { jobId: job.jobId } });
    refresh();
    say("The film was deleted.");
    await navigate({ to: "/dashboard/renders" });
  };
  return (
    <>
      {!isOver(job.status) && (
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
        <a className={buttonClass("primary")} href={job.outputUrl} download={`${job.jobId}.mp4`}>
          <Download className="size-4" /> Download
        </a>
      )}
      {job.outputUrl && (
        <Confirm
          trigger={
            <Button look="quietDanger" size="icon" className="size-9" aria-label="Delete the film">
              <Trash2 className="size-4" />
            </Button>
          }
          title="Delete this film?"
          act="Delete the film"
          onConfirm={remove}
        >
          The file is removed for everyone who has its address. The render stays in your history, and its credits stay
          spent.
        </Confirm>
      )}
    </>
  );
}

/** The request without what only describes it. */
function bodyOf(request: Record<string, unknown> | null): unknown {
  const { mode: _, ...body } = request ?? {};
  return body;
}

function Screen({ job }: { job: RenderWithRequest }) {
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
          aria-label={`Film: ${renderName(job)}`}
          className="max-h-[72vh] w-full object-contain"
        />
      </div>
    );
  }
  return (
    <div className="grid aspect-16/10 place-items-center rounded-xl border bg-surface p-6 sm:p-8 text-center shadow-card">
      {isOver(job.status) ? (
        <div>
          <CircleAlert className="mx-auto mb-4 size-8 text-bad" aria-hidden="true" />
          <p className="text-[15px] font-semibold">
            {job.status === "FAILED" ? "This render failed" : "The film is no longer here"}
          </p>
          <p className="mx-auto mt-1.5 max-w-md break-words text-quiet">
            {job.status === "FAILED"
              ? (job.errorMessage ?? "No reason was given.")
              : "Its file was deleted. Render it again to have it back."}
          </p>
          {job.status === "FAILED" && <p className="mt-3 text-[13px] text-quiet">Nothing was charged.</p>}
        </div>
      ) : (
        <div className="w-full max-w-sm" aria-live="polite">
          <p className="nums text-5xl font-semibold tracking-[-0.04em]">
            {job.progressPercentage}
            <span className="text-2xl text-quiet"> %</span>
          </p>
          <RenderProgress job={job} className="mt-5 h-2!" />
          <p className="mt-4 flex items-center justify-center gap-2 text-quiet">
            {job.status === "PENDING" ? (
              "Waiting for a free worker"
            ) : (
              <>
                <Spinner className="size-3.5" /> Rendering
                {job.estimatedTimeRemaining ? `, about ${length(job.estimatedTimeRemaining)} left` : ""}
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
    ["Id", <Id key="id" value={job.jobId} />],
    [
      "Made from",
      job.project ? (
        <Link
          key="project"
          to="/dashboard/projects/$projectId"
          params={{ projectId: job.project.id }}
          className="underline decoration-edge underline-offset-3 hover:decoration-current"
        >
          {job.project.name}
        </Link>
      ) : (
        words(job.mode)
      ),
    ],
    ["Size", `${job.width} × ${job.height}`],
    ["Length", `${length(job.durationInFrames / job.fps)} · ${number(job.durationInFrames)} frames`],
    ["Frame rate", `${job.fps} fps`],
    ["Credits", plural(job.creditsUsed, "credit")],
    ...(job.outputSize != null ? [["File", bytes(job.outputSize)] as [string, string]] : []),
    ...(job.duration != null ? [["Render time", milliseconds(job.duration)] as [string, string]] : []),
    ["Asked for", absolute(job.createdAt)],
    ...(job.completedAt ? [["Ended", absolute(job.completedAt)] as [string, string]] : []),
  ];
  return (
    <Section title="Details">
      <Facts rows={rows} className="px-5 py-4" />
    </Section>
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
            <ChevronRight className="size-4 text-quiet transition-transform group-open:rotate-90" aria-hidden="true" />{" "}
            Composition as rendered
          </summary>
          <div className="px-5 pb-5">
            <CodeBlock label="inputProps" text={JSON.stringify(job.inputProps, null, 2)} />
          </div>
        </details>
      )}
    </div>
  );
}
