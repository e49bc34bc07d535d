/** Texts to add, drawn as they look. */

import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { FamilyName } from "@/editor/inspector/controls/font";
import { STRINGS } from "@/editor/strings/library";
import { useEditor } from "@/editor/use-editor";
import { loadOwnFonts, type OwnFont, ownFonts } from "@/film/own-fonts";
import { scaledStyles, textDraft } from "./items";
import { Part, SheetPicture, SmallButton, TabBody, Tile } from "./parts";
import { addAtPlayhead } from "./place";
import { useSheet } from "./sheet";
import { TEXT_PRESETS, type TextPreset } from "./text-presets";

const WIDTH = 320;
const HEIGHT = 180;

/** The preset, as large as a tile allows: the size is an upper bound. */
const tileOf = ({ content, styles, id }: TextPreset) => ({
  overlays: [
    {
      type: "text",
      left: 20,
      top: id === "label" || id === "lower-third" ? 50 : 20,
      width: WIDTH - 40,
      height: id === "label" || id === "lower-third" ? 80 : HEIGHT - 40,
      content,
      styles: {
        textAlign: "center",
        fontSize: id === "counter" ? "90px" : id === "lower-third" ? "26px" : "52px",
        ...scaledStyles(styles, 0.42),
      },
    },
  ],
});

export function TextTab() {
  const editor = useEditor();
  const tiles = useMemo(() => TEXT_PRESETS.map(tileOf), []);
  const { data: sheet } = useSheet("texts", tiles, WIDTH, HEIGHT, "#171a21", 75);
  const add = (preset: TextPreset) =>
    addAtPlayhead(editor, [textDraft(editor.state.film, preset)], STRINGS.steps.add("text"));
  return (
    <TabBody
      label={STRINGS.tab.text}
      head={
        <SmallButton className="w-full" onClick={() => TEXT_PRESETS[0] && add(TEXT_PRESETS[0])}>
          {STRINGS.text.add}
        </SmallButton>
      }
    >
      <OwnFonts
        onPick={({ family, weights }) => {
          const [preset] = TEXT_PRESETS;
          // The heaviest weight that the family has, as the preset is bold.
          const fontWeight = String(weights.at(-1) ?? 400);
          if (preset) add({ ...preset, styles: { ...preset.styles, fontFamily: family, fontWeight } });
        }}
      />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-x-2 gap-y-3">
        {TEXT_PRESETS.map((preset, index) => (
          <li key={preset.id} className="min-w-0">
            <Tile
              label={STRINGS.text.addPreset(preset.label)}
              caption={preset.label}
              shape="aspect-video"
              make={() => textDraft(editor.state.film, preset)}
              onAdd={() => add(preset)}
            >
              <SheetPicture sheet={sheet} index={index} />
            </Tile>
          </li>
        ))}
      </ul>
    </TabBody>
  );
}

/** The families that the account uploaded, drawn in themselves. */
function OwnFonts({ onPick }: { onPick: (font: OwnFont) => void }) {
  const fonts = useStore(ownFonts, (state) => state.fonts).filter(({ isBuiltIn }) => !isBuiltIn);
  useEffect(() => void loadOwnFonts(), []);
  if (fonts.length === 0) return null;
  return (
    <Part title={STRINGS.text.own}>
      <ul className="flex flex-col gap-1">
        {fonts.map((font) => (
          <li key={font.family}>
            <button
              type="button"
              aria-label={STRINGS.text.addIn(font.family)}
              onClick={() => onPick(font)}
              className="flex h-10 w-full items-center rounded-lg border bg-inset px-2.5 text-left text-[16px] hover:border-subtle hover:bg-hover"
            >
              <FamilyName family={font.family} />
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}
