// Films that several tests render.

/** A film of which every frame is another, so that it takes long. */
export const LONG = {
  width: 1920,
  height: 1080,
  durationInFrames: 3000,
  overlays: [
    {
      id: 1,
      type: "effect",
      content: "confetti",
      from: 0,
      durationInFrames: 3000,
      row: 0,
      left: 0,
      top: 0,
      width: 1920,
      height: 1080,
      styles: { particleCount: 300 },
    },
  ],
};
