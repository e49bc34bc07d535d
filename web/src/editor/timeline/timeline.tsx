/** The region "Timeline" of the editor. */

import { STRINGS } from "@/editor/strings/timeline";

export function Timeline() {
  return <section aria-label={STRINGS.region} className="size-full overflow-hidden bg-surface" />;
}
