/** An input for a colour: a picker, its code, and the colours of the brand kit. */

import { Check } from "lucide-react";
import { useState } from "react";
import type { Brand } from "@/api/types";
import { Input } from "@/ui/field";

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A colour as `#rrggbb`, or null. */
export function toHex(text: string): string | null {
  const code = text.trim().startsWith("#") ? text.trim() : `#${text.trim()}`;
  if (!HEX.test(code)) return null;
  return (code.length === 4 ? code.replaceAll(/[0-9a-f]/gi, "$&$&") : code).toLowerCase();
}

interface Props {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
  label: string;
  value: string;
  colors?: Brand["colors"];
  onChange: (value: string) => void;
}

export function ColorInput({ label, value, colors = [], onChange, ...field }: Props) {
  // What is being typed, until it is a colour.
  const [typed, setTyped] = useState<string | null>(null);
  const pick = (next: string) => {
    setTyped(null);
    onChange(next);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        type="color"
        aria-label={`Pick ${label}`}
        value={toHex(value) ?? "#000000"}
        onChange={(event) => pick(event.target.value)}
        className="control h-9 w-11 shrink-0 cursor-pointer p-1"
      />
      <Input
        {...field}
        spellCheck={false}
        maxLength={7}
        value={typed ?? value}
        onChange={(event) => {
          const hex = toHex(event.target.value);
          setTyped(event.target.value);
          if (hex && event.target.value.trim().replace("#", "").length === 6) pick(hex);
        }}
        onBlur={() => {
          const hex = typed === null ? null : toHex(typed);
          setTyped(null);
          if (hex) onChange(hex);
        }}
        className="w-28! font-mono text-[13px]!"
      />
      {colors.length > 0 && (
        <fieldset className="flex flex-wrap gap-1.5" aria-label={`Brand colours for ${label}`}>
          {colors.map((color) => (
            <button
              key={color.name}
              type="button"
              title={color.name}
              aria-label={`Use ${color.name}`}
              aria-pressed={toHex(value) === color.value}
              onClick={() => pick(color.value)}
              className="grid size-7 place-items-center rounded-full border border-border-strong"
              style={{ backgroundColor: color.value }}
            >
              {toHex(value) === color.value && (
                <Check className="size-3.5 text-white mix-blend-difference" aria-hidden="true" />
              )}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
