// A client made by openapi-typescript, with openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { env: Record<string, string>; exit(code: number): never };

const client = createClient<paths>({
  baseUrl: `${process.env.RONDO_URL}/api/v1`,
  headers: { authorization: `Bearer ${process.env.RONDO_API_KEY}` },
});

const title: components["schemas"]["TextOverlay"] = {
  id: 1,
  type: "text",
  content: "Hello",
  from: 0,
  durationInFrames: 30,
  row: 0,
  left: 0,
  top: 0,
  width: 1920,
  height: 1080,
};
const preview = await client.POST("/previews", { body: { inputProps: { durationInFrames: 30, overlays: [title] } } });
if (preview.data?.data.resolved.mode !== "direct") throw new Error("The preview has another mode.");

const made = await client.POST("/projects", {
  body: { name: "Made", composition: { durationInFrames: 30, overlays: [title] } },
});
if (!made.data) throw new Error(made.error.error);
const { id, etag, composition } = made.data.data;
const overlay = composition.overlays[0];
if (overlay?.type !== "text" || overlay.content !== "Hello") throw new Error("The project holds another film.");
const path = { projectId: id };
const changed = await client.PUT("/projects/{projectId}", {
  params: { path, header: { "If-Match": `"${etag}"` } },
  body: { name: "Changed" },
});
if (changed.data?.data.name !== "Changed") throw new Error("The project was not changed.");
const stale = await client.PUT("/projects/{projectId}", {
  params: { path, header: { "If-Match": `"${etag}"` } },
  body: { name: "Stale" },
});
if (stale.error?.details.reason !== "PROJECT_CHANGED") throw new Error("A stale change was made.");
