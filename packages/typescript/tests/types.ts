/** Compiled with the types of the package: what people write first must type-check, and typos must not. */

import { Film, Rondo, type TextOverlay } from "../dist/index.js";

const rondo = new Rondo({ apiKey: "rnd_x", baseUrl: "http://127.0.0.1:8080" });

const title: TextOverlay = {
  id: 1,
  type: "text",
  content: "Hello",
  from: 0,
  durationInFrames: 90,
  row: 0,
  left: 0,
  top: 0,
  width: 1920,
  height: 1080,
};

export async function examples() {
  await rondo.render({ inputProps: { durationInFrames: 90, overlays: [title] } }, { output: "film.mp4" });
  await rondo.render(
    { templateId: "tpl_quote_card", replacements: { quote: "Less is more." } },
    { output: "film.mp4" },
  );
  await rondo.render({ templateId: "tpl_x", replacements: { voice: { tts: { text: "Hi" } }, count: 3, on: true } });
  const job = await rondo.renders.wait("job_x", (progress) => progress.progressPercentage.toFixed());
  job.outputUrl?.length;
  await rondo.render({ templateId: "tpl_x", output: { also: [{ format: "gif", scale: 0.5 }, { format: "png" }] } });
  for (const file of job.outputs) if (file.format === "gif") file.url.length;
  for (const file of job.outputs) await rondo.renders.download(file, `film.${file.format}`);
  const { body } = await rondo.renders.download(job, { signal: AbortSignal.timeout(1000) });
  await body?.cancel();
  for await (const template of rondo.templates.list()) template.name.length;
  new Film().text("Hi", { styles: { fontFamily: "Inter", fontSize: "80px", animation: { enter: "slide-up" } } });
  new Film().shape("circle", { styles: { fill: "red", animation: { enter: "fade", during: "float" } } });
  new Film().captions([], { template: "hustle", styles: { fontFamily: "Outfit" } });
  const project = await rondo.projects.get("prj_x");
  for (const overlay of project.composition.overlays) if (overlay.type === "text") overlay.content.length;
  if (job.status === "COMPLETED") job.metadata?.customer;
  await rondo.renders.get("job_x", { wait: 30, fields: "jobId,status", signal: AbortSignal.timeout(1000) });
  const { batchId } = await rondo.batches.create({ csv: "quote\nHello", templateId: "tpl_x" });
  const batch = await rondo.batches.wait(batchId, {
    onProgress: ({ counts }) => counts.failed.toFixed(),
    timeout: 1000,
  });
  for await (const render of rondo.batches.renders(batch.batchId)) render.jobId.length;
  // @ts-expect-error: a table has no further values
  await rondo.batches.create({ csv: "quote\nHello", templateId: "tpl_x", output: { format: "gif" } });
  // @ts-expect-error: the renders of a batch are in its pages
  batch.renders.length;
  // @ts-expect-error: a file that is saved has no body
  (await rondo.renders.download(job, "film.mp4")).body;
  rondo.renders.list({ metadata: { order: 4711 } });
  // @ts-expect-error: there is no such status
  job.status === "DONE";
  // @ts-expect-error: there is no such list of names
  await rondo.registry("font");
  // @ts-expect-error: an image has no captions
  new Film().image("https://example.com/a.png", { captions: [] });
  // @ts-expect-error: there is no such effect
  new Film().effect("sparkle");
  // @ts-expect-error: there is no such style
  new Film().text("Hi", { styles: { fontsize: "80px" } });
  // @ts-expect-error: overlays need a length
  await rondo.render({ inputProps: { overlays: [] } });
  // @ts-expect-error: a further file has no further files
  await rondo.render({ templateId: "tpl_x", output: { also: [{ also: [] }] } });
  // @ts-expect-error: there is no such format
  await rondo.render({ templateId: "tpl_x", output: { format: "avi" } });
}
