/** Files on disk, where the platform has them (Node, Deno, Bun). */

import { RondoError } from "./errors.js";

/** The parts of `node:fs` that are used. Loaded when needed: Workers have none. */
interface FileSystem {
  openAsBlob(path: string): Promise<Blob>;
  createWriteStream(path: string): object;
  promises: {
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: boolean }): Promise<void>;
  };
}

interface Streams {
  Readable: { fromWeb(stream: ReadableStream): object };
  promises: { pipeline(...streams: object[]): Promise<void> };
}

async function load<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (cause) {
    throw new RondoError("This platform has no files. Use bytes or a Blob instead of a path.", { cause });
  }
}

export const fileName = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

export async function openFile(path: string): Promise<Blob> {
  const files = await load<FileSystem>("node:fs");
  return files.openAsBlob(path);
}

/** Writes a response to a file. The file appears when it is complete. */
export async function saveFile(response: Response, path: string): Promise<void> {
  if (!response.body) throw new RondoError("The file is empty.");
  const [files, streams] = await Promise.all([load<FileSystem>("node:fs"), load<Streams>("node:stream")]);
  const part = `${path}.part`;
  try {
    await streams.promises.pipeline(streams.Readable.fromWeb(response.body), files.createWriteStream(part));
    await files.promises.rename(part, path);
  } catch (error) {
    await files.promises.rm(part, { force: true });
    throw error;
  }
}
