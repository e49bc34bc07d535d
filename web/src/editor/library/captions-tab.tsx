/** Captions: where they come from, what they say and how they look. */

import { useQuery } from "@tanstack/react-query";
import { FileUp, Mic, Plus, Speech } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { api } from "@/api/http";
import { voices } from "@/api/queries";
import type { Film, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { humanize } from "@/lib/format";
import { showError } from "@/ui/toast";
import { CaptionEditor } from "./caption-editor";
import { type Line, linesOf, newLine } from "./captions";
import { captionDraft } from "./items";
import { Note, Part, SheetPicture, SmallButton, SmallSelect, TabBody } from "./parts";
import { addAtPlayhead, framesOf } from "./place";
import { useSheet } from "./sheet";
import { NarrateDialog, TranscribeDialog } from "./speech";
import { readSubtitles } from "./subtitles";

/** Files with subtitles larger than this are not read. */
const MOST_BYTES = 4_000_000;

const captionsIn = (film: Film) => film.overlays.filter(({ type }) => type === "caption");

/** The captions that are worked on: the selected ones, otherwise the first of the film. */
const useCaptions = (): Overlay | undefined =>
  useEditorState(({ film, selection }) => {
    const all = captionsIn(film);
    return all.find(({ id }) => selection.includes(id)) ?? all[0];
  });

export function CaptionsTab() {
  const overlay = useCaptions();
  return (
    <TabBody label={STRINGS.tab.captions} head={<Sources overlay={overlay} />}>
      {overlay ? (
        <>
          <Which overlay={overlay} />
          <CaptionEditor key={overlay.id} overlay={overlay} />
        </>
      ) : (
        <Note className="mb-4 px-1 py-3 text-center">{STRINGS.captions.none}</Note>
      )}
      <Styles overlay={overlay} />
    </TabBody>
  );
}

/** The ways to captions. */
function Sources({ overlay }: { overlay: Overlay | undefined }) {
  const editor = useEditor();
  const chooser = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<"transcribe" | "narrate" | null>(null);
  const { data } = useQuery(voices);
  const canHear = data === undefined || data.languages.length > 0;
  const canSpeak = data === undefined || data.voices.length > 0;
  const add = (lines: Line[], name: string) => {
    const film = editor.state.film;
    const end = Math.max(...lines.map(({ endMs }) => endMs));
    addAtPlayhead(editor, [captionDraft(film, lines, framesOf(film, end / 1000))], name);
  };
  const read = async (file: File) => {
    try {
      const lines = file.size > MOST_BYTES ? [] : readSubtitles(await file.text());
      if (!lines.length) throw new Error(STRINGS.captions.unreadable(file.name));
      add(lines, STRINGS.steps.importCaptions);
    } catch (error) {
      showError(error);
    }
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-1.5 *:gap-1! *:px-1!">
        <SmallButton disabled={!canHear} onClick={() => setDialog("transcribe")}>
          <Mic aria-hidden="true" /> {STRINGS.captions.transcribe}
        </SmallButton>
        <SmallButton disabled={!canSpeak} onClick={() => setDialog("narrate")}>
          <Speech aria-hidden="true" /> {STRINGS.captions.narrate}
        </SmallButton>
        <SmallButton onClick={() => chooser.current?.click()} title={STRINGS.captions.importHint}>
          <FileUp aria-hidden="true" /> {STRINGS.captions.import}
        </SmallButton>
        <SmallButton onClick={() => add([newLine(STRINGS.captions.sample, 0, 2500)], STRINGS.steps.add("caption"))}>
          <Plus aria-hidden="true" /> {STRINGS.captions.write}
        </SmallButton>
      </div>
      {!canHear && <Note>{STRINGS.captions.noEngine}</Note>}
      {!canSpeak && <Note>{STRINGS.captions.noVoices}</Note>}
      <input
        ref={chooser}
        type="file"
        accept=".srt,.vtt,text/vtt"
        className="hidden"
        tabIndex={-1}
        aria-label={STRINGS.captions.chooser}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void read(file);
        }}
      />
      <TranscribeDialog
        open={dialog === "transcribe"}
        onOpenChange={(open) => setDialog(open ? "transcribe" : null)}
        template={templateOf(overlay)}
      />
      <NarrateDialog
        open={dialog === "narrate"}
        onOpenChange={(open) => setDialog(open ? "narrate" : null)}
        template={templateOf(overlay)}
      />
    </>
  );
}

const templateOf = (overlay: Overlay | undefined) =>
  typeof overlay?.["template"] === "string" ? overlay["template"] : "classic";

/** Chooses among several captions of a film. */
function Which({ overlay }: { overlay: Overlay }) {
  const editor = useEditor();
  const { all, fps } = useEditorState(({ film }) => ({ all: film.overlays, fps: film.fps }));
  const list = all.filter(({ type }) => type === "caption");
  if (list.length < 2) return null;
  return (
    <SmallSelect
      aria-label={STRINGS.captions.which}
      className="mb-3"
      value={overlay.id}
      onChange={(event) => editor.select([Number(event.target.value)])}
    >
      {list.map((each) => (
        <option key={each.id} value={each.id}>
          {(each.from / fps).toFixed(1)} s · {linesOf(each)[0]?.text ?? STRINGS.captions.empty}
        </option>
      ))}
    </SmallSelect>
  );
}

const WIDTH = 320;
const HEIGHT = 120;

/** The looks that the service knows, painted. */
function Styles({ overlay }: { overlay: Overlay | undefined }) {
  const editor = useEditor();
  const entries = useQuery({
    queryKey: ["registry", "captions", ""],
    queryFn: async () =>
      (await api("get", "/registry/{area}", { path: { area: "captions" } })).entries as unknown as { name: string }[],
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const tiles = useMemo(
    () =>
      entries?.map(({ name }) => ({
        overlays: [
          {
            type: "caption",
            left: 0,
            top: 0,
            width: WIDTH,
            height: HEIGHT,
            template: name,
            captions: [newLine(STRINGS.captions.look, 0, 4000)],
          },
        ],
      })),
    [entries],
  );
  const { data: sheet } = useSheet("captions", tiles, WIDTH, HEIGHT, "#3b4252", 45);
  const current = overlay && templateOf(overlay);
  const choose = (name: string) => {
    if (overlay)
      return editor.apply(
        { op: "set", id: overlay.id, path: "template", value: name },
        { name: STRINGS.steps.captionStyle },
      );
    const film = editor.state.film;
    addAtPlayhead(
      editor,
      [captionDraft(film, [newLine(STRINGS.captions.sample, 0, 2500)], framesOf(film, 2.5), name)],
      STRINGS.steps.add("caption"),
    );
  };
  return (
    <Part title={STRINGS.captions.styles}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-x-2 gap-y-2.5">
        {entries?.map(({ name }, index) => (
          <li key={name}>
            <button
              type="button"
              aria-label={STRINGS.captions.use(humanize(name))}
              aria-pressed={current === name}
              onClick={() => choose(name)}
              className="group block w-full text-left"
            >
              <span className="relative block aspect-8/3 overflow-hidden rounded-lg border bg-[#3b4252] group-hover:border-subtle group-aria-pressed:border-accent-fill group-aria-pressed:ring-1 group-aria-pressed:ring-accent-fill">
                <SheetPicture sheet={sheet} index={index} />
              </span>
              <span className="mt-1 block truncate text-[11.5px] text-muted">{humanize(name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}
