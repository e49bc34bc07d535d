/** A form for the variables of a template or project. */

import { RotateCcw } from "lucide-react";
import type { Variable } from "@/api/types";
import { Field, Textarea } from "@/ui/field";
import { MediaInput } from "./media-input";

/** Changed values by variable name. Unchanged variables are absent. */
export type Values = Record<string, string>;

interface FormProps {
  variables: Variable[];
  values: Values;
  onChange: (values: Values) => void;
}

/** Order of fields: text, then images and videos, captions, audio. */
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
  const hint = isCaption
    ? "SRT or WebVTT. Leave empty to use the default captions."
    : tooLong
      ? "Exceeds the available space. The text may be truncated."
      : undefined;
  return (
    <Field label={variable.label} aside={aside} hint={hint}>
      {(field) =>
        variable.type === "url" ? (
          <MediaInput {...field} kind={overlayType} value={shown} onChange={change} label={variable.label} />
        ) : (
          <Textarea
            {...field}
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
