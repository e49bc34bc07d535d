/** A timeline beside the sign-in form. Decorative. */

const SECONDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Rows of the timeline: x, width, color, label. */
const ROWS: [number, number, string, string][][] = [
  [
    [60, 190, "#ff8a5c", "headline"],
    [300, 150, "#ff8a5c", "price"],
  ],
  [
    [20, 250, "#e5488a", "photo_1"],
    [278, 232, "#e5488a", "photo_2"],
  ],
  [[110, 320, "#8f7cff", "captions"]],
  [[0, 540, "#3b4256", "music"]],
];

export function TimelineIllustration() {
  return (
    <div className="absolute inset-0 flex flex-col justify-center px-[9%] text-white">
      <div className="absolute inset-0 bg-[radial-gradient(60%_50%_at_70%_15%,rgb(229_72_138/22%),transparent),radial-gradient(50%_45%_at_15%_95%,rgb(255_138_92/18%),transparent)]" />
      <div className="relative">
        <p className="text-[clamp(30px,3.1vw,48px)] leading-[1.08] font-semibold tracking-[-0.035em] text-white">
          One request in.
          <br />A finished video out.
        </p>
        <svg viewBox="0 0 540 236" className="mt-12 w-full" aria-hidden="true">
          {SECONDS.map((second) => (
            <g key={second}>
              <line x1={second * 60 + 0.5} x2={second * 60 + 0.5} y1="20" y2="236" stroke="#fff" strokeOpacity=".07" />
              <text x={second * 60 + 5} y="12" fill="#fff" fillOpacity=".45" fontSize="10" className="nums font-mono">
                {second}s
              </text>
            </g>
          ))}
          {ROWS.map((row, index) =>
            row.map(([x, width, color, label]) => (
              <g key={label} transform={`translate(${x} ${32 + index * 50})`}>
                <rect width={width} height="40" rx="9" fill={color} fillOpacity={label === "music" ? 0.75 : 0.92} />
                {label === "music" && (
                  <path
                    d={Array.from({ length: 66 }, (_, bar) => {
                      const height = 4 + 9 * Math.abs(Math.sin(bar * 1.7) * Math.cos(bar * 0.31));
                      return `M${58 + bar * 7.2} ${20 - height}v${height * 2}`;
                    }).join("")}
                    stroke="#fff"
                    strokeOpacity=".4"
                    strokeWidth="2.4"
                    strokeLinecap="round"
                  />
                )}
                <text
                  x="12"
                  y="24.5"
                  fontSize="12"
                  fontWeight="600"
                  fill={label === "music" ? "#e9ecf3" : "#1b0b12"}
                  className="font-mono"
                >
                  {label}
                </text>
              </g>
            )),
          )}
          <g transform="translate(222 0)">
            <line y1="16" y2="236" stroke="#fff" strokeWidth="2" />
            <path d="M-7 8h14v8l-7 8-7-8z" fill="#fff" />
          </g>
        </svg>
      </div>
    </div>
  );
}
