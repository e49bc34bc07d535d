/** Files on disk, where the platform has them (Node, Deno, Bun). */

import type { Piece } from "./downloads.js";
import { RondoError } from "./errors.js";

/** The parts of `node:fs` that are used. Loaded when needed: Workers have none. */
interface FileSystem {
  openAsBlob(path: string): Promise<Blob>;
  promises: {
    open(path: string, flags: string): Promise<FileHandle>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: boolean }): Promise<void>;
    stat(path: string): Promise<{ isDirectory(): boolean }>;
  };
}

interface FileHandle {
  stat(): Promise<{ size: number }>;
  read(into: Uint8Array, at: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(from: Uint8Array, at: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  truncate(): Promise<void>;
  close(): Promise<void>;
}

async function load<T>(name: string, instead: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (cause) {
    throw new RondoError(`This platform has no files. ${instead}`, { cause });
  }
}

const WITHOUT_OUTPUT = "Leave out `output`, and use the `outputUrl` of the job or `renders.download`.";
export const WITHOUT_PATH = "Leave out the path, and read the body of the response.";

export const fileName = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

/** A file to send. */
export interface Source {
  size: number;
  part(start: number, end: number): Promise<Blob>;
  whole(): Promise<Blob>;
  close(): Promise<void>;
}

export const sourceOf = (blob: Blob): Source => ({
  size: blob.size,
  part: async (start, end) => blob.slice(start, end),
  whole: async () => blob,
  close: async () => undefined,
});

/** A file on disk. Its parts are read when they are needed: `openAsBlob` of Deno reads all of it at once. */
export async function openFile(path: string): Promise<Source> {
  const files = await load<FileSystem>("node:fs", "Use bytes or a Blob instead of a path.");
  const file = await files.promises.open(path, "r");
  return {
    size: (await file.stat()).size,
    async part(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let filled = 0; filled < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) throw new RondoError(`${path} has become shorter while it was sent.`);
        filled += bytesRead;
      }
      return new Blob([bytes]);
    },
    whole: () => files.openAsBlob(path),
    close: () => file.close(),
  };
}

/** Where a file is written until it is complete. Each download has a place of its own. */
const partOf = (path: string) => `${path}.${crypto.randomUUID()}.part`;

/** Fails if no file can be written at the path: before a render costs credits. */
export async function checkWritable(path: string, instead = WITHOUT_OUTPUT): Promise<void> {
  const { promises } = await load<FileSystem>("node:fs", instead);
  const there = await promises.stat(path).catch(() => null);
  if (there?.isDirectory()) throw new RondoError(`${path} is a folder. Add the name of the file.`);
  const part = partOf(path);
  await (await promises.open(part, "wx")).close();
  await promises.rm(part, { force: true });
}

/** Writes the pieces of a file. One at 0 starts it again. The file appears when it is complete. */
export async function saveFile(pieces: AsyncIterable<Piece>, path: string): Promise<void> {
  const { promises } = await load<FileSystem>("node:fs", WITHOUT_PATH);
  const part = partOf(path);
  try {
    const file = await promises.open(part, "w");
    try {
      for await (const { at, bytes } of pieces) {
        if (at === 0) await file.truncate();
        for (let done = 0; done < bytes.length; )
          done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
      }
    } finally {
      await file.close();
    }
    await promises.rename(part, path);
  } catch (error) {
    await promises.rm(part, { force: true });
    throw error;
  }
}
