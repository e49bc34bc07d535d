/** A form made from a film's variables. */
import { Pause, Play, RotateCcw, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "@/api/http";
import type { Variable } from "@/api/types";
import { Button } from "@/ui/button";
import { Field, Input, Textarea } from "@/ui/field";
import { complain } from "@/ui/toast";

/** What was typed, by variable; those left alone are not in it. */
export type Values = Record<string, string>;

interface FormProps {
  variables: Variable[];
  values: Values;
  onChange: (values: Values) => void;
}

const ACCEPT: Record<string, string> = { image: "image/*", video: "video/*", sound: "audio/*" };

/** Words come first, then pictures and films, then sound. */
const ORDER: Record<string, number> = { image: 1, video: 1, caption: 2, sound: 3 };

export function VariablesForm({ variables, values, onChange }: FormProps) {
  const set = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = values;
    onChange(value === null ? rest : { ...rest, [name]: value });
  };
  return (
    <div className="flex flex-col gap-5">
      {variables
        .toSorted((a, b) => (ORDER[a.overlayType] ?? 0) - (ORDER[b.overlayType] ?? 0))
        .map((variable) => (
          <VariableField
            key={variable.name}
            variable={variable}
            value={values[variable.name]}
            onChange={(value) => set(variable.name, value)}
          />
        ))}
    </div>
  );
}

function VariableField({
  variable,
  value,
  onChange,
}: {
  variable: Variable;
  value: string | undefined;
  onChange: (value: string | null) => void;
}) {
  const { overlayType, maxCharacters } = variable;
  const isCaption = overlayType === "caption";
  const shown = value ?? (isCaption ? "" : variable.default);
  // What equals the authored value needs no replacement.
  const change = (next: string) => onChange(next === (isCaption ? "" : variable.default) ? null : next);
  const over = maxCharacters != null && shown.length > maxCharacters;
  const aside = (
    <span className="flex items-center gap-2.5">
      {maxCharacters != null && (
        <span className={over ? "nums text-warn" : "nums"}>
          {shown.length} / {maxCharacters}
        </span>
      )}
      {value !== undefined && (
        <button
          type="button"
          onClick={() => onChange(null)}
          className="flex items-center gap-1 rounded hover:text-text"
          aria-label={`Reset ${variable.label}`}
        >
          <RotateCcw className="size-3" aria-hidden="true" /> Reset
        </button>
      )}
    </span>
  );
  const hint = isCaption
    ? "SRT or WebVTT text. Left empty, the captions shown here are used."
    : over
      ? "Longer than the space it has: the end may be cut off."
      : undefined;
  return (
    <Field label={variable.label} aside={aside} hint={hint}>
      {(given) =>
        variable.type === "url" ? (
          <Media {...given} kind={overlayType} value={shown} onChange={change} label={variable.label} />
        ) : (
          <Textarea
            {...given}
            rows={1}
            value={shown}
            placeholder={isCaption ? variable.default : ""}
            onChange={(event) => change(event.target.value)}
            className={isCaption ? "min-h-24 font-mono text-[13px]!" : ""}
          />
        )
      }
    </Field>
  );
}

interface MediaProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  kind: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** An address, or a file that is uploaded and has one then. */
function Media({ kind, label, value, onChange, ...given }: MediaProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const send = async (file: File) => {
    setBusy(true);
    try {
      const place = await api("post", "/uploads", { body: { contentType: file.type } });
      const answer = await fetch(place.uploadUrl, {
        method: "PUT",
        body: file,
        headers: { "content-type": file.type },
      });
      if (!answer.ok) throw new Error(((await answer.json()) as { error?: string }).error ?? "The upload failed.");
      onChange(place.fileUrl);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex gap-2">
      {kind === "image" && <Thumb src={value} />}
      {kind === "sound" && <Listen src={value} label={label} />}
      <Input
        {...given}
        type="url"
        inputMode="url"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono text-[13px]!"
      />
      <input
        ref={chooser}
        type="file"
        accept={ACCEPT[kind] ?? "*/*"}
        className="hidden"
        aria-label={`File for ${label}`}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) void send(file);
          event.target.value = "";
        }}
      />
      <Button
        busy={busy}
        onClick={() => chooser.current?.click()}
        icon={<Upload className="size-4" />}
        aria-label={`Upload a file for ${label}`}
      >
        <span className="hidden sm:inline">Upload</span>
      </Button>
    </div>
  );
}

/** Plays a sound to those who want to know what it is. */
function Listen({ src, label }: { src: string; label: string }) {
  const player = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const toggle = () => {
    if (playing) player.current?.pause();
    else player.current?.play().catch(complain);
  };
  return (
    <>
      <audio
        ref={player}
        src={src}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      <Button
        size="icon"
        className="size-9"
        disabled={!src}
        onClick={toggle}
        aria-label={playing ? `Stop ${label}` : `Listen to ${label}`}
      >
        {playing ? <Pause className="size-4" /> : <Play className="size-4" />}
      </Button>
    </>
  );
}

function Thumb({ src }: { src: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span aria-hidden="true" className="size-9 shrink-0 overflow-hidden rounded-lg border bg-sunken">
      {src && broken !== src && (
        <img src={src} alt="" className="size-full object-cover" onError={() => setBroken(src)} />
      )}
    </span>
  );
}
