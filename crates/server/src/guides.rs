//! The guides of this repository, as they are shown and handed to agents.

use rondo_service::links::Links;

/// The address the guides are written with.
pub const EXAMPLE_URL: &str = "http://127.0.0.1:8080";

/// The guides in reading order: name, title, text.
pub const GUIDES: [(&str, &str, &str); 21] = [
    ("quick-start", "Quick start", include_str!("../../../docs/quick-start.md")),
    ("templates", "Templates", include_str!("../../../docs/templates.md")),
    ("batches", "Batches", include_str!("../../../docs/batches.md")),
    ("projects", "Projects", include_str!("../../../docs/projects.md")),
    ("agents", "Agents", AGENTS),
    ("speech", "Speech", include_str!("../../../docs/speech.md")),
    ("outputs", "Outputs", include_str!("../../../docs/outputs.md")),
    ("fonts", "Fonts", include_str!("../../../docs/fonts.md")),
    ("audio", "Sound", include_str!("../../../docs/audio.md")),
    ("editor", "Editor", include_str!("../../../docs/editor.md")),
    ("player", "Player", include_str!("../../../docs/player.md")),
    ("sdks", "TypeScript and Python", include_str!("../../../docs/sdks.md")),
    ("command-line", "Command line", include_str!("../../../docs/command-line.md")),
    ("importing", "Importing films", include_str!("../../../docs/importing.md")),
    ("webhooks", "Webhooks", include_str!("../../../docs/webhooks.md")),
    ("sign-in", "Signing in and apps", include_str!("../../../docs/sign-in.md")),
    ("limits", "Limits and prices", include_str!("../../../docs/limits.md")),
    ("errors", "Errors", include_str!("../../../docs/errors.md")),
    ("compatibility", "Compatibility", include_str!("../../../docs/compatibility.md")),
    ("self-hosting", "Self-hosting", include_str!("../../../docs/self-hosting.md")),
    ("reliability", "Reliability", include_str!("../../../docs/reliability.md")),
];

/// How an agent writes compositions.
const AGENTS: &str = include_str!("../../../docs/agents.md");

/// The guide for agents, with the addresses of this installation.
pub fn agents(links: &Links) -> String {
    AGENTS.replace(EXAMPLE_URL, links.public_url())
}
