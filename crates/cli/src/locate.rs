//! Locates media: local files, downloads and data URLs.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use data_url::DataUrl;
use rondo_render::Locate;
use tempfile::TempDir;

use crate::download::Downloader;

/// Maximum size of a download.
const MOST_BYTES: u64 = 5_000_000_000;
/// Maximum length of a data URL.
const MOST_DATA: usize = 1_500_000;

/// Locates media for the command line. Downloads are stored in a temporary folder, which is deleted on drop.
pub struct MediaFiles {
    base: PathBuf,
    downloads: TempDir,
    downloader: OnceCell<Downloader>,
    fetched: RefCell<HashMap<String, PathBuf>>,
}

impl MediaFiles {
    pub fn new(base: PathBuf) -> Result<Self, String> {
        let downloads =
            TempDir::new().map_err(|e| format!("Failed to create a folder for downloads: {e}."))?;
        Ok(Self { base, downloads, downloader: OnceCell::new(), fetched: RefCell::default() })
    }

    /// The HTTP client, created for the first download.
    fn downloader(&self) -> Result<&Downloader, String> {
        if let Some(downloader) = self.downloader.get() {
            return Ok(downloader);
        }
        let downloader = Downloader::new(MOST_BYTES)?;
        Ok(self.downloader.get_or_init(|| downloader))
    }

    /// The local file that a source names, whether or not it is there; `None` for other sources.
    pub fn local(&self, src: &str) -> Option<PathBuf> {
        let src = src.trim();
        match scheme(src).as_str() {
            "http" | "https" | "data" => None,
            "file" => Some(PathBuf::from(src["file:".len()..].trim_start_matches("//"))),
            _ => Some(self.base.join(src)),
        }
    }

    /// Runs `fill` with a new file, once per source.
    fn fetched(
        &self,
        src: &str,
        fill: impl FnOnce(&mut std::fs::File) -> Result<(), String>,
    ) -> Result<PathBuf, String> {
        if let Some(path) = self.fetched.borrow().get(src) {
            return Ok(path.clone());
        }
        let path = self.downloads.path().join(format!("media-{}", self.fetched.borrow().len()));
        let mut file = std::fs::File::create(&path).map_err(|e| e.to_string())?;
        fill(&mut file)?;
        self.fetched.borrow_mut().insert(src.to_owned(), path.clone());
        Ok(path)
    }
}

impl Locate for MediaFiles {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        let src = src.trim();
        match self.local(src) {
            Some(path) => existing(path),
            None if scheme(src) == "data" => self.fetched(src, |file| unpack(src, file)),
            None => self.fetched(src, |file| self.downloader()?.download(src, file)),
        }
    }
}

fn scheme(src: &str) -> String {
    src.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).unwrap_or_default()
}

fn existing(path: PathBuf) -> Result<PathBuf, String> {
    match std::fs::metadata(&path) {
        Ok(facts) if facts.is_file() => Ok(path),
        Ok(_) => Err("not a file".into()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err("file not found".into()),
        Err(e) => Err(e.to_string()),
    }
}

fn unpack(url: &str, file: &mut std::fs::File) -> Result<(), String> {
    if url.len() > MOST_DATA {
        return Err(format!("a data URL must have at most {MOST_DATA} characters"));
    }
    let wrong = |_| "invalid data URL".to_owned();
    let data = DataUrl::process(url).map_err(|_| "invalid data URL".to_owned())?;
    let (bytes, _) = data.decode_to_vec().map_err(wrong)?;
    io::Write::write_all(file, &bytes).map_err(|e| e.to_string())
}
