/** Keys of a focused player. */

export interface KeyTarget {
  toggle(): void;
  moveBy(frames: number): void;
  /** Seconds. */
  jumpBy(seconds: number): void;
  toStart(): void;
  toEnd(): void;
  volumeBy(step: number): void;
  toggleMuted(): void;
  toggleCaptions(): void;
  toggleFullScreen(): void;
}

/** Seconds that J and L jump. */
const JUMP = 5;
const VOLUME_STEP = 0.1;

const KEYS: Record<string, (player: KeyTarget, shift: boolean) => void> = {
  " ": (player) => player.toggle(),
  k: (player) => player.toggle(),
  ArrowLeft: (player, shift) => (shift ? player.jumpBy(-1) : player.moveBy(-1)),
  ArrowRight: (player, shift) => (shift ? player.jumpBy(1) : player.moveBy(1)),
  ArrowUp: (player) => player.volumeBy(VOLUME_STEP),
  ArrowDown: (player) => player.volumeBy(-VOLUME_STEP),
  j: (player) => player.jumpBy(-JUMP),
  l: (player) => player.jumpBy(JUMP),
  Home: (player) => player.toStart(),
  End: (player) => player.toEnd(),
  f: (player) => player.toggleFullScreen(),
  m: (player) => player.toggleMuted(),
  c: (player) => player.toggleCaptions(),
};

/** Handles a key; leaves those to the focused control that it uses itself. */
export function handleKey(event: KeyboardEvent, player: KeyTarget) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  const focused = event.composedPath()[0];
  if (focused instanceof HTMLButtonElement && event.key === " ") return;
  if (focused instanceof HTMLInputElement && focused.className === "volume" && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  action(player, event.shiftKey);
}
