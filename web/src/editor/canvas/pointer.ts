/** The pointer on the canvas: mouse, pen and fingers become selections and gestures. */

import type { Editor } from "@/editor/model/editor";
import { findOverlay } from "@/editor/model/film";
import { withGroups, withoutGroup } from "@/editor/model/groups";
import type { Point } from "@/editor/player";
import { boxOf, cropOf, isMedia, windowOf } from "./boxes";
import { type Handle, isInside, quadOf } from "./geometry";
import { type Gesture, marqueeGesture, moveGesture, type Pointer, resizeGesture, rotateGesture } from "./gestures";
import { overlaysAt, saidAt } from "./hit";
import { cropGesture, slideGesture, zoomMedia } from "./media-gestures";
import { enterMode, leaveMode } from "./modes";
import { panBy, toFilm, view, zoomTo } from "./view";

/** Pixels the pointer moves before a press is a drag. */
const SLACK = 3;
const FINGER_SLACK = 8;
/** Milliseconds a finger rests on an overlay before it drags it. */
const HOLD = 350;

interface Press {
  id: number;
  at: Point;
  isTouch: boolean;
  /** Begins the gesture; null while it is not known what lies there. */
  begin: (() => Gesture | null) | null;
  gesture: Gesture | null;
  /** What a press without a drag does. */
  click: (() => void) | null;
  last: PointerEvent;
  isReleased: boolean;
  hold?: ReturnType<typeof setTimeout>;
}

export class PointerControl {
  private press: Press | null = null;
  private fingers = new Map<number, Point>();
  private isSpaceHeld = false;
  /** The canvas was shifted since the space bar is held. */
  private hasPanned = false;
  /** Presses of the space bar that are passed on. */
  private readonly replayed = new WeakSet<Event>();
  private isLooking = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly editor: Editor,
  ) {}

  /** Listens until the returned function is called. */
  attach(): () => void {
    const abort = new AbortController();
    const { signal } = abort;
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.down(event), { signal });
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    element.addEventListener("pointerup", (event) => this.up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.cancel(event), { signal });
    element.addEventListener("pointerleave", () => view.setState({ hover: null }), { signal });
    element.addEventListener("dblclick", (event) => void this.open(event), { signal });
    element.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    window.addEventListener("keydown", (event) => this.keyDown(event), { signal, capture: true });
    window.addEventListener("keyup", (event) => this.keyUp(event), { signal });
    window.addEventListener("blur", () => this.setSpace(false), { signal });
    return () => abort.abort();
  }

  private at(event: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  private pointer(event: PointerEvent): Pointer {
    return {
      point: toFilm(this.at(event)),
      shift: event.shiftKey,
      alt: event.altKey,
      free: event.ctrlKey || event.metaKey,
    };
  }

  private down(event: PointerEvent) {
    if (isTyping(event.target)) return;
    const isTouch = event.pointerType === "touch";
    const at = this.at(event);
    if (isTouch) {
      this.fingers.set(event.pointerId, at);
      if (this.fingers.size === 2) return this.endPress(true);
    }
    if (this.press || event.button > 1) return;
    this.element.setPointerCapture(event.pointerId);
    const press: Press = {
      id: event.pointerId,
      at,
      isTouch,
      begin: null,
      gesture: null,
      click: null,
      last: event,
      isReleased: false,
    };
    this.press = press;
    view.setState({ hover: null });
    if (event.button === 1 || this.isSpaceHeld) {
      press.begin = () => this.panGesture(at);
      this.hasPanned = true;
      event.preventDefault();
    } else if (!this.pressHandle(press, event)) void this.pressOverlay(press, event);
  }

  /** A press on a handle; false if there is none. */
  private pressHandle(press: Press, event: PointerEvent): boolean {
    const target = (event.target as Element).closest<SVGElement>("[data-handle], [data-rotate], [data-crop]");
    if (!target) return false;
    const point = toFilm(press.at);
    const { handle, crop } = target.dataset;
    const { mode } = view.getState();
    const media = mode?.kind === "media" ? findOverlay(this.editor.document(), mode.id) : undefined;
    if (handle) press.begin = () => resizeGesture(this.editor, parseHandle(handle), point);
    else if (crop && media) press.begin = () => cropGesture(this.editor, media, parseHandle(crop), point);
    else press.begin = () => rotateGesture(this.editor, point);
    return true;
  }

  private async pressOverlay(press: Press, event: PointerEvent) {
    const { editor } = this;
    const point = toFilm(press.at);
    const { mode } = view.getState();
    const opened = mode && findOverlay(editor.document(), mode.id);
    if (mode && opened) {
      const isWithin = isInside(point, quadOf(windowOf(boxOf(opened), cropOf(opened))));
      if (mode.kind === "media" && isWithin) {
        press.begin = () => slideGesture(editor, opened, point);
        return;
      }
      leaveMode(editor);
    }
    const ids = await overlaysAt(editor, point);
    // A second finger took over meanwhile.
    if (this.press !== press && !press.isReleased) return;
    const { selection } = editor.state;
    const [top] = ids;
    const held = ids.find((id) => selection.includes(id));
    if (event.altKey && ids.length > 1) {
      // The one beneath the selected one; after the lowest, the topmost.
      const next = ids[(held === undefined ? 1 : ids.indexOf(held) + 1) % ids.length] as number;
      press.click = () => this.choose([next], next, false);
      press.begin = () => moveGesture(editor, point);
    } else if (event.shiftKey) {
      if (top === undefined) press.begin = () => marqueeGesture(editor, point, true);
      else {
        press.click = () =>
          this.choose(
            selection.includes(top) ? withoutGroup(editor.document(), selection, top) : [...selection, top],
            top,
          );
        press.begin = () => {
          if (!editor.state.selection.includes(top)) this.choose([...selection, top], top);
          return moveGesture(editor, point);
        };
      }
    } else if (top === undefined) {
      press.click = () => this.choose([]);
      press.begin = () => marqueeGesture(editor, point, false);
    } else {
      // With Alt, one overlay of a group.
      press.click = () => this.choose([top], top, !event.altKey);
      press.begin = () => {
        if (held === undefined) this.choose([top], top, !event.altKey);
        return moveGesture(editor, point);
      };
    }
    if (press.isTouch) this.waitForHold(press, top !== undefined);
    else if (held === undefined && !event.shiftKey && !event.altKey) press.click?.();
    // The pointer may have moved, or left, while the engine answered.
    if (press.isReleased) this.finish(press);
    else this.advance(press, press.last);
  }

  /** A finger that rests drags; one that moves at once shifts the canvas. */
  private waitForHold(press: Press, isOnOverlay: boolean) {
    const drag = press.begin;
    press.begin = () => this.panGesture(press.at);
    if (!isOnOverlay) return;
    press.hold = setTimeout(() => {
      if (this.press !== press || press.gesture) return;
      press.gesture = drag?.() ?? null;
      view.setState({ dragging: true });
      navigator.vibrate?.(10);
    }, HOLD);
  }

  private choose(ids: readonly number[], focused = ids[0], grouped = true) {
    this.editor.select(grouped ? withGroups(this.editor.document(), ids) : ids);
    const item = this.element.querySelector<SVGElement>(`[data-overlay="${focused}"]`);
    (item ?? this.element).focus({ preventScroll: true });
  }

  private move(event: PointerEvent) {
    if (event.pointerType === "touch" && this.fingers.size > 1) return this.pinch(event);
    const { press } = this;
    if (!press) {
      if (event.pointerType === "mouse") void this.look(event);
      return;
    }
    if (event.pointerId !== press.id) return;
    press.last = event;
    this.advance(press, event);
  }

  private advance(press: Press, event: PointerEvent) {
    if (!press.gesture) {
      const [x, y] = this.at(event);
      if (Math.hypot(x - press.at[0], y - press.at[1]) < (press.isTouch ? FINGER_SLACK : SLACK) || !press.begin) return;
      clearTimeout(press.hold);
      press.gesture = press.begin();
      view.setState({ dragging: true });
    }
    press.gesture?.move(this.pointer(event));
  }

  private up(event: PointerEvent) {
    this.fingers.delete(event.pointerId);
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    press.isReleased = true;
    press.last = event;
    // Without an answer of the engine, the press ends when it comes.
    if (press.begin) this.finish(press);
    else this.press = null;
  }

  private finish(press: Press) {
    clearTimeout(press.hold);
    if (this.press === press) this.press = null;
    if (press.gesture) press.gesture.end(false);
    else press.click?.();
    view.setState({ dragging: false });
  }

  private cancel(event: PointerEvent) {
    this.fingers.delete(event.pointerId);
    if (this.press?.id === event.pointerId) this.endPress(true);
  }

  private endPress(cancelled: boolean) {
    const { press } = this;
    if (!press) return;
    clearTimeout(press.hold);
    this.press = null;
    press.begin = null;
    press.gesture?.end(cancelled);
    view.setState({ dragging: false });
  }

  /** Shows what a click would select. */
  private async look(event: PointerEvent) {
    if (this.isLooking || this.editor.state.playing || view.getState().mode) return;
    const isOnHandle = (event.target as Element).closest?.("[data-handle], [data-rotate], [data-crop]");
    if (isOnHandle) return view.setState({ hover: null });
    this.isLooking = true;
    const [top = null] = await overlaysAt(this.editor, toFilm(this.at(event)));
    this.isLooking = false;
    if (!this.press && view.getState().hover !== top) view.setState({ hover: top });
  }

  private async open(event: MouseEvent) {
    if (isTyping(event.target)) return;
    if (view.getState().mode) return leaveMode(this.editor);
    const point = toFilm(this.at(event));
    const [top] = await overlaysAt(this.editor, point);
    if (top === undefined) return;
    const isCaption = findOverlay(this.editor.document(), top)?.type === "caption";
    enterMode(this.editor, top, isCaption ? await saidAt(top, point) : null);
  }

  private panGesture(from: Point): Gesture {
    let last = from;
    return {
      move: ({ point }) => {
        const { x, y, scale } = view.getState();
        const now: Point = [point[0] * scale + x, point[1] * scale + y];
        panBy(now[0] - last[0], now[1] - last[1]);
        last = now;
      },
      end: () => undefined,
    };
  }

  /** Two fingers: the canvas follows both. */
  private pinch(event: PointerEvent) {
    const before = this.fingers.get(event.pointerId);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!before || !other) return;
    const now = this.at(event);
    this.fingers.set(event.pointerId, now);
    const apart = (point: Point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    const middle: Point = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    panBy((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    if (apart(before) > 1) zoomTo((view.getState().scale * apart(now)) / apart(before), middle);
  }

  private wheel(event: WheelEvent) {
    if (isTyping(event.target) && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    const { mode, scale } = view.getState();
    if (event.ctrlKey || event.metaKey) zoomTo(scale * Math.exp(-clampWheel(dy) / 300), this.at(event));
    else if (mode?.kind === "media" && this.isOver(mode.id, event))
      zoomMedia(this.editor, mode.id, Math.exp(-clampWheel(dy) / 500), `canvas-zoom-${mode.id}`);
    else if (event.shiftKey && !dx) panBy(-dy, 0);
    else panBy(-dx, -dy);
  }

  private isOver(id: number, event: MouseEvent): boolean {
    const overlay = findOverlay(this.editor.document(), id);
    return (
      overlay !== undefined &&
      isMedia(overlay) &&
      isInside(toFilm(this.at(event)), quadOf(windowOf(boxOf(overlay), cropOf(overlay))))
    );
  }

  private keyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && this.press?.gesture) {
      this.endPress(true);
      event.preventDefault();
    } else if (
      event.key === " " &&
      !this.replayed.has(event) &&
      this.element.matches(":hover") &&
      !isControl(event.target)
    ) {
      // Held, the space bar shifts the canvas. What else it does is done when it is let go.
      event.preventDefault();
      event.stopPropagation();
      this.setSpace(true);
    }
  }

  private keyUp(event: KeyboardEvent) {
    if (event.key !== " " || !this.isSpaceHeld) return;
    const panned = this.hasPanned;
    this.setSpace(false);
    if (panned) return;
    const again = new KeyboardEvent("keydown", { key: " ", code: "Space", bubbles: true, cancelable: true });
    this.replayed.add(again);
    (event.target ?? window).dispatchEvent(again);
  }

  private setSpace(held: boolean) {
    if (held === this.isSpaceHeld) return;
    this.isSpaceHeld = held;
    this.hasPanned = false;
    this.element.toggleAttribute("data-panning", held);
  }
}

/** A notch of a wheel is 100 pixels or more; a trackpad sends a few at a time. */
const clampWheel = (delta: number) => Math.max(-120, Math.min(120, delta));

const parseHandle = (text: string): Handle => {
  const [x, y] = text.split(",").map(Number);
  return { x, y } as Handle;
};

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("textarea, input, [contenteditable]") !== null;

const isControl = (target: EventTarget | null) =>
  isTyping(target) || (target instanceof HTMLElement && target.closest("button, a, select, [role^=menu]") !== null);
