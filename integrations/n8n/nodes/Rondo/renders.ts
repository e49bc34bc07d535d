/** The operations of renders: create, get, wait, cancel. */
import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from "n8n-workflow";
import { call } from "./service";

/** Seconds that one request waits for the end of a render. */
const STEP = 20;

/** The value of a field with JSON: people type text, expressions return objects. */
function jsonOf(context: IExecuteFunctions, name: string, value: unknown, item: number): IDataObject {
  if (typeof value === "object" && value !== null) return value as IDataObject;
  try {
    return JSON.parse(String(value || "{}"));
  } catch (error) {
    throw new NodeOperationError(context.getNode(), `${name} is not JSON: ${(error as Error).message}`, {
      itemIndex: item,
    });
  }
}

function bodyOf(context: IExecuteFunctions, item: number): IDataObject {
  const field = (name: string, fallback?: unknown) => context.getNodeParameter(name, item, fallback);
  const source = field("source") as string;
  const { output, metadata, ...options } = field("options", {}) as IDataObject;
  const body: IDataObject = { ...options };
  if (output) body.output = jsonOf(context, "Output", output, item);
  if (metadata) body.metadata = jsonOf(context, "Metadata", metadata, item);
  if (source === "composition") {
    const given = jsonOf(context, "Composition", field("composition"), item);
    return { ...body, inputProps: given.inputProps ?? given };
  }
  const rows = (field("variables", {}) as { values?: Array<{ name: string; value: string }> }).values ?? [];
  return {
    ...body,
    [source === "template" ? "templateId" : "projectId"]: field(source === "template" ? "templateId" : "projectId"),
    replacements: {
      ...Object.fromEntries(rows.map(({ name, value }) => [name, value])),
      ...jsonOf(context, "Replacements", field("replacements", "{}"), item),
    },
    ...(source === "template" ? { createProject: false } : {}),
  };
}

/** Waits for the end of a render. Fails if the render fails, or is not complete in time. */
async function ended(context: IExecuteFunctions, jobId: string, item: number): Promise<IDataObject> {
  const minutes = context.getNodeParameter("maxWait", item, 30) as number;
  const deadline = Date.now() + minutes * 60_000;
  for (;;) {
    const job = await call(context, "GET", `/renders/${encodeURIComponent(jobId)}`, { qs: { wait: STEP } });
    if (job.status === "COMPLETED") return job;
    const stop = (message: string) => new NodeOperationError(context.getNode(), message, { itemIndex: item });
    if (job.status === "FAILED") throw stop(`The render ${jobId} failed: ${job.errorMessage}`);
    if (Date.now() > deadline) throw stop(`The render ${jobId} did not end within ${minutes} minutes.`);
  }
}

/** A completed render as an item, with the film if it is asked for. */
async function itemOf(context: IExecuteFunctions, job: IDataObject, item: number): Promise<INodeExecutionData[]> {
  const { inputProps: _, ...json } = job;
  if (!context.getNodeParameter("download", item, false)) return [{ json }];
  const url = String(job.outputUrl);
  const film = Buffer.from(await context.helpers.httpRequest({ method: "GET", url, encoding: "arraybuffer" }));
  const fileName = new URL(url).pathname.split("/").pop();
  return [{ json, binary: { data: await context.helpers.prepareBinaryData(film, fileName) } }];
}

const jobIdOf = (context: IExecuteFunctions, item: number) => String(context.getNodeParameter("jobId", item)).trim();

export const renders = {
  "render.create": async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> => {
    const created = await call(context, "POST", "/renders", { body: bodyOf(context, item) });
    if (!context.getNodeParameter("wait", item, true)) return [{ json: created }];
    return itemOf(context, await ended(context, String(created.jobId), item), item);
  },
  "render.get": async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> => {
    const { inputProps: _, ...json } = await call(
      context,
      "GET",
      `/renders/${encodeURIComponent(jobIdOf(context, item))}`,
    );
    return [{ json }];
  },
  "render.wait": async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> =>
    itemOf(context, await ended(context, jobIdOf(context, item), item), item),
  "render.cancel": async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> => {
    const path = `/renders/${encodeURIComponent(jobIdOf(context, item))}/cancel`;
    const { inputProps: _, ...json } = await call(context, "POST", path);
    return [{ json }];
  },
};
