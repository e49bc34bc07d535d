/** The status of a render. */
import type { RenderJob } from "@/api/types";
import { humanize } from "@/lib/format";
import { Badge, type Tone } from "@/ui/badge";
import { Progress } from "@/ui/progress";

const STATUSES: Record<string, [Tone, string]> = {
  PENDING: ["neutral", "Queued"],
  PROCESSING: ["accent", "Rendering"],
  COMPLETED: ["success", "Completed"],
  FAILED: ["danger", "Failed"],
};

export const isFinal = (status: string) => status === "COMPLETED" || status === "FAILED";

export function StatusBadge({ job }: { job: Pick<RenderJob, "status" | "progressPercentage"> }) {
  const [tone, label] = STATUSES[job.status] ?? ["neutral", job.status];
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

/** The display name of a render: the name of its project, or of a template whose id is a name. */
export function renderName(job: RenderJob): string {
  const template = job.templateId && /^tpl_([a-z]+(?:_[a-z]+)+)$/.exec(job.templateId)?.[1];
  return job.project?.name || (template ? humanize(template) : "Untitled");
}

/** The source of a render: template, project or a composition sent to the API. */
export const renderSource = (mode: string) => (mode === "direct" ? "API request" : humanize(mode));
