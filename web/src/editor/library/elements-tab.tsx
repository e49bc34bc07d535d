/** Shapes, stickers, emoji and effects of the service, painted by the engine. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api } from "@/api/http";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { humanize } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { effectDraft, shapeDraft, shapeRatio, stickerDraft, stickerRatio } from "./items";
import { Note, Part, SheetPicture, SmallInput, TabBody, Tile } from "./parts";
import { addAtPlayhead, type Draft, fitted } from "./place";
import { type Tile as PaintedTile, useSheet } from "./sheet";

interface Entry {
  name: string;
  category?: string;
  emoji?: string;
}

const GROUND = "#171a21";
const SIDE = 144;

const useRegistry = (area: "shapes" | "stickers" | "effects" | "emoji", search?: string) =>
  useQuery({
    queryKey: ["registry", area, search ?? ""],
    queryFn: async () => {
      const { entries } = await api("get", "/registry/{area}", { path: { area }, query: search ? { search } : {} });
      return entries as unknown as Entry[];
    },
    enabled: search !== "",
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

const boxOf = (ratio: number, part: number) =>
  fitted({ width: SIDE, height: SIDE, fps: 30, durationInFrames: 300, overlays: [] }, ratio, 1, part);

const shapeTile = ({ name }: Entry): PaintedTile => ({
  overlays: [{ type: "shape", content: name, ...boxOf(shapeRatio(name), 0.6), styles: { fill: "#e9ecf3" } }],
});
const stickerTile = ({ name }: Entry): PaintedTile => ({
  overlays: [{ type: "sticker", content: name, ...boxOf(stickerRatio(name), 0.76), styles: {} }],
});
/** Effects are sparse at the size of a tile: there they have fewer and larger parts. */
function effectTile({ name }: Entry): PaintedTile {
  const box = { left: 0, top: 0, width: 240, height: 135 };
  if (name === "scrolling-columns") return { overlays: COLUMNS };
  if (name === "grid-stagger") return { overlays: GRID };
  const styles = name === "matrix" ? { matrixFontSize: 12 } : { particleCount: 45, size: 7 };
  return { overlays: [{ type: "effect", content: name, ...box, styles }] };
}

/** Columns of pictures have none yet: plain ones stand for them. */
const COLUMNS = [0, 1, 2].flatMap((column) =>
  [0, 1, 2].map((row) => ({
    type: "shape",
    content: "rounded-rectangle",
    left: 42 + column * 54,
    top: 6 + row * 44 - (column % 2) * 22,
    width: 48,
    height: 38,
    styles: { fill: ["#8cb2ff", "#5fd397", "#ff8468"][(row + column) % 3] },
  })),
);

/** The margin of the grid is larger than a tile: it is drawn here as it looks in a film. */
const GRID = Array.from({ length: 16 }, (_, cell) => ({
  type: "shape",
  content: "circle",
  left: 66 + (cell % 4) * 28,
  top: 13 + Math.floor(cell / 4) * 28,
  width: 24,
  height: 24,
  styles: { fill: "#6366f1", opacity: 1 - Math.abs(cell - 7.5) / 12 },
}));

export function ElementsTab() {
  const [search, setSearch] = useState("");
  const words = useDebounced(search.trim().toLowerCase().replaceAll(/\s+/g, "-"), 200);
  const shapes = useRegistry("shapes");
  const stickers = useRegistry("stickers");
  const effects = useRegistry("effects");
  const emoji = useRegistry("emoji", words);
  const nothing =
    words && [shapes, stickers, effects, emoji].every((list) => list && !list.some(({ name }) => name.includes(words)));
  return (
    <TabBody
      label={STRINGS.tab.elements}
      head={
        <SmallInput
          type="search"
          aria-label={STRINGS.elements.search}
          placeholder={STRINGS.elements.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      }
    >
      {nothing && <Note className="px-2 py-8 text-center">{STRINGS.elements.nothing}</Note>}
      <Sheeted title={STRINGS.elements.shapes} entries={shapes} words={words} tile={shapeTile} kind="shape" />
      <Sheeted title={STRINGS.elements.stickers} entries={stickers} words={words} tile={stickerTile} kind="sticker" />
      <Sheeted title={STRINGS.elements.effects} entries={effects} words={words} tile={effectTile} kind="effect" />
      {words && <Emoji entries={emoji} />}
    </TabBody>
  );
}

interface SheetedProps {
  title: string;
  entries: Entry[] | undefined;
  words: string;
  tile: (entry: Entry) => PaintedTile;
  kind: "shape" | "sticker" | "effect";
}

function Sheeted({ title, entries, words, tile, kind }: SheetedProps) {
  const editor = useEditor();
  const tiles = useMemo(() => entries?.map(tile), [entries, tile]);
  const isWide = kind === "effect";
  const { data: sheet } = useSheet(kind, tiles, isWide ? 240 : SIDE, isWide ? 135 : SIDE, GROUND, isWide ? 60 : 40);
  const draft = ({ name, category }: Entry): Draft => {
    const film = editor.state.film;
    if (kind === "shape") return shapeDraft(film, name);
    return kind === "sticker" ? stickerDraft(film, name, category) : effectDraft(film, name);
  };
  const shown = entries
    ?.map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => !words || entry.name.includes(words));
  if (shown?.length === 0) return null;
  return (
    <Part title={title}>
      <ul
        className={
          isWide
            ? "grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-2"
            : "grid grid-cols-[repeat(auto-fill,minmax(40px,1fr))] gap-1.5"
        }
      >
        {shown?.map(({ entry, index }) => (
          <li key={entry.name} className="min-w-0">
            <Tile
              label={STRINGS.elements.add(humanize(entry.name))}
              {...(isWide ? { caption: humanize(entry.name) } : {})}
              shape={isWide ? "aspect-video" : "aspect-square"}
              make={() => draft(entry)}
              onAdd={() => addAtPlayhead(editor, [draft(entry)], STRINGS.steps.add(kind))}
            >
              <SheetPicture sheet={sheet} index={index} />
            </Tile>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Emoji are many: only those that are looked for are shown. */
function Emoji({ entries }: { entries: Entry[] | undefined }) {
  const editor = useEditor();
  if (!entries?.length) return null;
  return (
    <Part title={STRINGS.elements.emoji}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(40px,1fr))] gap-1.5">
        {entries.slice(0, 60).map(({ name, emoji }) => {
          const make = () => stickerDraft(editor.state.film, name);
          return (
            <li key={name}>
              <Tile
                label={STRINGS.elements.add(humanize(name.replace(/^emoji-/, "")))}
                shape="aspect-square"
                make={make}
                onAdd={() => addAtPlayhead(editor, [make()], STRINGS.steps.add("sticker"))}
              >
                <span aria-hidden="true" className="absolute inset-0 grid place-items-center text-[24px]">
                  {emoji}
                </span>
              </Tile>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
