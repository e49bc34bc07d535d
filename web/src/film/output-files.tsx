/** Every file of a render that made several, each to see and to download. */

import { Download, FileArchive, Film, Music } from "lucide-react";
import type { RenderJob, RenderOutput } from "@/api/types";
import { formatBytes } from "@/lib/format";
import { buttonClass } from "@/ui/button";
import { Section } from "@/ui/card";
import { CopyButton } from "@/ui/copy";
import { canDownload, downloadName, downloadUrl, formatName, outputKind } from "./output";

export function OutputFiles({ job }: { job: RenderJob }) {
  if (job.outputs.length < 2) return null;
  return (
    <Section title="Files" className="mt-6">
      <ul>
        {job.outputs.map((file) => (
          <FileRow key={file.url} job={job} file={file} />
        ))}
      </ul>
    </Section>
  );
}

function FileRow({ job, file }: { job: RenderJob; file: RenderOutput }) {
  const name = formatName(file.format);
  const size = file.width != null && file.height != null ? `${file.width} × ${file.height} · ` : "";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-5 py-3 last:border-b-0">
      <Thumbnail job={job} file={file} />
      <div className="min-w-32 flex-1">
        <a
          href={file.url}
          target="_blank"
          rel="noreferrer"
          className="font-medium underline decoration-border-strong underline-offset-3 hover:decoration-current"
        >
          {name}
        </a>
        <p className="nums text-[13px] text-muted">
          {size}
          {formatBytes(file.size)}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <CopyButton text={file.url} label="Copy URL" />
        {canDownload(file.format) && (
          <a
            className={buttonClass("secondary", "sm")}
            href={downloadUrl(job, file)}
            download={downloadName(job, file)}
            aria-label={`Download ${name}`}
          >
            <Download className="size-3.5" aria-hidden="true" /> Download
          </a>
        )}
      </div>
    </li>
  );
}

const ICONS = { film: Film, sound: Music, archive: FileArchive } as const;

/** The picture itself, the poster of a film, or a sign of what the file is. */
function Thumbnail({ job, file }: { job: RenderJob; file: RenderOutput }) {
  const kind = outputKind(file.format);
  const box = "h-11 w-18 shrink-0 overflow-hidden rounded-md border";
  const src = kind === "picture" ? file.url : kind === "film" ? job.posterUrl : null;
  if (src) return <img src={src} alt="" loading="lazy" className={`${box} checkerboard object-contain`} />;
  const Icon = ICONS[kind === "picture" ? "film" : kind];
  return (
    <span className={`${box} grid place-items-center bg-inset`}>
      <Icon className="size-4.5 text-subtle" aria-hidden="true" />
    </span>
  );
}
