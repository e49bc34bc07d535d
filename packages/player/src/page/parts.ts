/** Files of the player: where they are, loading them once a page, starting workers. */

import { Passing, repeat, request } from "../requests";

declare const PAINT_WORKER: string;
declare const MEDIA_WORKER: string;
declare const IMAGE_WORKER: string;
declare const PLAYER_WASM: string;
declare const BURMESE_WORDS: string;
declare const KHMER_WORDS: string;
declare const LAO_WORDS: string;
declare const THAI_WORDS: string;

/** Milliseconds after the page is loaded, which comes first. */
const AHEAD_AFTER = 1000;

export const paintWorker = new URL(PAINT_WORKER, import.meta.url);
export const mediaWorker = new URL(MEDIA_WORKER, import.meta.url);
export const imageWorker = new URL(IMAGE_WORKER, import.meta.url);
const wasm = new URL(PLAYER_WASM, import.meta.url);

/** Dictionaries by the names that the engine asks for, as it does for fonts. They break lines of text without spaces. */
export const dictionaries: Record<string, string> = {
  "dictionaries/burmese.bin": new URL(BURMESE_WORDS, import.meta.url).href,
  "dictionaries/khmer.bin": new URL(KHMER_WORDS, import.meta.url).href,
  "dictionaries/lao.bin": new URL(LAO_WORDS, import.meta.url).href,
  "dictionaries/thai.bin": new URL(THAI_WORDS, import.meta.url).href,
};

/** The service that fonts come from unless an element names another. */
export const ownService = new URL("/", import.meta.url).href;

/** What is loaded or was loaded for all players of the page, by address. What failed is asked for again when it is needed. */
const loads = new Map<string, Promise<unknown>>();

function once<T>(address: URL, load: () => Promise<T>): Promise<T> {
  const { href } = address;
  const loading = (loads.get(href) as Promise<T> | undefined) ?? load();
  loads.set(href, loading);
  loading.catch(() => loads.delete(href));
  return loading;
}

/** Players that start from now on load everything again. */
export const forgetLoads = () => loads.clear();

/** A file of this build. While the service is updated, another one of its processes may have it. */
async function part(address: URL): Promise<Response> {
  try {
    return await repeat(() =>
      request(address).catch((error: Error) => {
        throw new Passing(error.message);
      }),
    );
  } catch (error) {
    // So that the page gets the module as it is now when it is loaded again.
    fetch(import.meta.url, { cache: "reload" }).catch(() => undefined);
    throw new Error(`The player cannot be loaded. If it was updated, load the page again. ${(error as Error).message}`);
  }
}

/** The compiled engine. */
export const loadModule = (): Promise<WebAssembly.Module> =>
  once(wasm, async () => {
    const response = await part(wasm);
    if (response.headers.get("Content-Type")?.startsWith("application/wasm"))
      return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  });

/** Brings the script of a worker into the browser's cache, where it stays when the service is updated. */
export const loadScript = (address: URL): Promise<unknown> => once(address, async () => (await part(address)).text());

/**
 * Brings what players need into the browser's cache when the page is loaded: one that is put into the page later finds it
 * there, though the service may have another version by then.
 */
export function loadAhead() {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const load = () => {
    // The script for video and sound is large, and films without them do not need it.
    // A player that starts asks again: from the cache, or, if it is not there, from the service, which tells what is wrong.
    for (const address of [paintWorker, imageWorker, wasm])
      if (!loads.has(address.href))
        part(address)
          .then((response) => response.arrayBuffer())
          .catch(() => undefined);
  };
  const loadSoon = () => setTimeout(load, AHEAD_AFTER);
  if (document.readyState === "complete") loadSoon();
  else addEventListener("load", loadSoon, { once: true });
}

export function loadFontIndex(service: string): Promise<string> {
  const address = new URL("player/fonts/index", service);
  return once(address, async () => {
    try {
      return await repeat(async () => (await request(address)).text());
    } catch (error) {
      throw new Error(`The list of fonts cannot be loaded. ${(error as Error).message}`);
    }
  });
}

/** Starts a worker. Those of another origin start from a blob that imports them. */
export function startWorker(address: URL, name: string): Worker {
  if (address.origin === location.origin) return new Worker(address, { type: "module", name });
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" }));
  const worker = new Worker(blob, { type: "module", name });
  // The address is read when the worker starts.
  worker.addEventListener("message", () => URL.revokeObjectURL(blob), { once: true });
  return worker;
}

/** Whether this page can decode video and sound. */
export const canDecode = () => "VideoDecoder" in globalThis && "AudioDecoder" in globalThis;
