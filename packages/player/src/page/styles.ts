/** The look of the player. Colours, radii and sizes are those of the dashboard. */

const CSS = `
:host {
  --surface: light-dark(#ffffff, #12151c);
  --hover: light-dark(#f0f1f4, #1a1e28);
  --border: light-dark(#e5e7ed, #222733);
  --foreground: light-dark(#14171f, #e9ecf3);
  --muted: light-dark(#565f73, #9ba4b7);
  --primary: light-dark(#171a21, #eef0f5);
  --accent-fill: light-dark(#d2452a, #ff7a5c);
  display: flex;
  flex-direction: column;
  min-width: 0;
  overflow: hidden;
  background: #0b0c10;
  color: var(--foreground);
  font: 14px/1.5 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  -webkit-font-smoothing: antialiased;
}
:host([hidden]) { display: none; }
:host([controls]) { border: 1px solid var(--border); border-radius: 12px; background: var(--surface); }
:host(:fullscreen) { width: 100%; height: 100%; border: 0; border-radius: 0; background: #0b0c10; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.stage {
  aspect-ratio: 16 / 9;
  position: relative;
  flex: 1 1 auto;
  min-height: 0;
  overflow: hidden;
  background: #0b0c10;
  outline: none;
  touch-action: manipulation;
}
:host([controls]) .stage { cursor: pointer; }
canvas, .poster { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.spinner {
  position: absolute;
  inset: 50% auto auto 50%;
  width: 28px;
  height: 28px;
  margin: -14px;
  border: 2.5px solid rgb(255 255 255 / 25%);
  border-top-color: rgb(255 255 255 / 85%);
  border-radius: 50%;
  animation: spin 0.8s linear infinite;
}
@keyframes spin { to { transform: rotate(1turn); } }
.message {
  position: absolute;
  inset: 0;
  display: grid;
  place-items: center;
  margin: 0;
  padding: 0 32px;
  background: #0b0c10;
  color: #ffb3ba;
  font-size: 13px;
  text-align: center;
  text-wrap: pretty;
}
.message.below { inset: auto 0 0; padding: 10px 16px; background: rgb(11 12 16 / 85%); }
.bar {
  display: flex;
  flex: none;
  align-items: center;
  gap: 4px;
  min-height: 48px;
  padding: 0 8px;
  border-top: 1px solid var(--border);
  background: var(--surface);
  container-type: inline-size;
}
.row { display: flex; flex: 1; align-items: center; gap: 4px; min-width: 0; }
button {
  display: grid;
  flex: none;
  place-items: center;
  width: 32px;
  height: 32px;
  padding: 0;
  border: 0;
  border-radius: 8px;
  background: none;
  color: var(--muted);
  cursor: pointer;
  transition: background-color 100ms, color 100ms;
}
button:hover { background: var(--hover); color: var(--foreground); }
button[aria-pressed="true"] { color: var(--foreground); }
button:focus-visible, input:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
svg { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.play { color: var(--foreground); }
.play svg { fill: currentColor; }
input { height: 20px; margin: 0; accent-color: var(--accent-fill); border-radius: 4px; cursor: pointer; }
input:disabled { opacity: 0.4; cursor: default; }
.time { flex: none; padding: 0 8px 0 4px; color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.position { flex: 1; min-width: 40px; margin: 0 6px; }
.volume { flex: none; width: 72px; margin-right: 6px; }
@container (max-width: 480px) { .volume { display: none; } }
@container (max-width: 300px) { .time { display: none; } }
@media (pointer: coarse) {
  .bar { min-height: 56px; }
  button { width: 40px; height: 40px; }
  input { height: 32px; }
}
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 3s; } button { transition: none; } }
@media (forced-colors: active) { button { color: ButtonText; } }
`;

let shared: CSSStyleSheet | null = null;

/** The style sheet of all players. */
export function sharedStyles(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(CSS);
  }
  return shared;
}
