/** A value that a schema describes, for the answers in the reference. */

const WORDS = {
  jobId: "job_8k2mq4",
  projectId: "prj_51xw9c",
  templateId: "tpl_quote_card",
  webhookId: "whk_3v7n2d",
  uploadId: "upl_9f4kzt",
  deliveryId: "del_7h2sqm",
  versionId: "ver_2c6rjd",
  voiceoverId: "voi_4n8ytp",
  outputUrl: "http://127.0.0.1:8080/files/job_8k2mq4.mp4",
  previewUrl: "http://127.0.0.1:8080/preview/prv_5d1kfa",
  uploadUrl: "http://127.0.0.1:8080/uploads/upl_9f4kzt?signature=…",
  fileUrl: "http://127.0.0.1:8080/files/upl_9f4kzt.png",
  status: "COMPLETED",
  mode: "template",
  name: "Welcome",
  email: "ada@example.com",
  contentType: "video/mp4",
  etag: "r2",
  reason: "VALIDATION_FAILED",
  error: "`overlays[3].styles.opacity` must be between 0 and 1, got 2.",
};
const NUMBERS = {
  progressPercentage: 100,
  width: 1920,
  height: 1080,
  fps: 30,
  durationInFrames: 150,
  total: 1,
  creditsUsed: 1,
};

/** `depth` ends schemas that hold themselves. */
export function sample(schema, schemas, name = "", depth = 0) {
  if (schema.$ref) {
    const found = schema.$ref.split("/").pop();
    if (found === "Composition") return { width: 1920, height: 1080, durationInFrames: 150, overlays: [] };
    return depth > 5 ? {} : sample(schemas[found], schemas, name, depth + 1);
  }
  if (schema.example !== undefined) return schema.example;
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (choice && !schema.properties) return sample(choice, schemas, name, depth);
  const type = [schema.type].flat().find((it) => it !== "null") ?? (schema.properties ? "object" : "string");
  if (type === "array")
    return depth > 5 ? [] : [sample(schema.items ?? {}, schemas, name.replace(/s$/, ""), depth + 1)];
  if (type === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, part]) => [field, sample(part, schemas, field, depth + 1)]),
    );
  if (type === "boolean") return name === "success";
  if (type === "integer" || type === "number") return NUMBERS[name] ?? schema.minimum ?? 0;
  if (schema.format === "date-time" || /At$/.test(name)) return "2026-11-14T09:30:00.000Z";
  if (/url$/i.test(name)) return WORDS[name] ?? "https://example.com/";
  return WORDS[name] ?? (name === "id" ? "prj_51xw9c" : "…");
}
