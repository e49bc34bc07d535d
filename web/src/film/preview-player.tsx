/** The preview of a request: the film, painted here; where that cannot be, frames and a video that the service makes. */

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, ExternalLink, Grid2x2, Image, type LucideIcon, Play } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
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
import { LivePlayer, type Place, useBroken } from "./live-player";
import { type LiveFilm, previewPath } from "./use-live-film";
import type { PreviewState } from "./use-preview";

type View = "live" | "still" | "sheet" | "film";

const option = <V extends View>(view: V, Icon: LucideIcon, label: string) =>
  [
    view,
    <span key={view} className="flex items-center gap-1.5">
      <Icon className="size-3.5" aria-hidden="true" />
      {label}
    </span>,
  ] as const;

const GRID = option("sheet", Grid2x2, "Grid");
const VIEWS = [option("live", Play, "Film"), GRID] as const;
/** Where the player cannot work. */
const VIEWS_WITHOUT_PLAYER = [option("still", Image, "Frame"), GRID, option("film", Play, "Video")] as const;

interface PlayerProps extends PreviewState {
  /** What the player shows; the preview by default. */
  live?: LiveFilm;
  /** The frame to show; null for the poster. */
  place: Place | null;
  onPlace: (place: Place) => void;
}

export function PreviewPlayer({ preview, error, pending, live, place, onPlace }: PlayerProps) {
  const [broken, giveUp] = useBroken();
  const [chosenView, setView] = useState<View>("live");
  const view = broken && chosenView === "live" ? "still" : chosenView;
  const film = preview?.resolved;
  const last = Math.max((film?.durationInFrames ?? 1) - 1, 0);
  const poster = film?.posterFrame;
  const start = useMemo(() => (poster === undefined ? null : { frame: poster }), [poster]);
  const frame = Math.min((place ?? start)?.frame ?? 0, last);
  // The first frame shows at once; while the slider moves, the last one wins.
  const settled = useDebounced(frame, 120);
  const shownFrame = place === null ? frame : Math.min(settled, last);
  const src = live ? live.src : preview && previewPath(preview);
  const problem = error ?? (src ? null : (live?.error ?? null));
  return (
    <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
      <div className="flex h-12 items-center justify-between gap-3 border-b px-3">
        <SegmentedControl<View>
          label="Preview mode"
          value={view}
          options={broken ? VIEWS_WITHOUT_PLAYER : VIEWS}
          onChange={setView}
        />
        <span className="flex items-center gap-2.5 text-[13px] text-muted" role="status">
          {pending && (
            <>
              <Spinner className="size-3.5" />
              <span className="hidden sm:inline">Updating</span>
            </>
          )}
          {preview && (
            <a
              href={previewPath(preview)}
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
      {!broken && (
        <LivePlayer
          src={src}
          replacements={live?.replacements}
          place={place ?? start}
          hidden={view !== "live"}
          className="fixed-shape"
          onRest={(rested) => rested !== frame && onPlace({ frame: rested })}
          onBroken={giveUp}
        />
      )}
      {view !== "live" && (
        <div className="relative grid aspect-4/3 place-items-center bg-[#0b0c10] sm:aspect-16/11">
          {preview && film ? (
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
            !problem && <Spinner className="size-6 text-white/60" />
          )}
        </div>
      )}
      {problem && (
        <p role="alert" className="flex items-start gap-2.5 border-t px-4 py-3 text-[13px] text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span className="min-w-0 break-words">{errorMessage(problem)}</span>
        </p>
      )}
      {broken && (
        <div className="flex h-12 items-center gap-4 border-t px-4">
          <input
            type="range"
            aria-label="Frame"
            aria-valuetext={`Frame ${frame} of ${last}`}
            min={0}
            max={last}
            value={frame}
            disabled={!film || view !== "still"}
            onChange={(event) => onPlace({ frame: Number(event.target.value) })}
            className="h-1.5 min-w-0 flex-1 accent-(--accent-fill) disabled:opacity-40"
          />
          <span className="nums w-28 text-right text-[13px] text-muted">
            {film ? `${(frame / film.fps).toFixed(1)} / ${formatDuration(film.durationSeconds)}` : ""}
          </span>
        </div>
      )}
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
