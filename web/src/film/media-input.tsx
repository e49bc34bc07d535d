/** Inputs for media variables: a URL or an uploaded file. */

import { Pause, Play, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/ui/button";
import { Input } from "@/ui/field";
import { showError } from "@/ui/toast";
import { sendFile } from "./send-file";

const ACCEPT: Record<string, string> = { image: "image/*", video: "video/*", sound: "audio/*" };

interface MediaProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  kind: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A media URL, or a file to upload. */
export function MediaInput({ kind, label, value, onChange, ...field }: MediaProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const send = async (file: File) => {
    setBusy(true);
    try {
      const upload = await sendFile(file);
      onChange(upload.fileUrl);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex gap-2">
      {kind === "image" && <ImagePreview src={value} />}
      {kind === "sound" && <AudioPreview src={value} label={label} />}
      <Input
        {...field}
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
        aria-label={`Upload file for ${label}`}
      >
        <span className="hidden sm:inline">Upload</span>
      </Button>
    </div>
  );
}

/** Plays the selected audio. */
export function AudioPreview({ src, label }: { src: string; label: string }) {
  const player = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const toggle = () => {
    if (playing) player.current?.pause();
    else player.current?.play().catch(showError);
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
        aria-label={playing ? `Pause ${label}` : `Play ${label}`}
      >
        {playing ? <Pause className="size-4" /> : <Play className="size-4" />}
      </Button>
    </>
  );
}

function ImagePreview({ src }: { src: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span aria-hidden="true" className="size-9 shrink-0 overflow-hidden rounded-lg border bg-inset">
      {src && broken !== src && (
        <img src={src} alt="" className="size-full object-cover" onError={() => setBroken(src)} />
      )}
    </span>
  );
}
