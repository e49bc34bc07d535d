/** The region "Timeline" of the editor: rows as tracks, clips in time. */

import { STRINGS } from "@/editor/strings/timeline";
import { ClipMenu } from "./menu";
import "./timeline.css";
import { Toolbar } from "./toolbar";
import { Tracks } from "./tracks";
import { useViewState } from "./use-view";

export function Timeline() {
  return (
    <section aria-label={STRINGS.region} className="isolate flex size-full flex-col overflow-hidden bg-surface">
      <Toolbar />
      <ClipMenu>
        <div className="flex min-h-0 flex-1">
          <Tracks />
        </div>
      </ClipMenu>
      <Said />
    </section>
  );
}

/** What changes by keys did, for those who do not see it. */
function Said() {
  const said = useViewState((state) => state.said);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
