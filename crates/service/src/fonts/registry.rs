//! Where font packages are fetched from: an npm registry.

use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;
use url::Url;

/// How long npm may take to tell its registry.
const ASKING: Duration = Duration::from_secs(15);

/// The registry of font packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FontRegistry {
    /// No fonts are fetched.
    Off,
    /// The one that npm is configured with.
    Npm,
    /// A URL without a slash at the end.
    At(String),
}

impl FontRegistry {
    /// Reads `off`, `npm` or a URL.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "off" => Some(Self::Off),
            "npm" => Some(Self::Npm),
            url => plain_url(url).map(Self::At),
        }
    }

    /// Its URL without a slash at the end; `None` if there is none.
    pub async fn address(&self) -> Option<String> {
        static OF_NPM: OnceLock<Option<String>> = OnceLock::new();
        match self {
            Self::Off => None,
            Self::At(url) => Some(url.clone()),
            Self::Npm => match OF_NPM.get() {
                Some(known) => known.clone(),
                None => {
                    let asked = ask_npm().await;
                    OF_NPM.get_or_init(|| asked).clone()
                }
            },
        }
    }
}

/// What npm says, which reads its variables and files.
async fn ask_npm() -> Option<String> {
    let mut npm = Command::new("npm");
    npm.args(["config", "get", "registry"]).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = timeout(ASKING, npm.output()).await.ok()?.ok()?;
    plain_url(String::from_utf8(output.stdout).ok()?.trim())
}

fn plain_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let plain = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
    plain.then(|| url.as_str().trim_end_matches('/').to_owned())
}
