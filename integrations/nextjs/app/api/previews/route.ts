/** POST: the address of a film for the player, before anything is rendered. Free. */
import { filmOf, quoteOf, rondo } from "../../../lib/rondo";

export async function POST(request: Request): Promise<Response> {
  const quote = await quoteOf(request);
  if (!quote) return Response.json({ error: "Write a quote of up to 200 characters." }, { status: 400 });
  const { previewUrl } = await rondo().previews.create(filmOf(quote));
  return Response.json({ previewUrl });
}
