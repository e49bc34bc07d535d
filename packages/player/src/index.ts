/** Defines `<rondo-player>`. */

import { RondoPlayer } from "./element";
import { loadAhead } from "./page/parts";

if (globalThis.customElements && !customElements.get("rondo-player")) {
  customElements.define("rondo-player", RondoPlayer);
  loadAhead();
}

export type { FrameDetail, RondoPlayerEvents } from "./page/events";
export type { OverlayOutline, Warning } from "./protocol";
export { RondoPlayer };
