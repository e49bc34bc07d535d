/** One clip of the timeline. */

import { Braces, Group, Lock } from "lucide-react";
import { type CSSProperties, memo, useEffect, useRef } from "react";
import type { Film, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { clipName, spokenName } from "./clip-name";
import { clipType } from "./clip-types";
import { hasRamps, type Ramp, rampOf } from "./fades";
import { LEAST_WIDTH } from "./hit";
import { drawMedia, isDrawn } from "./media/draw";

/** Widths in pixels from which parts of a clip are shown, narrowest first. */
const WIDTHS = { media: 16, icon: 26, name: 40, dots: 56 } as const;
const DOTS_HEIGHT = 30;

/** The parts of a clip that have room at a width. */
export type Room = { readonly [part in keyof typeof WIDTHS]: boolean };

/** One object for each number of parts, so that clips with the same room have the same property. */
const ROOMS: readonly Room[] = Array.from({ length: Object.keys(WIDTHS).length + 1 }, (_, count) => {
  const parts = Object.keys(WIDTHS).map((part, index) => [part, index < count]);
  return Object.fromEntries(parts) as Room;
});

/** What fits into a clip that lasts `length` frames. */
export function roomOf(length: number, zoom: number): Room {
  const width = Math.max(LEAST_WIDTH, length * zoom - 1);
  const count = Object.values(WIDTHS).filter((least) => width >= least).length;
  return ROOMS[count] as Room;
}

interface ClipProps {
  clip: Overlay;
  fps: number;
  room: Room;
  top: number;
  height: number;
  /** Pixels a frame in steps, and the frames of the tracks that are drawn, for clips with media; others do not depend on them. */
  zoom: number;
  start: number;
  end: number;
  selected: boolean;
  focused: boolean;
  locked: boolean;
  hidden: boolean;
  grouped: boolean;
}

/** `placeClips` sets where it is and how wide: a zoom draws only the clips that then show more or less. */
export const Clip = memo(function Clip(props: ClipProps) {
  const { clip, fps, room, top, height, selected, focused, locked, hidden, grouped } = props;
  const media = isDrawn(clip) && room.media;
  const { icon: Icon, hue } = clipType(clip.type);
  const states = [grouped && STRINGS.groupedClip, locked && STRINGS.lockedClip, hidden && STRINGS.hiddenClip].filter(
    Boolean,
  );
  return (
    <div
      role="option"
      aria-selected={selected}
      aria-label={[spokenName(clip, { fps } as Film), ...states].join(", ")}
      tabIndex={focused ? 0 : -1}
      data-part="clip"
      data-clip={clip.id}
      data-from={clip.from}
      data-length={clip.durationInFrames}
      data-type={clip.type}
      data-locked={locked || undefined}
      data-hidden={hidden || undefined}
      className="tl-clip"
      style={{ top, height, "--hue": hue } as CSSProperties}
    >
      {media && <ClipMedia {...props} />}
      {room.icon && (
        <div className="tl-label" data-over={media ? (height < 24 ? "low" : "") : undefined}>
          <span className="flex items-center gap-1">
            <Icon aria-hidden className="size-3.5 shrink-0 opacity-80" />
            {room.name && <span className="truncate">{clipName(clip)}</span>}
            {clip["isDynamic"] === true && room.name && <Braces aria-hidden className="size-3.5 shrink-0" />}
            {grouped && room.name && <Group aria-hidden className="size-3 shrink-0 opacity-80" />}
            {locked && <Lock aria-hidden className="size-3 shrink-0" />}
          </span>
        </div>
      )}
      <span className="tl-edge" data-part="start" />
      <span className="tl-edge" data-part="end" />
      {room.icon && hasRamps(clip) && <Ramps clip={clip} fps={fps} hasDots={room.dots && height >= DOTS_HEIGHT} />}
    </div>
  );
});

/** Moves elements of frames to where a zoom has them. Nothing is drawn again. */
export function placeClips(elements: Iterable<Element>, zoom: number) {
  for (const element of elements) {
    if (!(element instanceof HTMLElement)) continue;
    element.style.left = `${Number(element.dataset["from"]) * zoom}px`;
    element.style.width = `${Math.max(LEAST_WIDTH, Number(element.dataset["length"]) * zoom - 1)}px`;
  }
}

const percent = (part: number, whole: number) => `${(part / Math.max(1, whole)) * 100}%`;

/** Wedges over the parts in which a clip enters and exits, with dots to change them. */
function Ramps({ clip, fps, hasDots }: Pick<ClipProps, "clip" | "fps"> & { hasDots: boolean }) {
  return (["enter", "exit"] as const).map((ramp: Ramp) => {
    const length = percent(rampOf(clip, ramp, fps), clip.durationInFrames);
    const at = `clamp(9px, calc(${length} - 5px), calc(100% - 20px))`;
    return (
      <div key={ramp}>
        <span className="tl-ramp" data-ramp={ramp} style={{ width: length }} />
        {hasDots && (
          <span className="tl-dot" data-part={ramp} style={ramp === "enter" ? { left: at } : { right: at }} />
        )}
      </div>
    );
  });
}

/** The waveform or the pictures of the part of a clip that is in sight. */
function ClipMedia({ clip, fps, zoom, height, start, end }: ClipProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const from = Math.max(0, Math.floor(start - clip.from));
  const until = Math.min(clip.durationInFrames, Math.ceil(end - clip.from));
  const frames = Math.max(0, until - from);
  const latest = useRef(clip);
  latest.current = clip;
  // What the picture depends on: a clip that only moves keeps it.
  const content = ["src", "type", "videoStartTime", "startFromSound", "speed"].map((key) => clip[key]).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` stands for the clip.
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || !frames) return;
    const part = { start: from * zoom, width: frames * zoom, height: height - 2, zoom, fps };
    return drawMedia(latest.current, part, (paint) => {
      const density = Math.min(2, window.devicePixelRatio || 1);
      canvas.width = Math.ceil(part.width * density);
      canvas.height = Math.ceil(part.height * density);
      context.scale(density, density);
      context.fillStyle = getComputedStyle(canvas).color;
      paint(context);
    });
  }, [content, from, frames, height, zoom, fps]);
  const [left, width] = [from, frames].map((each) => percent(each, clip.durationInFrames));
  return <canvas ref={ref} style={{ left, width, height: height - 2 }} />;
}
