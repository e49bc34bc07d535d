/** Reads the film that a `src` attribute names. */

import type { FilmSource } from "../protocol";

export type Loaded = Omit<FilmSource, "version">;

interface Answer {
  composition?: unknown;
  replacements?: unknown;
  media?: Record<string, { proxy?: string }>;
}

/** Fetches a composition, or the JSON of a preview. */
export async function loadSource(src: string, signal: AbortSignal): Promise<Loaded> {
  const address = new URL(src, document.baseURI);
  const response = await fetch(address, { headers: { Accept: "application/json" }, signal });
  if (!response.ok)
    throw new Error(`The film cannot be loaded: ${address.href} answers with status ${response.status}.`);
  const answer = (await response.json().catch(() => {
    throw new Error(`The film cannot be loaded: ${address.href} is not JSON.`);
  })) as Answer;
  if (answer.composition === undefined) return { composition: answer, base: response.url, proxies: {} };
  const proxies: Record<string, string> = {};
  for (const [source, { proxy }] of Object.entries(answer.media ?? {}))
    if (proxy) proxies[source] = new URL(proxy, response.url).href;
  return {
    composition: answer.composition,
    ...(answer.replacements === undefined ? {} : { replacements: answer.replacements }),
    base: response.url,
    proxies,
    ...stillOf(address),
  };
}

/** Where a preview's frames are painted by the service. */
function stillOf(address: URL): { still?: string } {
  if (!/\/preview\/[^/.]+$/.test(address.pathname)) return {};
  return { still: `${address.origin}${address.pathname}.png?frame={frame}` };
}
