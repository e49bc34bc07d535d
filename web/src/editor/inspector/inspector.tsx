/** The region "Inspector" of the editor. */

import { STRINGS } from "@/editor/strings/inspector";

export function Inspector() {
  return <section aria-label={STRINGS.region} className="size-full overflow-hidden bg-surface" />;
}
