/** The ruler: times, markers and the end of the film. */

import { STRINGS } from "@/editor/strings/timeline";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { clockTime, tickLabel, ticksFor } from "./time";
import { useView, useViewState } from "./use-view";
import { type Marker, RULER_HEIGHT } from "./view";
import { shownPart } from "./window";

export function Ruler({ width }: { width: number }) {
  const fps = useEditorState((state) => state.film.fps);
  const zoom = useViewState((state) => state.zoom);
  const { start, end } = useViewState(shownPart);
  const { major, parts } = ticksFor(zoom, fps);
  const first = Math.floor(start / major);
  const labels = Math.max(0, Math.ceil(end / major) - first);
  return (
    <div
      data-part="ruler"
      aria-hidden
      className="sticky top-0 z-10 cursor-pointer touch-none overflow-clip border-b bg-surface select-none"
      style={{ height: RULER_HEIGHT, width }}
    >
      <div
        className="absolute bottom-0 h-1.5 text-border-strong"
        style={{
          left: first * major * zoom,
          width: labels * major * zoom,
          backgroundImage: "linear-gradient(to right, currentColor 1px, transparent 1px)",
          backgroundSize: `${(major * zoom) / parts}px 6px`,
        }}
      />
      {Array.from({ length: labels }, (_, index) => {
        const frame = (first + index) * major;
        return (
          <span
            key={frame}
            className="absolute bottom-0 border-l border-border-strong pl-1 text-[11px] leading-none whitespace-nowrap text-muted nums"
            style={{ left: frame * zoom, height: 18 }}
          >
            {tickLabel(frame, fps)}
          </span>
        );
      })}
      <FilmEnd />
    </div>
  );
}

/** The handle that sets the length of the film. */
function FilmEnd() {
  const length = useEditorState((state) => state.film.durationInFrames);
  const zoom = useViewState((state) => state.zoom);
  return (
    <span
      data-part="film-end"
      title={STRINGS.filmEnd}
      className="absolute inset-y-0 z-10 w-3 -translate-x-1/2 cursor-ew-resize touch-none"
      style={{ left: length * zoom }}
    >
      <span className="absolute top-1 bottom-1 left-1 w-1 rounded-full bg-foreground" />
    </span>
  );
}

const MOST_SHOWN = 200;

/** Markers in the ruler; each goes to its frame when pressed. */
export function Markers() {
  const editor = useEditor();
  const view = useView();
  const fps = useEditorState((state) => state.film.fps);
  const { markers, zoom } = useViewState(({ markers, zoom }) => ({ markers, zoom }));
  const { start, end } = useViewState(shownPart);
  const shown = markers.filter(({ frame }) => frame >= start && frame <= end).slice(0, MOST_SHOWN);
  const remove = (marker: Marker) => view.setMarkers(markers.filter((each) => each !== marker));
  return shown.map((marker) =>
    marker.kind === "beat" ? (
      <span
        key={marker.frame}
        aria-hidden
        className="pointer-events-none absolute top-0 bottom-0 w-px bg-info/30"
        style={{ left: marker.frame * zoom }}
      />
    ) : (
      <div key={marker.frame} className="pointer-events-none absolute inset-y-0" style={{ left: marker.frame * zoom }}>
        <span aria-hidden className="absolute inset-y-0 w-px bg-info/60" />
        <button
          type="button"
          data-plain
          aria-label={STRINGS.markerAt(clockTime(marker.frame, fps))}
          onClick={() => editor.seek(marker.frame)}
          onKeyDown={(event) => {
            if (event.key !== "Delete" && event.key !== "Backspace") return;
            event.preventDefault();
            remove(marker);
          }}
          onDoubleClick={() => remove(marker)}
          className="pointer-events-auto sticky top-0 z-10 -ml-[7px] grid h-6 w-4 place-items-center rounded-sm"
        >
          <span className="size-2 rotate-45 rounded-[1px] bg-info" />
        </button>
      </div>
    ),
  );
}
