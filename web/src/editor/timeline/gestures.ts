/** Pointers on the timeline: which drag they start, edges that scroll, touches that hold, pinches that zoom. */

import type { Editor } from "@/editor/model/editor";
import { withGroups, withoutGroup } from "@/editor/model/groups";
import {
  type Drag,
  lengthDrag,
  marqueeDrag,
  moveDrag,
  type Point,
  rampDrag,
  scrubDrag,
  trackDrag,
  trimDrag,
} from "./drags";
import { clipAt, rowAt } from "./hit";
import { RULER_HEIGHT, type View } from "./view";

/** A touch has to rest this long before it drags; until then it scrolls. */
const HOLD_MS = 280;
/** A pointer that moved less was a click. */
const SLOP = 3;
const TOUCH_SLOP = 10;
/** Near the edge of the region a drag scrolls. */
const EDGE = 36;
const EDGE_SPEED = 0.35;

/** Listens to the pointers of the scrolled region until the returned function is called. */
export function listenToPointers(scroller: HTMLElement, editor: Editor, view: View): () => void {
  let drag: Drag | null = null;
  let pointer: number | null = null;
  let latest: PointerEvent | null = null;
  let request = 0;
  let hold = 0;
  let pinch: { distance: number; zoom: number } | null = null;

  const pointOf = (event: { clientX: number; clientY: number; ctrlKey?: boolean; metaKey?: boolean }): Point => {
    const box = scroller.getBoundingClientRect();
    const { header, zoom, rowHeight } = view.state;
    const x = event.clientX - box.left - header + scroller.scrollLeft;
    const y = event.clientY - box.top - RULER_HEIGHT + scroller.scrollTop;
    return { x, y, frame: x / zoom, track: Math.floor(y / rowHeight), free: !!(event.ctrlKey || event.metaKey) };
  };

  /** Runs once a frame while something is dragged. */
  const tick = () => {
    request = 0;
    if (!drag || !latest) return;
    const scrolls = scrollAtEdge(latest);
    drag.update(pointOf(latest));
    if (scrolls) request = requestAnimationFrame(tick);
  };
  const wake = () => {
    request ||= requestAnimationFrame(tick);
  };

  const scrollAtEdge = (event: PointerEvent): boolean => {
    const box = scroller.getBoundingClientRect();
    const pull = (at: number, least: number, most: number) =>
      Math.min(0, at - least - EDGE) + Math.max(0, at - most + EDGE);
    const x = Math.round(pull(event.clientX, box.left + view.state.header, box.right) * EDGE_SPEED);
    const y = Math.round(pull(event.clientY, box.top + RULER_HEIGHT - EDGE, box.bottom) * EDGE_SPEED);
    const before = [scroller.scrollLeft, scroller.scrollTop];
    if (x) scroller.scrollLeft += x;
    if (y) scroller.scrollTop += y;
    return before[0] !== scroller.scrollLeft || before[1] !== scroller.scrollTop;
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || pointer !== null || !(event.target instanceof Element)) return;
    if (event.target.closest("[data-plain]")) return;
    const begin = startOf(event, pointOf(event), editor, view);
    if (!begin) return;
    pointer = event.pointerId;
    latest = event;
    const touch = event.pointerType === "touch";
    // A finger that rests drags: it opens no menu.
    if (touch) event.stopPropagation();
    const isNow = begin.now || !touch;
    const at = { x: event.clientX, y: event.clientY };
    let active = false;
    const activate = () => {
      active = true;
      drag = begin.drag();
      scroller.dataset["drag"] = begin.part;
      if (touch) navigator.vibrate?.(8);
      if (drag && begin.now) drag.update(pointOf(event));
    };
    if (begin.now) activate();
    else if (touch) hold = window.setTimeout(activate, HOLD_MS);
    try {
      if (isNow) scroller.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone.
    }

    const onMove = (move: PointerEvent) => {
      if (move.pointerId !== pointer) return;
      latest = move;
      const far = Math.hypot(move.clientX - at.x, move.clientY - at.y) > (touch ? TOUCH_SLOP : SLOP);
      if (!active && far) {
        if (touch) return stop(false);
        activate();
      }
      if (active) wake();
    };
    const onUp = (up: PointerEvent) => {
      if (up.pointerId !== pointer) return;
      latest = up;
      if (active && drag && request) drag.update(pointOf(up));
      if (!active) begin.click();
      stop(active);
    };
    const onCancel = (cancelled: PointerEvent) => {
      if (cancelled.pointerId === pointer) stop(false);
    };
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== "Escape" || !active) return;
      key.preventDefault();
      key.stopPropagation();
      stop(false);
    };
    const stop = (finished: boolean) => {
      window.clearTimeout(hold);
      cancelAnimationFrame(request);
      request = 0;
      if (finished) drag?.end?.();
      else drag?.cancel?.();
      drag = null;
      pointer = null;
      delete scroller.dataset["drag"];
      view.set({ snapFrame: null, marquee: null });
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", onCancel);
      window.removeEventListener("keydown", onKey, true);
      // Keys alone do not tell the next drag where the pointer is.
      latest = null;
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onUp);
    window.addEventListener("pointercancel", onCancel);
    window.addEventListener("keydown", onKey, true);
  };

  /** Ctrl and the wheel (also a pinch on a touchpad) zoom at the pointer, once a frame. */
  let wheel = { pixels: 0, x: 0, request: 0 };
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    wheel.pixels += event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    wheel.x = event.clientX;
    wheel.request ||= requestAnimationFrame(() => {
      const at = wheel.x - scroller.getBoundingClientRect().left - view.state.header;
      view.zoomTo(view.state.zoom * Math.exp(-wheel.pixels / 240), at);
      wheel = { pixels: 0, x: 0, request: 0 };
    });
  };

  const onTouchMove = (event: TouchEvent) => {
    const [first, second] = event.touches;
    if (drag && event.cancelable) event.preventDefault();
    if (!first || !second) return;
    if (event.cancelable) event.preventDefault();
    window.clearTimeout(hold);
    const distance = Math.max(24, Math.abs(first.clientX - second.clientX));
    pinch ??= { distance, zoom: view.state.zoom };
    const middle = (first.clientX + second.clientX) / 2 - scroller.getBoundingClientRect().left - view.state.header;
    view.zoomTo((pinch.zoom * distance) / pinch.distance, middle);
  };
  const onTouchEnd = () => {
    pinch = null;
  };

  /** The menu of a clip is about that clip. */
  const onMenu = (event: MouseEvent) => {
    if ("pointerType" in event && event.pointerType === "touch") {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const named = (event.target as Element).closest<HTMLElement>("[data-clip]")?.dataset["clip"];
    const id = named === undefined ? clipAt(editor.state.film, view.state, pointOf(event)) : Number(named);
    if (id !== undefined) selectFor(editor, id, false);
  };

  scroller.addEventListener("contextmenu", onMenu);
  scroller.addEventListener("pointerdown", onDown);
  scroller.addEventListener("wheel", onWheel, { passive: false });
  scroller.addEventListener("touchmove", onTouchMove, { passive: false });
  scroller.addEventListener("touchend", onTouchEnd);
  return () => {
    cancelAnimationFrame(request);
    cancelAnimationFrame(wheel.request);
    window.clearTimeout(hold);
    scroller.removeEventListener("contextmenu", onMenu);
    scroller.removeEventListener("pointerdown", onDown);
    scroller.removeEventListener("wheel", onWheel);
    scroller.removeEventListener("touchmove", onTouchMove);
    scroller.removeEventListener("touchend", onTouchEnd);
  };
}

interface Start {
  /** What is dragged: the pointer looks like it. */
  part: string;
  /** The drag acts as soon as the pointer is down. */
  now?: boolean;
  drag(): Drag | null;
  click(): void;
}

/** What a pointer that goes down begins: parts of the timeline say by `data-part` what they are. */
function startOf(event: PointerEvent, point: Point, editor: Editor, view: View): Start | null {
  const target = event.target as Element;
  const part = target.closest<HTMLElement>("[data-part]")?.dataset["part"];
  const add = event.shiftKey;
  switch (part) {
    case "ruler":
      editor.pause();
      return { part, now: true, drag: () => scrubDrag(editor, view), click() {} };
    case "film-end":
      return { part, drag: () => lengthDrag(editor, view), click() {} };
    case "row":
      return { part, drag: () => trackDrag(editor, point.track), click: () => selectRow(editor, point.track, add) };
    case undefined:
      return null;
  }
  const named = target.closest<HTMLElement>("[data-clip]")?.dataset["clip"];
  const id = named === undefined ? clipAt(editor.state.film, view.state, point) : Number(named);
  if (id === undefined)
    return {
      part: "marquee",
      drag: () => marqueeDrag(editor, view, point, add),
      click: () => (add ? undefined : editor.select([])),
    };
  view.set({ focus: id });
  switch (part) {
    case "start":
    case "end":
      selectFor(editor, id, add);
      return { part, drag: () => trimDrag(editor, view, point, { id, side: part, stretch: event.altKey }), click() {} };
    case "enter":
    case "exit":
      selectFor(editor, id, add);
      return { part, drag: () => rampDrag(editor, id, part), click() {} };
  }
  const wasSelected = editor.state.selection.includes(id);
  // With Alt, one clip of a group.
  const alone = event.altKey;
  if (alone && !add) editor.select([id]);
  else if (!wasSelected) selectFor(editor, id, add);
  return {
    part: "clip",
    drag: () => moveDrag(editor, view, point),
    click() {
      if (!wasSelected || alone) return;
      const { film, selection } = editor.state;
      editor.select(add ? withoutGroup(film, selection, id) : withGroups(film, [id]));
    },
  };
}

function selectFor(editor: Editor, id: number, add: boolean) {
  const { film, selection } = editor.state;
  if (selection.includes(id)) return;
  const ids = withGroups(film, [id]);
  editor.select(add ? [...selection, ...ids] : ids);
}

function selectRow(editor: Editor, track: number, add: boolean) {
  const { film, selection } = editor.state;
  const row = rowAt(film, track);
  const ids = film.overlays.filter((clip) => clip.row === row).map(({ id }) => id);
  editor.select(add ? [...selection, ...ids] : ids);
}
