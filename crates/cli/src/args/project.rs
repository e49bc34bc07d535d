//! Options of the commands around a project folder: `init` and `dev`.

use std::path::PathBuf;

use super::film::{Sandbox, Source};
use super::parse::name_and_value;

#[derive(clap::Args)]
pub struct Init {
    /// Folder of the project; created if missing
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

#[derive(clap::Args)]
pub struct Dev {
    /// Composition, or request body with `inputProps`. Relative media paths start at the folder of this file
    #[arg(value_name = "COMP.json")]
    pub composition: PathBuf,
    /// Replace the text or source of a dynamic overlay; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub set: Vec<(String, String)>,
    /// Port of the page on 127.0.0.1; 0 is any free one
    #[arg(long, default_value_t = 4400)]
    pub port: u16,
    #[command(flatten)]
    pub sandbox: Sandbox,
}

impl Dev {
    /// The composition with its replacements, and nothing else changed.
    pub fn source(&self) -> Source {
        let (composition, set) = (self.composition.clone(), self.set.clone());
        Source { composition, set, width: None, height: None, fps: None, sandbox: self.sandbox }
    }
}
