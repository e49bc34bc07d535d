/** What lies over the picture: outlines, handles, snap lines. The pointer of the region acts on them. */

import type { KeyboardEvent } from "react";
import type { Overlay } from "@/editor/model/film";
import { withGroups, withoutGroup } from "@/editor/model/groups";
import type { Point } from "@/editor/player";
import { STRINGS } from "@/editor/strings/canvas";
import { useEditor, useEditorState } from "@/editor/use-editor";
import { cx } from "@/ui/cx";
import { boxOf, frameOf, isMedia, isSeen, isShownAt, stacked } from "./boxes";
import { type Box, boundsOf, boundsOfBoxes, boxOfBounds, type Quad, quadOf } from "./geometry";
import { Guides } from "./guides";
import { Handles } from "./handles";
import { addressOf } from "./media-addresses";
import { enterMode } from "./modes";
import { nameOf } from "./names";
import { differs, quadFor, toScreen, useView, type View } from "./view";

type Place = Pick<View, "x" | "y" | "scale">;

/** A quad in pixels of the region, for the attribute `points`. */
const pointsOf = (quad: readonly Point[], place: Place) =>
  quad
    .map((point) =>
      toScreen(point, place)
        .map((value) => Math.round(value * 10) / 10)
        .join(),
    )
    .join(" ");

export function Layer() {
  const state = useEditorState(({ film, frame, selection, playing, hidden, locked }) => ({
    film,
    // A playing film is not drawn over: no need to follow each frame.
    frame: playing ? -1 : frame,
    selection,
    playing,
    hidden,
    locked,
  }));
  const { painted, hover, mode, dragging, missing, ...place } = useView((view) => ({
    x: view.x,
    y: view.y,
    scale: view.scale,
    painted: view.painted,
    hover: view.hover,
    mode: view.mode,
    dragging: view.dragging,
    missing: view.missing,
  }));
  const shown = state.playing
    ? []
    : stacked(state.film).filter((overlay) => isShownAt(overlay, state.frame) && !state.hidden.includes(overlay.id));
  const selected = state.selection.flatMap((id) => state.film.overlays.find((overlay) => overlay.id === id) ?? []);
  const visible = state.playing
    ? []
    : selected.filter((overlay) => isSeen(overlay) && !state.hidden.includes(overlay.id));
  const touchable = visible.filter(({ id }) => !state.locked.includes(id));
  const opened = mode && visible.find(({ id }) => id === mode.id);
  const hovered =
    !dragging && !mode ? shown.find(({ id }) => id === hover && !state.selection.includes(id)) : undefined;
  return (
    <svg aria-label={STRINGS.overlays} role="group" className="absolute inset-0 size-full">
      <Guides />
      {shown.filter(isMedia).map((overlay) => (
        <Absent key={overlay.id} overlay={overlay} missing={missing} place={place} />
      ))}
      {/* The topmost is the first that the Tab key reaches. */}
      {shown.toReversed().map((overlay) => (
        <Item
          key={overlay.id}
          overlay={overlay}
          points={pointsOf(quadFor(overlay, painted), place)}
          isSelected={state.selection.includes(overlay.id)}
          isLocked={state.locked.includes(overlay.id)}
        />
      ))}
      {hovered && (
        <polygon
          points={pointsOf(quadFor(hovered, painted), place)}
          className="pointer-events-none fill-none stroke-accent-fill"
          strokeWidth={1.5}
        />
      )}
      {!opened &&
        visible.map((overlay) => (
          <Outline
            key={overlay.id}
            quad={quadFor(overlay, painted)}
            frame={frameOf(overlay)}
            isLocked={state.locked.includes(overlay.id)}
            place={place}
          />
        ))}
      {opened && mode?.kind === "media" && <OpenedMedia overlay={opened} place={place} />}
      {!opened && touchable.length > 0 && <Handles overlays={touchable} place={place} />}
      <FeedbackLines place={place} boxes={touchable.map(frameOf)} />
    </svg>
  );
}

interface ItemProps {
  overlay: Overlay;
  points: string;
  isSelected: boolean;
  isLocked: boolean;
}

/** An overlay for keyboards and screen readers. Focus by key selects it. */
function Item({ overlay, points, isSelected, isLocked }: ItemProps) {
  const editor = useEditor();
  const select = (adds: boolean) => {
    const { film, selection } = editor.state;
    const grouped = withGroups(film, [overlay.id]);
    if (!adds) editor.select(grouped);
    else editor.select(isSelected ? withoutGroup(film, selection, overlay.id) : [...selection, ...grouped]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (event.shiftKey) select(true);
    else if (isSelected) enterMode(editor, overlay.id);
    else select(false);
  };
  return (
    <g
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      aria-label={`${nameOf(overlay)}${isLocked ? `, ${STRINGS.locked}` : ""}`}
      data-overlay={overlay.id}
      className="group pointer-events-none outline-none"
      onKeyDown={onKeyDown}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && !isSelected && select(false)}
    >
      {/* Two lines: one of them is seen on any picture. */}
      <g className="opacity-0 group-focus-visible:opacity-100" fill="transparent">
        <polygon points={points} className="stroke-white" strokeWidth={7} />
        <polygon points={points} className="stroke-black" strokeWidth={4} />
      </g>
    </g>
  );
}

interface OutlineProps {
  quad: Quad;
  frame: Box;
  isLocked: boolean;
  place: Place;
}

/** A selected overlay: where it is seen, and its frame if that is elsewhere. */
function Outline({ quad, frame, isLocked, place }: OutlineProps) {
  const plain = quadOf(frame);
  const isMoved = differs(quad, plain);
  return (
    <g className="pointer-events-none fill-none stroke-accent-fill" strokeWidth={1.5}>
      <polygon points={pointsOf(quad, place)} strokeDasharray={isLocked ? "4 3" : undefined} />
      {isMoved && <polygon points={pointsOf(plain, place)} strokeDasharray="2 3" strokeWidth={1} />}
    </g>
  );
}

/** Media that are being cropped: the whole of them, dimmed, and the part that is shown. */
function OpenedMedia({ overlay, place }: { overlay: Overlay; place: Place }) {
  const whole = quadOf(boxOf(overlay));
  const part = quadOf(frameOf(overlay));
  return (
    <g>
      <path
        d={`M${pointsOf(whole, place).replaceAll(" ", "L")}ZM${pointsOf(part, place).replaceAll(" ", "L")}Z`}
        fillRule="evenodd"
        className="pointer-events-none fill-black/40 stroke-white/60"
        strokeDasharray="4 3"
      />
      <polygon
        points={pointsOf(part, place)}
        className="cursor-move fill-transparent stroke-accent-fill"
        strokeWidth={1.5}
      />
      <Handles overlays={[overlay]} place={place} crops />
    </g>
  );
}

/** Of the label on media that are not there, in pixels of the screen. */
const LABEL_WIDTH = 104;

/** Says where media are missing or not chosen yet. What lies on them stays in sight. */
function Absent({ overlay, missing, place }: { overlay: Overlay; missing: View["missing"]; place: Place }) {
  const src = overlay["src"];
  const isEmpty = !src;
  if (!isEmpty && !missing.has(addressOf(String(src)))) return null;
  const quad = quadOf(frameOf(overlay));
  const bounds = boundsOf(quad.map((point) => toScreen(point, place)));
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  return (
    <g className="pointer-events-none">
      {/* Two lines: one of them is seen on any picture. */}
      <polygon points={pointsOf(quad, place)} className="fill-none stroke-surface" strokeWidth={1.5} />
      <polygon
        points={pointsOf(quad, place)}
        className={cx("fill-none", isEmpty ? "stroke-muted" : "stroke-danger")}
        strokeWidth={1.5}
        strokeDasharray="6 5"
      />
      {bounds.right - bounds.left > LABEL_WIDTH && (
        <g transform={`translate(${Math.round(x)} ${Math.round(y)})`}>
          <rect
            x={-LABEL_WIDTH / 2}
            y={-11}
            width={LABEL_WIDTH}
            height={22}
            rx={6}
            className={cx("stroke-border", isEmpty ? "fill-surface" : "fill-danger-soft")}
          />
          <text y={4} textAnchor="middle" className={cx("text-xs font-medium", isEmpty ? "fill-muted" : "fill-danger")}>
            {isEmpty ? STRINGS.emptySlot : STRINGS.missingMedia}
          </text>
        </g>
      )}
    </g>
  );
}

/** Snap lines, equal distances, marquee, size or position. */
function FeedbackLines({ place, boxes }: { place: Place; boxes: readonly Box[] }) {
  const { lines, gaps, readout, marquee } = useView((view) => view.feedback);
  const at = (x: number, y: number) => toScreen([x, y], place);
  const bounds = boxes.length ? boundsOfBoxes(boxes) : null;
  return (
    <g className="pointer-events-none">
      <g className="stroke-info" strokeWidth={1}>
        {lines.map((line) => {
          const [[x1, y1], [x2, y2]] =
            line.axis === "x"
              ? [at(line.at, line.from), at(line.at, line.to)]
              : [at(line.from, line.at), at(line.to, line.at)];
          return <line key={`${line.axis}${line.at}`} x1={x1} y1={y1} x2={x2} y2={y2} />;
        })}
        {gaps.map((gap) => {
          const [[x1, y1], [x2, y2]] =
            gap.axis === "x" ? [at(gap.from, gap.at), at(gap.to, gap.at)] : [at(gap.at, gap.from), at(gap.at, gap.to)];
          const [ux, uy] = gap.axis === "x" ? [0, 4] : [4, 0];
          return (
            <path
              key={`${gap.axis}${gap.from}`}
              d={`M${x1} ${y1}L${x2} ${y2}M${x1 - ux} ${y1 - uy}L${x1 + ux} ${y1 + uy}M${x2 - ux} ${y2 - uy}L${x2 + ux} ${y2 + uy}`}
            />
          );
        })}
      </g>
      {marquee && (
        <polygon
          points={pointsOf(quadOf(boxOfBounds(marquee)), place)}
          className="fill-accent-fill/12 stroke-accent-fill"
        />
      )}
      {readout && bounds && <Readout text={readout} at={at((bounds.left + bounds.right) / 2, bounds.bottom)} />}
    </g>
  );
}

function Readout({ text, at: [x, y] }: { text: string; at: Point }) {
  const height = useView((view) => view.height);
  const width = text.length * 6.6 + 16;
  return (
    <g transform={`translate(${Math.round(x)} ${Math.round(Math.min(y + 14, height - 30))})`}>
      <rect x={-width / 2} width={width} height={20} rx={5} className="fill-accent-fill" />
      <text y={14} textAnchor="middle" className="nums fill-on-accent text-[11px] font-medium">
        {text}
      </text>
    </g>
  );
}
