/** Video thumbnails, loaded when they scroll into view. */

import { Film } from "lucide-react";
import { useState } from "react";
import type { RenderJob } from "@/api/types";
import { useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/spinner";
import { isFinal } from "./render-status";

export function VideoThumbnail({
  src,
  className,
  contain = false,
}: {
  src: string | null;
  className?: string;
  contain?: boolean;
}) {
  const { ref, seen } = useInView<HTMLSpanElement>();
  const [broken, setBroken] = useState(false);
  return (
    <span ref={ref} className={cx("relative block overflow-hidden bg-inset", className)}>
      {src && seen && !broken ? (
        <video
          src={`${src}#t=1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden="true"
          onError={() => setBroken(true)}
          className={cx("size-full", contain ? "object-contain" : "object-cover")}
        />
      ) : (
        <span className="absolute inset-0 grid place-items-center text-subtle">
          <Film className="size-4" aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

/** The thumbnail of a render in a list. */
export function RenderThumbnail({ job }: { job: RenderJob }) {
  if (!isFinal(job.status)) {
    return (
      <span className="grid h-11 w-16 shrink-0 place-items-center rounded-md border bg-accent-soft text-accent">
        <Spinner />
      </span>
    );
  }
  return (
    <VideoThumbnail
      src={job.status === "COMPLETED" ? (job.outputUrl ?? null) : null}
      className="h-11 w-16 shrink-0 rounded-md border"
    />
  );
}
