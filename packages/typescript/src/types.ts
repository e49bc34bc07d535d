/** Names for the types of the API. `api.gen.ts` is made from its OpenAPI document. */

import type { components, operations } from "./api.gen.js";

type Schemas = components["schemas"];
type Query<O extends keyof operations> = operations[O] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;

export type Composition = Schemas["Composition"];
export type Overlay = Schemas["Overlay"];
export type TextOverlay = Schemas["TextOverlay"];
export type VideoOverlay = Schemas["VideoOverlay"];
export type ImageOverlay = Schemas["ImageOverlay"];
export type SoundOverlay = Schemas["SoundOverlay"];
export type ShapeOverlay = Schemas["ShapeOverlay"];
export type StickerOverlay = Schemas["StickerOverlay"];
export type CaptionOverlay = Schemas["CaptionOverlay"];
export type EffectOverlay = Schemas["EffectOverlay"];
export type Replacements = NonNullable<Schemas["RenderBody"]["replacements"]>;
export type Output = Schemas["Output"];

/** The film to render: a composition (`inputProps`), a template or a project. */
export type RenderRequest = Schemas["RenderBody"];
export type CreatedRender = Schemas["CreatedRender"];
export type RenderJob = Schemas["RenderJob"];
export type RenderOutput = Schemas["RenderOutput"];
export type RenderQuery = Query<"listRenders">;
export type GetRenderQuery = Query<"getRender">;
export type BatchRequest = Schemas["BatchBody"];
export type CreatedBatch = Schemas["CreatedBatch"];
export type Batch = Schemas["BatchPage"];
export type BatchInfo = Schemas["BatchInfo"];
export type BatchQuery = Query<"getBatch">;
export type Preview = Schemas["PreviewAnswer"];
export type ImportRequest = Schemas["ImportBody"];
export type ImportAnswer = Schemas["ImportAnswer"];
export type Template = Schemas["TemplateItem"];
export type TemplateQuery = Query<"listTemplates">;
export type TemplateRequest = Schemas["TemplateBody"];
export type TemplateChange = Schemas["TemplateUpdate"];
export type Variable = Schemas["Variable"];
export type ProjectItem = Schemas["ProjectItem"];
export type Project = Schemas["ProjectDetails"];
export type ProjectRequest = Schemas["ProjectBody"];
export type ProjectChange = Schemas["ProjectUpdate"];
export type Edit = Schemas["Edit"];
export type VersionItem = Schemas["VersionItem"];
export type Version = Schemas["VersionDetails"];
export type ProjectQuery = Query<"listProjects">;
export type GetProjectQuery = Query<"getProject">;
export type VoiceoverRequest = Schemas["VoiceoverBody"];
export type Voiceover = Schemas["VoiceoverAnswer"];
export type CaptionsRequest = Schemas["CaptionsBody"];
export type CaptionsAnswer = Schemas["CaptionsAnswer"];
export type Voice = Schemas["VoiceInfo"];
export type Upload = Schemas["UploadInfo"];
export type UploadRequest = Schemas["UploadBody"];
export type ListedUpload = Schemas["ListedUpload"];
export type UploadQuery = Query<"listUploads">;
export type OwnFont = Schemas["OwnFont"];
export type StockProvider = Schemas["StockProvider"];
export type StockQuery = Query<"searchStock">;
export type StockItem = Schemas["StockItem"];
export type StockList = Schemas["StockList"];
export type StockRequest = Schemas["StockBody"];
export type StockFile = Schemas["StockFile"];
export type Brand = Schemas["BrandKit"];
export type BrandRequest = Schemas["BrandBody"];
export type Webhook = Schemas["WebhookInfo"];
export type WebhookRequest = Schemas["WebhookBody"];
export type WebhookChange = Schemas["WebhookChanges"];
export type Destination = Schemas["DestinationInfo"];
export type DestinationRequest = Schemas["DestinationBody"];
type EventOf<Name, Data> = Omit<Schemas["WebhookEvent"], "event" | "data"> & { event: Name; data: Data };
/** What a webhook receives. `event` tells which data it has. */
export type WebhookEvent =
  | EventOf<Exclude<WebhookEventName, "batch.completed">, Schemas["RenderEventData"]>
  | EventOf<"batch.completed", Schemas["BatchEventData"]>;
export type TestDelivery = Schemas["TestSent"];
export type WebhookEventName = Schemas["EventChoice"];
export type Delivery = Schemas["DeliveryInfo"];
export type KeyOwner = Schemas["AccountInfo"];
export type Account = Schemas["AccountDetails"];
export type Usage = Schemas["UsageReport"];
export type UsageQuery = Query<"getUsage">;
export type Transaction = Schemas["TransactionInfo"];
export type RegistryAnswer = Schemas["Registry"];
export type RegistryArea = Schemas["RegistryArea"];
/** Why a request failed. */
export type Reason = Schemas["Reason"];
export type Issue = Schemas["Issue"];

export type { components, operations };
