/** The scrolled part of the timeline: ruler, row headers and clips, and what gestures show above them. */

import { type CSSProperties, useEffect, useLayoutEffect, useRef } from "react";
import type { Editor } from "@/editor/model/editor";
import { endOf } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { Clips, Playhead } from "./clips";
import { listenToDrops } from "./drop";
import { listenToPointers } from "./gestures";
import { NARROW_HEADER, RowHeaders, WIDE_HEADER } from "./headers";
import { tracksOf } from "./rows";
import { Markers, Ruler } from "./ruler";
import { useView, useViewState } from "./use-view";
import { RULER_HEIGHT, TAIL, type View } from "./view";

/** Below this width the row headers are narrow. */
const NARROW = 560;

export function Tracks() {
  const editor = useEditor();
  const view = useView();
  const scroller = useRef<HTMLDivElement>(null);
  const { end, length, rows } = useEditorState(({ film }) => ({
    end: film.overlays.reduce((last, clip) => Math.max(last, endOf(clip)), film.durationInFrames),
    length: film.durationInFrames,
    rows: tracksOf(film).rows.length,
  }));
  const { zoom, rowHeight, header } = useViewState(({ zoom, rowHeight, header }) => ({ zoom, rowHeight, header }));

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      const room = clientWidth < NARROW ? NARROW_HEADER : WIDE_HEADER;
      view.resize(Math.max(0, clientWidth - room), Math.max(0, clientHeight - RULER_HEIGHT), room);
      // A taller region may have scrolled back, without an event.
      if (view.state.top !== element.scrollTop) view.set({ top: element.scrollTop });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The view outlives the region: another layout of the page shows the same part.
    element.scrollTo(view.state.left, view.state.top);
    measure();
    view.set({ left: element.scrollLeft, top: element.scrollTop });
    const onScroll = () => view.set({ left: element.scrollLeft, top: element.scrollTop });
    element.addEventListener("scroll", onScroll, { passive: true });
    const stops = [
      listenToPointers(element, editor, view),
      listenToDrops(element, editor, view),
      editor.on("select", () => revealSelection(editor, view)),
      view.store.subscribe((state, before) => {
        // After a zoom the content first needs its new width: see below.
        if (state.zoom !== before.zoom) return;
        if (state.left !== before.left && state.left !== element.scrollLeft) element.scrollLeft = state.left;
        if (state.top !== before.top && state.top !== element.scrollTop) element.scrollTop = state.top;
      }),
    ];
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
      for (const stop of stops) stop();
    };
  }, [editor, view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is as wide as the zoom says.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = view.state.left;
  }, [zoom, view]);

  const width = Math.ceil(end * zoom) + TAIL;
  return (
    <div
      ref={scroller}
      className="tl-scroller relative min-h-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain"
      style={{ "--tl-header": `${header}px` } as CSSProperties}
    >
      {zoom > 0 && (
        <div
          className="relative grid min-h-full"
          style={{
            width: header + width,
            gridTemplateColumns: `${header}px ${width}px`,
            gridTemplateRows: `${RULER_HEIGHT}px minmax(${rows * rowHeight}px, 1fr)`,
          }}
        >
          <div className="sticky top-0 left-0 z-40 border-r border-b bg-surface" />
          <Ruler width={width} />
          <RowHeaders />
          <div data-part="tracks" className="relative isolate overflow-clip" style={{ width }}>
            <Lines rows={rows} />
            <div aria-hidden className="tl-beyond absolute inset-y-0 right-0" style={{ left: length * zoom }} />
            <Clips />
            <Marks />
          </div>
          <div className="pointer-events-none absolute inset-y-0 z-20" style={{ left: header, width }}>
            <Markers />
          </div>
          <Playhead />
        </div>
      )}
      {rows <= 1 && (
        <p className="pointer-events-none absolute inset-x-0 top-12 px-6 text-center text-[13px] text-muted">
          {STRINGS.empty}
        </p>
      )}
    </div>
  );
}

/** Scrolls to the selection if nothing of it is in sight: it was selected elsewhere. */
function revealSelection(editor: Editor, view: View) {
  const { left, top, width, height, zoom, rowHeight } = view.state;
  const { byId } = tracksOf(editor.state.film);
  const places = editor.selected().map((clip) => {
    const y = (byId.get(clip.id)?.track ?? 0) * rowHeight;
    const isInSight =
      y + rowHeight > top && y < top + height && endOf(clip) * zoom > left && clip.from * zoom < left + width;
    return { clip, y, isInSight };
  });
  const last = places.at(-1);
  if (!last || places.some(({ isInSight }) => isInSight)) return;
  if (last.y < top || last.y + rowHeight > top + height)
    view.set({ top: Math.max(0, last.y - (height - rowHeight) / 2) });
  view.reveal(last.clip.from, endOf(last.clip));
}

/** Lines between the rows. They stay in sight instead of being as wide as the film: a zoom does not draw them again. */
function Lines({ rows }: { rows: number }) {
  const { rowHeight, width } = useViewState(({ rowHeight, width }) => ({ rowHeight, width }));
  return (
    <div
      aria-hidden
      className="sticky left-[var(--tl-header)] text-border"
      style={{
        width,
        height: rows * rowHeight,
        backgroundImage: "linear-gradient(to top, currentColor 1px, transparent 1px)",
        backgroundSize: `100% ${rowHeight}px`,
      }}
    />
  );
}

/** What a gesture shows: where it snaps, what it selects, where something would be dropped. */
function Marks() {
  const { snapFrame, marquee, drop, zoom, rowHeight } = useViewState((state) => ({
    snapFrame: state.snapFrame,
    marquee: state.marquee,
    drop: state.drop,
    zoom: state.zoom,
    rowHeight: state.rowHeight,
  }));
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-10">
      {snapFrame !== null && (
        <div className="absolute inset-y-0 -ml-px w-0.5 bg-info" style={{ left: snapFrame * zoom }} />
      )}
      {marquee && (
        <div
          className="absolute rounded-sm border border-info bg-info/15"
          style={{
            left: marquee.left,
            top: marquee.top,
            width: marquee.right - marquee.left,
            height: marquee.bottom - marquee.top,
          }}
        />
      )}
      {drop &&
        (drop.insert ? (
          <div
            className="absolute -mt-px h-0.5 rounded-full bg-accent-fill"
            style={{ left: drop.frame * zoom, top: drop.track * rowHeight, width: Math.max(24, drop.length * zoom) }}
          />
        ) : (
          <div
            className="absolute rounded-md border-2 border-accent-fill bg-accent-fill/20"
            style={{
              left: drop.frame * zoom,
              top: drop.track * rowHeight + 2,
              width: Math.max(8, drop.length * zoom),
              height: rowHeight - 4,
            }}
          />
        ))}
    </div>
  );
}
