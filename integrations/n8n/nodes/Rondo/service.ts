/** Requests to the service. */
import type { IDataObject, IExecuteFunctions, IHttpRequestMethods, ILoadOptionsFunctions } from "n8n-workflow";

type Context = IExecuteFunctions | ILoadOptionsFunctions;

/** Sends a request and returns the `data` of the answer. */
export async function call(
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  { qs, body }: { qs?: IDataObject; body?: IDataObject } = {},
): Promise<IDataObject> {
  const { url } = await context.getCredentials("rondoApi");
  const answer = await context.helpers.httpRequestWithAuthentication.call(context, "rondoApi", {
    method,
    url: `${String(url).replace(/\/+$/, "")}/api/v1${path}`,
    ...(qs ? { qs } : {}),
    ...(body ? { body } : {}),
    json: true,
  });
  return answer.data;
}

/** The items of all pages of a list, or the first `limit` of them. */
export async function list(context: Context, path: string, name: string, limit = Infinity): Promise<IDataObject[]> {
  const items: IDataObject[] = [];
  let cursor: unknown;
  do {
    const page = await call(context, "GET", path, {
      qs: { limit: Math.min(limit - items.length, 100), ...(cursor ? { cursor } : {}) },
    });
    items.push(...(page[name] as IDataObject[]));
    cursor = page.nextCursor;
  } while (cursor && items.length < limit);
  return items;
}
