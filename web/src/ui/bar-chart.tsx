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
function steps(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power, 1);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step);
}

export function BarChart({ label, days, show }: Props) {
  const fill = useId();
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [over, setOver] = useState<number | null>(null);
  useEffect(() => {
    if (!container.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);
  const lines = steps(Math.max(...days.map(({ value }) => value)));
  const most = lines.at(-1) ?? 1;
  const y = (value: number) => PLOT_HEIGHT - (value / most) * (PLOT_HEIGHT - 10);
  const left = Math.max(...lines.map((value) => show(value).length)) * 7 + 10;
  const slot = Math.max(width - left, 1) / days.length;
  const thick = Math.min(Math.max(slot * 0.62, 2), 26);
  const every = Math.max(Math.ceil(LABEL_WIDTH / slot), 1);
  const chosen = over === null ? null : days[over];
  return (
    <figure className="px-5 pt-4 pb-2">
      <figcaption className="nums mb-2 flex h-6 items-baseline gap-2 text-[13px] text-muted" aria-live="polite">
        {chosen ? (
          <>
            <span className="font-semibold text-foreground">{show(chosen.value)}</span>
            <span>on {formatUtcDay(chosen.date)}</span>
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
            onPointerLeave={() => setOver(null)}
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
              const x = left + index * slot;
              const high = value > 0 ? Math.max(PLOT_HEIGHT - y(value), 3) : 0;
              const round = Math.min(thick / 2, 4, high);
              const from = x + (slot - thick) / 2;
              return (
                <g key={date} onPointerEnter={() => setOver(index)}>
                  <rect
                    x={x}
                    y="0"
                    width={slot}
                    height={PLOT_HEIGHT}
                    className={over === index ? "fill-hover" : "fill-transparent"}
                  />
                  {high > 0 && (
                    <path
                      fill={`url(#${fill})`}
                      opacity={over === null || over === index ? 1 : 0.45}
                      d={`M${from} ${PLOT_HEIGHT}v${-(high - round)}q0 ${-round} ${round} ${-round}h${thick - 2 * round}q${round} 0 ${round} ${round}v${high - round}z`}
                    />
                  )}
                  {index % every === 0 && index * slot + LABEL_WIDTH / 2 < width - left + slot && (
                    <text x={x + slot / 2} y={PLOT_HEIGHT + 18} textAnchor="middle" className="fill-muted">
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
