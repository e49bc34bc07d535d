/** Pictures that stand for renders and projects, loaded when they scroll into view. */

import { FileArchive, Film, Image, type LucideIcon, Music } from "lucide-react";
import { useState } from "react";
import type { RenderJob } from "@/api/types";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/spinner";
import { type OutputKind, outputKind } from "./output";
import { isFinal } from "./render-status";

const ICONS: Record<OutputKind, LucideIcon> = { film: Film, picture: Image, archive: FileArchive, sound: Music };

export function Thumbnail({
  src,
  kind = "film",
  className,
  contain = false,
}: {
  src: string | null;
  kind?: OutputKind;
  className?: string;
  contain?: boolean;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const Icon = ICONS[kind];
  return (
    <span className={cx("relative block overflow-hidden bg-inset", className)}>
      {src && broken !== src ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(src)}
          className={cx("size-full", contain ? "object-contain" : "object-cover")}
        />
      ) : (
        <span className="absolute inset-0 grid place-items-center text-subtle">
          <Icon className="size-4" aria-hidden="true" />
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
    <Thumbnail
      src={job.posterUrl ?? null}
      kind={outputKind(job.format)}
      className="h-11 w-16 shrink-0 rounded-md border"
    />
  );
}
