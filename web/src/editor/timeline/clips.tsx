/** All clips that are in sight, their keyboard, and the things drawn around them. */

import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { findOverlay, type Overlay } from "@/editor/model/film";
import { groupedIds, withGroups, withoutGroup } from "@/editor/model/groups";
import { STRINGS } from "@/editor/strings/timeline";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { useIsDark } from "@/lib/theme";
import { Clip, placeClips, roomOf } from "./clip";
import { clipName } from "./clip-name";
import { clipType } from "./clip-types";
import { neighbour } from "./hit";
import { isDrawn } from "./media/draw";
import { tracksOf } from "./rows";
import { useView, useViewState } from "./use-view";
import { shownClips, shownPart, steppedZoom } from "./window";

export const Clips = memo(function Clips() {
  const editor = useEditor();
  const view = useView();
  const list = useRef<HTMLDivElement>(null);
  const { film, selection, locked, hidden } = useEditorState(({ film, selection, locked, hidden }) => ({
    film,
    selection,
    locked,
    hidden,
  }));
  const { zoom, rowHeight, focus } = useViewState((state) => ({
    zoom: steppedZoom(state),
    rowHeight: state.rowHeight,
    focus: state.focus,
  }));
  const part = useViewState(shownPart);
  const selected = useMemo(() => new Set(selection), [selection]);
  const { byId } = tracksOf(film);
  const grouped = groupedIds(film);
  const { clips, rest } = useMemo(() => shownClips(film, part, selected, focus), [film, part, selected, focus]);
  const focused = focus !== null && findOverlay(film, focus) ? focus : (firstOf(clips) ?? null);

  // Also after each time the list is drawn: clips may be new, moved or trimmed.
  useLayoutEffect(() => {
    if (list.current) placeClips(list.current.children, view.state.zoom);
  });
  useLayoutEffect(
    () =>
      view.store.subscribe((state, before) => {
        if (state.zoom !== before.zoom && list.current) placeClips(list.current.children, state.zoom);
      }),
    [view],
  );

  /** Moves the focus to a clip and shows it. */
  const go = (clip: Overlay) => {
    view.set({ focus: clip.id });
    view.reveal(clip.from, clip.from + clip.durationInFrames);
    const { top, height } = view.state;
    const y = (byId.get(clip.id)?.track ?? 0) * rowHeight;
    if (y < top || y + rowHeight > top + height) view.set({ top: Math.max(0, y < top ? y : y + rowHeight - height) });
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-clip="${clip.id}"]`)?.focus({ preventScroll: true }),
    );
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const clip = focused === null ? undefined : findOverlay(film, focused);
    if (!clip || event.altKey || event.metaKey || event.ctrlKey) return;
    if (event.key === "Enter") {
      const ids = withGroups(film, [clip.id]);
      if (!event.shiftKey) editor.select(ids);
      else editor.select(selected.has(clip.id) ? withoutGroup(film, selection, clip.id) : [...selection, ...ids]);
      view.say(STRINGS.said.selected(clipName(clip)));
    } else {
      const next = event.shiftKey ? undefined : neighbour(film, clip, event.key);
      const isMove = /^(Arrow|Home$|End$)/.test(event.key) && !event.shiftKey;
      if (!isMove) return;
      if (next) go(next);
    }
    event.preventDefault();
  };

  return (
    <div
      ref={list}
      role="listbox"
      aria-label={STRINGS.clips}
      aria-multiselectable
      data-keys
      aria-orientation="horizontal"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = (target as HTMLElement).dataset["clip"];
        if (id !== undefined && Number(id) !== focus) view.set({ focus: Number(id) });
      }}
      className="contents"
    >
      {rest.length > 0 && <Rest clips={rest} />}
      {clips.map((clip) => {
        const place = byId.get(clip.id) ?? { track: 0, lane: 0, lanes: 1 };
        const height = (rowHeight - 4) / place.lanes;
        const drawn = isDrawn(clip);
        return (
          <Clip
            key={clip.id}
            clip={clip}
            fps={film.fps}
            room={roomOf(clip.durationInFrames, zoom)}
            top={place.track * rowHeight + 2 + place.lane * height}
            height={height - (place.lanes > 1 ? 1 : 0)}
            zoom={drawn ? zoom : 0}
            start={drawn ? part.start : 0}
            end={drawn ? part.end : 0}
            selected={selected.has(clip.id)}
            focused={clip.id === focused}
            locked={locked.includes(clip.id)}
            hidden={hidden.includes(clip.id)}
            grouped={grouped.has(clip.id)}
          />
        );
      })}
    </div>
  );
});

const firstOf = (clips: readonly Overlay[]) =>
  clips.reduce<Overlay | undefined>((first, clip) => (first && first.from <= clip.from ? first : clip), undefined)?.id;

/** Clips that are too many and too short for elements of their own. Pointers find them by their place. */
function Rest({ clips }: { clips: readonly Overlay[] }) {
  const view = useView();
  const ref = useRef<HTMLCanvasElement>(null);
  const { zoom, rowHeight } = useViewState((state) => ({ zoom: steppedZoom(state), rowHeight: state.rowHeight }));
  const { start, end, first, last } = useViewState(shownPart);
  const film = useEditorState((state) => state.film);
  const isDark = useIsDark();
  const [width, height] = [Math.ceil((end - start) * zoom), (last - first) * rowHeight];
  useLayoutEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context) return;
    canvas.width = width;
    canvas.height = height;
    const { byId } = tracksOf(film);
    for (const clip of clips) {
      const place = byId.get(clip.id);
      if (!place) continue;
      const { hue } = clipType(clip.type);
      const tall = (rowHeight - 4) / place.lanes;
      const left = Math.round((clip.from - start) * zoom);
      const top = (place.track - first) * rowHeight + 2 + place.lane * tall;
      const wide = Math.max(2, Math.round(clip.durationInFrames * zoom - 1));
      context.fillStyle = isDark ? `oklch(0.5 0.1 ${hue})` : `oklch(0.78 0.09 ${hue})`;
      context.fillRect(left, top, wide, tall);
      context.fillStyle = isDark ? `oklch(0.32 0.055 ${hue})` : `oklch(0.93 0.04 ${hue})`;
      context.fillRect(left + 1, top + 1, wide - 2, tall - 2);
    }
  }, [clips, film, isDark, zoom, rowHeight, start, first, width, height]);
  return (
    <canvas
      ref={ref}
      aria-hidden
      data-from={start}
      data-length={end - start}
      className="tl-rest"
      style={{ left: start * view.state.zoom, top: first * rowHeight, width: (end - start) * view.state.zoom, height }}
    />
  );
}

/** The playhead: its line and its handle in the ruler, moved without drawing anything else. */
export function Playhead() {
  const editor = useEditor();
  const view = useView();
  const line = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let shown = -1;
    const move = () => {
      const { frame, playing } = editor.state;
      const { zoom, header, left, width, follow } = view.state;
      const x = frame * zoom;
      for (const { current } of [line, handle]) if (current) current.style.transform = `translateX(${header + x}px)`;
      if (frame !== shown && shown >= 0) {
        if (!playing) view.reveal(frame);
        else if (follow && (x < left || x > left + width - 48)) view.set({ left: Math.max(0, x - width / 10) });
      }
      shown = frame;
    };
    move();
    const stops = [editor.store.subscribe(move), view.store.subscribe(move)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [editor, view]);
  return (
    <>
      <div ref={line} aria-hidden className="pointer-events-none absolute inset-y-0 left-0 w-px bg-accent-fill" />
      <div ref={handle} aria-hidden className="pointer-events-none absolute inset-y-0 left-0 z-20">
        <svg data-part="ruler" viewBox="0 0 13 16" className="pointer-events-auto sticky top-[11px] -ml-[6px] w-[13px]">
          <title>{STRINGS.position}</title>
          <path d="M1 2.5A1.5 1.5 0 0 1 2.5 1h8A1.5 1.5 0 0 1 12 2.5V9l-5.5 6L1 9Z" className="fill-accent-fill" />
        </svg>
      </div>
    </>
  );
}
