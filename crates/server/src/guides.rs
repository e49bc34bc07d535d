//! The guide for agents, as it is handed to them. The pages of all guides are made by `web/docs`.

use rondo_service::links::Links;

/// The address the guides are written with.
pub const EXAMPLE_URL: &str = "http://127.0.0.1:8080";

/// How an agent writes compositions.
const AGENTS: &str = include_str!("../../../docs/agents.md");

/// The guide for agents, with the addresses of this installation.
pub fn agents(links: &Links) -> String {
    AGENTS.replace(EXAMPLE_URL, links.public_url())
}

#[cfg(test)]
mod tests {
    use rondo_service::settings::SETTINGS;

    #[test]
    fn every_setting_is_documented() {
        let guide = include_str!("../../../docs/self-hosting.md");
        for setting in SETTINGS {
            assert!(guide.contains(&format!("| `{}` |", setting.name)), "{} is missing", setting.name);
        }
    }
}
