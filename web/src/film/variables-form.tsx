/** A form for the variables of a template or project. */

import { RotateCcw } from "lucide-react";
import type { Brand, Variable } from "@/api/types";
import { Field, Input, Textarea } from "@/ui/field";
import { isColor, isFont, isLogo } from "./brand";
import { ColorInput } from "./color-input";
import { FontInput } from "./font-input";
import { MediaInput } from "./media-input";
import { NarrationInput } from "./narration-input";
import { isNarration, isTranscription, type Narration, SpeechSwitch, type Transcription } from "./speech";

/** What a variable can be set to. */
export type VariableValue = string | Narration | Transcription;
/** Changed values by variable name. Unchanged variables are absent. */
export type Values = Record<string, VariableValue>;

interface FormProps {
  variables: Variable[];
  values: Values;
  /** Whether sounds can be narrated and captions transcribed. */
  speech: boolean;
  /** Its colours, its fonts and its logo are offered. */
  brand: Brand | undefined;
  onChange: (values: Values) => void;
  /** Called with the name of a variable that is about to be changed. */
  onShow: (name: string) => void;
}

/** Order of fields: text, then images and videos, colours, fonts, captions, audio. */
const ORDER: Record<string, number> = { image: 1, video: 1, color: 2, font: 3, caption: 4, sound: 5 };
/** Texts of at most this many characters without a line break are edited on one line. */
const ONE_LINE = 48;

export function VariablesForm({ variables, values, speech, brand, onChange, onShow }: FormProps) {
  const set = (name: string, value: VariableValue | null) => {
    const { [name]: _, ...rest } = values;
    onChange(value === null ? rest : { ...rest, [name]: value });
  };
  const heard = spokenVariable(variables, values);
  return (
    <div className="flex flex-col gap-5">
      {variables
        .toSorted((a, b) => (ORDER[a.overlayType] ?? 0) - (ORDER[b.overlayType] ?? 0))
        .map((variable) => (
          // Focus moves between the controls of a field; the field itself is not one.
          // biome-ignore lint/a11y/noStaticElementInteractions: the handler only follows the focus
          <div key={variable.name} onFocus={() => onShow(variable.name)}>
            <VariableField
              variable={variable}
              value={values[variable.name]}
              speech={speech}
              brand={brand}
              heard={heard}
              onChange={(value) => set(variable.name, value)}
            />
          </div>
        ))}
    </div>
  );
}

/** The variable whose speech can become captions: one with a script, one named like speech, or any with sound. */
function spokenVariable(variables: Variable[], values: Values): string | undefined {
  const audible = variables.filter(({ overlayType }) => overlayType === "sound" || overlayType === "video");
  const spoken =
    audible.find(({ name }) => isNarration(values[name])) ??
    audible.find(({ name }) => /voice|narrat|speech|speak|podcast|interview/i.test(name)) ??
    audible[0];
  return spoken?.name;
}

interface FieldProps {
  variable: Variable;
  value: VariableValue | undefined;
  speech: boolean;
  brand: Brand | undefined;
  /** The variable whose speech can become captions. */
  heard: string | undefined;
  onChange: (value: VariableValue | null) => void;
}

function VariableField({ variable, value, speech, brand, heard, onChange }: FieldProps) {
  const { overlayType, maxCharacters } = variable;
  const isCaption = overlayType === "caption";
  const text = typeof value === "string" ? value : undefined;
  const shown = text ?? (isCaption ? "" : variable.default);
  // The default value needs no replacement.
  const change = (next: string) => onChange(next === (isCaption ? "" : variable.default) ? null : next);
  const tooLong = maxCharacters != null && shown.length > maxCharacters;
  const aside = (
    <span className="flex items-center gap-2.5">
      {maxCharacters != null && (
        <span className={tooLong ? "nums text-warning" : "nums"}>
          {shown.length} / {maxCharacters}
        </span>
      )}
      {value !== undefined && (
        <button
          type="button"
          onClick={() => onChange(null)}
          className="flex items-center gap-1 rounded hover:text-foreground"
          aria-label={`Reset ${variable.label}`}
        >
          <RotateCcw className="size-3" aria-hidden="true" /> Reset
        </button>
      )}
    </span>
  );
  const automatic = isTranscription(value);
  const hint = isCaption
    ? automatic
      ? "The words are recognized when the video is rendered. Free for a script of this request, otherwise 0.25 credits per started minute."
      : "SRT or WebVTT. Leave empty to use the default captions."
    : tooLong
      ? "Exceeds the available space. The text may be truncated."
      : undefined;
  const one = !isCaption && isOneLine(variable);
  return (
    <Field label={variable.label} aside={aside} hint={hint}>
      {(field) => (
        <>
          {speech && overlayType === "sound" && (
            <SpeechSwitch
              label={`Source of ${variable.label}`}
              options={["Audio file", "Type a script"]}
              on={isNarration(value)}
              onChange={(on) => onChange(on ? { tts: { text: "" } } : null)}
            />
          )}
          {speech && isCaption && heard && (
            <SpeechSwitch
              label={`Source of ${variable.label}`}
              options={["Subtitles", "Caption automatically"]}
              on={automatic}
              onChange={(on) => onChange(on ? { transcribe: { source: heard } } : null)}
            />
          )}
          {isNarration(value) ? (
            <NarrationInput {...field} value={value} onChange={onChange} label={variable.label} />
          ) : automatic ? null : isColor(variable) ? (
            <ColorInput
              {...field}
              label={variable.label}
              value={shown}
              colors={brand?.colors ?? []}
              onChange={change}
            />
          ) : isFont(variable) ? (
            <FontInput
              {...field}
              label={variable.label}
              value={shown}
              families={brand ? [brand.fonts.heading, brand.fonts.body] : []}
              onChange={change}
            />
          ) : variable.type === "url" ? (
            <>
              <MediaInput {...field} kind={overlayType} value={shown} onChange={change} label={variable.label} />
              {isLogo(variable) && brand?.logoUrl && shown !== brand.logoUrl && (
                <LogoOffer url={brand.logoUrl} label={variable.label} onUse={change} />
              )}
            </>
          ) : one ? (
            <Input {...field} value={shown} onChange={(event) => change(event.target.value)} />
          ) : (
            <Textarea
              {...field}
              rows={1}
              value={shown}
              placeholder={isCaption ? variable.default : ""}
              onChange={(event) => change(event.target.value)}
              className={isCaption ? "min-h-24 font-mono text-[13px]!" : ""}
            />
          )}
        </>
      )}
    </Field>
  );
}

/** The logo of the brand kit as a value. */
function LogoOffer({ url, label, onUse }: { url: string; label: string; onUse: (url: string) => void }) {
  return (
    <button
      type="button"
      onClick={() => onUse(url)}
      aria-label={`Use your logo for ${label}`}
      className="flex items-center gap-2 self-start rounded-lg border bg-surface py-1 pr-3 pl-1 text-[13px] font-medium hover:border-border-strong"
    >
      <span className="checkerboard grid h-7 w-11 place-items-center overflow-hidden rounded-md">
        <img src={url} alt="" className="size-full object-contain" />
      </span>
      Use your logo
    </button>
  );
}

/** Whether there is room for one line only, or the text is short. */
function isOneLine({ linesAvailable, default: text }: Variable): boolean {
  if (text.includes("\n")) return false;
  return linesAvailable == null ? text.length <= ONE_LINE : linesAvailable === 1;
}
