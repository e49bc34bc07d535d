/** The element of the player, for JSX. */
import type { HTMLAttributes } from "react";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "rondo-player": HTMLAttributes<HTMLElement> & { src?: string; controls?: boolean; poster?: string };
    }
  }
}
