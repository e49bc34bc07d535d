/** The program of the action: reads the inputs, renders on the service, stores the film and writes the outputs. */
import { randomUUID } from "node:crypto";
import { appendFileSync, createWriteStream, mkdirSync, renameSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { compositionOf } from "./composition.mjs";
import { Service } from "./service.mjs";

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();

function required(name) {
  const value = input(name);
  if (!value) throw new Error(`The input ${name} is missing.`);
  return value;
}

/** A JSON object that an input holds. */
function objectOf(name, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The input ${name} is not JSON: ${error.message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`The input ${name} must be a JSON object.`);
  return value;
}

/** The values of variables: a JSON object, or one NAME=VALUE per line. */
function replacements() {
  const text = input("replacements");
  if (text.startsWith("{")) return objectOf("replacements", text);
  const lines = text.split("\n").filter((line) => line.trim());
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf("=");
      if (at < 1) throw new Error(`The input replacements must have NAME=VALUE in every line, got "${line.trim()}".`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

async function request(service) {
  const films = ["template", "project", "composition"].filter((name) => input(name));
  if (films.length !== 1) throw new Error("Give one of the inputs template, project and composition.");
  const body = { draft: input("draft") === "true" };
  if (input("options")) body.output = objectOf("options", input("options"));
  const values = replacements();
  const hasValues = Object.keys(values).length > 0;
  if (input("composition")) {
    if (hasValues) throw new Error("The input replacements needs a template or a project.");
    body.inputProps = await compositionOf(input("composition"), service);
  } else {
    body[input("template") ? "templateId" : "projectId"] = input("template") || input("project");
    if (hasValues) body.replacements = values;
    // A template would otherwise save a project for every run.
    body.createProject = false;
  }
  return body;
}

async function ended(service, jobId, deadline) {
  let progress = -1;
  for (;;) {
    const left = Math.ceil((deadline - Date.now()) / 1000);
    if (left <= 0) {
      await service.call("POST", `/renders/${jobId}/cancel`).catch(() => {});
      throw new Error(`${jobId} did not end within ${input("timeout-minutes")} minutes, and was cancelled.`);
    }
    const job = await service.call("GET", `/renders/${jobId}?wait=${Math.min(left, 20)}`);
    if (job.progressPercentage !== progress) console.log(`${jobId}: ${job.progressPercentage} %`);
    progress = job.progressPercentage;
    if (job.status === "COMPLETED") return job;
    if (job.status === "FAILED") throw new Error(`${jobId} failed: ${job.errorMessage}`);
  }
}

async function store(url, path) {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The film cannot be downloaded: ${response.status}.`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(`${path}.part`));
  renameSync(`${path}.part`, path);
}

/** Values with line breaks would begin another output. */
function output(name, value) {
  const mark = randomUUID();
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${mark}\n${value}\n${mark}\n`);
}

async function main() {
  const key = required("api-key");
  console.log(`::add-mask::${key}`);
  const minutes = Number(input("timeout-minutes") || 30);
  if (!(minutes > 0)) throw new Error(`The input timeout-minutes must be above 0, got "${input("timeout-minutes")}".`);
  const service = new Service(required("url"), key);
  const { jobId } = await service.call("POST", "/renders", await request(service));
  output("job-id", jobId);
  const job = await ended(service, jobId, Date.now() + minutes * 60_000);
  output("output-url", job.outputUrl);
  output("credits-used", job.creditsUsed);
  const path = input("output");
  if (path) {
    await store(job.outputUrl, path);
    output("path", path);
    console.log(`Stored ${path}, ${job.outputSize} bytes.`);
  }
  if (process.env.GITHUB_STEP_SUMMARY)
    appendFileSync(
      process.env.GITHUB_STEP_SUMMARY,
      `[${path || jobId}](${job.outputUrl}): ${job.width} × ${job.height}, ${(job.durationInFrames / job.fps).toFixed(1)} s, ${job.creditsUsed} credits\n`,
    );
}

/** A command of the workflow ends with its line. */
const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

await main().catch((error) => {
  console.log(`::error::${escaped(error.message)}`);
  process.exitCode = 1;
});
