/** Defines `<rondo-player>`. */

import { RondoPlayer } from "./element";

if (globalThis.customElements && !customElements.get("rondo-player"))
  customElements.define("rondo-player", RondoPlayer);

export type { FrameDetail, RondoPlayerEvents } from "./page/events";
export type { OverlayOutline, Warning } from "./protocol";
export { RondoPlayer };
