/** The handles of what is selected. */

import type { Overlay } from "@/editor/model/film";
import type { Point } from "@/editor/player";
import { frameOf } from "./boxes";
import { add, type Box, boundsOfBoxes, boxOfBounds, HANDLES, type Handle, isCorner, pointOf, turn } from "./geometry";
import { toScreen, type View } from "./view";

/** Pixels between a side and the handle that turns. */
const STALK = 22;
/** Sides shorter than this many pixels have no handle in their middle. */
const SHORT = 36;

interface HandlesProps {
  overlays: readonly Overlay[];
  place: Pick<View, "x" | "y" | "scale">;
  /** The handles crop. */
  crops?: boolean;
}

export function Handles({ overlays, place, crops = false }: HandlesProps) {
  const frames = overlays.map(frameOf);
  const [only] = frames;
  const isSingle = frames.length === 1 && only !== undefined;
  const box = isSingle ? only : boxOfBounds(boundsOfBoxes(frames));
  const at = (handle: { x: number; y: number }) => toScreen(pointOf(box, handle), place);
  const [width, height] = [box.width * place.scale, box.height * place.scale];
  const offered = HANDLES.filter((handle) => {
    if (isCorner(handle)) return true;
    // Several overlays keep their ratio: corners are enough.
    return isSingle && (handle.x ? height : width) >= SHORT;
  });
  return (
    <g>
      {!isSingle && (
        <rect
          {...corner(at({ x: -1, y: -1 }))}
          width={width}
          height={height}
          className="pointer-events-none fill-none stroke-accent-fill"
          strokeDasharray="3 3"
        />
      )}
      {!crops && <RotateHandle box={box} place={place} />}
      {offered.map((handle) => {
        const [x, y] = at(handle);
        const data = crops ? { "data-crop": `${handle.x},${handle.y}` } : { "data-handle": `${handle.x},${handle.y}` };
        return (
          <g
            key={`${handle.x},${handle.y}`}
            {...data}
            transform={`translate(${x} ${y}) rotate(${box.rotation})`}
            style={{ cursor: cursorOf(handle, box.rotation) }}
          >
            <rect x={-9} y={-9} width={18} height={18} className="fill-transparent pointer-coarse:scale-200" />
            <Knob handle={handle} crops={crops} />
          </g>
        );
      })}
    </g>
  );
}

const corner = ([x, y]: Point) => ({ x, y });

function Knob({ handle, crops }: { handle: Handle; crops: boolean }) {
  const look = { className: "fill-white stroke-accent-fill", strokeWidth: 1.5 };
  if (crops) {
    const { x, y } = handle;
    // Corners are angles, sides are bars: as in a crop tool.
    const d = isCorner(handle) ? `M${-x * 12} 0H0V${-y * 12}` : x ? "M0 -8V8" : "M-8 0H8";
    return (
      <>
        <path d={d} className="fill-none stroke-black/40" strokeWidth={6} />
        <path d={d} className="fill-none stroke-white" strokeWidth={3.5} />
      </>
    );
  }
  if (isCorner(handle)) return <rect x={-4.5} y={-4.5} width={9} height={9} rx={2} {...look} />;
  return handle.x ? (
    <rect x={-3} y={-7} width={6} height={14} rx={3} {...look} />
  ) : (
    <rect x={-7} y={-3} width={14} height={6} rx={3} {...look} />
  );
}

function RotateHandle({ box, place }: { box: Box; place: HandlesProps["place"] }) {
  const stalk = (side: 1 | -1): readonly [Point, Point] => {
    const from = toScreen(pointOf(box, { x: 0, y: side }), place);
    return [from, add(from, turn([0, side * STALK], box.rotation))];
  };
  const above = stalk(-1);
  // Above, unless that is outside of the region.
  const [from, to] = above[1][1] < 12 ? stalk(1) : above;
  return (
    <g data-rotate="" className="cursor-grab">
      <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} className="pointer-events-none stroke-accent-fill" />
      <circle cx={to[0]} cy={to[1]} r={11} className="fill-transparent" />
      <circle cx={to[0]} cy={to[1]} r={5} className="fill-white stroke-accent-fill" strokeWidth={1.5} />
    </g>
  );
}

const CURSORS = ["ns-resize", "nesw-resize", "ew-resize", "nwse-resize"] as const;

/** The cursor that points the way a handle goes, as the box is turned. */
function cursorOf({ x, y }: Handle, rotation: number): string {
  const angle = (Math.atan2(x, -y) * 180) / Math.PI + rotation;
  return CURSORS[((Math.round(angle / 45) % 4) + 4) % 4] as string;
}
