/** What the service answers with, by the names pages use. */
import type { components } from "./api.gen";
import type { components as dashboard } from "./dashboard.gen";
import type { Answered } from "./http";

type Schemas = components["schemas"];
type Own = dashboard["schemas"];
export type RenderJob = Schemas["RenderJob"];
export type Template = Schemas["TemplateItem"];
export type ProjectItem = Schemas["ProjectItem"];
export type Variable = Schemas["Variable"];
export type Webhook = Schemas["WebhookInfo"];
export type Transaction = Schemas["TransactionInfo"];
export type Warning = Schemas["PreviewWarning"];
export type Quote = Schemas["QuoteInfo"];
export type ResolvedFilm = Schemas["ResolvedFilm"];
export type EventName = Schemas["EventChoice"];

export type Account = Own["AccountView"];
export type Session = Answered<"get", "/session">;
export type DeviceSession = Answered<"get", "/sessions">[number];
export type Key = Answered<"get", "/keys">[number];
export type NewKey = Answered<"post", "/keys">;
/** What the stream tells of a render. */
export type RenderEvent = Own["RenderEvent"];
export type UsageDay = Own["UsageDay"];
export type Delivery = Answered<"get", "/webhooks/{id}/deliveries">[number];
export type App = Answered<"get", "/apps">[number];
export type OperatorAccount = Own["AccountItem"];
export type Invite = Answered<"get", "/operator/invites">[number];
export type RenderWithRequest = Answered<"get", "/renders/{jobId}">;

/** The body of POST /renders and POST /previews. */
export interface RenderRequest {
  inputProps?: unknown;
  templateId?: string;
  projectId?: string;
  replacements?: Record<string, unknown>;
  output?: { quality: string };
  projectName?: string;
  webhookUrl?: string;
}

export interface Preview {
  previewId: string;
  previewUrl: string;
  resolved: ResolvedFilm;
  quote: Quote;
  warnings: Warning[];
}
