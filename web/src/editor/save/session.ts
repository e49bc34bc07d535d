/**
 * One open film and the service: saves a moment after the last change, keeps drafts in the browser, takes in changes from
 * elsewhere. Nothing is overwritten silently: a save names the state it was made from, and what both sides changed is asked.
 */

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { createStore, type StoreApi } from "zustand/vanilla";
import { ApiError } from "@/api/http";
import type { Editor } from "@/editor/model/editor";
import { type Film, openFilm } from "@/editor/model/film";
import { type Conflict, mergeFilms, resolveConflicts, sameFilm } from "@/editor/model/merge";
import { SAVE, STEPS } from "@/editor/strings/shell";
import { errorMessage } from "@/lib/error";
import { abandonedDrafts, removeDraft, removeOwnDraft, writeDraft } from "./drafts";
import { type Author, getFilm, putFilm, type StoredFilm } from "./projects";
import { hearTabs, tellTabs } from "./tabs";

export type SaveStatus =
  | "saved"
  | "unsaved"
  | "saving"
  /** The service cannot be reached. It is tried again by itself. */
  | "offline"
  /** Someone else changed the same. Nothing is saved until people choose. */
  | "conflict"
  /** The service refuses the film as it is. The next change is tried again. */
  | "rejected"
  | "signedOut"
  /** The film was deleted, or the preview has expired. */
  | "gone";

export interface SessionState {
  id: string;
  name: string;
  /** Whether this is the throwaway copy of a preview, and when it ends. */
  isCopy: boolean;
  expiresAt: string | null;
  status: SaveStatus;
  /** Why the film is not saved. */
  problem: string | null;
  conflicts: readonly Conflict[];
}

/** A save begins this long after the last change. */
const REST = 600;
/** While changes go on without rest, a save begins this long after the first. */
const LONGEST_UNSAVED = 5000;
/** Drafts are written at most this often. */
const DRAFT_PACE = 250;
const LONGEST_WAIT = 15_000;

export class Session {
  readonly store: StoreApi<SessionState>;
  /** The film as the service has it, and the state that names it. */
  private base: Film;
  private etag: string;
  private storedName: string;
  /** The film of the editor that equals `base`; null if none does. */
  private synced: Film | null;
  private isSaving = false;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private draftTimer: ReturnType<typeof setTimeout> | undefined;
  private draftAt = 0;
  /** When the oldest change was made that is not saved. */
  private dirtySince = 0;
  private failures = 0;
  /** A draft is being written, and what it holds has changed since. */
  private isWriting = false;
  private isOutdated = false;
  /** A change from elsewhere was announced while a save was under way. */
  private heard = false;

  constructor(
    readonly editor: Editor,
    stored: StoredFilm,
    private readonly accountId: string,
  ) {
    this.base = editor.state.film;
    this.synced = this.base;
    this.etag = stored.etag;
    this.storedName = stored.name;
    this.store = createStore<SessionState>(() => ({
      id: stored.id,
      name: stored.name,
      isCopy: stored.id.startsWith("prv_"),
      expiresAt: stored.expiresAt ?? null,
      status: "saved",
      problem: null,
      conflicts: [],
    }));
  }

  get state(): SessionState {
    return this.store.getState();
  }

  /** Saves from now on, until the returned function is called. */
  start(): () => void {
    const ends = [
      this.editor.on("change", () => this.changed()),
      listen(window, "online", () => this.retry()),
      listen(window, "pagehide", () => this.leave()),
      listen(document, "visibilitychange", () => {
        if (document.visibilityState === "hidden") this.leave();
        else void this.pull();
      }),
      hearTabs(({ id, etag }) => id === this.state.id && this.announce(etag)),
    ];
    // Drafts may have been put back before.
    if (this.isDirty) this.changed();
    return () => {
      for (const end of ends) end();
      this.leave();
      clearTimeout(this.saveTimer);
    };
  }

  private get isDirty(): boolean {
    return this.editor.state.film !== this.synced || this.state.name !== this.storedName;
  }

  private changed() {
    const { status } = this.state;
    if (!this.isDirty && status !== "conflict" && status !== "gone") {
      clearTimeout(this.saveTimer);
      if (!this.isSaving) this.settle();
      return;
    }
    this.keepDraft();
    this.dirtySince ||= performance.now();
    // Offline, the next try is already set.
    if (this.isSaving || ["conflict", "gone", "signedOut", "offline"].includes(status)) return;
    this.store.setState({ status: "unsaved", problem: null });
    const longest = this.dirtySince + LONGEST_UNSAVED - performance.now();
    this.schedule(Math.max(0, Math.min(REST, longest)));
  }

  private settle() {
    this.dirtySince = 0;
    clearTimeout(this.draftTimer);
    this.isOutdated = false;
    this.store.setState({ status: "saved", problem: null });
    void removeOwnDraft(this.state.id).catch(() => undefined);
  }

  private schedule(wait: number) {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.save(), wait);
  }

  /** Writes the draft at once, unless one was written just before. */
  private keepDraft() {
    clearTimeout(this.draftTimer);
    const wait = Math.max(0, this.draftAt + DRAFT_PACE - performance.now());
    if (wait === 0) this.writeDraft();
    else this.draftTimer = setTimeout(() => this.writeDraft(), wait);
  }

  /** One draft is written at a time, so that a slow disk does not keep the newest one waiting behind older ones. */
  private writeDraft(isLeaving = false) {
    this.draftAt = performance.now();
    if (this.isWriting && !isLeaving) {
      this.isOutdated = true;
      return;
    }
    this.isWriting = true;
    this.isOutdated = false;
    const { base, etag, accountId } = this;
    const draft = { projectId: this.state.id, accountId, film: this.editor.state.film, base, etag };
    const done = () => {
      this.isWriting = false;
      if (this.isOutdated) this.writeDraft();
    };
    // Without storage (a private window), the service alone keeps the film.
    void writeDraft(draft).then(done, done);
  }

  /** The page may be gone in a moment. */
  private leave() {
    clearTimeout(this.draftTimer);
    if (!this.isDirty) return;
    this.writeDraft(true);
    void this.save(true);
  }

  /** Tries again at once. */
  retry() {
    if (this.state.status === "offline" || this.state.status === "rejected") this.schedule(0);
  }

  /** Saves now what is not saved yet. */
  async save(isLeaving = false): Promise<void> {
    clearTimeout(this.saveTimer);
    const { status, name, id } = this.state;
    if (this.isSaving || !this.isDirty || status === "conflict" || status === "gone") return;
    const { film } = this.editor.state;
    const change = {
      ...(film === this.synced ? {} : { composition: this.editor.composition() }),
      ...(name === this.storedName ? {} : { name }),
    };
    this.isSaving = true;
    this.store.setState({ status: "saving" });
    try {
      this.accept(await putFilm(id, this.etag, change, isLeaving), film);
      tellTabs({ id, etag: this.etag });
      this.failures = 0;
      this.isSaving = false;
      if (this.isDirty) {
        this.keepDraft();
        this.dirtySince = performance.now();
        this.store.setState({ status: "unsaved", problem: null });
        this.schedule(REST);
      } else this.settle();
    } catch (error) {
      this.isSaving = false;
      await this.fail(error);
    }
    if (this.heard) void this.pull();
  }

  private accept(stored: StoredFilm, film: Film) {
    this.base = openFilm(stored.composition);
    this.etag = stored.etag;
    this.storedName = stored.name;
    this.synced = film;
  }

  private async fail(error: unknown) {
    const status = error instanceof ApiError ? error.status : 0;
    const problem = errorMessage(error);
    if (status === 412) return this.pull();
    if (status === 401) return this.store.setState({ status: "signedOut", problem });
    if (status === 403 || status === 404 || status === 410) return this.store.setState({ status: "gone", problem });
    if (status === 0 || status === 429 || status >= 500) {
      this.store.setState({ status: "offline", problem });
      return this.schedule(Math.min(1000 * 2 ** this.failures++, LONGEST_WAIT));
    }
    this.store.setState({ status: "rejected", problem });
  }

  /** The service says that the film has a new state, or none any more. */
  announce(etag: string | null) {
    if (etag !== this.etag) void this.pull();
  }

  /** Takes in what changed elsewhere. */
  async pull(): Promise<void> {
    if (this.isSaving) {
      this.heard = true;
      return;
    }
    this.heard = false;
    let stored: StoredFilm;
    try {
      stored = await getFilm(this.state.id);
    } catch (error) {
      if (this.isDirty || (error instanceof ApiError && error.status > 400 && error.status < 429))
        await this.fail(error);
      return;
    }
    if (this.state.status === "signedOut") this.store.setState({ status: "unsaved", problem: null });
    if (stored.etag === this.etag) return this.changed();
    // A save of ours came first: what was read may be older.
    if (this.isSaving) {
      this.heard = true;
      return;
    }
    this.merge(stored);
  }

  private merge(stored: StoredFilm) {
    const theirs = openFilm(stored.composition);
    const ours = this.editor.state.film;
    const { film, conflicts } = mergeFilms(this.base, ours, theirs);
    const renamedHere = this.state.name !== this.storedName;
    this.accept(stored, theirs);
    if (!renamedHere) this.store.setState({ name: stored.name });
    const isSame = sameFilm(film, theirs);
    this.synced = isSame ? film : null;
    this.addConflicts(conflicts);
    if (!sameFilm(film, ours)) {
      this.editor.endGesture();
      this.editor.replace(film, { name: changeName(stored.changedBy), by: "remote" });
    } else if (isSame) this.synced = ours;
    this.changed();
  }

  private addConflicts(conflicts: readonly Conflict[]) {
    if (!conflicts.length) return;
    const fresh = new Set(conflicts.map(({ key }) => key));
    const kept = this.state.conflicts.filter(({ key }) => !fresh.has(key));
    this.store.setState({ status: "conflict", conflicts: [...kept, ...conflicts] });
  }

  /** Ends the conflicts: theirs is taken where chosen, ours stays elsewhere. */
  resolve(takeTheirs: ReadonlySet<string>) {
    const film = resolveConflicts(this.editor.state.film, this.state.conflicts, takeTheirs);
    this.store.setState({ conflicts: [], status: "unsaved", problem: null });
    this.editor.replace(film, { name: STEPS.resolve });
    this.synced = sameFilm(this.editor.state.film, this.base) ? this.editor.state.film : this.synced;
    this.changed();
    void this.save();
  }

  rename(name: string) {
    const next = name.trim();
    if (!next || next === this.state.name) return;
    this.store.setState({ name: next });
    if (this.state.isCopy) return;
    this.changed();
    this.schedule(0);
  }

  /** The film was kept elsewhere: what this one had not saved need not be restored. */
  abandon() {
    this.synced = this.editor.state.film;
    this.storedName = this.state.name;
    this.isOutdated = false;
    void removeOwnDraft(this.state.id).catch(() => undefined);
  }

  /** Puts back what a closed or killed tab had not saved. Whether there was any. */
  async restoreDrafts(): Promise<boolean> {
    const drafts = await abandonedDrafts(this.state.id, this.accountId).catch(() => []);
    let restored = false;
    for (const draft of drafts) {
      const theirs = this.editor.state.film;
      const { film, conflicts } = mergeFilms(draft.base, draft.film, theirs);
      if (!sameFilm(film, theirs)) {
        restored = true;
        this.addConflicts(conflicts);
        this.editor.replace(film, { name: STEPS.restoreDraft });
        this.writeDraft();
      }
      await removeDraft(draft.key).catch(() => undefined);
    }
    return restored;
  }
}

/** The account has one person: their other change came from another tab or device. */
const changeName = (author: Author | null | undefined) =>
  author?.kind === "person" ? STEPS.changeElsewhere : STEPS.changeBy(author?.name ?? SAVE.someone);

function listen(target: EventTarget, event: string, listener: () => void): () => void {
  target.addEventListener(event, listener);
  return () => target.removeEventListener(event, listener);
}

export const SessionContext = createContext<Session | null>(null);

/** The open film and how it is saved. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no open film around this component.");
  return session;
}

export const useSessionState = <T>(select: (state: SessionState) => T): T =>
  useStore(useSession().store, useShallow(select));
