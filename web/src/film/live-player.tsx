/** The film itself: the player of the service paints it here, without asking for pictures. */

import { useCallback, useEffect, useRef, useState } from "react";
import { cx } from "@/ui/cx";
import { loadPlayer } from "./load-player";

/** What is used of the element. */
interface PlayerElement extends HTMLElement {
  replacements: unknown;
  currentFrame: number;
  readonly paused: boolean;
  pause(): Promise<void>;
}

/** A frame that someone asked to see. */
export interface Place {
  frame: number;
}

/** Milliseconds after which a player that paints nothing is given up. */
const PATIENCE = 30_000;
/** Milliseconds that the playhead rests before it is told. */
const REST = 150;

/** Whether the player failed on this page; it is not tried again. */
let isBroken = false;

/** Whether something else has to be shown, and a function that says so from now on. */
export function useBroken(): [boolean, () => void] {
  const [broken, setBroken] = useState(isBroken);
  const giveUp = useCallback(() => {
    isBroken = true;
    setBroken(true);
  }, []);
  return [broken, giveUp];
}

interface Props {
  /** Address of a preview. The engine is loaded before it is known. */
  src: string | null;
  /** Values for the variables of the film. */
  replacements?: object | undefined;
  /** Where the playhead is put. */
  place: Place | null;
  hidden?: boolean;
  className?: string;
  /** Called when the playhead rests on another frame. */
  onRest?: (frame: number) => void;
  /** Called when nothing can be painted. */
  onBroken: () => void;
}

export function LivePlayer({ src, replacements, place, hidden = false, className, onRest, onBroken }: Props) {
  const element = useRef<PlayerElement>(null);
  const [defined, setDefined] = useState(false);
  const [painted, setPainted] = useState(false);
  const calls = useRef({ onRest, onBroken });
  calls.current = { onRest, onBroken };

  useEffect(() => {
    loadPlayer().then(
      () => setDefined(true),
      () => calls.current.onBroken(),
    );
  }, []);

  useEffect(() => {
    const player = element.current;
    if (!player) return;
    let timer: ReturnType<typeof setTimeout>;
    const onFrame = () => {
      clearTimeout(timer);
      if (player.paused) timer = setTimeout(() => calls.current.onRest?.(player.currentFrame), REST);
    };
    const onError = (event: Event) => {
      // A film that is refused has problems, and the next one may be right.
      const { problems } = (event as CustomEvent<{ problems: unknown[] }>).detail;
      if (problems.length === 0) calls.current.onBroken();
    };
    const onReady = () => setPainted(true);
    player.addEventListener("frame", onFrame);
    player.addEventListener("error", onError);
    player.addEventListener("ready", onReady);
    return () => {
      clearTimeout(timer);
      player.removeEventListener("frame", onFrame);
      player.removeEventListener("error", onError);
      player.removeEventListener("ready", onReady);
    };
  }, []);

  useEffect(() => {
    if (painted || src === null) return;
    const timer = setTimeout(() => calls.current.onBroken(), PATIENCE);
    return () => clearTimeout(timer);
  }, [painted, src]);

  useEffect(() => {
    if (defined && element.current) element.current.replacements = replacements;
  }, [defined, replacements]);

  useEffect(() => {
    const player = element.current;
    if (!defined || !player || !place || player.currentFrame === place.frame) return;
    void player.pause();
    player.currentFrame = place.frame;
  }, [defined, place]);

  useEffect(() => {
    if (defined && hidden) void element.current?.pause();
  }, [defined, hidden]);

  return (
    <rondo-player
      ref={element}
      controls
      hidden={hidden}
      className={cx("live-player", className)}
      {...(src === null ? {} : { src })}
    />
  );
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "rondo-player": React.DetailedHTMLProps<React.HTMLAttributes<PlayerElement>, PlayerElement> & {
        src?: string;
        controls?: boolean;
      };
    }
  }
}
