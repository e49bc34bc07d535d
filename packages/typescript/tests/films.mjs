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

/** The smallest film with a text. */
export const film = (text, fields = {}) => ({
  width: 320,
  height: 180,
  durationInFrames: 12,
  backgroundColor: "#102030",
  overlays: [
    {
      id: 1,
      type: "text",
      content: text,
      from: 0,
      durationInFrames: 12,
      row: 0,
      left: 20,
      top: 40,
      width: 280,
      height: 100,
    },
  ],
  ...fields,
});
