/** What a request looks like before it is rendered: single frames, a contact sheet, or a quick film. */
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, ExternalLink, Grid2x2, Image, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { request, sentence } from "@/api/http";
import type { Preview } from "@/api/types";
import { length } from "@/lib/format";
import { useSettled } from "@/lib/hooks";
import { Choice, Progress } from "@/ui/bits";
import { buttonClass, Spinner } from "@/ui/button";
import { cx } from "@/ui/cx";
import type { PreviewState } from "./preview";

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
      Sheet
    </span>,
  ],
  [
    "film",
    <span key="film" className="flex items-center gap-1.5">
      <Play className="size-3.5" aria-hidden="true" />
      Film
    </span>,
  ],
] as const;

export function Stage({ preview, error, pending }: PreviewState) {
  const [view, setView] = useState<View>("still");
  const [share, setShare] = useState(0.5);
  const film = preview?.resolved;
  const last = Math.max((film?.durationInFrames ?? 1) - 1, 0);
  const frame = Math.min(Math.round(share * last), last);
  const asked = useSettled(frame, 180);
  return (
    <div className="overflow-hidden rounded-xl border bg-surface shadow-card">
      <div className="flex h-12 items-center justify-between gap-3 border-b px-3">
        <Choice label="What to show" value={view} options={VIEWS} onChange={setView} />
        <span className="flex items-center gap-2.5 text-[13px] text-quiet" role="status">
          {pending && (
            <>
              <Spinner className="size-3.5" />
              <span className="hidden sm:inline">Drawing</span>
            </>
          )}
          {preview && (
            <a
              href={new URL(preview.previewUrl).pathname}
              target="_blank"
              rel="noreferrer"
              className={buttonClass("ghost", "icon")}
              aria-label="Open the shareable preview page"
              title="Shareable preview page, for a day"
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
            {sentence(error)}
          </p>
        ) : preview && film ? (
          <>
            {view === "still" && (
              <Picture
                key="still"
                src={`/preview/${preview.previewId}.png?frame=${asked}`}
                alt={`Frame ${asked} of the film`}
                width={film.width}
                height={film.height}
              />
            )}
            {view === "sheet" && (
              <Picture
                key="sheet"
                src={`/preview/${preview.previewId}.png?mode=grid`}
                alt="Frames across the film"
                width={16}
                height={9}
              />
            )}
            {view === "film" && <QuickFilm preview={preview} />}
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
          onChange={(event) => setShare(last ? Number(event.target.value) / last : 0)}
          className="h-1.5 min-w-0 flex-1 accent-(--accent-fill) disabled:opacity-40"
        />
        <span className="nums w-28 text-right text-[13px] text-quiet">
          {film ? `${(frame / film.fps).toFixed(1)} / ${length(film.durationSeconds)}` : ""}
        </span>
      </div>
    </div>
  );
}

/** A picture that stays until the next one is there. */
function Picture({ src, alt, width, height }: { src: string; alt: string; width: number; height: number }) {
  const [shown, setShown] = useState<string | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    const image = new window.Image();
    image.onload = () => current && (setShown(src), setBroken(null));
    image.onerror = () => {
      // The picture's address answers with a sentence where it cannot be drawn.
      void request("GET", src).catch((error: unknown) => current && setBroken(sentence(error)));
    };
    image.src = src;
    return () => {
      current = false;
    };
  }, [src]);
  if (broken)
    return (
      <p role="alert" className="max-w-md px-8 text-center text-[13px] text-[#ffb3ba]">
        {broken}
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

interface FilmStatus {
  state: "waiting" | "rendering" | "ready" | "failed";
  progress: number;
  error?: string;
}

function QuickFilm({ preview }: { preview: Preview }) {
  const { data, error } = useQuery({
    queryKey: ["preview-film", preview.previewId],
    queryFn: () => request<FilmStatus>("GET", `/preview/${preview.previewId}/status`),
    refetchInterval: (query) =>
      query.state.data?.state === "ready" || query.state.data?.state === "failed" ? false : 700,
  });
  if (error || data?.state === "failed")
    return (
      <p role="alert" className="max-w-md px-8 text-center text-[13px] text-[#ffb3ba]">
        {data?.error ?? sentence(error)}
      </p>
    );
  if (data?.state !== "ready") {
    return (
      <div className="w-56 text-center text-[13px] text-white/75">
        <Progress percent={data?.progress ?? 0} label="Progress of the preview film" className="mb-3 bg-white/15!" />
        Making a quick film, free of charge
      </div>
    );
  }
  return (
    <video
      src={`/preview/${preview.previewId}/film.mp4`}
      controls
      autoPlay
      muted
      loop
      playsInline
      aria-label="Preview film"
      className="absolute inset-0 size-full object-contain"
    />
  );
}
