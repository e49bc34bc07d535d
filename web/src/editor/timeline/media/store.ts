/** What was computed of media, kept in the browser by address. Without storage everything is computed again. */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";

interface Kept {
  address: string;
  peaks: Uint8Array;
  /** When it was kept: the oldest go first. */
  at: number;
}

interface Schema extends DBSchema {
  peaks: { key: string; value: Kept; indexes: { at: number } };
}

const MOST_KEPT = 200;
let database: Promise<IDBPDatabase<Schema>> | null = null;

const open = () => {
  database ??= openDB<Schema>("rondo-timeline", 1, {
    upgrade: (db) => void db.createObjectStore("peaks", { keyPath: "address" }).createIndex("at", "at"),
  });
  return database;
};

export async function readPeaks(address: string): Promise<Uint8Array | undefined> {
  try {
    return (await (await open()).get("peaks", address))?.peaks;
  } catch {
    return undefined;
  }
}

export async function keepPeaks(address: string, peaks: Uint8Array) {
  try {
    const db = await open();
    await db.put("peaks", { address, peaks, at: Date.now() });
    const old = (await db.count("peaks")) - MOST_KEPT;
    if (old <= 0) return;
    const keys = await db.getAllKeysFromIndex("peaks", "at", undefined, old);
    await Promise.all(keys.map((key) => db.delete("peaks", key)));
  } catch {
    // The peaks stay in memory.
  }
}
