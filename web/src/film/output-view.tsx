/** The file of a render as a browser shows it best. */

import { useQuery } from "@tanstack/react-query";
import { Download, FileArchive } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { RenderJob } from "@/api/types";
import { formatBytes, pluralize } from "@/lib/format";
import { listZip } from "@/lib/zip";
import { buttonClass } from "@/ui/button";
import { cx } from "@/ui/cx";
import { SkeletonRows } from "@/ui/skeleton";
import { canDownload, downloadName, downloadUrl, formatName, outputKind } from "./output";
import { renderName } from "./render-status";
import { SoundPlayer } from "./sound-player";

type Shown = RenderJob & { outputUrl: string };

const FRAME = "grid place-items-center overflow-hidden rounded-xl border shadow-card";

export function OutputView({ job }: { job: Shown }) {
  switch (outputKind(job.format)) {
    case "film":
      return <FilmView job={job} />;
    case "picture":
      return (
        <div className={cx(FRAME, "checkerboard max-h-[72vh]")}>
          <img
            src={job.outputUrl}
            alt={renderName(job)}
            width={job.width}
            height={job.height}
            className="max-h-[72vh] w-auto max-w-full object-contain"
          />
        </div>
      );
    case "sound":
      return (
        <div className={cx(FRAME, "min-h-60 bg-surface")}>
          <SoundPlayer src={job.outputUrl} size={job.outputSize ?? 0} label={renderName(job)} />
        </div>
      );
    case "archive":
      return <ArchiveView job={job} />;
  }
}

/** A video, or its poster where the browser cannot play it. */
function FilmView({ job }: { job: Shown }) {
  const [playable, setPlayable] = useState(true);
  if (!playable)
    return (
      <div className={cx(FRAME, "relative max-h-[72vh] bg-[#0b0c10]")}>
        <Poster job={job} className="max-h-[72vh] w-full object-contain opacity-40" />
        <div className="absolute inset-0 grid place-items-center p-6">
          <Notice job={job}>
            {canDownload(job.format)
              ? `This browser cannot play this ${formatName(job.format)} file.`
              : "This browser cannot play HLS by itself. Safari can, and web pages with a player such as hls.js."}
          </Notice>
        </div>
      </div>
    );
  return (
    <div className={cx(FRAME, "max-h-[72vh] bg-[#0b0c10]")}>
      <video
        key={job.outputUrl}
        src={job.outputUrl}
        poster={job.posterUrl ?? undefined}
        controls
        playsInline
        preload="metadata"
        width={job.width}
        height={job.height}
        aria-label={`Video: ${renderName(job)}`}
        onError={() => setPlayable(false)}
        // Some browsers play the sound of a film whose pictures they cannot decode.
        onLoadedMetadata={(event) => event.currentTarget.videoWidth === 0 && setPlayable(false)}
        className="max-h-[72vh] w-full object-contain"
      />
    </div>
  );
}

function Poster({ job, className }: { job: Shown; className: string }) {
  return job.posterUrl ? (
    <img src={job.posterUrl} alt="" width={job.width} height={job.height} className={className} />
  ) : (
    <div className={cx("aspect-video", className)} />
  );
}

function Notice({ job, children }: { job: Shown; children: ReactNode }) {
  return (
    <div className="rounded-xl border border-white/15 bg-black/70 px-6 py-5 text-center text-white">
      <p>{children}</p>
      {canDownload(job.format) && (
        <a className={cx(buttonClass("render"), "mt-4")} href={downloadUrl(job)} download={downloadName(job)}>
          <Download className="size-4" /> Download {job.outputSize == null ? "" : formatBytes(job.outputSize)}
        </a>
      )}
    </div>
  );
}

/** The files of an archive. */
function ArchiveView({ job }: { job: Shown }) {
  const { data, error } = useQuery({
    queryKey: ["zip", job.outputUrl],
    queryFn: ({ signal }) => listZip(job.outputUrl, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
      <div className="flex items-center gap-4 border-b p-4 sm:p-5">
        {job.posterUrl ? (
          <img src={job.posterUrl} alt="" className="h-20 w-32 shrink-0 rounded-lg border object-cover" />
        ) : (
          <FileArchive className="size-10 shrink-0 text-subtle" aria-hidden="true" />
        )}
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{downloadName(job)}</p>
          <p className="nums text-[13px] text-muted">
            {data ? `${pluralize(data.total, "image")} · ` : ""}
            {formatBytes(job.outputSize ?? 0)}
          </p>
        </div>
      </div>
      {data ? (
        <ul aria-label="Files" tabIndex={0} className="max-h-[46vh] overflow-y-auto">
          {data.entries.map((entry) => (
            <li
              key={entry.name}
              className="nums flex justify-between gap-4 border-b px-5 py-2 text-[13px] last:border-b-0"
            >
              <span className="truncate font-mono">{entry.name}</span>
              <span className="shrink-0 text-muted">{formatBytes(entry.size)}</span>
            </li>
          ))}
          {data.entries.length < data.total && (
            <li className="px-5 py-2 text-[13px] text-muted">
              And {pluralize(data.total - data.entries.length, "more image", "more images")}.
            </li>
          )}
        </ul>
      ) : error ? null : (
        <SkeletonRows rows={4} height="h-9" />
      )}
    </div>
  );
}
