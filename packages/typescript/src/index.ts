/** The client of the Rondo video rendering service. */

export type { BatchTable } from "./batches.js";
export { type RenderOptions, Rondo } from "./client.js";
export * from "./errors.js";
export { type Fields, Film, type FilmOptions } from "./film.js";
export type { ClientOptions, RequestOptions } from "./http.js";
export type * from "./names.gen.js";
export { type Page, Pages } from "./pages.js";
export type { ChangeOptions } from "./projects.js";
export type { DownloadOptions } from "./renders.js";
export type * from "./types.js";
export type { PutOptions } from "./uploads.js";
export type { WaitOptions } from "./waiting.js";
export { type VerifyOptions, verifyWebhook } from "./webhooks.js";
