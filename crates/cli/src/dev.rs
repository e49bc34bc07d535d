//! `rondo dev`: watches a composition and its media, checks it after each change, and shows it in a page that plays it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use rondo_composition::Composition;
use rondo_jobs::Finding;
use rondo_render::Locate;
use rondo_server::{DevFilm, DevPage, MEDIA};
use rondo_service::fonts::Fonts;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::watch;

use crate::check::problems;
use crate::fonts::fetching_fonts;
use crate::input::{Input, InputError, film_and_notices, sentence};
use crate::locate::MediaFiles;
use crate::sandboxed::{Sandbox, located, most_severe_first};
use crate::{Outcome, args, print_stderr, serve};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Modification time and length of a file; `None` where there is none.
type Stamp = Option<(SystemTime, u64)>;

pub fn run(args: &args::Dev) -> Outcome {
    if args.composition == Path::new("-") {
        return Err("`rondo dev` watches a file, so it cannot read standard input.".into());
    }
    let source = args.source();
    if let Err(InputError::File(message)) = Input::read(&source, None) {
        return Err(message);
    }
    let runtime = Runtime::new().map_err(|e| format!("Failed to start the async runtime: {e}."))?;
    // The client of the fonts belongs to the runtime.
    let fonts = runtime.block_on(async { fetching_fonts() })?;
    let (sender, films) = watch::channel(DevFilm::default());
    let name = args.composition.display().to_string();
    let page = runtime.block_on(DevPage::open(name, args.port, fonts.clone(), films))?;
    print_stderr(&format!(
        "{} plays at http://{}. Ctrl-C ends it.",
        source.composition.display(),
        page.address
    ));
    let sandbox = source.sandbox.mode.map(|mode| Sandbox::start(mode, &std::env::temp_dir())).transpose()?;
    let watcher = Watcher::new(source, sandbox, fonts, runtime.handle().clone())?;
    std::thread::spawn(move || watcher.follow(&sender));
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = page.run() => ended.map_err(|e| format!("The page stopped answering: {e}.")),
            signal = serve::wait_for_signal() => signal.map_err(|e| format!("Failed to install the signal handlers: {e}.")),
        }
    });
    runtime.shutdown_background();
    ended.map(|()| ExitCode::SUCCESS)
}

/// Looks at the composition and at the local media it names.
struct Watcher {
    source: args::Source,
    fonts: Fonts,
    /// Downloads stay for as long as the page is open.
    files: MediaFiles,
    /// What reads the media, if it is not this process.
    sandbox: Option<Sandbox>,
    runtime: Handle,
    /// The files as they were at the last look.
    known: BTreeMap<PathBuf, Stamp>,
    state: DevFilm,
}

impl Watcher {
    fn new(
        source: args::Source,
        sandbox: Option<Sandbox>,
        fonts: Fonts,
        runtime: Handle,
    ) -> Result<Self, String> {
        let folder = source.composition.parent().filter(|folder| !folder.as_os_str().is_empty());
        let files = MediaFiles::new(folder.unwrap_or(Path::new(".")).to_owned())?;
        let (known, state) = (BTreeMap::new(), DevFilm::default());
        Ok(Self { source, fonts, files, sandbox, runtime, known, state })
    }

    /// Sends the state of the file after each change, until nobody listens.
    fn follow(mut self, films: &watch::Sender<DevFilm>) {
        while !films.is_closed() {
            let changed = self.known.iter().any(|(path, known)| stamp(path) != *known);
            if changed || self.known.is_empty() {
                self.look();
                print_stderr(&self.summary());
                films.send_replace(self.state.clone());
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Reads and checks the file.
    fn look(&mut self) {
        let file = self.source.composition.clone();
        // Before the file is read: a change meanwhile is seen at the next look.
        self.known = BTreeMap::from([(file.clone(), stamp(&file))]);
        self.state.version += 1;
        match Input::read(&self.source, None) {
            Ok(input) => self.check(input),
            Err(error) => {
                self.state.findings = problems(&error);
                self.state.current = false;
                // Media of the film that is still shown.
                for (_, path) in &self.state.media {
                    self.known.insert(path.clone(), stamp(path));
                }
            }
        }
    }

    fn check(&mut self, input: Input) {
        let before = self.fonts.catalog();
        for problem in self.runtime.block_on(self.fonts.fetch_for(&input.composition)) {
            print_stderr(&format!("Warning: {problem}"));
        }
        let catalog = self.fonts.catalog();
        if !std::sync::Arc::ptr_eq(&before, &catalog) {
            self.state.fonts += 1;
        }
        let mut shown = input.composition.clone();
        // Before the media are read: a change meanwhile is seen at the next look.
        self.state.media = self.serve_media(&mut shown);
        self.state.findings = match &self.sandbox {
            None => {
                let (_, notices) =
                    film_and_notices(input.composition, input.notices, &self.files, catalog, true);
                notices.iter().map(Finding::from).collect()
            }
            Some(sandbox) => {
                let media = located(&self.files, &input.composition);
                let found = sandbox.check(&input.composition, &media, true);
                let found = found.unwrap_or_else(|sentence| problems(&InputError::File(sentence)));
                most_severe_first(input.notices.iter().map(Finding::from).chain(found).collect())
            }
        };
        self.state.film = Some(shown.write());
        self.state.current = true;
    }

    /// Gives media that are found an address of the page; another one whenever they change. Others keep theirs, which the
    /// findings report.
    fn serve_media(&mut self, composition: &mut Composition) -> Vec<(String, PathBuf)> {
        let mut media = Vec::new();
        for address in composition.media_addresses_mut() {
            if address.trim_start().starts_with("data:") {
                continue;
            }
            match self.files.locate(address) {
                Ok(path) => {
                    let stamp = stamp(&path);
                    let name = format!("{}-{}", media.len(), version(stamp));
                    *address = format!("{MEDIA}{name}");
                    self.known.insert(path.clone(), stamp);
                    media.push((name, path));
                }
                Err(_) => {
                    if let Some(path) = self.files.local(address) {
                        let stamp = stamp(&path);
                        self.known.insert(path, stamp);
                    }
                }
            }
        }
        media
    }

    fn summary(&self) -> String {
        let name = self.source.composition.display();
        let mut lines: Vec<String> = self.state.findings.iter().map(sentence).collect();
        lines.push(match (self.state.current, self.state.version) {
            (true, 1) => format!("{name} is valid. Save it, and the page follows."),
            (true, _) => format!("{name} changed, and the page with it."),
            (false, _) => format!("{name} is not valid. The page follows when it is."),
        });
        lines.join("\n")
    }
}

fn stamp(path: &Path) -> Stamp {
    let facts = std::fs::metadata(path).ok()?;
    Some((facts.modified().ok()?, facts.len()))
}

fn version(stamp: Stamp) -> String {
    let since = stamp.and_then(|(time, _)| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    format!("{:x}", since.unwrap_or_default().as_nanos())
}
