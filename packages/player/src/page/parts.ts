/** Files of the player: where they are, loading them once a page, starting workers. */

declare const PAINT_WORKER: string;
declare const MEDIA_WORKER: string;
declare const IMAGE_WORKER: string;
declare const PLAYER_WASM: string;
declare const BURMESE_WORDS: string;
declare const KHMER_WORDS: string;
declare const LAO_WORDS: string;
declare const THAI_WORDS: string;

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

let module: Promise<WebAssembly.Module> | null = null;
const indexes = new Map<string, Promise<string>>();

/** The compiled engine, shared by all players of a page. */
export function loadModule(): Promise<WebAssembly.Module> {
  module ??= compile().catch((error: unknown) => {
    module = null;
    throw error;
  });
  return module;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`The player cannot be loaded: status ${response.status}.`);
  if (response.headers.get("Content-Type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export function loadFontIndex(service: string): Promise<string> {
  const known = indexes.get(service);
  if (known) return known;
  const loading = (async () => {
    const response = await fetch(new URL("player/fonts/index", service));
    if (!response.ok) throw new Error(`The list of fonts cannot be loaded: status ${response.status}.`);
    return response.text();
  })();
  loading.catch(() => indexes.delete(service));
  indexes.set(service, loading);
  return loading;
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
