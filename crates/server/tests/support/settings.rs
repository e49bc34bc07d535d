//! Settings of services in tests: flags as on the command line, and some that shorten what a test waits for.

use std::path::Path;
use std::time::Duration;

use rondo_service::settings::{Settings, Sources};

/// The flag of a service that ends children that stand still after a second or two.
pub const IMPATIENT: &str = "impatient";
/// The flag of a service whose renders have three seconds of processor time beside that for their pixels.
pub const THRIFTY: &str = "thrifty";
/// The flag of a service whose renders take eight seconds at most.
pub const BRIEF: &str = "brief";
/// The flag of a service that draws pictures for two seconds at most.
pub const HURRIED: &str = "hurried";

/// The flag of a service that waits a second for 16 kB of a file, and three for the media of a film.
pub const HASTY: &str = "hasty";

/// Names and values.
pub type Flags = Vec<(String, String)>;

pub fn read_settings(fork_server: &Path, flags: &Flags) -> Settings {
    let settings = Settings::read(&Sources {
        flag: &|name| flags.iter().find(|(flag, _)| flag == name).map(|(_, value)| value.clone()),
        variable: &|name| {
            let set = flags.iter().find(|(flag, _)| flag == name && name.starts_with("AWS_"));
            set.map(|(_, value)| value.clone())
        },
        file: Default::default(),
    });
    let mut settings = settings.unwrap();
    settings.fork_server = Some((fork_server.to_owned(), Vec::new()));
    let has = |wanted: &str| flags.iter().any(|(name, _)| name == wanted);
    if has(IMPATIENT) {
        settings.stuck_after = Duration::from_secs(1);
    }
    if has(THRIFTY) {
        settings.cpu_base = 3;
    }
    if has(BRIEF) {
        settings.render_timeout = Duration::from_secs(8);
    }
    if has(HURRIED) {
        settings.drawing_time = Duration::from_secs(2);
    }
    if has(HASTY) {
        settings.fetch_pace.window = Duration::from_secs(1);
        settings.fetch_patience = Duration::from_secs(3);
    }
    settings
}
