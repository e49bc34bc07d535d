/** Messages between the page, the paint worker, the media worker and the image worker. */

/** Colour and position of the planes of a decoded picture, as the engine reads them. */
export interface PlanesFacts {
  /** Size before rotation. */
  width: number;
  height: number;
  format: "I420" | "I422" | "I444";
  matrix: Matrix;
  full: boolean;
  /** Clockwise degrees. */
  rotation: 0 | 90 | 180 | 270;
  /** Mirrored left to right, after the rotation. */
  flip: boolean;
}

export type Matrix = "bt709" | "bt601" | "fcc" | "smpte240m" | "bt2020";

/** What is known of a media file once it is open. */
export interface ClipFacts {
  /** Size as shown; 0 without a picture track. */
  width: number;
  height: number;
  /** Seconds of the picture track, or of the sound where there is no picture. */
  duration: number;
  picture: boolean;
  /** Whether it has a picture track that this browser cannot decode. */
  undecodable: boolean;
  sound: boolean;
}

/** An AV1 picture of an AVIF image. */
export interface CodedPicture {
  /** As WebCodecs names it. */
  codec: string;
  data: ArrayBuffer;
}

/** The same, decoded. Its colour is told where the planes are not those of the stream. */
export interface StillPicture {
  planes: ArrayBuffer;
  facts: Pick<PlanesFacts, "width" | "height" | "format"> & Partial<Pick<PlanesFacts, "matrix" | "full">>;
}

/** Paint worker to media worker. */
export type MediaRequest =
  /** Addresses are tried in turn. */
  | { type: "open"; id: number; src: string; addresses: string[] }
  /**
   * The picture at `time`, for a frame that shows `times` times of the source. In a `hurry` others are not decoded ahead. `near`
   * also asks for a nearby picture that is decoded earlier.
   */
  | { type: "picture"; id: number; src: string; time: number; times: number; hurry: boolean; near: boolean }
  /** Pictures asked for before this id are no longer wanted; they are not answered. */
  | { type: "forget"; below: number }
  /** How many overlays show each video now. Others need no decoders. */
  | { type: "show"; shown: Record<string, number> }
  /** Memory of a picture that is no longer needed, for another one. */
  | { type: "recycle"; planes: ArrayBuffer }
  /** Sound from one second of the source to another. */
  | { type: "samples"; id: number; src: string; from: number; to: number }
  /** Decodes pictures of an image. */
  | { type: "still"; id: number; parts: CodedPicture[] }
  /** Other files than these are not used now. */
  | { type: "keep"; sources: string[] }
  /** Reads small files to their end, so that all of them is there when their server is not. */
  | { type: "read" };

/** Media worker to paint worker. */
export type MediaAnswer =
  | { type: "opened"; id: number; src: string; facts: ClipFacts }
  | { type: "failed"; id: number; src: string; message: string }
  /** Without `planes` the picture is the one sent last for this source and lane, which is one decoder of it. */
  | {
      type: "picture";
      id: number;
      src: string;
      time: number;
      lane: number;
      exact: boolean;
      planes?: ArrayBuffer;
      facts?: PlanesFacts;
      /** The planes are not quite those of the stream. */
      lossy?: boolean;
    }
  | { type: "unpictured"; id: number; src: string; time: number; message: string }
  | { type: "still"; id: number; pictures: StillPicture[] }
  | { type: "unstill"; id: number; message: string }
  /** Interleaved, `from` seconds of the source on; shorter than asked for at the end. */
  | { type: "samples"; id: number; src: string; from: number; rate: number; channels: number; data: ArrayBuffer };

/** Page to image worker: the port to the paint worker. */
export interface ImageStart {
  module: WebAssembly.Module;
  port: MessagePort;
}

/** Paint worker to image worker: a file, and the size of the picture to make of it. */
export interface ImageRequest {
  src: string;
  /** Tells files of the same source apart. */
  key: number;
  file: ArrayBuffer;
  width: number;
  height: number;
}

/** Image worker to paint worker. */
export interface ImageAnswer {
  src: string;
  key: number;
  /** Null when it cannot be decoded. */
  picture: ImagePicture | null;
}

/** Premultiplied pixels of an image. */
export interface ImagePicture {
  pixels: ArrayBuffer;
  width: number;
  height: number;
  opaque: boolean;
}

/** A film as the page gives it to the paint worker. */
export interface FilmSource {
  version: number;
  composition: unknown;
  replacements?: unknown;
  /** Where relative sources are resolved. */
  base: string;
  /** Addresses of sources to try in turn, where they are not their own. */
  ways: Record<string, string[]>;
  /** Where the service paints single frames of this film, when it can: `{frame}` is replaced. */
  still?: string;
}

export interface FilmFacts {
  width: number;
  height: number;
  fps: number;
  durationInFrames: number;
  sound: boolean;
  captions: boolean;
}

/** An overlay on the canvas at one frame. */
export interface OverlayOutline {
  /** Its place in `overlays`. */
  index: number;
  id: number;
  /** The corners of its box as they are seen: top left, top right, bottom right, bottom left. In canvas pixels. */
  quad: [x: number, y: number][];
  /** The box before animation, 3D layout and transform; degrees clockwise. */
  box: { left: number; top: number; width: number; height: number; rotation: number };
  /** False for what is transparent or has no media. */
  seen: boolean;
}

/** A problem that leaves the film paintable. */
export interface Warning {
  code?: string;
  path?: string;
  message: string;
}

/** Page to paint worker. Times of the wall clock are milliseconds since the epoch. */
export type PaintRequest =
  | {
      type: "start";
      canvas: OffscreenCanvas;
      module: WebAssembly.Module;
      fontIndex: string;
      /** The folder of the font files. */
      fonts: string;
      /** Addresses of the dictionaries by name. */
      dictionaries: Record<string, string>;
      decodes: boolean;
    }
  | { type: "film"; film: FilmSource; frame: number }
  | { type: "captions"; shown: boolean }
  | { type: "media" | "images"; port: MessagePort }
  /** A worker cannot be started, or broke. */
  | { type: "lost"; worker: "media" | "images"; message: string }
  /** Film time runs from `time` seconds at `at` with `rate`. */
  | { type: "clock"; at: number; time: number; rate: number }
  /** Mixes sound from a frame on; pieces are sent as they are asked for. */
  | { type: "sound"; run: number; frame: number }
  | { type: "mix"; run: number; seconds: number }
  /** Frames before `frame` are not shown, though sound may begin a little later than the clock. */
  | { type: "play"; frame: number; at: number; time: number; rate: number }
  /** Answered when playing from a frame on is not held up by images. */
  | { type: "prepare"; id: number; frame: number }
  | { type: "pause" }
  | { type: "seek"; id: number; frame: number }
  | { type: "frame"; id: number; frame: number }
  | { type: "outlines"; id: number; frame: number }
  | { type: "hit"; id: number; frame: number; x: number; y: number }
  | { type: "said"; id: number; frame: number; index: number; x: number; y: number }
  | { type: "snapshot"; id: number };

/** Paint worker to page. */
export type PaintAnswer =
  | { type: "opened"; version: number; facts: FilmFacts }
  | { type: "refused"; version: number; message: string; problems: Warning[] }
  | { type: "ready"; version: number; warnings: Warning[] }
  | { type: "painted"; frame: number; exact: boolean }
  | { type: "ended" }
  | { type: "waiting" }
  | { type: "warning"; warning: Warning }
  | { type: "needs-media" | "needs-images" }
  | { type: "mixed"; run: number; left: Float32Array<ArrayBuffer>; right: Float32Array<ArrayBuffer> }
  | {
      type: "done";
      id: number;
      image?: ImageData;
      blob?: Blob;
      outlines?: OverlayOutline[];
      hits?: number[];
      said?: number | null;
    }
  | { type: "failed"; id: number; message: string }
  /** Nothing can be painted; `ended`: also later. */
  | { type: "broken"; message: string; ended?: boolean };
