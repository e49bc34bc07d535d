/** Files on disk, where the platform has them (Node, Deno, Bun). */

import { RondoError } from "./errors.js";

/** The parts of `node:fs` that are used. Loaded when needed: Workers have none. */
interface FileSystem {
  openAsBlob(path: string): Promise<Blob>;
  createWriteStream(path: string): object;
  promises: {
    open(path: string, flags: string): Promise<FileHandle>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: boolean }): Promise<void>;
  };
}

interface FileHandle {
  stat(): Promise<{ size: number }>;
  read(into: Uint8Array, at: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

interface Streams {
  Readable: { fromWeb(stream: ReadableStream): object };
  promises: { pipeline(...streams: object[]): Promise<void> };
}

async function load<T>(name: string, instead: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (cause) {
    throw new RondoError(`This platform has no files. ${instead}`, { cause });
  }
}

const WITHOUT_OUTPUT = "Leave out `output`, and use the `outputUrl` of the job or `renders.download`.";

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

const partOf = (path: string) => `${path}.part`;

/** Fails if no file can be written at the path: before a render costs credits. */
export async function checkWritable(path: string): Promise<void> {
  const { promises } = await load<FileSystem>("node:fs", WITHOUT_OUTPUT);
  const part = partOf(path);
  try {
    await (await promises.open(part, "wx")).close();
  } catch (error) {
    // Another download writes to it.
    if ((error as { code?: string }).code === "EEXIST") return;
    throw error;
  }
  await promises.rm(part, { force: true });
}

/** Writes a response to a file. The file appears when it is complete. */
export async function saveFile(response: Response, path: string): Promise<void> {
  if (!response.body) throw new RondoError("The file is empty.");
  const files = await load<FileSystem>("node:fs", WITHOUT_OUTPUT);
  const streams = await load<Streams>("node:stream", WITHOUT_OUTPUT);
  const part = partOf(path);
  try {
    await streams.promises.pipeline(streams.Readable.fromWeb(response.body), files.createWriteStream(part));
    await files.promises.rename(part, path);
  } catch (error) {
    await files.promises.rm(part, { force: true });
    throw error;
  }
}
