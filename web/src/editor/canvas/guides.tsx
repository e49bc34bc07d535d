/** Lines over the canvas that are not part of the film: safe zones, grid, rulers. */

import { useEditorState } from "@/editor/use-editor";
import { frameOf } from "./boxes";
import { boundsOfBoxes } from "./geometry";
import { RULER, type SafeZone, useView } from "./view";

/** What the interface of each platform covers, in parts of the picture: top, right, bottom, left. */
const ZONES: Record<SafeZone, readonly [number, number, number, number]> = {
  tiktok: [131 / 1920, 120 / 1080, 370 / 1920, 60 / 1080],
  reels: [0.14, 0.06, 0.35, 0.06],
  shorts: [288 / 1920, 192 / 1080, 672 / 1920, 48 / 1080],
  youtube: [0.05, 0.05, 0.12, 0.05],
};

/** Safe zone and grid. */
export function Guides() {
  const film = useEditorState((state) => ({ width: state.film.width, height: state.film.height }));
  const { x, y, scale, safeZone, grid } = useView((view) => ({
    x: view.x,
    y: view.y,
    scale: view.scale,
    safeZone: view.safeZone,
    grid: view.grid,
  }));
  const [width, height] = [film.width * scale, film.height * scale];
  return (
    <g transform={`translate(${x} ${y})`} pointerEvents="none">
      {grid && <Grid width={width} height={height} />}
      {safeZone && <Zone zone={ZONES[safeZone]} width={width} height={height} />}
    </g>
  );
}

/** Twelve columns, thirds stronger, rows of the same size. */
function Grid({ width, height }: { width: number; height: number }) {
  const step = Math.max(width, height) / 12;
  const lines = (length: number) =>
    Array.from({ length: Math.max(0, Math.ceil(length / step) - 1) }, (_, index) => (index + 1) * step);
  return (
    <g className="stroke-white mix-blend-difference" strokeWidth={1} opacity={0.35}>
      {lines(width).map((at) => (
        <line key={`x${at}`} x1={at} x2={at} y1={0} y2={height} opacity={0.5} />
      ))}
      {lines(height).map((at) => (
        <line key={`y${at}`} x1={0} x2={width} y1={at} y2={at} opacity={0.5} />
      ))}
      {[1, 2].map((third) => (
        <g key={third}>
          <line x1={(width * third) / 3} x2={(width * third) / 3} y1={0} y2={height} />
          <line x1={0} x2={width} y1={(height * third) / 3} y2={(height * third) / 3} />
        </g>
      ))}
    </g>
  );
}

function Zone({ zone, width, height }: { zone: readonly number[]; width: number; height: number }) {
  const [top = 0, right = 0, bottom = 0, left = 0] = zone;
  const inner = {
    x: left * width,
    y: top * height,
    width: (1 - left - right) * width,
    height: (1 - top - bottom) * height,
  };
  return (
    <g>
      <path
        d={`M0 0H${width}V${height}H0ZM${inner.x} ${inner.y}v${inner.height}h${inner.width}v${-inner.height}Z`}
        fillRule="evenodd"
        className="fill-black/45"
      />
      <rect {...inner} fill="none" className="stroke-white/80" strokeDasharray="5 4" />
    </g>
  );
}

/** Distances of ticks: 1, 2 or 5 times a power of ten, at least this many pixels apart. */
const TICKS_APART = 56;

function stepFor(scale: number): number {
  const least = TICKS_APART / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? least);
}

/** Rulers in pixels of the film. What is selected is marked on them. */
export function Rulers() {
  const { x, y, scale, width, height, rulers } = useView((view) => ({
    x: view.x,
    y: view.y,
    scale: view.scale,
    width: view.width,
    height: view.height,
    rulers: view.rulers,
  }));
  const selected = useEditorState((state) => state.film.overlays.filter(({ id }) => state.selection.includes(id)));
  if (!rulers) return null;
  const step = stepFor(scale);
  const ticks = (origin: number, length: number) => {
    const first = Math.ceil((RULER - origin) / scale / step);
    const last = Math.floor((length - origin) / scale / step);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
  };
  const bounds = selected.length ? boundsOfBoxes(selected.map(frameOf)) : null;
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full text-[9px]">
      <rect width={width} height={RULER} className="fill-surface" />
      <rect width={RULER} height={height} className="fill-surface" />
      {bounds && (
        <g className="fill-accent-fill/20">
          <rect x={bounds.left * scale + x} width={(bounds.right - bounds.left) * scale} height={RULER} />
          <rect y={bounds.top * scale + y} height={(bounds.bottom - bounds.top) * scale} width={RULER} />
        </g>
      )}
      {ticks(x, width).map((at) => (
        <g key={at} transform={`translate(${at * scale + x} 0)`}>
          <line y1={RULER - 5} y2={RULER} className="stroke-border-strong" />
          <text x={3} y={10} className="nums fill-muted">
            {at}
          </text>
        </g>
      ))}
      {ticks(y, height).map((at) => (
        <g key={at} transform={`translate(0 ${at * scale + y})`}>
          <line x1={RULER - 5} x2={RULER} className="stroke-border-strong" />
          <text transform="translate(10 -3) rotate(-90)" className="nums fill-muted">
            {at}
          </text>
        </g>
      ))}
      <path d={`M0 ${RULER - 0.5}H${width}M${RULER - 0.5} 0V${height}`} className="stroke-border" />
      <rect width={RULER - 1} height={RULER - 1} className="fill-surface" />
    </svg>
  );
}
