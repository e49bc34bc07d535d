/** The account's files: uploads, voiceovers and renders. */

import { useQuery } from "@tanstack/react-query";
import { CloudOff, Pause, Play, RotateCw, Trash2, TriangleAlert, Upload as UploadIcon, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api } from "@/api/http";
import { media, queryClient, renders } from "@/api/queries";
import type { MediaFile } from "@/api/types";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { MediaThumbnail } from "@/film/media-thumbnail";
import { canDownload, outputKind } from "@/film/output";
import { renderName } from "@/film/render-status";
import { errorMessage } from "@/lib/error";
import { formatDuration } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Progress } from "@/ui/progress";
import { SegmentedControl } from "@/ui/segmented-control";
import { Spinner } from "@/ui/spinner";
import { showError } from "@/ui/toast";
import { factsOf, kindOf, type Medium, mediaDraft, readFacts } from "./media";
import { carry, IconButton, Note, SmallButton, SmallInput, TabBody, TileFacts } from "./parts";
import { addAtPlayhead, startFrame } from "./place";
import { MissingMedia, relink } from "./relink";
import { library, useLibrary } from "./state";
import { cancelUpload, retryUpload, sendFiles, type Upload, useUploads } from "./uploads";

const KINDS = ["upload", "narration", "render"] as const;
type Kind = (typeof KINDS)[number];

/** What the service accepts. */
const ACCEPT = "image/*,video/*,audio/*,.ttf,.otf,.woff,.woff2";

interface Item {
  id: string;
  medium: Medium;
  /** As the dashboard's thumbnails want it. */
  file: MediaFile;
  remove: () => Promise<unknown>;
}

export function MediaTab() {
  const [kind, setKind] = useState<Kind>("upload");
  const [search, setSearch] = useState("");
  const words = useDebounced(search.trim(), 200);
  const chooser = useRef<HTMLInputElement>(null);
  const { choosing, relinking } = useLibrary((state) => state);
  const asked = useRef(choosing);
  useEffect(() => {
    if (choosing === asked.current) return;
    asked.current = choosing;
    chooser.current?.click();
  }, [choosing]);
  return (
    <TabBody
      label={STRINGS.media.files}
      head={
        <>
          <input
            ref={chooser}
            type="file"
            multiple
            accept={ACCEPT}
            className="hidden"
            tabIndex={-1}
            aria-label={STRINGS.media.chooser}
            onChange={(event) => {
              sendFiles([...(event.target.files ?? [])]);
              event.target.value = "";
              setKind("upload");
            }}
          />
          <SmallButton className="w-full" onClick={() => chooser.current?.click()}>
            <UploadIcon aria-hidden="true" /> {STRINGS.media.upload}
          </SmallButton>
          <SmallInput
            type="search"
            aria-label={STRINGS.media.search}
            placeholder={STRINGS.media.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <SegmentedControl
            label={STRINGS.media.kind}
            value={kind}
            options={KINDS.map((each) => [each, STRINGS.media.kinds[each]] as const)}
            onChange={setKind}
            className="flex *:min-w-0 *:flex-1 *:px-1! *:text-[12px]!"
          />
        </>
      }
    >
      <MissingMedia />
      {relinking.length > 0 && (
        <div
          role="status"
          className="mb-2.5 flex items-center gap-2 rounded-lg bg-info-soft p-2 text-[12.5px] text-info"
        >
          <span className="flex-1">{STRINGS.relink.choose}</span>
          <SmallButton onClick={() => library.setState({ relinking: [] })}>{STRINGS.cancel}</SmallButton>
        </div>
      )}
      <Sending />
      {kind === "render" ? <Renders search={words} /> : <Files kind={kind} search={words} />}
    </TabBody>
  );
}

function Files({ kind, search }: { kind: "upload" | "narration"; search: string }) {
  const { data, error } = useQuery(media({ kind, search, limit: 100 }));
  if (error) return <Note className="text-danger">{errorMessage(error)}</Note>;
  if (!data) return <Spinner className="mx-auto mt-8 size-5 text-muted" />;
  const items = data.uploads.flatMap((file): Item[] => {
    const type = kindOf(file.contentType);
    const name = file.name ?? STRINGS.media.untitled;
    if (!type) return [];
    return [
      {
        id: file.id,
        medium: { src: file.fileUrl, kind: type, name },
        file,
        remove: () => api("delete", "/uploads/{uploadId}", { path: { uploadId: file.id } }),
      },
    ];
  });
  return <Items items={items} empty={search ? STRINGS.media.nothing : STRINGS.media.empty[kind]} />;
}

function Renders({ search }: { search: string }) {
  const { data, error } = useQuery(renders({ status: "COMPLETED", search, limit: 60 }));
  if (error) return <Note className="text-danger">{errorMessage(error)}</Note>;
  if (!data) return <Spinner className="mx-auto mt-8 size-5 text-muted" />;
  const items = data.renders.flatMap((job): Item[] => {
    const output = outputKind(job.format);
    if (!job.outputUrl || output === "archive" || !canDownload(job.format)) return [];
    const kind = ({ film: "video", picture: "image", sound: "sound" } as const)[output];
    const name = renderName(job);
    const contentType = `${kind === "sound" ? "audio" : kind}/${job.format}`;
    const file: MediaFile = {
      id: job.jobId,
      kind: "render",
      fileUrl: job.outputUrl,
      contentType,
      name,
      size: job.outputSize ?? null,
      createdAt: job.createdAt,
    };
    const remove = () => api("delete", "/renders/{jobId}", { path: { jobId: job.jobId } });
    return [{ id: job.jobId, medium: { src: job.outputUrl, kind, name }, file, remove }];
  });
  return <Items items={items} empty={search ? STRINGS.media.nothing : STRINGS.media.empty.render} />;
}

function Items({ items, empty }: { items: Item[]; empty: string }) {
  if (!items.length) return <Note className="px-2 py-8 text-center">{empty}</Note>;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-x-2 gap-y-3">
      {items.map((item) => (
        <MediaTile key={item.id} item={item} />
      ))}
    </ul>
  );
}

function MediaTile({ item: { medium, file, remove } }: { item: Item }) {
  const editor = useEditor();
  const relinking = useLibrary((state) => state.relinking);
  const [busy, setBusy] = useState(false);
  const [seconds, setSeconds] = useState(file.durationMs == null ? null : file.durationMs / 1000);
  const add = async () => {
    setBusy(true);
    const facts = await readFacts(medium);
    setBusy(false);
    if (relinking.length) return relink(editor, relinking, medium.src);
    addAtPlayhead(
      editor,
      [mediaDraft(editor.state.film, medium, facts, startFrame(editor))],
      STRINGS.steps.add(medium.kind),
    );
  };
  return (
    <li className="group relative min-w-0">
      <button
        type="button"
        draggable
        title={medium.name}
        aria-label={relinking.length ? STRINGS.relink.use(medium.name) : STRINGS.media.add(medium.name)}
        aria-busy={busy || undefined}
        onClick={() => void add()}
        onPointerEnter={() => void readFacts(medium)}
        onDragStart={(event) => carry(event, mediaDraft(editor.state.film, medium, factsOf(medium.src)))}
        className="block w-full text-left"
      >
        <span className="relative block aspect-4/3 overflow-hidden rounded-lg">
          <MediaThumbnail
            file={file}
            onDuration={setSeconds}
            className="size-full rounded-lg group-hover:border-subtle"
          />
          {busy && (
            <span className="absolute inset-0 grid place-items-center bg-black/40 text-white">
              <Spinner className="size-4" />
            </span>
          )}
        </span>
        <span className="mt-1 block truncate text-[11.5px] text-muted">{medium.name}</span>
      </button>
      {seconds !== null && Number.isFinite(seconds) && <TileFacts>{formatDuration(seconds)}</TileFacts>}
      <span className="absolute top-1 right-1 flex gap-0.5 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        {medium.kind === "sound" && <Listen src={medium.src} name={medium.name} />}
        <ConfirmDialog
          trigger={
            <IconButton label={STRINGS.media.remove(medium.name)} className="bg-surface/90 shadow-card">
              <Trash2 aria-hidden="true" />
            </IconButton>
          }
          title={STRINGS.media.removeTitle(medium.name)}
          confirmLabel={STRINGS.media.removeConfirm}
          onConfirm={async () => {
            await remove();
            for (const key of ["media", "renders", "account"]) void queryClient.invalidateQueries({ queryKey: [key] });
          }}
        >
          {STRINGS.media.removeText}
        </ConfirmDialog>
      </span>
    </li>
  );
}

function Listen({ src, name }: { src: string; name: string }) {
  const sound = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  return (
    <>
      <audio ref={sound} src={src} preload="none" onPlay={() => setPlaying(true)} onPause={() => setPlaying(false)} />
      <IconButton
        label={playing ? STRINGS.media.pause(name) : STRINGS.media.play(name)}
        className="bg-surface/90 shadow-card"
        onClick={() => (playing ? sound.current?.pause() : void sound.current?.play().catch(showError))}
      >
        {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </IconButton>
    </>
  );
}

/** Uploads under way. */
function Sending() {
  const list = useUploads();
  if (!list.length) return null;
  return (
    <ul aria-label={STRINGS.media.sending} className="mb-3 flex flex-col gap-2">
      {list.map((upload) => (
        <SendingRow key={upload.key} upload={upload} />
      ))}
    </ul>
  );
}

function SendingRow({ upload: { key, file, progress, problem, isWaiting } }: { upload: Upload }) {
  const percent = Math.round(progress * 100);
  return (
    <li className="rounded-lg border bg-inset p-2">
      <div className="flex items-center gap-1.5">
        {problem && <TriangleAlert className="size-3.5 shrink-0 text-danger" aria-hidden="true" />}
        {isWaiting && <CloudOff className="size-3.5 shrink-0 text-warning" aria-hidden="true" />}
        <span className="min-w-0 flex-1 truncate text-[12px]">{file.name}</span>
        {(problem || isWaiting) && (
          <IconButton label={STRINGS.media.retry(file.name)} onClick={() => retryUpload(key)}>
            <RotateCw aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={STRINGS.media.stop(file.name)} onClick={() => cancelUpload(key)}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {problem ? (
        <p role="alert" className="mt-1 text-[12px] text-danger">
          {problem}
        </p>
      ) : isWaiting ? (
        <p role="status" className="mt-1 text-[12px] text-muted">
          {STRINGS.media.lost}
        </p>
      ) : (
        <Progress percent={percent} label={STRINGS.media.progress(file.name)} className="mt-1.5 h-1!" />
      )}
    </li>
  );
}
