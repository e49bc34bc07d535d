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
  if (answer.composition === undefined) return { composition: answer, base: response.url, ways: {} };
  return {
    composition: answer.composition,
    ...(answer.replacements === undefined ? {} : { replacements: answer.replacements }),
    base: response.url,
    ways: waysOf(answer, response.url),
    ...stillOf(address),
  };
}

/**
 * Addresses of the media of a preview. The service tells those of its public name; it may have been asked under another
 * one, which is used instead. Pages of the service may read nothing from elsewhere, so they ask it first.
 */
function waysOf({ media = {} }: Answer, asked: string): Record<string, string[]> {
  const ways: Record<string, string[]> = {};
  const rootOf = (address: string) => address.slice(0, address.lastIndexOf("/preview/") + 1);
  const own = rootOf(asked);
  const isOwnPage = new URL(asked).origin === location.origin;
  for (const [source, { proxy }] of Object.entries(media)) {
    if (!proxy) continue;
    const told = new URL(proxy, asked).href;
    const root = rootOf(told);
    const here = (address: string) => (root && address.startsWith(root) ? own + address.slice(root.length) : address);
    const direct = URL.canParse(source, asked) ? here(new URL(source, asked).href) : null;
    const both = direct && direct !== here(told) ? [direct, here(told)] : [here(told)];
    ways[source] = isOwnPage && direct && !direct.startsWith(own) ? both.reverse() : both;
  }
  return ways;
}

/** Where a preview's frames are painted by the service. */
function stillOf(address: URL): { still?: string } {
  if (!/\/preview\/[^/.]+$/.test(address.pathname)) return {};
  return { still: `${address.origin}${address.pathname}.png?frame={frame}` };
}
