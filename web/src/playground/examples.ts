/** Example requests. */

type Fields = Record<string, unknown>;

/** An overlay that is there for the whole of a film of 120 frames, unless the fields say otherwise. */
const overlay = (
  id: number,
  type: string,
  [left, top, width, height]: [number, number, number, number],
  more: Fields,
) => ({
  id,
  type,
  row: id,
  from: 0,
  durationInFrames: 120,
  left,
  top,
  width,
  height,
  ...more,
});

const film = (width: number, height: number, backgroundColor: string, overlays: Fields[]) => ({
  width,
  height,
  fps: 30,
  durationInFrames: 120,
  backgroundColor,
  overlays,
});

export const EXAMPLES: { name: string; body: unknown }[] = [
  {
    name: "Title card",
    body: {
      inputProps: {
        width: 1280,
        height: 720,
        fps: 30,
        durationInFrames: 120,
        backgroundColor: "#0f172a",
        overlays: [
          {
            id: 1,
            type: "text",
            row: 0,
            from: 0,
            durationInFrames: 120,
            left: 140,
            top: 230,
            width: 1000,
            height: 160,
            content: "Videos from JSON",
            styles: {
              fontFamily: "Inter",
              fontWeight: "800",
              fontSize: "112px",
              color: "#f8fafc",
              textAlign: "center",
              animation: { enter: "slide-up", enterDuration: 0.6 },
            },
          },
          {
            id: 2,
            type: "text",
            row: 1,
            from: 15,
            durationInFrames: 105,
            left: 240,
            top: 400,
            width: 800,
            height: 70,
            content: "One request, one video.",
            styles: {
              fontFamily: "Inter",
              fontSize: "40px",
              color: "#fb923c",
              textAlign: "center",
              animation: { enter: "fade" },
            },
          },
        ],
      },
    },
  },
  {
    name: "Template",
    body: {
      templateId: "tpl_quote_card",
      replacements: { quote: "Made with one request.", author: "You", role: "Playground" },
    },
  },
  {
    name: "Counter and confetti",
    body: {
      inputProps: {
        width: 1080,
        height: 1080,
        fps: 30,
        durationInFrames: 150,
        backgroundColor: "#fff7ed",
        overlays: [
          {
            id: 1,
            type: "effect",
            row: 0,
            from: 45,
            durationInFrames: 105,
            left: 0,
            top: 0,
            width: 1080,
            height: 1080,
            content: "confetti",
            styles: { particleCount: 90 },
          },
          {
            id: 2,
            type: "text",
            row: 1,
            from: 0,
            durationInFrames: 150,
            left: 90,
            top: 360,
            width: 900,
            height: 260,
            content: "10000",
            styles: {
              fontFamily: "Poppins",
              fontWeight: "800",
              fontSize: "220px",
              color: "#c2410c",
              textAlign: "center",
              counterMode: { enabled: true, from: 0, to: 10000, duration: 60, easing: "easeOutCubic" },
            },
          },
          {
            id: 3,
            type: "text",
            row: 2,
            from: 20,
            durationInFrames: 130,
            left: 90,
            top: 640,
            width: 900,
            height: 90,
            content: "videos rendered",
            styles: {
              fontFamily: "Poppins",
              fontWeight: "500",
              fontSize: "56px",
              color: "#7c2d12",
              textAlign: "center",
              animation: { enter: "fade" },
            },
          },
        ],
      },
    },
  },
  {
    name: "Narration and captions",
    body: {
      templateId: "tpl_space_fact",
      audio: { ducking: true, loudness: -14 },
      replacements: {
        narration: { tts: { text: "A day on Venus is longer than its year." } },
        captions: { transcribe: { source: "narration" } },
      },
    },
  },
  {
    name: "Vertical story",
    body: {
      inputProps: film(1080, 1920, "#1e1b4b", [
        overlay(1, "text", [90, 640, 900, 420], {
          content: "Doors open at eight",
          styles: {
            fontFamily: "Poppins",
            fontWeight: "800",
            fontSize: "150px",
            color: "#fef3c7",
            textAlign: "center",
            animatedText: { enabled: true, split: "word", splitStagger: 6, y: [60, 0], opacity: [0, 1], duration: 18 },
          },
        }),
        overlay(2, "shape", [90, 1120, 900, 10], {
          content: "rectangle",
          styles: { fill: "#f59e0b", borderRadius: "5px", animation: { enter: "fade" } },
        }),
        overlay(3, "text", [90, 1160, 900, 110], {
          content: "Friday, 21 November",
          styles: { fontFamily: "Inter", fontSize: "64px", color: "#c7d2fe", textAlign: "center" },
        }),
      ]),
    },
  },
  {
    name: "Lower third, transparent WebM",
    body: {
      inputProps: film(1920, 1080, "transparent", [
        overlay(1, "text", [140, 830, 900, 90], {
          content: "Grace Hopper",
          styles: {
            fontFamily: "Inter",
            fontWeight: "700",
            fontSize: "64px",
            color: "#ffffff",
            animation: { enter: "slide-right", exit: "fade" },
          },
        }),
        overlay(2, "text", [140, 920, 900, 60], {
          content: "Rear admiral, computer scientist",
          styles: {
            fontFamily: "Inter",
            fontSize: "36px",
            color: "#e2e8f0",
            animation: { enter: "fade", exit: "fade" },
          },
        }),
        overlay(3, "shape", [100, 800, 1000, 200], {
          content: "rectangle",
          styles: { fill: "#0f172acc", borderRadius: "20px", animation: { enter: "slide-right", exit: "fade" } },
        }),
      ]),
      output: { format: "webm" },
    },
  },
  {
    name: "Code, line by line",
    body: {
      inputProps: film(1280, 720, "#0b1020", [
        overlay(1, "text", [120, 140, 1040, 440], {
          content: 'const film = await render({\n  templateId: "tpl_quote_card",\n});',
          styles: {
            fontFamily: "JetBrains Mono",
            fontSize: "44px",
            codeBlock: { enabled: true, language: "javascript", lineStagger: 12 },
          },
        }),
      ]),
    },
  },
  {
    name: "Captions",
    body: {
      inputProps: film(1080, 1080, "#052e16", [
        overlay(1, "caption", [90, 760, 900, 200], {
          captions: [
            { text: "Every word", startMs: 0, endMs: 1600, words: words("Every word", 0, 1600) },
            { text: "lights up in time", startMs: 1600, endMs: 3800, words: words("lights up in time", 1600, 3800) },
          ],
          styles: { fontFamily: "Poppins", fontSize: "72px", color: "#ffffff", textAlign: "center" },
        }),
        overlay(2, "text", [90, 300, 900, 300], {
          content: "Captions",
          styles: {
            fontFamily: "Poppins",
            fontWeight: "800",
            fontSize: "150px",
            color: "#86efac",
            textAlign: "center",
          },
        }),
      ]),
    },
  },
  {
    name: "Still image (PNG)",
    body: {
      inputProps: film(1200, 630, "#f8fafc", [
        overlay(1, "text", [100, 180, 1000, 270], {
          content: "A picture for\nevery link",
          styles: { fontFamily: "Inter", fontWeight: "800", fontSize: "110px", color: "#0f172a" },
        }),
        overlay(2, "shape", [880, 60, 420, 420], {
          content: "circle",
          styles: { gradient: "linear-gradient(135deg, #fb7185, #f59e0b)" },
        }),
      ]),
      output: { format: "png", frame: 60 },
    },
  },
  {
    name: "Looping GIF",
    body: {
      inputProps: film(480, 480, "#18181b", [
        overlay(1, "shape", [140, 140, 200, 200], {
          content: "star",
          styles: { fill: "#facc15", animation: { during: "spin" } },
        }),
        overlay(2, "text", [40, 370, 400, 70], {
          content: "New",
          styles: { fontFamily: "Inter", fontWeight: "800", fontSize: "56px", color: "#fafafa", textAlign: "center" },
        }),
      ]),
      output: { format: "gif", range: [0, 59] },
    },
  },
];

/** The words of a caption, spread evenly over its time. */
function words(text: string, startMs: number, endMs: number) {
  const all = text.split(" ");
  const each = (endMs - startMs) / all.length;
  return all.map((word, index) => ({
    word,
    startMs: Math.round(startMs + index * each),
    endMs: Math.round(startMs + (index + 1) * each),
    confidence: 1,
  }));
}
