/** Names for the types of the OpenAPI documents. */
import type { components } from "./api.gen";
import type { components as dashboardComponents } from "./dashboard.gen";
import type { ApiData, ApiQuery, DashboardData } from "./http";

type Schemas = components["schemas"];
type DashboardSchemas = dashboardComponents["schemas"];

export type Brand = Schemas["BrandKit"];
export type Composition = Schemas["Composition"];
export type Destination = Schemas["DestinationInfo"];
/** The body of POST /destinations. */
export type DestinationBody = Schemas["DestinationBody"];
/** A file of the account: an upload, a narration, or the output of a render. */
export type MediaFile = Omit<Schemas["ListedUpload"], "kind" | "contentType" | "durationMs"> & {
  kind: Schemas["FileKind"] | "render";
  contentType: string;
  durationMs?: number | null;
};
export type MediaFilter = NonNullable<ApiQuery<"get", "/uploads">>;
export type Preview = ApiData<"post", "/previews">;
export type Quote = Schemas["QuoteInfo"];
/** The body of POST /renders and POST /previews. */
export type RenderBody = Schemas["RenderBody"];
export type RenderQuality = NonNullable<NonNullable<RenderBody["output"]>["quality"]>;
export type RenderJob = Schemas["RenderJob"];
export type RenderOutput = Schemas["RenderOutput"];
export type RenderFilter = Pick<NonNullable<ApiQuery<"get", "/renders">>, "status" | "mode" | "search"> & {
  /** Only renders of the last so many days. */
  days?: string | undefined;
};
export type RenderPage = ApiData<"get", "/renders">;
export type Project = Schemas["ProjectItem"];
export type StockItem = Schemas["StockItem"];
export type StockProvider = Schemas["StockProvider"];
export type Template = Schemas["TemplateItem"];
export type Variable = Schemas["Variable"];
export type Warning = Schemas["PreviewWarning"];
export type WebhookEvent = Schemas["EventChoice"];
export type Webhook = Schemas["WebhookInfo"];

export type Account = DashboardSchemas["AccountView"];
export type AccountEvent = DashboardSchemas["AccountEvent"];
export type ApiKey = DashboardData<"get", "/keys">[number];
export type AuditEvent = DashboardSchemas["AuditEventInfo"];
export type ConnectedApp = DashboardData<"get", "/apps">[number];
export type Delivery = DashboardData<"get", "/webhooks/{id}/deliveries">[number];
export type Invite = DashboardData<"get", "/operator/invites">[number];
export type NewApiKey = DashboardData<"post", "/keys">;
export type OperatorAccount = DashboardSchemas["AccountItem"];
export type RenderEvent = DashboardSchemas["RenderEvent"];
export type RenderWithRequest = DashboardData<"get", "/renders/{jobId}">;
export type Session = DashboardData<"get", "/session">;
export type SignedInDevice = DashboardData<"get", "/sessions">[number];
export type StatementEntry = DashboardSchemas["StatementEntry"];
export type UsageDay = DashboardSchemas["UsageDay"];
