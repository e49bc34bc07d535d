/** The events a webhook can subscribe to. */
import type { WebhookEvent } from "./types";

export const WEBHOOK_EVENTS: [WebhookEvent, string][] = [
  ["render.completed", "A render completed"],
  ["render.failed", "A render failed"],
  ["batch.completed", "All renders of a batch ended"],
];
