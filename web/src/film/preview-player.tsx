/** The preview of a request: single frames, a contact sheet or a draft video. */

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, ExternalLink, Grid2x2, Image, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { request } from "@/api/http";
import type { Preview } from "@/api/types";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { buttonClass } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Progress } from "@/ui/progress";
import { SegmentedControl } from "@/ui/segmented-control";
import { Spinner } from "@/ui/spinner";
import type { PreviewState } from "./use-preview";

type View = "still" | "sheet" | "film";
const VIEWS = [
  [
    "still",
    <span key="still" className="flex items-center gap-1.5">
      <Image className="size-3.5" aria-hidden="true" />
      Frame
    </span>,
  ],
  [
    "sheet",
    <span key="sheet" className="flex items-center gap-1.5">
      <Grid2x2 className="size-3.5" aria-hidden="true" />
      Grid
    </span>,
  ],
  [
    "film",
    <span key="film" className="flex items-center gap-1.5">
      <Play className="size-3.5" aria-hidden="true" />
      Video
    </span>,
  ],
] as const;

interface PlayerProps extends PreviewState {
  /** The frame to show; null for the poster. */
  frame: number | null;
  onFrame: (frame: number) => void;
}

export function PreviewPlayer({ preview, error, pending, frame: chosen, onFrame }: PlayerProps) {
  const [view, setView] = useState<View>("still");
  const film = preview?.resolved;
  const last = Math.max((film?.durationInFrames ?? 1) - 1, 0);
  const frame = Math.min(chosen ?? film?.posterFrame ?? 0, last);
  // The first frame shows at once; while the slider moves, the last one wins.
  const settled = useDebounced(frame, 120);
  const shownFrame = chosen === null ? frame : Math.min(settled, last);
  return (
    <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
      <div className="flex h-12 items-center justify-between gap-3 border-b px-3">
        <SegmentedControl label="Preview mode" value={view} options={VIEWS} onChange={setView} />
        <span className="flex items-center gap-2.5 text-[13px] text-muted" role="status">
          {pending && (
            <>
              <Spinner className="size-3.5" />
              <span className="hidden sm:inline">Updating</span>
            </>
          )}
          {preview && (
            <a
              href={new URL(preview.previewUrl).pathname}
              target="_blank"
              rel="noreferrer"
              className={buttonClass("ghost", "icon")}
              aria-label="Open shareable preview"
              title="Shareable preview, expires after 24 hours"
            >
              <ExternalLink className="size-4" />
            </a>
          )}
        </span>
      </div>
      <div className="relative grid aspect-4/3 place-items-center bg-[#0b0c10] sm:aspect-16/11">
        {error && !preview ? (
          <p className="flex max-w-md items-start gap-2.5 px-8 text-[13px] text-[#ffb3ba]">
            <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            {errorMessage(error)}
          </p>
        ) : preview && film ? (
          <>
            {view === "still" && (
              <FrameImage
                key="still"
                src={`/preview/${preview.previewId}.png?frame=${shownFrame}`}
                alt={`Frame ${shownFrame}`}
                width={film.width}
                height={film.height}
              />
            )}
            {view === "sheet" && (
              <FrameImage
                key="sheet"
                src={`/preview/${preview.previewId}.png?mode=grid`}
                alt="Contact sheet"
                width={16}
                height={9}
              />
            )}
            {view === "film" && <PreviewVideo preview={preview} />}
          </>
        ) : (
          <Spinner className="size-6 text-white/60" />
        )}
      </div>
      <div className="flex h-12 items-center gap-4 border-t px-4">
        <input
          type="range"
          aria-label="Frame"
          aria-valuetext={`Frame ${frame} of ${last}`}
          min={0}
          max={last}
          value={frame}
          disabled={!film || view !== "still"}
          onChange={(event) => onFrame(Number(event.target.value))}
          className="h-1.5 min-w-0 flex-1 accent-(--accent-fill) disabled:opacity-40"
        />
        <span className="nums w-28 text-right text-[13px] text-muted">
          {film ? `${(frame / film.fps).toFixed(1)} / ${formatDuration(film.durationSeconds)}` : ""}
        </span>
      </div>
    </div>
  );
}

interface FrameProps {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Shows nothing while it loads or if it cannot be drawn. */
  quiet?: boolean;
}

/** An image that stays visible until the next one has loaded. */
export function FrameImage({ src, alt, width, height, quiet = false }: FrameProps) {
  const [shown, setShown] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    const image = new window.Image();
    image.onload = () => {
      if (!current) return;
      setShown(src);
      setProblem(null);
    };
    image.onerror = () => {
      // The image URL responds with an error message when the frame cannot be rendered.
      void request("GET", src).catch((error: unknown) => current && setProblem(errorMessage(error)));
    };
    image.src = src;
    return () => {
      current = false;
    };
  }, [src]);
  if (quiet && !shown) return null;
  if (problem && !quiet)
    return (
      <p role="alert" className="max-w-md px-8 text-center text-[13px] text-[#ffb3ba]">
        {problem}
      </p>
    );
  if (!shown) return <Spinner className="size-6 text-white/60" />;
  return (
    <img
      src={shown}
      alt={alt}
      width={width}
      height={height}
      className={cx("absolute inset-0 size-full object-contain transition-opacity", shown !== src && "opacity-70")}
    />
  );
}

interface PreviewStatus {
  state: "waiting" | "rendering" | "ready" | "failed";
  progress: number;
  error?: string;
}

function PreviewVideo({ preview }: { preview: Preview }) {
  const { data, error } = useQuery({
    queryKey: ["preview-film", preview.previewId],
    queryFn: () => request<PreviewStatus>("GET", `/preview/${preview.previewId}/status`),
    refetchInterval: (query) =>
      query.state.data?.state === "ready" || query.state.data?.state === "failed" ? false : 700,
  });
  if (error || data?.state === "failed")
    return (
      <p role="alert" className="max-w-md px-8 text-center text-[13px] text-[#ffb3ba]">
        {data?.error ?? errorMessage(error)}
      </p>
    );
  if (data?.state !== "ready") {
    return (
      <div className="w-56 text-center text-[13px] text-white/75">
        <Progress percent={data?.progress ?? 0} label="Preview progress" className="mb-3 bg-white/15!" />
        Rendering a free preview
      </div>
    );
  }
  return (
    <video
      src={`/preview/${preview.previewId}/film.mp4`}
      poster={`/preview/${preview.previewId}.png?frame=${preview.resolved.posterFrame}`}
      controls
      autoPlay
      muted
      loop
      playsInline
      aria-label="Preview video"
      className="absolute inset-0 size-full object-contain"
    />
  );
}
