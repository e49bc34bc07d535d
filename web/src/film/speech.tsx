/** Values that ask for speech: a script to narrate, a recording to caption. */
import { SegmentedControl } from "@/ui/segmented-control";

export interface Narration {
  tts: { text: string; voice?: string };
}

export interface Transcription {
  transcribe: { source: string };
}

export const isNarration = (value: unknown): value is Narration =>
  typeof value === "object" && value !== null && "tts" in value;
export const isTranscription = (value: unknown): value is Transcription =>
  typeof value === "object" && value !== null && "transcribe" in value;

/** Chooses between a file and speech. */
export function SpeechSwitch({
  label,
  options: [off, onLabel],
  on,
  onChange,
}: {
  label: string;
  options: [string, string];
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <SegmentedControl
      label={label}
      value={on ? "on" : "off"}
      options={[
        ["off", off],
        ["on", onLabel],
      ]}
      onChange={(choice) => onChange(choice === "on")}
      className="self-start"
    />
  );
}
