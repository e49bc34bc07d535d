/** The toolbar of the timeline: play, time, split, delete, snapping, zoom. */

import { Ellipsis, Magnet, Maximize2, Pause, Play, Scissors, Trash2, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef } from "react";
import { ActionButton } from "@/editor/shell/action-button";
import { STRINGS } from "@/editor/strings/timeline";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/tooltip";
import { MoreMenu } from "./menu";
import { timeCode } from "./time";
import { useView, useViewState } from "./use-view";

export function Toolbar() {
  const editor = useEditor();
  const view = useView();
  const playing = useEditorState((state) => state.playing);
  const snap = useViewState((state) => state.snap);
  return (
    <div className="@container flex h-10 shrink-0 items-center gap-0.5 border-b px-1.5">
      <Tooltip text={STRINGS.play} keys={["Space"]}>
        <Button
          variant="ghost"
          size="icon"
          aria-label={STRINGS.play}
          aria-pressed={playing}
          icon={playing ? <Pause className="size-4 fill-current" /> : <Play className="size-4 fill-current" />}
          onClick={() => (playing ? editor.pause() : editor.play())}
          className="text-foreground"
        />
      </Tooltip>
      <TimeCode />
      <span className="mx-1 h-4 w-px bg-border" />
      <ActionButton action="timeline.split" aria-label={STRINGS.split} icon={<Scissors className="size-4" />} />
      <ActionButton action="edit.delete" icon={<Trash2 className="size-4" />} />
      <MoreMenu>
        <Button variant="ghost" size="icon" aria-label={STRINGS.more} icon={<Ellipsis className="size-4" />} />
      </MoreMenu>
      <div className="ml-auto flex items-center gap-0.5">
        <Tooltip text={STRINGS.snap} keys={["N"]}>
          <Button
            variant="ghost"
            size="icon"
            aria-label={STRINGS.snap}
            aria-pressed={snap}
            icon={<Magnet className="size-4" />}
            onClick={() => view.setSnap(!snap)}
            className={cx(snap && "bg-accent-soft text-accent hover:text-accent")}
          />
        </Tooltip>
        <ActionButton
          action="timeline.zoomOut"
          aria-label={STRINGS.zoomOut}
          icon={<ZoomOut className="size-4" />}
          className="hidden @min-[400px]:inline-flex"
        />
        <ZoomSlider />
        <ActionButton
          action="timeline.zoomIn"
          aria-label={STRINGS.zoomIn}
          icon={<ZoomIn className="size-4" />}
          className="hidden @min-[400px]:inline-flex"
        />
        <ActionButton
          action="timeline.zoomToFit"
          aria-label={STRINGS.zoomToFit}
          icon={<Maximize2 className="size-4" />}
        />
      </div>
    </div>
  );
}

/** The time of the playhead, written without drawing anything else, and the length of the film. */
function TimeCode() {
  const editor = useEditor();
  const ref = useRef<HTMLSpanElement>(null);
  const { fps, length } = useEditorState(({ film }) => ({ fps: film.fps, length: film.durationInFrames }));
  useEffect(() => {
    const write = () => {
      if (ref.current) ref.current.textContent = timeCode(editor.state.frame, fps);
    };
    write();
    return editor.store.subscribe(write);
  }, [editor, fps]);
  return (
    <div className="flex items-baseline gap-1 px-1 text-[13px] whitespace-nowrap nums">
      <span ref={ref} className="font-medium text-foreground" />
      <span className="hidden text-muted @min-[520px]:inline">/ {timeCode(length, fps)}</span>
    </div>
  );
}

const STEPS = 100;

/** Each step of the slider multiplies the zoom. */
function ZoomSlider() {
  const view = useView();
  const { zoom } = useViewState(({ zoom, width }) => ({ zoom, width }));
  const range = Math.log(view.mostZoom / view.leastZoom);
  const value = zoom > 0 && range > 0 ? Math.round((Math.log(zoom / view.leastZoom) / range) * STEPS) : 0;
  return (
    <input
      type="range"
      aria-label={STRINGS.zoom}
      min={0}
      max={STEPS}
      value={value}
      onChange={({ target }) => {
        const factor = Math.exp((Number(target.value) / STEPS) * range);
        view.zoomBy((view.leastZoom * factor) / view.state.zoom);
      }}
      className="hidden h-8 w-28 accent-foreground @min-[720px]:inline-block"
    />
  );
}
