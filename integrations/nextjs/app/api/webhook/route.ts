/** POST: takes deliveries of the service, if they are signed with the secret of the webhook. */
import { verifyWebhook } from "@rondo/sdk";
import { deliveries, films } from "../../../lib/films";

export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  const event = await verifyWebhook(body, request.headers, process.env.RONDO_WEBHOOK_SECRET ?? "").catch(() => null);
  if (!event) return new Response("The signature is wrong.", { status: 401 });
  if (event.deliveryId && deliveries.has(event.deliveryId)) return new Response("ok");
  if (event.deliveryId) deliveries.add(event.deliveryId);
  const { data } = event;
  if ("jobId" in data && films.has(data.jobId))
    films.set(data.jobId, {
      status: data.status,
      progress: data.status === "COMPLETED" ? 100 : 0,
      ...(data.outputUrl ? { url: data.outputUrl } : {}),
      ...(data.errorMessage ? { error: data.errorMessage } : {}),
    });
  return new Response("ok");
}
