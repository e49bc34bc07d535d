/** The one `<rondo-player>` of the editor: the canvas shows it, and other regions ask it for frames and outlines. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

export type Point = readonly [x: number, y: number];

/** Where an overlay is painted. Coordinates are those of the film. */
export interface Outline {
  /** Its place in the list of overlays. */
  index: number;
  id: number;
  /** Top left, top right, bottom right, bottom left, as they are seen: turned and tilted. */
  quad: readonly [Point, Point, Point, Point];
  /** False for what is transparent or has no media. */
  seen: boolean;
}

export interface PlayerWarning {
  code?: string;
  path?: string;
  message: string;
}

/** What the editor uses of the element. */
export interface PlayerElement extends HTMLElement {
  composition: unknown;
  readonly currentFrame: number;
  readonly paused: boolean;
  readonly exact: boolean;
  readonly warnings: readonly PlayerWarning[];
  volume: number;
  muted: boolean;
  playbackRate: number;
  loop: boolean;
  play(): Promise<void>;
  pause(): Promise<void>;
  /** Resolves when the frame is painted. */
  seek(frame: number): Promise<void>;
  /** The exact pixels of a frame; the playhead stays. */
  frame(frame: number): Promise<ImageData>;
  /** The frame at the playhead as a PNG file. */
  snapshot(): Promise<Blob>;
  /** The overlays of a frame, back to front. */
  outlines(frame?: number): Promise<Outline[]>;
  /** When the word of captions at a point is said, in milliseconds of the overlay; null without words. */
  said(index: number, x: number, y: number, frame?: number): Promise<number | null>;
  /** The overlays at a point by their place in the composition's list, topmost first. */
  hit(x: number, y: number, frame?: number): Promise<number[]>;
}

const store = createStore<{ player: PlayerElement | null }>(() => ({ player: null }));

export const setPlayer = (player: PlayerElement | null) => store.setState({ player });

/** The player, null until the canvas shows it. */
export const usePlayer = (): PlayerElement | null => useStore(store, (state) => state.player);

/** The player outside of components. */
export const currentPlayer = (): PlayerElement | null => store.getState().player;
