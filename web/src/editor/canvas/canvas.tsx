/** The region "Canvas" of the editor. */

import { STRINGS } from "@/editor/strings/canvas";

export function Canvas() {
  return <section aria-label={STRINGS.region} className="size-full overflow-hidden bg-surface" />;
}
