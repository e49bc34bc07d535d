/** A bar chart of daily values. The caption shows the day under the pointer. */

import { useEffect, useId, useRef, useState } from "react";
import { formatUtcDay } from "@/lib/format";

interface Props {
  label: string;
  days: { date: string; value: number }[];
  show: (value: number) => string;
}

const PLOT_HEIGHT = 208;
const AXIS_HEIGHT = 24;
/** Width of a date label. */
const LABEL_WIDTH = 64;

/** Axis ticks: round steps from zero to the maximum or above. */
function steps(max: number): number[] {
  const target = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(target));
  const step = Math.max(([1, 2, 5, 10].find((factor) => factor * power >= target) ?? 10) * power, 1);
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step);
}

export function BarChart({ label, days, show }: Props) {
  const fill = useId();
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  useEffect(() => {
    if (!container.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);
  const lines = steps(Math.max(...days.map(({ value }) => value)));
  const max = lines.at(-1) ?? 1;
  const y = (value: number) => PLOT_HEIGHT - (value / max) * (PLOT_HEIGHT - 10);
  const left = Math.max(...lines.map((value) => show(value).length)) * 7 + 10;
  const slotWidth = Math.max(width - left, 1) / days.length;
  const barWidth = Math.min(Math.max(slotWidth * 0.62, 2), 26);
  const labelInterval = Math.max(Math.ceil(LABEL_WIDTH / slotWidth), 1);
  const hoveredDay = hovered === null ? null : days[hovered];
  return (
    <figure className="px-5 pt-4 pb-2">
      <figcaption className="nums mb-2 flex h-6 items-baseline gap-2 text-[13px] text-muted" aria-live="polite">
        {hoveredDay ? (
          <>
            <span className="font-semibold text-foreground">{show(hoveredDay.value)}</span>
            <span>on {formatUtcDay(hoveredDay.date)}</span>
          </>
        ) : (
          <span>{label} per day</span>
        )}
      </figcaption>
      <div ref={container} style={{ height: PLOT_HEIGHT + AXIS_HEIGHT }}>
        {width > 0 && (
          <svg
            width={width}
            height={PLOT_HEIGHT + AXIS_HEIGHT}
            role="img"
            aria-label={`${label} per day`}
            onPointerLeave={() => setHovered(null)}
            className="nums block overflow-visible text-xs"
          >
            <defs>
              <linearGradient id={fill} x1="0" y1="0" x2="0" y2={PLOT_HEIGHT} gradientUnits="userSpaceOnUse">
                <stop stopColor="#e5488a" />
                <stop offset="1" stopColor="#ff8a5c" />
              </linearGradient>
            </defs>
            {lines.map((value) => (
              <g key={value}>
                <line
                  x1={left}
                  x2={width}
                  y1={y(value) + 0.5}
                  y2={y(value) + 0.5}
                  className={value ? "stroke-border" : "stroke-border-strong"}
                />
                <text x={left - 10} y={y(value) + 4} textAnchor="end" className="fill-muted">
                  {show(value)}
                </text>
              </g>
            ))}
            {days.map(({ date, value }, index) => {
              const x = left + index * slotWidth;
              const barHeight = value > 0 ? Math.max(PLOT_HEIGHT - y(value), 3) : 0;
              const radius = Math.min(barWidth / 2, 4, barHeight);
              const from = x + (slotWidth - barWidth) / 2;
              return (
                <g key={date} onPointerEnter={() => setHovered(index)}>
                  <rect
                    x={x}
                    y="0"
                    width={slotWidth}
                    height={PLOT_HEIGHT}
                    className={hovered === index ? "fill-hover" : "fill-transparent"}
                  />
                  {barHeight > 0 && (
                    <path
                      fill={`url(#${fill})`}
                      opacity={hovered === null || hovered === index ? 1 : 0.45}
                      d={`M${from} ${PLOT_HEIGHT}v${-(barHeight - radius)}q0 ${-radius} ${radius} ${-radius}h${barWidth - 2 * radius}q${radius} 0 ${radius} ${radius}v${barHeight - radius}z`}
                    />
                  )}
                  {index % labelInterval === 0 && index * slotWidth + LABEL_WIDTH / 2 < width - left + slotWidth && (
                    <text x={x + slotWidth / 2} y={PLOT_HEIGHT + 18} textAnchor="middle" className="fill-muted">
                      {formatUtcDay(date)}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
    </figure>
  );
}
