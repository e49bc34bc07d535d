// A client made by Hey API.
import { client } from "./api/client.gen.js";
import { createPreview, getRender, listTemplates, type TextOverlay } from "./api/index.js";

declare const process: { env: Record<string, string> };

client.setConfig({ baseUrl: `${process.env.RONDO_URL}/api/v1`, auth: process.env.RONDO_API_KEY });

const { data: templates } = await listTemplates({ query: { limit: 2 } });
const template = templates?.data.templates[0];
if (!template || templates.data.templates.length !== 2) throw new Error("There are no templates.");

const title: TextOverlay = {
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
const preview = await createPreview({ body: { inputProps: { durationInFrames: 30, overlays: [title] } } });
if (preview.data?.data.quote.sufficient !== true) throw new Error("The preview has no price.");

const { error } = await getRender({ path: { jobId: "job_none" } });
if (error?.details.reason !== "NOT_FOUND") throw new Error("An unknown job was found.");
