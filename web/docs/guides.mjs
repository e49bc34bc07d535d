/** The guides, in groups and in reading order. Each is docs/NAME.md; the changelog is beside that folder. */

export const GROUPS = [
  ["Get started", ["first-film", "quick-start", "sdks", "command-line", "agents"]],
  ["Make films", ["templates", "brand-kit", "projects", "editor", "speech", "audio", "fonts", "outputs"]],
  ["Connect", ["integrations", "batches", "webhooks", "destinations", "player", "sign-in", "importing", "moving"]],
  ["Run it", ["self-hosting", "security", "scaling", "reliability"]],
  ["Look up", ["limits", "errors", "compatibility", "changelog"]],
];

/** What the menu calls a guide. */
export const TITLES = {
  "first-film": "First film in five minutes",
  "quick-start": "Quick start",
  sdks: "TypeScript and Python",
  "command-line": "Command line",
  agents: "Agents",
  templates: "Templates and variables",
  "brand-kit": "Brand kit",
  projects: "Projects",
  editor: "Editor",
  speech: "Narration and captions",
  audio: "Sound",
  fonts: "Fonts",
  outputs: "Outputs",
  integrations: "Integrations",
  batches: "Batches",
  webhooks: "Webhooks",
  destinations: "Destinations",
  player: "Player",
  "sign-in": "Signing in and apps",
  importing: "Importing films",
  moving: "Moving from other services",
  "self-hosting": "Self-hosting",
  security: "Security",
  scaling: "Scaling",
  reliability: "Reliability",
  limits: "Limits and prices",
  errors: "Errors",
  compatibility: "Compatibility",
  changelog: "Changelog",
};

/** The file of a guide. */
export const fileOf = (name) => (name === "changelog" ? "CHANGELOG.md" : `docs/${name}.md`);
