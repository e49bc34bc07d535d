/**
 * What the service has not got yet, kept in the browser (IndexedDB): a killed browser loses nothing older than a moment. Each
 * open tab has a draft of its own.
 */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Film } from "@/editor/model/film";

export interface Draft {
  /** "project/tab". */
  key: string;
  projectId: string;
  tab: string;
  /** The account whose film it is: browsers are shared. */
  accountId: string;
  film: Film;
  /** The film of the service that it was made from, and the state that names it. */
  base: Film;
  etag: string;
  savedAt: number;
}

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { projectId: string } };
}

const tab = crypto.getRandomValues(new Uint32Array(2)).join("");
const lockName = (name: string) => `rondo-editor-${name}`;
/** Drafts that nobody came back for. */
const LONGEST = 30 * 86_400_000;

let database: Promise<IDBPDatabase<Schema>> | null = null;

function open(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>("rondo-editor", 1, {
    upgrade(db) {
      db.createObjectStore("drafts", { keyPath: "key" }).createIndex("projectId", "projectId");
    },
  });
  // The lock is held as long as the tab lives: other tabs leave its drafts alone.
  if (!held) {
    held = true;
    void navigator.locks?.request(lockName(tab), () => new Promise(() => undefined));
  }
  return database;
}
let held = false;

export async function writeDraft(draft: Omit<Draft, "key" | "tab" | "savedAt">) {
  const db = await open();
  await db.put("drafts", { ...draft, key: `${draft.projectId}/${tab}`, tab, savedAt: Date.now() });
}

export async function removeDraft(key: string) {
  await (await open()).delete("drafts", key);
}

export const removeOwnDraft = (projectId: string) => removeDraft(`${projectId}/${tab}`);

/** The drafts of a film that no open tab has, oldest first. */
export async function abandonedDrafts(projectId: string, accountId: string): Promise<Draft[]> {
  const db = await open();
  const held = (await navigator.locks?.query())?.held ?? [];
  const living = new Set(held.map((lock) => lock.name));
  const drafts = await db.getAllFromIndex("drafts", "projectId", projectId);
  for (const draft of drafts) if (Date.now() - draft.savedAt > LONGEST) void removeDraft(draft.key);
  return drafts
    .filter((draft) => draft.accountId === accountId && draft.tab !== tab && !living.has(lockName(draft.tab)))
    .sort((a, b) => a.savedAt - b.savedAt);
}
