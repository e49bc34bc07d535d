/** What the files of renders are: how they are shown, named and described. */
import type { RenderBody, RenderJob, RenderOutput } from "@/api/types";
import { renderName } from "./render-status";

/** Every format: its name for people, and how a browser shows it. */
const FORMATS = {
  mp4: ["MP4", "film"],
  m3u8: ["HLS", "film"],
  webm: ["WebM", "film"],
  mov: ["MOV", "film"],
  gif: ["GIF", "picture"],
  png: ["PNG", "picture"],
  jpg: ["JPG", "picture"],
  webp: ["WebP", "picture"],
  zip: ["ZIP", "archive"],
  mp3: ["MP3", "sound"],
  wav: ["WAV", "sound"],
  aac: ["AAC", "sound"],
  m4a: ["M4A", "sound"],
} as const satisfies Record<string, readonly [string, OutputKind]>;

export type OutputKind = "film" | "picture" | "archive" | "sound";
export type Format = keyof typeof FORMATS;

const row = (format: string) => FORMATS[format as Format] ?? FORMATS.mp4;

export const formatName = (format: string) => row(format)[0];
export const outputKind = (format: string): OutputKind => row(format)[1];

/** What people call the file. */
export const outputNoun = (format: string) =>
  ({ film: "video", picture: format === "gif" ? "GIF" : "image", archive: "ZIP file", sound: "audio" })[
    outputKind(format)
  ];

/** The file of an HLS film is a playlist: players stream from its URL, and a copy of it plays nothing. */
export const canDownload = (format: string) => format !== "m3u8";

/** Duration and size apply to films; a picture has only a size, a sound only a duration. */
export function describeOutput(job: RenderJob, duration: string): string {
  const size = `${job.width} × ${job.height}`;
  switch (outputKind(job.format)) {
    case "sound":
      return `${formatName(job.format)} · ${duration}`;
    case "picture":
      return job.format === "gif"
        ? `${formatName(job.format)} · ${size} · ${duration}`
        : `${formatName(job.format)} · ${size}`;
    default:
      return `${formatName(job.format)} · ${size} · ${duration}`;
  }
}

/** Size and duration of the file itself, which can be a part of the film in another size. */
export function fileFacts(job: RenderJob, output: RenderBody["output"]) {
  const scale = output?.scale ?? 1;
  const [first, last] = output?.range ?? [0, job.durationInFrames - 1];
  const isPicture = ["png", "jpg", "webp"].includes(job.format);
  return {
    width: Math.round(job.width * scale),
    height: Math.round(job.height * scale),
    frames: isPicture ? 1 : (last ?? 0) - (first ?? 0) + 1,
  };
}

/** The name of a file of the render, without its extension. */
function baseName(job: RenderJob): string {
  const name = renderName(job)
    .normalize("NFKD")
    .replaceAll(/[^\w\s.-]/g, "")
    .trim()
    .replaceAll(/\s+/g, "-")
    .toLowerCase()
    .slice(0, 80);
  return name || job.jobId;
}

type File = Pick<RenderOutput, "format" | "url">;

const firstFile = (job: RenderJob): File => ({ format: job.format, url: job.outputUrl ?? "" });

/** The name of a downloaded file: that of the render, with the right extension. */
export const downloadName = (job: RenderJob, file = firstFile(job)) => `${baseName(job)}.${file.format}`;

/** The URL that downloads a file under its name. */
export const downloadUrl = (job: RenderJob, file = firstFile(job)) =>
  `${file.url}?download=${encodeURIComponent(baseName(job))}`;
