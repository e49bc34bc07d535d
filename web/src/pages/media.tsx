/** The account's uploads and narrations. */

import { useQuery } from "@tanstack/react-query";
import { Images, Trash2, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "@/api/http";
import { account, media, mediaUses, queryClient } from "@/api/queries";
import type { MediaFile, MediaFilter } from "@/api/types";
import { AudioPreview } from "@/film/media-input";
import { MediaThumbnail } from "@/film/media-thumbnail";
import { ownFontsChanged } from "@/film/own-fonts";
import { sendFile } from "@/film/send-file";
import { formatBytes, formatDuration, pluralize } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyButton } from "@/ui/copy";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { PageHeader } from "@/ui/page-header";
import { Pagination, useCursorPages } from "@/ui/pagination";
import { Progress } from "@/ui/progress";
import { SearchInput } from "@/ui/search-input";
import { SegmentedControl } from "@/ui/segmented-control";
import { SkeletonRows } from "@/ui/skeleton";
import { TimeAgo } from "@/ui/time-ago";
import { showError, showToast } from "@/ui/toast";

type Kind = NonNullable<MediaFilter["kind"]>;

const KINDS: readonly (readonly [Kind, string])[] = [
  ["all", "All"],
  ["upload", "Uploads"],
  ["narration", "Narrations"],
];

export function MediaPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const [kind, setKind] = useState<Kind>("all");
  const [search, setSearch] = useState("");
  const query = useDebounced(search.trim(), 250);
  const { data, error, refetch, isPlaceholderData } = useQuery(media({ kind, search: query, cursor }));
  const pages = useCursorPages(cursor, setCursor);
  const clear = () => {
    setSearch("");
    setKind("all");
    pages.reset();
  };
  return (
    <>
      <PageHeader
        title="Media"
        description="Files for your videos: what you uploaded, and narrations."
        actions={<UploadButton />}
      />
      <Storage />
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search media"
          value={search}
          onChange={(text) => {
            setSearch(text);
            pages.reset();
          }}
          className="w-full max-w-sm"
        />
        <SegmentedControl
          label="Kind"
          value={kind}
          options={KINDS}
          onChange={(next) => {
            setKind(next);
            pages.reset();
          }}
        />
        {data && (
          <span role="status" className="nums ml-auto text-[13px] whitespace-nowrap text-muted">
            {pluralize(data.total, "file")}
          </span>
        )}
      </div>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data?.total === 0 && (query || kind !== "all") ? (
        <EmptyState
          icon={<Images />}
          title="No files found"
          className="rounded-xl border bg-surface"
          action={<Button onClick={clear}>Clear filters</Button>}
        >
          Try another name, or another kind of file.
        </EmptyState>
      ) : data?.total === 0 ? (
        <EmptyState icon={<Images />} title="No files yet" className="rounded-xl border bg-surface">
          Upload images, videos, audio and fonts here or in the form of a template. Narrations appear here too.
        </EmptyState>
      ) : (
        <>
          <div className="rounded-xl border bg-surface shadow-card">
            {data ? (
              <ul aria-label="Files" className="divide-y">
                {data.uploads.map((file) => (
                  <MediaRow key={file.id} file={file} />
                ))}
              </ul>
            ) : (
              <SkeletonRows rows={6} height="h-20" />
            )}
          </div>
          {data && (
            <Pagination pages={pages} next={data.nextCursor ?? null} busy={isPlaceholderData} className="mt-6" />
          )}
        </>
      )}
    </>
  );
}

function UploadButton() {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const send = async (files: File[]) => {
    setBusy(true);
    let sent = 0;
    try {
      for (const file of files) {
        await sendFile(file);
        sent += 1;
      }
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
      if (sent) showToast(`${pluralize(sent, "file")} uploaded.`);
    }
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        accept="image/*,video/*,audio/*,.ttf,.otf,.woff,.woff2"
        className="hidden"
        aria-label="Files to upload"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length) void send(files);
        }}
      />
      <Button
        variant="primary"
        busy={busy}
        onClick={() => chooser.current?.click()}
        icon={<Upload className="size-4" />}
      >
        Upload files
      </Button>
    </>
  );
}

/** How much of the account's storage is used. */
function Storage() {
  const { data } = useQuery(account);
  if (!data) return null;
  const { usedBytes, allowedBytes } = data.storage;
  const percent = allowedBytes ? Math.min(Math.round((usedBytes / allowedBytes) * 100), 100) : 0;
  return (
    <div className="mb-5 rounded-xl border bg-surface px-5 py-4 shadow-card">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="nums font-medium">
          {formatBytes(usedBytes)} {allowedBytes ? `of ${formatBytes(allowedBytes)} used` : "used"}
        </span>
        <span className="text-[13px] text-muted">Uploads, narrations and finished renders</span>
      </p>
      {allowedBytes ? <Progress percent={percent} label="Storage used" className="mt-2.5" /> : null}
    </div>
  );
}

function MediaRow({ file }: { file: MediaFile }) {
  const [seconds, setSeconds] = useState<number | null>(file.durationMs == null ? null : file.durationMs / 1000);
  const type = file.contentType.split("/")[1]?.replace("svg+xml", "svg").replace("mpeg", "mp3").toUpperCase();
  const name = file.name ?? `${type} file`;
  const facts = [
    file.kind === "narration" ? "Narration" : type,
    file.size == null ? null : formatBytes(file.size),
    seconds !== null && Number.isFinite(seconds) ? formatDuration(seconds) : null,
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:flex-nowrap sm:px-5">
      <MediaThumbnail file={file} onDuration={setSeconds} className="h-14 w-20 rounded-lg" />
      <span className="min-w-0 flex-1 basis-40">
        <span className="line-clamp-2 font-medium break-words">{name}</span>
        <span className="nums block text-[13px] text-muted">
          {facts.filter(Boolean).join(" · ")} · <TimeAgo at={file.createdAt} />
        </span>
      </span>
      <span className="flex items-center gap-1 max-sm:w-full max-sm:justify-end">
        {file.contentType.startsWith("audio/") && <AudioPreview src={file.fileUrl} label={name} />}
        <CopyButton text={file.fileUrl} label="Copy address" />
        <ConfirmDialog
          trigger={
            <Button variant="ghost" size="icon" aria-label={`Delete ${name}`}>
              <Trash2 className="size-3.5" />
            </Button>
          }
          title={file.kind === "narration" ? "Delete this narration?" : `Delete ${name}?`}
          confirmLabel="Delete file"
          onConfirm={async () => {
            await api("delete", "/uploads/{uploadId}", { path: { uploadId: file.id } });
            if (file.contentType.startsWith("font/")) void ownFontsChanged();
            for (const key of ["media", "account", "brand"]) void queryClient.invalidateQueries({ queryKey: [key] });
            showToast("File deleted.");
          }}
        >
          <Uses id={file.id} />
        </ConfirmDialog>
      </span>
    </li>
  );
}

/** What stops working when a file is deleted. */
function Uses({ id }: { id: string }) {
  const { data, error } = useQuery(mediaUses(id));
  if (error) return "Its address stops working, and renders that use it fail.";
  if (!data) return "Looking for what uses it…";
  const names = data.projects.map(({ name, id }) => name ?? id);
  const users = [
    names.length ? `the ${names.length === 1 ? "project" : "projects"} ${names.join(", ")}` : "",
    data.renders.length ? `${pluralize(data.renders.length, "render")} in the queue` : "",
    data.isLogo ? "your brand kit" : "",
  ].filter(Boolean);
  if (!users.length)
    return "No project or queued render uses it. Its address stops working, also where you use it elsewhere.";
  const failing = data.projects.length || data.renders.length ? " Renders that need it fail." : "";
  return `It is used by ${new Intl.ListFormat("en").format(users)}.${failing}`;
}
