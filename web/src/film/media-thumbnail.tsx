/** Small views of uploads and narrations. */

import { FileType, Film, Image, Music } from "lucide-react";
import { useState } from "react";
import type { MediaFile } from "@/api/types";
import { cx } from "@/ui/cx";
import { usePeaks } from "./sound-player";

/** Larger sounds show a symbol instead of their waveform. */
const MOST_DECODED = 8_000_000;

interface Props {
  file: MediaFile;
  /** Called with the length of a video in seconds. */
  onDuration: (seconds: number) => void;
  className?: string;
}

export function MediaThumbnail({ file, onDuration, className }: Props) {
  const [broken, setBroken] = useState(false);
  const kind = file.contentType.split("/")[0];
  const view = "size-full object-cover";
  return (
    <span
      aria-hidden="true"
      className={cx(
        "relative grid shrink-0 place-items-center overflow-hidden border text-subtle",
        kind === "image" && !broken ? "checkerboard" : "bg-inset",
        className,
      )}
    >
      {kind === "image" && !broken ? (
        <img
          src={file.fileUrl}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
          onError={() => setBroken(true)}
        />
      ) : kind === "video" && !broken ? (
        <video
          src={`${file.fileUrl}#t=0.1`}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          className={view}
          onError={() => setBroken(true)}
          onLoadedMetadata={(event) => onDuration(event.currentTarget.duration)}
        />
      ) : kind === "audio" ? (
        <Waveform file={file} />
      ) : kind === "image" ? (
        <Image className="size-5" />
      ) : kind === "video" ? (
        <Film className="size-5" />
      ) : (
        <FileType className="size-5" />
      )}
    </span>
  );
}

const BARS = 24;

function Waveform({ file }: { file: MediaFile }) {
  const peaks = usePeaks(file.fileUrl, file.size ?? 0, MOST_DECODED);
  if (!peaks) return <Music className="size-5" />;
  const step = peaks.length / BARS;
  const bars = Array.from({ length: BARS }, (_, bar) =>
    Math.max(...peaks.slice(Math.floor(bar * step), Math.floor((bar + 1) * step)), 0.06),
  );
  return (
    <svg
      viewBox={`0 0 ${BARS * 4} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-3/5 w-4/5 fill-accent-fill"
    >
      {bars.map((peak, bar) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change their order
        <rect key={bar} x={bar * 4 + 0.75} width={2.5} rx={1.25} y={50 - peak * 48} height={peak * 96} />
      ))}
    </svg>
  );
}
