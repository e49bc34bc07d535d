/** Small pictures of films: a frame once it is in view, in the film's own proportions. */
import { Film } from "lucide-react";
import { useState } from "react";
import type { RenderJob } from "@/api/types";
import { useSeen } from "@/lib/hooks";
import { Spinner } from "@/ui/button";
import { cx } from "@/ui/cx";
import { isOver } from "./status";

export function FilmFrame({
  src,
  className,
  contain = false,
}: {
  src: string | null;
  className?: string;
  contain?: boolean;
}) {
  const { ref, seen } = useSeen<HTMLSpanElement>();
  const [broken, setBroken] = useState(false);
  return (
    <span ref={ref} className={cx("relative block overflow-hidden bg-sunken", className)}>
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
        <span className="absolute inset-0 grid place-items-center text-faint">
          <Film className="size-4" aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

/** The thumbnail of a render in a list. */
export function RenderThumb({ job }: { job: RenderJob }) {
  if (!isOver(job.status)) {
    return (
      <span className="grid h-11 w-16 shrink-0 place-items-center rounded-md border bg-accent-soft text-accent">
        <Spinner />
      </span>
    );
  }
  return (
    <FilmFrame
      src={job.status === "COMPLETED" ? (job.outputUrl ?? null) : null}
      className="h-11 w-16 shrink-0 rounded-md border"
    />
  );
}
