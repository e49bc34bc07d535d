/** The operation of uploads: a file of an item becomes media for films. */
import type { IExecuteFunctions, INodeExecutionData } from "n8n-workflow";
import { call } from "./service";

export const uploads = {
  "upload.create": async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> => {
    const property = context.getNodeParameter("binaryProperty", item) as string;
    const { mimeType, fileName } = context.helpers.assertBinaryData(item, property);
    const file = await context.helpers.getBinaryDataBuffer(item, property);
    const { uploadUrl, ...json } = await call(context, "POST", "/uploads", {
      body: { contentType: mimeType, size: file.length, ...(fileName ? { name: fileName } : {}) },
    });
    // The address is signed: it takes no key.
    const headers = { "Content-Type": mimeType };
    await context.helpers.httpRequest({ method: "PUT", url: String(uploadUrl), headers, body: file });
    return [{ json: { ...json, contentType: mimeType, size: file.length } }];
  },
};
