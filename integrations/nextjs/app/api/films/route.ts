/** POST: starts a film, and returns the id to follow it with. */
import { films } from "../../../lib/films";
import { filmOf, quoteOf, rondo } from "../../../lib/rondo";

export async function POST(request: Request): Promise<Response> {
  const quote = await quoteOf(request);
  if (!quote) return Response.json({ error: "Write a quote of up to 200 characters." }, { status: 400 });
  const { jobId } = await rondo().renders.create(filmOf(quote));
  films.set(jobId, { status: "PROCESSING", progress: 0 });
  return Response.json({ jobId }, { status: 202 });
}
