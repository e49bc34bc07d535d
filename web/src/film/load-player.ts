/** The script that defines `<rondo-player>`, loaded from the service once a page. */

const MODULE = "/player/rondo-player.js";
let loading: Promise<unknown> | null = null;

/** Defines the element; rejects where it cannot work. */
export function loadPlayer(): Promise<unknown> {
  const load = async () => {
    if (!("WebAssembly" in globalThis)) throw new Error("This browser has no WebAssembly.");
    await import(/* @vite-ignore */ MODULE);
  };
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
