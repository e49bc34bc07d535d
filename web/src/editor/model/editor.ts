/**
 * The editor without its interface: a film, its history, the selection and the playhead. `window.rondo.editor` is this object, and
 * the interface changes films through nothing else.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import { applyEdits, type Edit } from "./edits";
import { closeFilm, type Film, findOverlay, type Overlay, openFilm } from "./film";
import { History } from "./history";

export interface EditorState {
  film: Film;
  /** Ids of overlays, in the order they were selected. */
  selection: readonly number[];
  /** The playhead. */
  frame: number;
  playing: boolean;
  /** How fast it plays: 1, 2, 4 or 8. */
  rate: number;
  /** Ids of overlays that are left out of the picture, silenced, or safe from gestures. The editor's own: not part of the film. */
  hidden: readonly number[];
  muted: readonly number[];
  locked: readonly number[];
  /** Names of the steps, the first being the film as it was opened, and which of them is shown. */
  steps: readonly string[];
  step: number;
}

/** Lists of overlays that the editor keeps beside the film. */
export type Flag = "hidden" | "muted" | "locked";

export interface ApplyOptions {
  /** What the step is called in the history. */
  name?: string;
  /** Edits that name the same gesture, one after another, are one step: a drag, a slider. `endGesture` ends it. */
  gesture?: string;
  /** What is selected after the step. */
  select?: readonly number[];
}

export interface EditorEvents {
  /** The film changed: by an edit, undo, redo, or from outside. */
  change: { film: Film; name: string; by: "edit" | "undo" | "redo" | "remote" };
  select: { selection: readonly number[] };
  seek: { frame: number };
  play: { playing: boolean; rate: number };
}

type Listener<E extends keyof EditorEvents> = (detail: EditorEvents[E]) => void;

export class Editor {
  readonly store: StoreApi<EditorState>;
  private readonly history: History;
  private readonly listeners = new Map<keyof EditorEvents, Set<Listener<never>>>();

  constructor(private readonly opened: unknown) {
    const film = openFilm(opened);
    this.history = new History(film);
    this.store = createStore<EditorState>(() => ({
      film,
      selection: [],
      frame: 0,
      playing: false,
      rate: 1,
      hidden: [],
      muted: [],
      locked: [],
      steps: ["Open"],
      step: 0,
    }));
  }

  get state(): EditorState {
    return this.store.getState();
  }

  /** The film. Not to be changed in place. */
  document(): Film {
    return this.state.film;
  }

  /** The film as it is stored: without sizes that the editor filled in. */
  composition(): Film {
    return closeFilm(this.state.film, this.opened);
  }

  /** Applies edits as one step: all or none. Throws `EditError` if an overlay is missing. */
  apply(edits: Edit | readonly Edit[], options: ApplyOptions = {}) {
    const list = Array.isArray(edits) ? (edits as readonly Edit[]) : [edits as Edit];
    if (!list.length) return;
    this.advance(applyEdits(this.state.film, list), options, "edit");
  }

  /** Puts another film in place as one step that can be undone: a restored version, an agent's change. */
  replace(film: Film, options: ApplyOptions & { by?: "edit" | "remote" } = {}) {
    this.advance(openFilm(film), options, options.by ?? "edit");
  }

  private advance(film: Film, { name = "Edit", gesture, select }: ApplyOptions, by: "edit" | "remote") {
    if (film === this.state.film) return;
    const selection = present(film, select ?? this.state.selection);
    this.history.push({ name, film, selection, gesture });
    this.show(film, selection, name, by);
  }

  /** Ends a gesture: the next edit is a step of its own. */
  endGesture() {
    this.history.endGesture();
  }

  /** Ends a gesture as if it had not been made. */
  cancelGesture(gesture: string) {
    const { name } = this.history.current;
    if (!this.history.drop(gesture)) return;
    const { film } = this.history.current;
    this.show(film, present(film, this.state.selection), name, "undo");
  }

  undo() {
    if (!this.history.canUndo) return;
    const undone = this.history.current;
    const step = this.history.go(this.history.at - 1);
    this.show(step.film, present(step.film, undone.selection), undone.name, "undo");
  }

  redo() {
    if (!this.history.canRedo) return;
    const step = this.history.go(this.history.at + 1);
    this.show(step.film, present(step.film, step.selection), step.name, "redo");
  }

  /** Goes to a step of the history. */
  goTo(position: number) {
    const back = position < this.history.at;
    const step = this.history.go(position);
    this.show(step.film, present(step.film, step.selection), step.name, back ? "undo" : "redo");
  }

  private show(film: Film, selection: readonly number[], name: string, by: EditorEvents["change"]["by"]) {
    const before = this.state;
    const frame = Math.min(before.frame, Math.max(film.durationInFrames - 1, 0));
    this.store.setState({
      film,
      selection: sameIds(before.selection, selection) ? before.selection : selection,
      frame,
      steps: this.history.list.map((step) => step.name),
      step: this.history.at,
    });
    this.emit("change", { film, name, by });
    if (!sameIds(before.selection, selection)) this.emit("select", { selection });
    if (frame !== before.frame) this.emit("seek", { frame });
  }

  select(ids: readonly number[]) {
    const selection = present(this.state.film, [...new Set(ids)]);
    if (sameIds(selection, this.state.selection)) return;
    this.store.setState({ selection });
    this.emit("select", { selection });
  }

  /** The selected overlays. */
  selected(): Overlay[] {
    return this.state.selection.flatMap((id) => findOverlay(this.state.film, id) ?? []);
  }

  /** Hides, mutes or locks overlays, or takes that back. */
  flag(flag: Flag, ids: readonly number[], on: boolean) {
    const others = this.state[flag].filter((id) => !ids.includes(id));
    this.store.setState({ [flag]: on ? [...others, ...new Set(ids)] : others });
  }

  seek(frame: number) {
    const last = Math.max(this.state.film.durationInFrames - 1, 0);
    const next = Math.max(0, Math.min(Math.round(frame), last));
    if (next === this.state.frame) return;
    this.store.setState({ frame: next });
    this.emit("seek", { frame: next });
  }

  /** The playhead moved because the film plays. Nobody has to seek. */
  follow(frame: number) {
    if (frame !== this.state.frame) this.store.setState({ frame });
  }

  play(rate = 1) {
    this.setPlaying(true, rate);
  }

  pause() {
    this.setPlaying(false, 1);
  }

  private setPlaying(playing: boolean, rate: number) {
    if (playing === this.state.playing && rate === this.state.rate) return;
    this.store.setState({ playing, rate });
    this.emit("play", { playing, rate });
  }

  /** Calls a function at each event, until the returned function is called. */
  on<E extends keyof EditorEvents>(event: E, listener: Listener<E>): () => void {
    const set = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, set);
    set.add(listener as Listener<never>);
    return () => set.delete(listener as Listener<never>);
  }

  private emit<E extends keyof EditorEvents>(event: E, detail: EditorEvents[E]) {
    for (const listener of this.listeners.get(event) ?? []) (listener as Listener<E>)(detail);
  }
}

const present = (film: Film, ids: readonly number[]) => ids.filter((id) => findOverlay(film, id));

const sameIds = (left: readonly number[], right: readonly number[]) =>
  left.length === right.length && left.every((id, index) => id === right[index]);
