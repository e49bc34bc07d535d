/** The copy of a render in a destination, if its request names one. */

import type { RenderJob } from "@/api/types";
import { Badge, type Tone } from "@/ui/badge";
import { Section } from "@/ui/card";
import { CopyableId } from "@/ui/copy";
import { isFinal } from "./render-status";

type Copy = NonNullable<RenderJob["destination"]>;

const STATUSES: Record<Copy["status"], [Tone, string]> = {
  PENDING: ["info", "Pending"],
  COPIED: ["success", "Copied"],
  FAILED: ["danger", "Failed"],
};

export function RenderCopy({ job: { destination, status } }: { job: RenderJob }) {
  // A render that failed has nothing to copy.
  if (!destination || status === "FAILED") return null;
  const [tone, label] = STATUSES[destination.status];
  return (
    <Section
      title="Destination"
      description={<span className="font-mono">{destination.name}</span>}
      className="mt-6"
      actions={
        <Badge tone={tone} dot>
          {label}
        </Badge>
      }
    >
      <div className="flex flex-col items-start gap-2 px-5 py-4">
        {destination.errorMessage ? (
          <p className="break-words text-muted">{destination.errorMessage}</p>
        ) : (
          destination.status === "PENDING" && (
            <p className="text-muted">
              {isFinal(status) ? "Rondo is copying the file." : "Rondo copies the file when the render has completed."}
            </p>
          )
        )}
        {destination.urls.map((url) => (
          <CopyableId key={url} value={url} />
        ))}
      </div>
    </Section>
  );
}
