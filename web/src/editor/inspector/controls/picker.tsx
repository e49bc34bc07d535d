/** Pickers of presets. Each tile shows this overlay with the preset, and plays while it is pointed at or focused. */

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { api } from "@/api/http";
import { type Entry, useRegistry } from "@/editor/inspector/registry";
import type { Area } from "@/editor/inspector/table";
import { paintTile, TILE, type TileFilm, tileFilm } from "@/editor/inspector/tiles";
import { humanise } from "@/editor/inspector/values";
import type { Json } from "@/editor/model/film";
import { PICKER, STRINGS } from "@/editor/strings/inspector";
import { useEditor } from "@/editor/use-editor";
import { useDebounced, useInView } from "@/lib/hooks";
import { cx } from "@/ui/cx";
import { Float } from "./parts";
import { type ControlProps, INPUT, textOf } from "./props";

const COLUMNS = 3;
/** Milliseconds between two frames of a tile that plays. */
const FRAME_MS = 70;

export function PickerControl(props: ControlProps) {
  const { id, label, value, isMixed, fallback, set, field } = props;
  const [open, setOpen] = useState(false);
  const current = isMixed ? "" : textOf(value ?? fallback);
  return (
    <Float
      label={PICKER.choose(label)}
      open={open}
      onOpenChange={setOpen}
      className="w-[332px] p-2"
      trigger={
        <button id={id} type="button" className={cx(INPUT, "flex items-center justify-between gap-1 text-left")}>
          <span className={cx("truncate", !current && "text-muted")}>
            {isMixed ? STRINGS.mixed : current ? nameOf(current) : STRINGS.none}
          </span>
          <ChevronDown className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
        </button>
      }
    >
      <Tiles
        area={field.spec.area ?? "animations"}
        path={field.path}
        current={current}
        canBeNone={!field.required}
        onPick={(name) => {
          set(name);
          setOpen(false);
        }}
      />
    </Float>
  );
}

/** Emoji and path data are shown as they are. */
const nameOf = (name: string) => (/^[a-z][\w-]*$/i.test(name) ? humanise(name) : name);

interface TilesProps {
  area: Area;
  path: string;
  current: string;
  canBeNone: boolean;
  onPick: (name: string | undefined) => void;
}

function Tiles({ area, path, current, canBeNone, onPick }: TilesProps) {
  const editor = useEditor();
  const [query, setQuery] = useState("");
  const entries = useRegistry(area);
  const grid = useRef<HTMLDivElement>(null);
  const [overlay] = editor.selected();
  const film = editor.document();
  const wanted = query.trim().toLowerCase();
  const found = entries.filter(({ name, aliases = [] }) => [name, ...aliases].some((one) => one.includes(wanted)));
  const emoji = useEmoji(area === "stickers" ? wanted : "");
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    const tiles = [...(grid.current?.querySelectorAll("button") ?? [])];
    const at = tiles.indexOf(event.target as HTMLButtonElement);
    if (!step || at < 0) return;
    event.preventDefault();
    tiles[Math.max(0, Math.min(tiles.length - 1, at + step))]?.focus();
  };
  return (
    <>
      <input
        aria-label={PICKER.search}
        placeholder={PICKER.search}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => event.key === "ArrowDown" && grid.current?.querySelector("button")?.focus()}
        className={cx(INPUT, "mb-2 shrink-0")}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside. */}
      <div
        ref={grid}
        onKeyDown={move}
        className="grid min-h-0 grid-cols-3 gap-1.5 overflow-y-auto overscroll-contain p-0.5"
      >
        {canBeNone && !wanted && (
          <TileButton name={STRINGS.none} isCurrent={!current || current === "none"} onPick={() => onPick(undefined)}>
            <span className="h-px w-8 rotate-[-30deg] bg-border-strong" />
          </TileButton>
        )}
        {overlay &&
          found.map(({ name }) => (
            <PresetTile
              key={name}
              name={name}
              isCurrent={name === current}
              make={() => tileFilm(film, overlay, path, area, name)}
              onPick={() => onPick(name)}
            />
          ))}
        {emoji.map((one) => (
          <TileButton
            key={one.name}
            name={humanise(one.name.replace(/^emoji-/, ""))}
            isCurrent={textOf(one["emoji"] as Json) === current}
            onPick={() => onPick(textOf(one["emoji"] as Json))}
          >
            <span className="text-2xl">{textOf(one["emoji"] as Json)}</span>
          </TileButton>
        ))}
      </div>
    </>
  );
}

/** Emoji by a part of their name. There are thousands, so they are asked for by it. */
function useEmoji(query: string): readonly Entry[] {
  const search = useDebounced(query, 250);
  const { data } = useQuery({
    queryKey: ["registry", "emoji", search],
    queryFn: () => api("get", "/registry/{area}", { path: { area: "emoji" }, query: { search } }),
    enabled: search.length > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return search.length > 1 ? ((data?.entries ?? []) as unknown as readonly Entry[]).slice(0, 30) : [];
}

interface TileButtonProps {
  name: string;
  isCurrent: boolean;
  onPick: () => void;
  onPlay?: (isPlaying: boolean) => void;
  children: React.ReactNode;
}

const TileButton = ({ name, isCurrent, onPick, onPlay, children }: TileButtonProps) => (
  <button
    type="button"
    aria-pressed={isCurrent}
    onClick={onPick}
    onPointerEnter={() => onPlay?.(true)}
    onPointerLeave={() => onPlay?.(false)}
    onFocus={() => onPlay?.(true)}
    onBlur={() => onPlay?.(false)}
    className="group flex min-w-0 flex-col gap-1 rounded-md p-0.5 text-left"
  >
    <span className="grid aspect-video w-full place-items-center overflow-hidden rounded-md border bg-inset group-hover:border-border-strong group-aria-pressed:ring-2 group-aria-pressed:ring-accent-fill">
      {children}
    </span>
    <span className="w-full truncate px-0.5 text-[11px] text-muted group-hover:text-foreground group-aria-pressed:text-foreground">
      {name}
    </span>
  </button>
);

interface PresetTileProps {
  name: string;
  isCurrent: boolean;
  make: () => TileFilm;
  onPick: () => void;
}

function PresetTile({ name, isCurrent, make, onPick }: PresetTileProps) {
  const { ref, seen } = useInView<HTMLCanvasElement>();
  const [isPlaying, setPlaying] = useState(false);
  const painted = useRef(new Map<number, ImageData>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tile shows the overlay as it was when the picker opened.
  const film = useMemo(() => (seen ? make() : null), [seen]);
  useEffect(() => {
    const context = ref.current?.getContext("2d");
    if (!film || !context) return;
    const abort = new AbortController();
    const show = async (frame: number) => {
      const image = painted.current.get(frame) ?? (await paintTile(film, frame, abort.signal));
      if (!image || abort.signal.aborted) return;
      painted.current.set(frame, image);
      context.putImageData(image, 0, 0);
    };
    const play = async () => {
      const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      for (let turn = 0; isPlaying && !isCalm && film.frames.length && !abort.signal.aborted; turn++) {
        const pause = new Promise((done) => setTimeout(done, FRAME_MS));
        await show(film.frames[turn % film.frames.length] ?? 0);
        await pause;
      }
    };
    void (isPlaying ? play() : show(film.still));
    // A tile that came to rest keeps one picture.
    if (!isPlaying) for (const frame of painted.current.keys()) if (frame !== film.still) painted.current.delete(frame);
    return () => abort.abort();
  }, [film, isPlaying, ref]);
  return (
    <TileButton name={nameOf(name)} isCurrent={isCurrent} onPick={onPick} onPlay={setPlaying}>
      <canvas ref={ref} width={TILE.width} height={TILE.height} className="size-full object-contain" />
    </TileButton>
  );
}
