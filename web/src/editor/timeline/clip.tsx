/** One clip of the timeline. */

import { Braces, Lock } from "lucide-react";
import { type CSSProperties, memo, useEffect, useRef } from "react";
import type { Film, Overlay } from "@/editor/model/film";
import { STRINGS } from "@/editor/strings/timeline";
import { clipName, spokenName } from "./clip-name";
import { clipType } from "./clip-types";
import { hasRamps, type Ramp, rampOf } from "./fades";
import { LEAST_WIDTH } from "./hit";
import { drawMedia, isDrawn } from "./media/draw";

/** Widths in pixels from which parts of a clip are shown. */
const SHOWS = { media: 16, icon: 26, name: 40, dots: 56 } as const;

interface ClipProps {
  clip: Overlay;
  fps: number;
  zoom: number;
  top: number;
  height: number;
  /** The pixels of the tracks that are drawn, for clips with media; others do not depend on them. */
  start: number;
  end: number;
  selected: boolean;
  focused: boolean;
  locked: boolean;
  hidden: boolean;
}

export const Clip = memo(function Clip(props: ClipProps) {
  const { clip, fps, zoom, top, height, selected, focused, locked, hidden } = props;
  const left = clip.from * zoom;
  const width = Math.max(LEAST_WIDTH, clip.durationInFrames * zoom - 1);
  const media = isDrawn(clip) && width >= SHOWS.media;
  const { icon: Icon, hue } = clipType(clip.type);
  const states = [locked && STRINGS.lockedClip, hidden && STRINGS.hiddenClip].filter(Boolean);
  return (
    <div
      role="option"
      aria-selected={selected}
      aria-label={[spokenName(clip, { fps } as Film), ...states].join(", ")}
      tabIndex={focused ? 0 : -1}
      data-part="clip"
      data-clip={clip.id}
      data-type={clip.type}
      data-locked={locked || undefined}
      data-hidden={hidden || undefined}
      className="tl-clip"
      style={{ left, top, width, height, "--hue": hue } as CSSProperties}
    >
      {media && <ClipMedia {...props} left={left} width={width} />}
      {hasRamps(clip) && <Ramps clip={clip} fps={fps} zoom={zoom} width={width} />}
      {width >= SHOWS.icon && (
        <div className="tl-label" data-over={media ? (height < 24 ? "low" : "") : undefined}>
          <span className="flex items-center gap-1">
            <Icon aria-hidden className="size-3.5 shrink-0 opacity-80" />
            {width >= SHOWS.name && <span className="truncate">{clipName(clip)}</span>}
            {clip["isDynamic"] === true && width >= SHOWS.name && <Braces aria-hidden className="size-3.5 shrink-0" />}
            {locked && <Lock aria-hidden className="size-3 shrink-0" />}
          </span>
        </div>
      )}
      <span className="tl-edge" data-part="start" />
      <span className="tl-edge" data-part="end" />
    </div>
  );
});

/** Wedges over the parts in which a clip enters and exits, with dots to change them. */
function Ramps({ clip, fps, zoom, width }: Pick<ClipProps, "clip" | "fps" | "zoom"> & { width: number }) {
  if (width < SHOWS.icon) return null;
  return (["enter", "exit"] as const).map((ramp: Ramp) => {
    const length = Math.min(width, rampOf(clip, ramp, fps) * zoom);
    const side = ramp === "enter" ? "left" : "right";
    return (
      <div key={ramp}>
        {length > 0 && <span className="tl-ramp" data-ramp={ramp} style={{ width: length }} />}
        {width >= SHOWS.dots && (
          <span className="tl-dot" data-part={ramp} style={{ [side]: Math.max(9, Math.min(length - 5, width - 20)) }} />
        )}
      </div>
    );
  });
}

/** The waveform or the pictures of the part of a clip that is in sight. */
function ClipMedia({ clip, fps, zoom, height, start, end, left, width }: ClipProps & { left: number; width: number }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const from = Math.max(0, Math.floor(start - left));
  const until = Math.min(width, Math.ceil(end - left));
  const shown = Math.max(0, until - from);
  const latest = useRef(clip);
  latest.current = clip;
  // What the picture depends on: a clip that only moves keeps it.
  const content = ["src", "type", "videoStartTime", "startFromSound", "speed"].map((key) => clip[key]).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` stands for the clip.
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext("2d");
    if (!canvas || !context || shown < 1) return;
    const part = { start: from, width: shown, height: height - 2, zoom, fps };
    return drawMedia(latest.current, part, (paint) => {
      const density = Math.min(2, window.devicePixelRatio || 1);
      canvas.width = Math.ceil(shown * density);
      canvas.height = Math.ceil(part.height * density);
      context.scale(density, density);
      context.fillStyle = getComputedStyle(canvas).color;
      paint(context);
    });
  }, [content, from, shown, height, zoom, fps]);
  return <canvas ref={ref} style={{ left: from, width: shown, height: height - 2 }} />;
}
