/** The logo. */

import { useId } from "react";

export function Logo({ className }: { className?: string }) {
  // Ids must be unique: several logos may be on a page.
  const ring = useId();
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <defs>
        <linearGradient id={ring} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#ff8a5c" />
          <stop offset="1" stopColor="#e5488a" />
        </linearGradient>
      </defs>
      <circle
        cx="12"
        cy="12"
        r="9"
        fill="none"
        stroke={`url(#${ring})`}
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="43 14"
        transform="rotate(-60 12 12)"
      />
      <path d="M10 8.6v6.8l5.4-3.4z" fill="currentColor" />
    </svg>
  );
}
