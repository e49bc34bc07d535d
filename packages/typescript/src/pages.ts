/** Lists that arrive in pages. */

import type { Http } from "./http.js";

/** A page of a list. */
export interface Page<Item> {
  total: number;
  nextCursor?: string | null;
  hasMore: boolean;
  items: Item[];
}

/** The first page when awaited; all items, page by page, in a `for await` loop. */
export class Pages<Item, P extends { nextCursor?: string | null }> implements PromiseLike<P>, AsyncIterable<Item> {
  private first: Promise<P> | null = null;

  constructor(
    private readonly load: (cursor: string | undefined) => Promise<P>,
    private readonly itemsOf: (page: P) => Item[],
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, as in `await rondo.templates.list()`
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.first ??= this.load(undefined);
    return this.first.then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    let cursor: string | null | undefined;
    do {
      const page = await this.load(cursor ?? undefined);
      yield* this.itemsOf(page);
      cursor = page.nextCursor;
    } while (cursor);
  }

  /** Every item. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

/** A list whose items the answer holds under a name of their own. */
export function pagesOf<Item>(http: Http, path: string, name: string, query: object): Pages<Item, Page<Item>> {
  return new Pages(
    async (cursor) => {
      const page = await http.request<Page<Item> & Record<string, Item[]>>("GET", path, {
        query: { ...query, ...(cursor ? { cursor } : {}) },
      });
      return { ...page, items: page[name] ?? [] };
    },
    (page) => page.items,
  );
}
