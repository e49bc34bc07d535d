/** The events of a player. */

import type { Warning } from "../protocol";

export interface FrameDetail {
  frame: number;
  time: number;
  exact: boolean;
}

export interface RondoPlayerEvents {
  ready: CustomEvent<void>;
  frame: CustomEvent<FrameDetail>;
  play: CustomEvent<void>;
  pause: CustomEvent<void>;
  ended: CustomEvent<void>;
  waiting: CustomEvent<void>;
  warning: CustomEvent<Warning>;
  error: CustomEvent<{ message: string; problems: Warning[] }>;
}
