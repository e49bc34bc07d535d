/** Lists that arrive in pages. */

/** The first page when awaited; all items, page by page, in a `for await` loop. */
export class Pages<Item, Page extends { nextCursor?: string | null }>
  implements PromiseLike<Page>, AsyncIterable<Item>
{
  private first: Promise<Page> | null = null;

  constructor(
    private readonly load: (cursor: string | undefined) => Promise<Page>,
    private readonly itemsOf: (page: Page) => Item[],
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, as in `await rondo.templates.list()`
  then<A = Page, B = never>(
    done?: ((page: Page) => A | PromiseLike<A>) | null,
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
