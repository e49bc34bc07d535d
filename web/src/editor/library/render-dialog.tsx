/** Renders the open film: format and price before, progress while, the file after. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Clapperboard, Download, ExternalLink } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "@/api/http";
import { queryClient, render as renderQuery } from "@/api/queries";
import type { RenderBody, RenderJob } from "@/api/types";
import type { Film } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { canDownload, downloadName, downloadUrl, outputNoun } from "@/film/output";
import { OutputFields } from "@/film/output-fields";
import { OutputView } from "@/film/output-view";
import { canPay, QuoteSummary } from "@/film/quote";
import { DEFAULT_OPTIONS, withOptions } from "@/film/render-request";
import { isFinal, RenderProgress, StatusBadge } from "@/film/render-status";
import { useKnownDestination } from "@/film/use-known-destination";
import { usePreview } from "@/film/use-preview";
import { Warnings, withoutEditorFields } from "@/film/warnings";
import { errorMessage } from "@/lib/error";
import { formatBytes, formatDuration } from "@/lib/format";
import { Alert } from "@/ui/alert";
import { Button, buttonClass } from "@/ui/button";
import { CopyButton } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";
import { showToast } from "@/ui/toast";
import { useSource } from "./source";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RenderDialog({ open, onOpenChange }: DialogProps) {
  const editor = useEditor();
  // While it is closed, changes of the film do not concern it.
  const film = useEditorState((state) => (open ? state.film : null));
  // The job outlives the dialog: closing it while the film renders does not lose the way back to it.
  const [started, setStarted] = useState<{ jobId: string; film: Film } | null>(null);
  const job = useFollowedRender(started?.jobId ?? null);
  const isDone = job !== undefined && isFinal(job.status);
  // A film that was changed since is rendered anew.
  const isShown = started !== null && (!isDone || started.film === film);
  const isOpen = useRef(open);
  isOpen.current = open;
  useEffect(() => {
    if (isDone && !isOpen.current) showToast(STRINGS.render.title(job.status));
  }, [isDone, job?.status]);
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={onOpenChange}
      title={isShown ? STRINGS.render.title(job?.status) : STRINGS.render.start}
      {...(isShown ? {} : { description: STRINGS.render.text })}
    >
      {isShown ? (
        <Result job={job} onAgain={() => setStarted(null)} onClose={() => onOpenChange(false)} />
      ) : (
        <Order onStarted={(jobId) => setStarted({ jobId, film: editor.state.film })} />
      )}
    </Dialog>
  );
}

/** Format, price and the button that pays. */
function Order({ onStarted }: { onStarted: (jobId: string) => void }) {
  const editor = useEditor();
  const source = useSource();
  const [chosen, setOptions] = useState(DEFAULT_OPTIONS);
  const options = useKnownDestination(chosen);
  const frame = editor.state.frame;
  const request = useMemo(
    (): RenderBody | null => source && withOptions(source.body, options, source.film, frame),
    [source, options, frame],
  );
  const { preview, error, pending } = usePreview(request);
  const start = useMutation({
    mutationFn: () => api("post", "/renders", { body: request ?? {} }),
    onSuccess: ({ jobId }) => {
      void queryClient.invalidateQueries({ queryKey: ["renders"] });
      onStarted(jobId);
    },
  });
  const problem = start.error ?? error;
  return (
    <div className="flex flex-col gap-5">
      <OutputFields
        options={options}
        film={preview?.resolved}
        variants={[]}
        onChange={setOptions}
        onVariant={() => undefined}
      />
      <Warnings warnings={withoutEditorFields(preview?.warnings ?? [])} />
      {problem && <Alert tone="danger">{errorMessage(problem)}</Alert>}
      <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
        <QuoteSummary preview={error ? null : preview} />
        <Button
          variant="render"
          busy={start.isPending}
          disabled={!preview || pending || Boolean(error) || !canPay(preview)}
          onClick={() => start.mutate()}
          icon={<Clapperboard className="size-4" />}
        >
          {STRINGS.render.button(outputNoun(options.format))}
        </Button>
      </div>
    </div>
  );
}

/** A render job, followed by its events until it ends. */
function useFollowedRender(jobId: string | null): RenderJob | undefined {
  const { data } = useQuery({
    ...renderQuery(jobId ?? ""),
    enabled: jobId !== null,
    // Where events do not come through.
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? false : 4000),
  });
  useEffect(() => {
    if (!jobId) return;
    const source = new EventSource(`/api/v1/renders/${encodeURIComponent(jobId)}/events`);
    const take = (event: MessageEvent<string>) => {
      const job = JSON.parse(event.data) as RenderJob;
      queryClient.setQueryData<RenderJob>(["render", jobId], (known) => (known ? { ...known, ...job } : known));
    };
    const end = (event: MessageEvent<string>) => {
      take(event);
      source.close();
      for (const key of ["render", "renders", "account", "usage"])
        void queryClient.invalidateQueries({ queryKey: [key] });
    };
    source.addEventListener("progress", take);
    source.addEventListener("completed", end);
    source.addEventListener("failed", end);
    return () => source.close();
  }, [jobId]);
  return data;
}

function Result({ job, onAgain, onClose }: { job: RenderJob | undefined; onAgain: () => void; onClose: () => void }) {
  if (!job || !isFinal(job.status))
    return (
      <div className="flex flex-col gap-4 py-2" role="status">
        {job ? (
          <>
            <RenderProgress job={job} />
            <p className="nums flex items-center justify-between text-[13px] text-muted">
              <StatusBadge job={job} />
              {job.estimatedTimeRemaining ? STRINGS.render.left(formatDuration(job.estimatedTimeRemaining)) : null}
            </p>
          </>
        ) : (
          <p className="text-muted">{STRINGS.render.waiting}</p>
        )}
        <div className="flex items-center justify-between gap-3">
          <span className="text-[13px] text-muted">{STRINGS.render.goOn}</span>
          <Button onClick={onClose}>{STRINGS.render.keepEditing}</Button>
        </div>
      </div>
    );
  if (job.status === "FAILED" || !job.outputUrl)
    return (
      <div className="flex flex-col gap-4">
        <Alert tone="danger">{job.errorMessage ?? STRINGS.render.failed}</Alert>
        <Button className="self-end" onClick={onAgain}>
          {STRINGS.render.again}
        </Button>
      </div>
    );
  const done = { ...job, outputUrl: job.outputUrl };
  return (
    <div className="flex flex-col gap-4">
      <div className="[&_img]:max-h-[48vh]! [&_video]:max-h-[48vh]! *:max-h-[48vh]!">
        <OutputView job={done} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {canDownload(done.format) && (
          <a className={buttonClass("render")} href={downloadUrl(done)} download={downloadName(done)}>
            <Download className="size-4" aria-hidden="true" /> {STRINGS.render.download}
            {job.outputSize == null ? "" : ` (${formatBytes(job.outputSize)})`}
          </a>
        )}
        <CopyButton
          variant="secondary"
          text={new URL(done.outputUrl, location.href).href}
          label={STRINGS.render.copy}
        />
        <a
          className={buttonClass("ghost", "sm")}
          href={`/dashboard/renders/${job.jobId}`}
          target="_blank"
          rel="noreferrer"
        >
          <ExternalLink className="size-3.5" aria-hidden="true" /> {STRINGS.render.details}
        </a>
        <Button size="sm" variant="ghost" className="ml-auto" onClick={onAgain}>
          {STRINGS.render.again}
        </Button>
      </div>
    </div>
  );
}
