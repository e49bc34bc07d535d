/** How a render is doing. */
import type { RenderJob } from "@/api/types";
import { Badge, Progress, type Tone } from "@/ui/bits";

const LOOKS: Record<string, [Tone, string]> = {
  PENDING: ["neutral", "Waiting"],
  PROCESSING: ["accent", "Rendering"],
  COMPLETED: ["good", "Completed"],
  FAILED: ["bad", "Failed"],
};

export const isOver = (status: string) => status === "COMPLETED" || status === "FAILED";

export function StatusBadge({ job }: { job: Pick<RenderJob, "status" | "progressPercentage"> }) {
  const [tone, label] = LOOKS[job.status] ?? ["neutral", job.status];
  return (
    <Badge tone={tone} dot>
      {label}
      {job.status === "PROCESSING" && <span className="nums">{job.progressPercentage} %</span>}
    </Badge>
  );
}

export function RenderProgress({ job, className }: { job: RenderJob; className?: string }) {
  return (
    <Progress
      percent={job.progressPercentage}
      label={`Progress of ${renderName(job)}`}
      {...(className ? { className } : {})}
    />
  );
}

/** What to call a render: its project, or what it was made from. */
export function renderName(job: RenderJob): string {
  return job.project?.name || (job.mode === "direct" ? "Composition" : "Untitled");
}
