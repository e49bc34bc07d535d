/** `<RondoPlayer>` for React. */

import "./index";

import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";
import type { RondoPlayer as PlayerElement } from "./element";
import type { FrameDetail } from "./page/events";
import type { Warning } from "./protocol";

export interface RondoPlayerProps {
  src?: string;
  composition?: unknown;
  replacements?: unknown;
  server?: string;
  poster?: string;
  autoplay?: boolean;
  loop?: boolean;
  muted?: boolean;
  controls?: boolean;
  volume?: number;
  playbackRate?: number;
  className?: string;
  onReady?: () => void;
  onFrame?: (detail: FrameDetail) => void;
  onPlay?: () => void;
  onPause?: () => void;
  onEnded?: () => void;
  onWaiting?: () => void;
  onWarning?: (warning: Warning) => void;
  onError?: (problem: { message: string; problems: Warning[] }) => void;
}

/** Events and the properties that receive them. */
const EVENTS = [
  ["ready", "onReady"],
  ["frame", "onFrame"],
  ["play", "onPlay"],
  ["pause", "onPause"],
  ["ended", "onEnded"],
  ["waiting", "onWaiting"],
  ["warning", "onWarning"],
  ["error", "onError"],
] as const;

/** Boolean attributes are there or not. */
const flag = (set: boolean | undefined) => (set ? "" : undefined);

export const RondoPlayer = forwardRef<PlayerElement, RondoPlayerProps>(function RondoPlayer(props, ref) {
  const element = useRef<PlayerElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useImperativeHandle(ref, () => element.current as PlayerElement, []);

  useEffect(() => {
    const player = element.current;
    if (!player) return;
    const listeners = EVENTS.map(([type, property]) => {
      const listen = (event: Event) => {
        const call = latest.current[property] as ((detail: unknown) => void) | undefined;
        call?.((event as CustomEvent<unknown>).detail);
      };
      player.addEventListener(type as string, listen);
      return () => player.removeEventListener(type, listen);
    });
    return () => {
      for (const remove of listeners) remove();
    };
  }, []);

  const { composition, replacements, volume, playbackRate } = props;
  useEffect(() => {
    if (element.current && composition !== undefined) element.current.composition = composition;
  }, [composition]);
  useEffect(() => {
    if (element.current && replacements !== undefined) element.current.replacements = replacements;
  }, [replacements]);
  useEffect(() => {
    if (element.current && volume !== undefined) element.current.volume = volume;
  }, [volume]);
  useEffect(() => {
    if (element.current && playbackRate !== undefined) element.current.playbackRate = playbackRate;
  }, [playbackRate]);

  return createElement("rondo-player", {
    ref: element,
    src: props.src,
    server: props.server,
    poster: props.poster,
    autoplay: flag(props.autoplay),
    loop: flag(props.loop),
    muted: flag(props.muted),
    controls: flag(props.controls),
    class: props.className,
  });
});
