/** Undo and redo. Steps hold whole films, which share everything that a step did not change. */

import type { Film } from "./film";

export interface Step {
  /** What people read: "Move", "Delete 3 overlays". */
  name: string;
  film: Film;
  /** Overlays that were selected when the step was made. */
  selection: readonly number[];
  /** Steps of one gesture (a drag, a slider) are one step. */
  gesture?: string | undefined;
}

/** The oldest steps are dropped beyond this many. */
const MOST_STEPS = 10_000;

export class History {
  private steps: Step[];
  /** The step that is shown. */
  private position = 0;

  constructor(film: Film) {
    this.steps = [{ name: "Open", film, selection: [] }];
  }

  get current(): Step {
    return this.steps[this.position] as Step;
  }

  get list(): readonly Step[] {
    return this.steps;
  }

  get at(): number {
    return this.position;
  }

  get canUndo(): boolean {
    return this.position > 0;
  }

  get canRedo(): boolean {
    return this.position < this.steps.length - 1;
  }

  /** Adds a step after the current one; what was undone is forgotten. */
  push(step: Step) {
    const joins = step.gesture !== undefined && step.gesture === this.current.gesture && this.position > 0;
    this.steps.length = joins ? this.position : this.position + 1;
    this.steps.push(step);
    if (this.steps.length > MOST_STEPS + 1) this.steps.shift();
    this.position = this.steps.length - 1;
  }

  /** The next edit begins a step of its own, even if it names the same gesture. */
  endGesture() {
    const { gesture: _, ...step } = this.current;
    this.steps[this.position] = step;
  }

  /** Takes the steps of a gesture out again, if it made any. */
  drop(gesture: string): boolean {
    if (this.position === 0 || this.current.gesture !== gesture) return false;
    this.steps.splice(this.position, 1);
    this.position--;
    return true;
  }

  go(position: number): Step {
    this.position = Math.max(0, Math.min(position, this.steps.length - 1));
    return this.current;
  }
}
