/** The lines and words of captions: text, times, find and replace, files. */

import { ArrowDownToLine, Combine, Download, LocateFixed, Plus, Scissors, Trash2 } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { Edit } from "@/editor/model/edits";
import type { Json, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/library";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { DropdownMenu, MenuItem } from "@/ui/dropdown-menu";
import { FindReplace, Time, WordText } from "./caption-fields";
import {
  inOrder,
  type Line,
  linesOf,
  mergeLines,
  newLine,
  splitLine,
  withText,
  withTimes,
  withWord,
  wordAt,
  wordsOf,
} from "./captions";
import { IconButton, Note, Part } from "./parts";
import { library, useLibrary } from "./state";
import { writeSrt, writeVtt } from "./subtitles";

function save(name: string, text: string, type: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function CaptionEditor({ overlay }: { overlay: Overlay }) {
  const editor = useEditor();
  const fps = useEditorState(({ film }) => film.fps);
  const lines = linesOf(overlay);
  const offset = (overlay.from / fps) * 1000;
  /** The line under the playhead. */
  const current = useEditorState(({ frame }) => {
    const at = ((frame - overlay.from) / fps) * 1000;
    return lines.findIndex(({ startMs, endMs }) => at >= startMs && at < endMs);
  });
  const [open, setOpen] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const asked = useLibrary(({ captions }) => (captions?.id === overlay.id ? captions : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the moment of asking.
  useEffect(() => {
    if (!asked) return;
    library.setState({ captions: null });
    const place = wordAt(lines, asked.said ?? playhead());
    const field = place && list.current?.querySelectorAll("textarea")[place.line];
    if (!field) return;
    field.focus();
    field.setSelectionRange(place.start, place.end);
    field.scrollIntoView({ block: "center" });
  }, [asked]);
  const put = (next: readonly Line[], name: string) =>
    editor.apply({ op: "set", id: overlay.id, path: "captions", value: inOrder(next) as unknown as Json }, { name });
  const change = (index: number, line: Line, name: string) => put(lines.with(index, line), name);
  const playhead = () => ((editor.state.frame - overlay.from) / fps) * 1000;
  const add = () => {
    const from = Math.max(lines.at(-1)?.endMs ?? 0, 0);
    const next = inOrder([...lines, newLine(STRINGS.captions.sample, from, from + 2000)]);
    const frames = Math.ceil(((from + 2000) / 1000) * fps);
    const edits: Edit[] = [{ op: "set", id: overlay.id, path: "captions", value: next as unknown as Json }];
    if (frames > overlay.durationInFrames)
      edits.push({ op: "set", id: overlay.id, path: "durationInFrames", value: frames });
    if (overlay.from + frames > editor.state.film.durationInFrames)
      edits.push({ op: "set", path: "durationInFrames", value: overlay.from + frames });
    editor.apply(edits, { name: STRINGS.steps.addLine });
  };
  return (
    <Part
      title={STRINGS.captions.lines(lines.length)}
      aside={
        <span className="flex">
          <FindReplace lines={lines} onReplace={(next) => put(next, STRINGS.steps.replaceText)} />
          <DropdownMenu
            trigger={
              <IconButton label={STRINGS.captions.export}>
                <Download aria-hidden="true" />
              </IconButton>
            }
          >
            <MenuItem onSelect={() => save("captions.srt", writeSrt(lines, offset), "application/x-subrip")}>
              {STRINGS.captions.srt}
            </MenuItem>
            <MenuItem onSelect={() => save("captions.vtt", writeVtt(lines, offset), "text/vtt")}>
              {STRINGS.captions.vtt}
            </MenuItem>
          </DropdownMenu>
          <IconButton label={STRINGS.captions.addLine} onClick={add}>
            <Plus aria-hidden="true" />
          </IconButton>
        </span>
      }
    >
      {lines.length === 0 && <Note>{STRINGS.captions.noLines}</Note>}
      <ol ref={list} aria-label={STRINGS.captions.list} className="flex flex-col gap-1.5">
        {lines.map((line, index) => (
          <LineRow
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            key={index}
            line={line}
            index={index}
            isCurrent={index === current}
            isOpen={open === index}
            canMerge={index < lines.length - 1}
            onOpen={() => setOpen(open === index ? null : index)}
            onSeek={() => editor.seek(overlay.from + Math.ceil((line.startMs / 1000) * fps))}
            onChange={(next, name) => change(index, next, name)}
            onPlayhead={() => playhead()}
            onSplit={(place) => {
              const parts = splitLine(line, place);
              if (parts) put(lines.toSpliced(index, 1, ...parts), STRINGS.steps.splitLine);
            }}
            onMerge={(with_) => {
              const [first, second] = with_ < index ? [lines[with_], line] : [line, lines[with_]];
              if (first && second)
                put(lines.toSpliced(Math.min(with_, index), 2, mergeLines(first, second)), STRINGS.steps.mergeLines);
            }}
            onRemove={() => put(lines.toSpliced(index, 1), STRINGS.steps.removeLine)}
          />
        ))}
      </ol>
    </Part>
  );
}

interface LineProps {
  line: Line;
  index: number;
  isCurrent: boolean;
  isOpen: boolean;
  canMerge: boolean;
  onOpen: () => void;
  onSeek: () => void;
  onChange: (line: Line, name: string) => void;
  /** The playhead on the overlay's clock. */
  onPlayhead: () => number;
  /** Parts the line before the word at a place of its text. */
  onSplit: (place: number) => void;
  onMerge: (index: number) => void;
  onRemove: () => void;
}

const LineRow = memo(function LineRow(props: LineProps) {
  const { line, index, isCurrent, isOpen, canMerge, onChange } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState<string | null>(null);
  const number = index + 1;
  const commit = () => {
    if (text?.trim() && text.trim() !== line.text) onChange(withText(line, text), STRINGS.steps.editLine);
    setText(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const place = event.currentTarget.selectionStart;
    if (event.key === "Enter") {
      event.preventDefault();
      const isInside = place > 0 && place < line.text.length;
      if (isInside && text === null) props.onSplit(place);
      else event.currentTarget.blur();
    } else if (
      event.key === "Backspace" &&
      place === 0 &&
      event.currentTarget.selectionEnd === 0 &&
      index > 0 &&
      text === null
    ) {
      event.preventDefault();
      props.onMerge(index - 1);
    } else if (event.key === "Escape") {
      setText(null);
      event.currentTarget.blur();
    }
  };
  return (
    <li className={cx("rounded-lg border p-1.5", isCurrent ? "border-accent-fill bg-accent-soft" : "bg-inset")}>
      <div className="flex items-center gap-0.5">
        <Time
          label={STRINGS.captions.start(number)}
          ms={line.startMs}
          onChange={(at) => onChange(withTimes(line, at, line.endMs + at - line.startMs), STRINGS.steps.retime)}
        />
        <span aria-hidden="true" className="text-[11px] text-subtle">
          –
        </span>
        <Time
          label={STRINGS.captions.end(number)}
          ms={line.endMs}
          onChange={(at) => onChange(withTimes(line, line.startMs, at), STRINGS.steps.retime)}
        />
        <span className="ml-auto flex">
          <IconButton
            label={STRINGS.captions.toPlayhead(number)}
            onClick={() => {
              const at = props.onPlayhead();
              onChange(withTimes(line, at, Math.max(line.endMs, at + 200)), STRINGS.steps.retime);
            }}
          >
            <ArrowDownToLine aria-hidden="true" />
          </IconButton>
          <IconButton label={STRINGS.captions.seek(number)} onClick={props.onSeek}>
            <LocateFixed aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      <textarea
        ref={field}
        rows={1}
        aria-label={STRINGS.captions.text(number)}
        value={text ?? line.text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
        className="control mt-1 field-sizing-content w-full resize-none px-2 py-1 text-base leading-snug sm:text-[12.5px]"
      />
      <div className="mt-0.5 flex items-center">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={STRINGS.captions.wordsOf(number)}
          onClick={props.onOpen}
          className="rounded-md px-1 text-[11.5px] text-muted hover:text-foreground"
        >
          {STRINGS.captions.words(wordsOf(line).length)}
        </button>
        <span className="ml-auto flex">
          <IconButton
            label={STRINGS.captions.split(number)}
            disabled={wordsOf(line).length < 2}
            onClick={() => {
              const place = field.current?.selectionStart ?? 0;
              const isInside = place > 0 && place < line.text.length;
              props.onSplit(isInside ? place : Math.floor(line.text.length / 2));
            }}
          >
            <Scissors aria-hidden="true" />
          </IconButton>
          <IconButton
            label={STRINGS.captions.merge(number)}
            disabled={!canMerge}
            onClick={() => props.onMerge(index + 1)}
          >
            <Combine aria-hidden="true" />
          </IconButton>
          <IconButton label={STRINGS.captions.remove(number)} onClick={props.onRemove}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {isOpen && <Words {...props} />}
    </li>
  );
});

/** Each word with its own times. */
function Words({ line, onChange, onPlayhead }: LineProps) {
  return (
    <ol className="mt-1 flex flex-col gap-1 border-t pt-1.5">
      {wordsOf(line).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place
        <li key={index} className="flex items-center gap-0.5">
          <WordText
            word={word.word}
            onChange={(text) => onChange(withWord(line, index, { word: text }), STRINGS.steps.editLine)}
          />
          <Time
            isNarrow
            label={STRINGS.captions.wordStart(word.word)}
            ms={word.startMs}
            onChange={(at) => onChange(withWord(line, index, { startMs: at }), STRINGS.steps.retime)}
          />
          <Time
            isNarrow
            label={STRINGS.captions.wordEnd(word.word)}
            ms={word.endMs}
            onChange={(at) => onChange(withWord(line, index, { endMs: at }), STRINGS.steps.retime)}
          />
          <IconButton
            label={STRINGS.captions.wordToPlayhead(word.word)}
            onClick={() =>
              onChange(withWord(line, index, { startMs: Math.max(0, Math.round(onPlayhead())) }), STRINGS.steps.retime)
            }
          >
            <ArrowDownToLine aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}
