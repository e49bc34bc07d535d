/** Colours: a swatch that opens a picker, and the code. */

import { useQuery } from "@tanstack/react-query";
import { Pipette } from "lucide-react";
import { useMemo, useState } from "react";
import { HexAlphaColorPicker, setNonce } from "react-colorful";
import { brand } from "@/api/queries";
import { alphaOf, colorsOf, toHex, withAlpha } from "@/editor/inspector/css/color";
import { pickColor } from "@/editor/inspector/eyedropper";
import type { Json } from "@/editor/model/film";
import { COLOR, STRINGS } from "@/editor/strings/inspector";
import { useEditor } from "@/editor/use-editor";
import { cspNonce } from "@/lib/csp";
import { cx } from "@/ui/cx";
import { Float, MiniNumber, SmallButton } from "./parts";
import { type ControlProps, INPUT, textOf } from "./props";

if (cspNonce) setNonce(cspNonce);

export function ColorControl(props: ControlProps) {
  const { id, label, value, isMixed, fallback, set, drag, end } = props;
  return (
    <ColorInput
      id={id}
      label={label}
      value={isMixed ? "" : textOf(value)}
      placeholder={isMixed ? STRINGS.mixed : textOf(fallback)}
      onChange={drag}
      onCommit={(next) => (next ? set(next) : set(undefined))}
      onEnd={end}
    />
  );
}

interface ColorInputProps {
  id?: string;
  label: string;
  value: string;
  placeholder?: string;
  /** While the picker is dragged. */
  onChange: (color: string) => void;
  /** A typed or chosen colour; by default the same as a dragged one. */
  onCommit?: (color: string) => void;
  onEnd: () => void;
  className?: string;
}

export function ColorInput({
  id,
  label,
  value,
  placeholder = "",
  onChange,
  onCommit,
  onEnd,
  className,
}: ColorInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const put = (color: string) => {
    if (onCommit) onCommit(color);
    else {
      onChange(color);
      onEnd();
    }
  };
  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    const text = draft.trim();
    const bare = /^[0-9a-f]{3}([0-9a-f]{3}([0-9a-f]{2})?)?$/i.test(text) ? `#${text}` : text;
    if (bare !== value && (!bare || toHex(bare) || bare.includes("("))) put(bare);
  };
  const shown = value || placeholder;
  return (
    <span className={cx("flex min-w-0 items-center gap-1.5", className)}>
      <Float
        label={COLOR.picker(label)}
        onOpenChange={(open) => !open && onEnd()}
        trigger={
          <button
            type="button"
            aria-label={COLOR.picker(label)}
            className="inspector-checks relative size-8 shrink-0 overflow-hidden rounded-md border border-border-strong sm:size-7"
          >
            <span className="absolute inset-0" style={{ background: toHex(shown) ?? "transparent" }} />
          </button>
        }
      >
        <ColorPanel label={label} value={value || placeholder} onChange={onChange} onCommit={put} onEnd={onEnd} />
      </Float>
      <input
        id={id}
        aria-label={id ? undefined : label}
        autoComplete="off"
        spellCheck={false}
        value={draft ?? value}
        placeholder={placeholder || STRINGS.unset}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setDraft(null);
        }}
        className={cx(INPUT, "font-mono text-[11.5px]!")}
      />
    </span>
  );
}

interface ColorPanelProps {
  label: string;
  value: string;
  onChange: (color: string) => void;
  onCommit: (color: string) => void;
  onEnd: () => void;
}

/** Milliseconds after which a drag in the picker has reported its last colour. */
const REPORTED_MS = 150;

function ColorPanel({ label, value, onChange, onCommit, onEnd }: ColorPanelProps) {
  const editor = useEditor();
  const kit = useQuery(brand).data;
  const hex = toHex(value) ?? "#000000";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the film when the panel opened.
  const ofFilm = useMemo(() => colorsOf(editor.document()), []);
  const variables = (editor.document()["colors"] ?? []) as Json[];
  const named = variables.flatMap((one) => {
    const { name, value: color } = (one ?? {}) as Record<string, Json>;
    return typeof color === "string" ? [{ name: textOf(name), value: color }] : [];
  });
  return (
    <div className="flex min-h-0 flex-col gap-3 overflow-y-auto">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the end of a gesture of the sliders inside. */}
      <div onPointerUp={() => setTimeout(onEnd, REPORTED_MS)} onKeyUp={() => setTimeout(onEnd, REPORTED_MS)}>
        <HexAlphaColorPicker
          className="inspector-colorful"
          color={hex}
          onChange={(next) => {
            const clean = toHex(next) ?? next;
            if (clean !== hex) onChange(clean);
          }}
        />
      </div>
      <div className="flex items-center gap-1.5">
        <HexInput label={COLOR.hex(label)} value={hex} onCommit={onCommit} />
        <MiniNumber
          label={COLOR.opacity}
          suffix="%"
          value={Math.round(alphaOf(hex) * 100)}
          min={0}
          onChange={(percent) => onChange(withAlpha(hex, Math.min(percent, 100) / 100))}
          onEnd={onEnd}
          className="w-16 shrink-0"
        />
        <SmallButton
          aria-label={"EyeDropper" in window ? COLOR.pickFromScreen : COLOR.pickFromCanvas}
          title={"EyeDropper" in window ? COLOR.pickFromScreen : COLOR.pickFromCanvas}
          onClick={() => void pickColor(editor).then((picked) => picked && onCommit(picked))}
        >
          <Pipette className="size-3.5" />
        </SmallButton>
      </div>
      <Swatches title={COLOR.variables} colors={named} current={hex} onPick={onCommit} />
      <Swatches
        title={COLOR.document}
        colors={ofFilm.map((color) => ({ name: color, value: color }))}
        current={hex}
        onPick={onCommit}
      />
      <Swatches title={COLOR.brand} colors={kit?.colors ?? []} current={hex} onPick={onCommit} />
    </div>
  );
}

function HexInput({ label, value, onCommit }: { label: string; value: string; onCommit: (color: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    const hex = draft === null ? null : (toHex(draft) ?? toHex(`#${draft}`));
    setDraft(null);
    if (hex && hex !== value) onCommit(hex);
  };
  return (
    <input
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      value={draft ?? value}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
      className={cx(INPUT, "font-mono")}
    />
  );
}

interface SwatchesProps {
  title: string;
  colors: readonly { name: string; value: string }[];
  current: string;
  onPick: (color: string) => void;
}

function Swatches({ title, colors, current, onPick }: SwatchesProps) {
  if (!colors.length) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[11px] text-muted">{title}</legend>
      <div className="flex flex-wrap gap-1.5">
        {colors.map(({ name, value }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: two colours may have one name.
            key={`${name} ${index}`}
            type="button"
            title={name}
            aria-label={COLOR.use(name)}
            aria-pressed={toHex(value) === current}
            onClick={() => onPick(value)}
            className="inspector-checks relative size-6 overflow-hidden rounded-md border border-border-strong aria-pressed:ring-2 aria-pressed:ring-primary"
          >
            <span className="absolute inset-0" style={{ background: toHex(value) ?? "transparent" }} />
          </button>
        ))}
      </div>
    </fieldset>
  );
}
