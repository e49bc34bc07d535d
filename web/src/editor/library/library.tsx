/** The region "Library" of the editor. */

import { STRINGS } from "@/editor/strings/library";

export function Library() {
  return <section aria-label={STRINGS.region} className="size-full overflow-hidden bg-surface" />;
}
