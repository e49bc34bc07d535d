/** A list of renders. */

import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { RenderJob } from "@/api/types";
import { formatDuration, pluralize } from "@/lib/format";
import { TimeAgo } from "@/ui/time-ago";
import { describeOutput } from "./output";
import { isFinal, RenderProgress, renderName, renderSource, StatusBadge } from "./render-status";
import { RenderThumbnail } from "./thumbnail";

interface ListProps {
  renders: RenderJob[];
  /** The ids of selected renders, where they can be selected. */
  selected?: ReadonlySet<string>;
  onSelect?: (jobId: string, selected: boolean) => void;
}

export function RenderList({ renders, selected, onSelect }: ListProps) {
  return (
    <ul>
      {renders.map((job) => (
        <li key={job.jobId} className="flex items-center border-b transition-colors last:border-b-0 hover:bg-inset">
          {onSelect && (
            <label className="grid cursor-pointer self-stretch pl-4 sm:pl-5">
              <input
                type="checkbox"
                aria-label={`Select ${renderName(job)}`}
                checked={selected?.has(job.jobId) ?? false}
                onChange={(event) => onSelect(job.jobId, event.target.checked)}
                className="my-auto size-4 accent-(--accent-fill)"
              />
            </label>
          )}
          <Link
            to="/dashboard/renders/$jobId"
            params={{ jobId: job.jobId }}
            className="flex min-w-0 flex-1 items-center gap-3.5 px-4 py-3 focus-visible:-outline-offset-2 sm:px-5"
          >
            <RenderThumbnail job={job} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{renderName(job)}</span>
              <span className="nums block truncate text-[13px] text-muted">
                {job.status === "FAILED" && job.errorMessage
                  ? job.errorMessage
                  : `${describeOutput(job, formatDuration(job.durationInFrames / job.fps))} · ${renderSource(job.mode)}`}
              </span>
              {!isFinal(job.status) && <RenderProgress job={job} className="mt-1.5 max-w-72" />}
            </span>
            <span className="hidden w-28 text-right text-[13px] text-muted md:block">
              <TimeAgo at={job.createdAt} />
            </span>
            <span className="nums hidden w-20 text-right text-[13px] text-muted lg:block">
              {pluralize(job.creditsUsed, "credit")}
            </span>
            <span className="flex shrink-0 justify-end sm:w-36">
              <StatusBadge job={job} />
            </span>
            <ChevronRight className="hidden size-4 shrink-0 text-subtle sm:block" aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
