/** Requests to begin with. */
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
            id: 1, type: "text", row: 0, from: 0, durationInFrames: 120, left: 140, top: 230, width: 1000, height: 160,
            content: "Films from JSON",
            styles: { fontFamily: "Inter", fontWeight: "800", fontSize: "112px", color: "#f8fafc", textAlign: "center", animation: { enter: "slide-up", enterDuration: 0.6 } },
          },
          {
            id: 2, type: "text", row: 1, from: 15, durationInFrames: 105, left: 240, top: 400, width: 800, height: 70,
            content: "One request, one film.",
            styles: { fontFamily: "Inter", fontSize: "40px", color: "#fb923c", textAlign: "center", animation: { enter: "fade" } },
          },
        ],
      },
    },
  },
  { name: "Template", body: { templateId: "tpl_quote_card", replacements: { quote: "Made with one request.", author: "You", role: "Playground" } } },
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
          { id: 1, type: "effect", row: 0, from: 45, durationInFrames: 105, left: 0, top: 0, width: 1080, height: 1080, content: "confetti", styles: { particleCount: 90 } },
          {
            id: 2, type: "text", row: 1, from: 0, durationInFrames: 150, left: 90, top: 360, width: 900, height: 260, content: "10000",
            styles: { fontFamily: "Poppins", fontWeight: "800", fontSize: "220px", color: "#c2410c", textAlign: "center", counterMode: { enabled: true, from: 0, to: 10000, duration: 60, easing: "easeOutCubic" } },
          },
          {
            id: 3, type: "text", row: 2, from: 20, durationInFrames: 130, left: 90, top: 640, width: 900, height: 90, content: "films rendered",
            styles: { fontFamily: "Poppins", fontWeight: "500", fontSize: "56px", color: "#7c2d12", textAlign: "center", animation: { enter: "fade" } },
          },
        ],
      },
    },
  },
];
