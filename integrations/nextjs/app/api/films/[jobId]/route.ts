/** GET: what has become of a film. Asks the service until the webhook has said that the film is done. */
import { films } from "../../../../lib/films";
import { rondo } from "../../../../lib/rondo";

export async function GET(_: Request, { params }: { params: Promise<{ jobId: string }> }): Promise<Response> {
  const { jobId } = await params;
  const film = films.get(jobId);
  if (!film) return Response.json({ error: "There is no such film." }, { status: 404 });
  if (film.status === "COMPLETED" || film.status === "FAILED") return Response.json(film);
  const job = await rondo().renders.get(jobId);
  const now = {
    status: job.status,
    progress: job.progressPercentage,
    ...(job.outputUrl ? { url: job.outputUrl } : {}),
    ...(job.errorMessage ? { error: job.errorMessage } : {}),
  };
  films.set(jobId, now);
  return Response.json(now);
}
