/** Lists: keyframes, texts, colours, gradients, and objects whose fields are rows of their own. */

import { ChevronDown, ChevronRight, ChevronUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { NEW_GRADIENT, readGradient, writeGradient } from "@/editor/inspector/css/gradient";
import { useOpen } from "@/editor/inspector/open";
import { isNumber, isText } from "@/editor/inspector/schema";
import { type Placed, placeItem } from "@/editor/inspector/table";
import { clamp, readQuantity } from "@/editor/inspector/values";
import type { Json } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/inspector";
import { useEditor } from "@/editor/use-editor";
import { ColorInput } from "./color";
import { GradientEditor } from "./gradient";
import { AddButton, CssInput, RemoveButton, SmallButton } from "./parts";
import { type ControlProps, INPUT, textOf } from "./props";

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Numbers at even distances, written with commas, with a drawing of their course. */
export function KeyframesControl({ id, field, value, isMixed, set }: ControlProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const numbers = asList(value).map(Number);
  const { minimum, maximum } = field.schema.items ?? {};
  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    const read = draft.split(/[\s,;]+/).flatMap((part) => readQuantity(part)?.number ?? []);
    const next = read.slice(0, 64).map((number) => clamp(number, minimum, maximum));
    if (next.join() !== numbers.join()) set(next.length ? next : undefined);
  };
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1.5">
      <input
        id={id}
        autoComplete="off"
        value={draft ?? numbers.join(", ")}
        placeholder={isMixed ? STRINGS.mixed : "0, 1"}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setDraft(null);
        }}
        className={INPUT}
      />
      <Course numbers={numbers} />
    </span>
  );
}

function Course({ numbers }: { numbers: readonly number[] }) {
  if (numbers.length < 2) return null;
  const low = Math.min(...numbers);
  const range = Math.max(...numbers) - low || 1;
  const points = numbers.map(
    (number, index) => `${(index / (numbers.length - 1)) * 36},${14 - ((number - low) / range) * 12}`,
  );
  return (
    <svg viewBox="-1 0 38 16" className="h-4 w-9 shrink-0" aria-hidden="true">
      <polyline points={points.join(" ")} fill="none" className="stroke-accent" strokeWidth="1.5" />
    </svg>
  );
}

const NEW_TEXTS: Record<string, string> = { gradients: writeGradient(NEW_GRADIENT), cellColors: "#6366f1" };

export function StringsControl({ field, label, value, isMixed, set, drag, end }: ControlProps) {
  const texts = asList(value).map(textOf);
  const put = (next: readonly string[], apply = set) => apply(next.length || field.required ? [...next] : undefined);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {texts.map((text, index) => {
        const name = STRINGS.item(label, index);
        const change = (next: string) => put(texts.with(index, next), drag);
        const gradient = field.name === "gradients" ? readGradient(text) : null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts have no name, and their order is their place.
          <div key={index} className="flex min-w-0 items-start gap-1">
            <div className="min-w-0 flex-1">
              {gradient ? (
                <GradientEditor
                  label={name}
                  gradient={gradient}
                  onChange={(next) => change(writeGradient(next))}
                  onEnd={end}
                />
              ) : field.name === "cellColors" ? (
                <ColorInput label={name} value={text} onChange={change} onEnd={end} />
              ) : (
                <CssInput label={name} value={text} onChange={(next) => put(texts.with(index, next))} />
              )}
            </div>
            <RemoveButton label={STRINGS.remove(name)} onClick={() => put(texts.toSpliced(index, 1))} />
          </div>
        );
      })}
      <AddButton
        label={STRINGS.addTo(label)}
        text={isMixed ? `${STRINGS.mixed} · ${STRINGS.add}` : STRINGS.add}
        onClick={() => put([...texts, NEW_TEXTS[field.name] ?? ""])}
      />
    </div>
  );
}

/** How many items are shown at first. */
const FEW = 20;

/** A list of objects. `row` draws a field of one of them. */
export function ObjectsControl({ row, ...props }: ControlProps & { row: (field: Placed) => ReactNode }) {
  const { field, label, value, isMixed, set } = props;
  const { fps } = useEditor().document();
  const [most, setMost] = useState(FEW);
  const items = asList(value);
  const isFull = items.length >= (field.schema.maxItems ?? 10_000);
  const put = (next: readonly Json[]) => set(next.length || field.required ? [...next] : undefined);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {items.slice(0, most).map((item, index) => (
        <Item
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no name, and their order is their place.
          key={index}
          name={STRINGS.item(label, index)}
          path={`${field.path}[${index}]`}
          summary={summaryOf(item, index)}
          isOnly={items.length === 1}
          onRemove={() => put(items.toSpliced(index, 1))}
          {...(index > 0 ? { onUp: () => put(items.toSpliced(index, 1).toSpliced(index - 1, 0, item)) } : {})}
        >
          {field.items?.map((one) => row(placeItem({ ...one, path: `${field.path}[${index}].${one.path}` })))}
        </Item>
      ))}
      {items.length > most && (
        <button
          type="button"
          className="h-7 rounded-md text-[12px] text-muted hover:bg-hover hover:text-foreground"
          onClick={() => setMost(most + 100)}
        >
          {STRINGS.moreItems(items.length - most)}
        </button>
      )}
      {!isFull && (
        <AddButton
          label={STRINGS.addTo(label)}
          text={isMixed ? `${STRINGS.mixed} · ${STRINGS.add}` : STRINGS.add}
          onClick={() => put([...items, newItem(field, items, fps)])}
        />
      )}
    </div>
  );
}

interface ItemProps {
  name: string;
  path: string;
  summary: string;
  isOnly: boolean;
  onRemove: () => void;
  onUp?: () => void;
  children: ReactNode;
}

function Item({ name, path, summary, isOnly, onRemove, onUp, children }: ItemProps) {
  const [isOpen, toggle] = useOpen(path, isOnly);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="min-w-0">
      <div className="flex items-center">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md px-1.5 text-left text-[12px] hover:bg-hover"
        >
          <Chevron className="size-3 shrink-0 text-muted" aria-hidden="true" />
          <span className="truncate">{summary || name}</span>
        </button>
        {onUp && (
          <SmallButton aria-label={STRINGS.moveUp(name)} onClick={onUp}>
            <ChevronUp className="size-3.5" />
          </SmallButton>
        )}
        <RemoveButton label={STRINGS.remove(name)} onClick={onRemove} />
      </div>
      {isOpen && <div className="mb-1 ml-2 flex flex-col gap-1 border-l pl-2 [--label:68px]">{children}</div>}
    </div>
  );
}

function summaryOf(item: Json, index: number): string {
  const object = (item ?? {}) as Record<string, Json>;
  const named = textOf(object["text"] ?? object["word"] ?? object["name"]);
  if (named) return named;
  if (object["startFrame"] !== undefined) return `${textOf(object["startFrame"])} – ${textOf(object["endFrame"])}`;
  return Array.isArray(object["images"]) ? `${index + 1} · ${object["images"].length}` : "";
}

/** A new item: after the last one where items follow each other in time. */
function newItem(field: Placed, items: readonly Json[], fps: number): Json {
  const last = (items.at(-1) ?? {}) as Record<string, Json>;
  const endMs = Number(last["endMs"] ?? 0);
  const endFrame = Number(last["endFrame"] ?? 0);
  const known: Record<string, Json> = {
    captions: { text: "", startMs: endMs, endMs: endMs + 2000, words: [] },
    words: { word: "", startMs: endMs, endMs: endMs + 300, confidence: 1 },
    segments: { startFrame: endFrame, endFrame: endFrame + fps },
    columns: { images: [], speed: 100, direction: "up" },
    colors: { name: `color-${items.length + 1}`, value: "#6366f1" },
    fonts: { name: `font-${items.length + 1}`, value: "Inter" },
  };
  const fields = field.items ?? [];
  return (
    known[field.name] ??
    Object.fromEntries(
      fields
        .filter(({ required }) => required)
        .map(({ name, schema }) => [name, isNumber(schema) ? (schema.minimum ?? 0) : isText(schema) ? "" : []]),
    )
  );
}
