/** The actions of the region "Library". */

import type { Action } from "@/editor/actions";
import type { Editor } from "@/editor/model/editor";
import { focusRegion } from "@/editor/shell/ui";
import { STRINGS } from "@/editor/strings/library";
import { newLine } from "./captions";
import { captionDraft, shapeDraft, textDraft } from "./items";
import { addAtPlayhead, framesOf } from "./place";
import { chooseFiles, library, OPTIONAL_TAB, showTab, TABS } from "./state";
import { TEXT_PRESETS } from "./text-presets";
import { isMedia } from "./values";

const addText = (id: string) => (editor: Editor) => {
  const preset = TEXT_PRESETS.find((each) => each.id === id);
  if (preset) addAtPlayhead(editor, [textDraft(editor.state.film, preset)], STRINGS.steps.add("text"));
};
const addShape = (shape: string) => (editor: Editor) =>
  addAtPlayhead(editor, [shapeDraft(editor.state.film, shape)], STRINGS.steps.add("shape"));
const { actions: LABELS } = STRINGS;

export const actions: readonly Action[] = [
  { id: "library.text", label: LABELS.text, group: "Add", keys: ["T"], words: "title headline", run: addText("title") },
  {
    id: "library.lower-third",
    label: LABELS.lowerThird,
    group: "Add",
    words: "text name",
    run: addText("lower-third"),
  },
  {
    id: "library.rectangle",
    label: LABELS.rectangle,
    group: "Add",
    keys: ["R"],
    words: "shape box",
    run: addShape("rectangle"),
  },
  {
    id: "library.ellipse",
    label: LABELS.ellipse,
    group: "Add",
    keys: ["O"],
    words: "shape circle",
    run: addShape("ellipse"),
  },
  { id: "library.arrow", label: LABELS.arrow, group: "Add", words: "shape", run: addShape("arrow") },
  {
    id: "library.captions",
    label: LABELS.captions,
    group: "Add",
    words: "subtitles",
    run: (editor) => {
      const film = editor.state.film;
      const lines = [newLine(STRINGS.captions.sample, 0, 2500)];
      addAtPlayhead(editor, [captionDraft(film, lines, framesOf(film, 2.5))], STRINGS.steps.add("caption"));
      showTab("captions");
    },
  },
  {
    id: "library.upload",
    label: LABELS.upload,
    group: "Add",
    keys: ["U"],
    words: "file image video music media",
    run: chooseFiles,
  },
  {
    id: "library.replace",
    label: LABELS.replace,
    group: "Edit",
    words: "relink media source swap",
    enabled: (editor) => editor.selected().some(({ type }) => isMedia(type)),
    run: (editor) => {
      const media = editor.selected().filter(({ type }) => isMedia(type));
      library.setState({ tab: "media", relinking: media.map(({ id }) => id) });
      focusRegion("Library");
    },
  },
  ...TABS.filter((tab) => tab !== OPTIONAL_TAB).map(
    (tab): Action => ({
      id: `library.show-${tab}`,
      label: LABELS.show(STRINGS.tab[tab]),
      group: "View",
      words: "library tab",
      run: () => showTab(tab),
    }),
  ),
];
