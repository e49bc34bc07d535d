/** Speech: what a clip says as captions, and a text as a voice. Prices are shown before anything is made. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/http";
import { queryClient, voices } from "@/api/queries";
import type { Film, Json, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState, useSelected } from "@/editor/use-editor";
import { errorMessage } from "@/lib/error";
import { Alert } from "@/ui/alert";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Checkbox, Field, Select, Textarea } from "@/ui/field";
import { heardOf, type Line, onClock } from "./captions";
import { captionDraft, soundDraft } from "./items";
import { additions, framesOf, startFrame } from "./place";

/** Credits per started minute that is written down. */
const PER_MINUTE = 0.25;
/** Credits per started thousand characters that are spoken. */
const PER_THOUSAND = 0.5;

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The style of the captions. */
  template: string;
}

const spoken = (film: Film) =>
  film.overlays.filter((overlay) => (overlay.type === "video" || overlay.type === "sound") && overlay["src"]);

const nameOf = (overlay: Overlay, fps: number) =>
  `${String(overlay["name"] || STRINGS.kinds[overlay.type as "video" | "sound"])} · ${(overlay.from / fps).toFixed(1)} s`;

export function TranscribeDialog({ open, onOpenChange, template }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={STRINGS.speech.transcribeTitle}
      description={STRINGS.speech.transcribeText}
    >
      <Transcribe template={template} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Transcribe({ template, onDone }: { template: string; onDone: () => void }) {
  const editor = useEditor();
  const film = useEditorState((state) => state.film);
  const selected = useSelected();
  const clips = spoken(film);
  const [chosen, setChosen] = useState<number | null>(null);
  const [language, setLanguage] = useState("");
  const { data } = useQuery(voices);
  const clip =
    clips.find(({ id }) => id === chosen) ??
    clips.find(({ id }) => selected.some((each) => each.id === id)) ??
    clips[0];
  const heard = clip && heardOf(clip, film.fps);
  const minutes = heard ? Math.max(1, Math.ceil((heard.end - heard.start) / 60)) : 0;
  const start = useMutation({
    mutationFn: async () => {
      if (!clip || !heard) return;
      const answer = await api("post", "/ai/captions", {
        body: {
          url: String(clip["src"]),
          startTime: heard.start,
          endTime: heard.end,
          portrait: film.height > film.width,
          ...(language ? { language } : {}),
        },
      });
      const lines = onClock(answer.captions as unknown as Line[], heard);
      if (!lines.length) throw new Error(STRINGS.speech.silent);
      const now = editor.state.film;
      const draft = captionDraft(now, lines as unknown as Json[], clip.durationInFrames, template);
      const { edits, ids } = additions(now, [{ draft, from: clip.from }]);
      editor.apply(edits, { name: STRINGS.steps.transcribe, select: ids });
    },
    onSuccess: onDone,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["account"] }),
  });
  if (!clip) return <Alert>{STRINGS.speech.noClips}</Alert>;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <Field label={STRINGS.speech.clip}>
        {(field) => (
          <Select {...field} value={clip.id} onChange={(event) => setChosen(Number(event.target.value))}>
            {clips.map((each) => (
              <option key={each.id} value={each.id}>
                {nameOf(each, film.fps)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={STRINGS.speech.language}>
        {(field) => (
          <Select {...field} value={language} onChange={(event) => setLanguage(event.target.value)}>
            <option value="">{STRINGS.speech.detect}</option>
            {data?.languages.map((each) => (
              <option key={each} value={each}>
                {languageName(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {start.error && <Alert tone="danger">{errorMessage(start.error)}</Alert>}
      <div className="flex items-center justify-between gap-3">
        <span className="nums text-[13px] text-muted">{STRINGS.speech.atMost(minutes * PER_MINUTE)}</span>
        <Button type="submit" variant="primary" busy={start.isPending}>
          {STRINGS.speech.transcribe}
        </Button>
      </div>
    </form>
  );
}

function languageName(code: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function NarrateDialog({ open, onOpenChange, template }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={STRINGS.speech.narrateTitle}
      description={STRINGS.speech.narrateText}
    >
      <Narrate template={template} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Narrate({ template, onDone }: { template: string; onDone: () => void }) {
  const editor = useEditor();
  const { data } = useQuery(voices);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const [speed, setSpeed] = useState(1);
  const [captions, setCaptions] = useState(true);
  const voice = chosen || data?.voices[0]?.id || "";
  const price = Math.ceil(text.trim().length / 1000) * PER_THOUSAND;
  const speak = useMutation({
    mutationFn: () => {
      const { width, height } = editor.state.film;
      return api("post", "/ai/voiceover", { body: { text: text.trim(), voice, speed, portrait: height > width } });
    },
    onSettled: () => ["account", "media"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  });
  const forget = () => speak.reset();
  const add = () => {
    const made = speak.data;
    if (!made) return;
    const film = editor.state.film;
    const from = startFrame(editor);
    const seconds = made.durationMs / 1000;
    const drafts = [{ draft: soundDraft(film, made.audioUrl, seconds, STRINGS.speech.narration), from }];
    if (captions)
      drafts.push({
        draft: captionDraft(film, made.captions as unknown as Json[], framesOf(film, seconds), template),
        from,
      });
    const { edits, ids } = additions(film, drafts);
    editor.apply(edits, { name: STRINGS.steps.narrate, select: ids.slice(-1) });
    onDone();
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (speak.data) add();
        else speak.mutate();
      }}
    >
      <Field label={STRINGS.speech.text}>
        {(field) => (
          <Textarea
            {...field}
            rows={4}
            maxLength={10_000}
            value={text}
            placeholder={STRINGS.speech.placeholder}
            className="min-h-24"
            onChange={(event) => {
              setText(event.target.value);
              forget();
            }}
          />
        )}
      </Field>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-3">
        <Field label={STRINGS.speech.voice}>
          {(field) => (
            <Select
              {...field}
              value={voice}
              onChange={(event) => {
                setChosen(event.target.value);
                forget();
              }}
            >
              {data?.voices.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name} ({each.language})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={STRINGS.speech.speed}>
          {(field) => (
            <Select
              {...field}
              value={speed}
              onChange={(event) => {
                setSpeed(Number(event.target.value));
                forget();
              }}
            >
              {[0.75, 0.9, 1, 1.1, 1.25, 1.5].map((each) => (
                <option key={each} value={each}>
                  {each} ×
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Checkbox
        label={STRINGS.speech.withCaptions}
        checked={captions}
        onChange={(event) => setCaptions(event.target.checked)}
      />
      {speak.error && <Alert tone="danger">{errorMessage(speak.error)}</Alert>}
      {speak.data && (
        <audio src={speak.data.audioUrl} controls autoPlay aria-label={STRINGS.speech.narration} className="w-full" />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="nums text-[13px] text-muted">
          {speak.data
            ? STRINGS.speech.paid(speak.data.creditsUsed)
            : price
              ? STRINGS.speech.costs(price)
              : STRINGS.speech.rate(PER_THOUSAND)}
        </span>
        <Button type="submit" variant="primary" busy={speak.isPending} disabled={!text.trim() || !voice}>
          {speak.data ? STRINGS.speech.add : STRINGS.speech.listen}
        </Button>
      </div>
    </form>
  );
}
