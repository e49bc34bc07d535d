//! Fonts of films: the catalogue, and families that are fetched from a package registry when a film first names them.

mod package;
mod registry;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rondo_composition::Composition;
use rondo_render::{FetchedFamilies, FontSettings, add_family, families_named, load_fonts};
use rondo_text::Catalog;
use tokio::time::{Instant, timeout};

use crate::fetch::{DownloadLimits, Fetch};
use package::unpack;
pub use package::{FontPackage, font_packages};
pub use registry::FontRegistry;

/// How long a film of the service waits for its families, and how long they may take after that.
pub const WAIT: Duration = Duration::from_secs(20);
const FETCHING: Duration = Duration::from_secs(120);
/// How long a family is not fetched again after it failed.
const PAUSE: Duration = Duration::from_secs(600);
/// Families fetched for one film, and at a time.
const MOST_OF_FILM: usize = 16;
const AT_ONCE: usize = 2;
/// Largest package.
const MOST_BYTES: u64 = 100_000_000;

/// The fonts that films use. Cheap to clone.
#[derive(Clone)]
pub struct Fonts(Arc<Inner>);

impl std::fmt::Debug for Fonts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fonts").field("registry", &self.0.registry).finish_non_exhaustive()
    }
}

struct Inner {
    catalog: RwLock<Arc<Catalog>>,
    fetched: FetchedFamilies,
    registry: FontRegistry,
    packages: Vec<FontPackage>,
    wait: Duration,
    fetch: Fetch,
    /// What is known of a package; locked while it is fetched.
    states: Mutex<HashMap<String, Arc<tokio::sync::Mutex<State>>>>,
    turns: tokio::sync::Semaphore,
}

#[derive(Default)]
struct State {
    /// When, and why.
    failed: Option<(Instant, String)>,
}

/// How fonts are found and fetched.
#[derive(Debug)]
pub struct FontOptions {
    pub fonts: FontSettings,
    /// Where families are kept.
    pub fetched: FetchedFamilies,
    pub registry: FontRegistry,
    /// What may be fetched.
    pub packages: Vec<FontPackage>,
    /// How long a film waits for its families.
    pub wait: Duration,
}

impl Fonts {
    /// Loads the catalogue; also returns what is wrong with font files. Reads files, so it blocks the thread.
    pub fn open(options: FontOptions) -> Result<(Self, Vec<String>), reqwest::Error> {
        let FontOptions { fonts, fetched, registry, packages, wait } = options;
        let settings = FontSettings { fetched: Some(fetched.clone()), ..fonts };
        let (catalog, warnings) = load_fonts(&settings);
        let mut catalog = (*catalog).clone();
        catalog.add_installable(packages.iter().map(|package| package.name.as_str()));
        let inner = Inner {
            catalog: RwLock::new(Arc::new(catalog)),
            fetched,
            registry,
            packages,
            wait,
            // The operator names the registry, which may be one of their own network.
            fetch: Fetch::new(true)?,
            states: Mutex::default(),
            turns: tokio::sync::Semaphore::new(AT_ONCE),
        };
        Ok((Self(Arc::new(inner)), warnings))
    }

    /// The fonts that are there now.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.0.catalog.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a family is there, or fetched when a film names it. Uploaded families of this name are not used.
    pub fn has_or_fetches(&self, family: &str) -> bool {
        let catalog = self.catalog();
        catalog.has(family) || (self.0.registry != FontRegistry::Off && catalog.is_installable(family))
    }

    /// Fetches the families that a film names and this machine lacks, and waits for them for a while. Those that cannot be
    /// fetched stay missing, which the warnings of the film tell. Returns why.
    pub async fn fetch_for(&self, composition: &Composition) -> Vec<String> {
        if self.0.registry == FontRegistry::Off {
            return Vec::new();
        }
        let catalog = self.catalog();
        let composition = composition.write();
        let lacking = families_named(&composition).into_iter().flat_map(|list| catalog.lacking(list));
        let packages: BTreeSet<String> = lacking.collect();
        if packages.is_empty() {
            return Vec::new();
        }
        let fetching = packages.into_iter().take(MOST_OF_FILM).map(|package| {
            let fonts = self.clone();
            // A family that takes longer than the film waits is there for the next one.
            tokio::spawn(async move { fonts.fetch_package(&package).await })
        });
        let all = futures_util::future::join_all(fetching.collect::<Vec<_>>());
        match timeout(self.0.wait, all).await {
            Ok(fetched) => fetched.into_iter().filter_map(|done| done.ok()?.err()).collect(),
            Err(_) => {
                tracing::warn!("a film does not wait longer for its fonts");
                vec![format!("Fetching fonts takes longer than {} s.", self.0.wait.as_secs())]
            }
        }
    }

    async fn fetch_package(&self, name: &str) -> Result<(), String> {
        let state = {
            let mut states = self.0.states.lock().unwrap_or_else(PoisonError::into_inner);
            states.entry(name.to_owned()).or_default().clone()
        };
        let mut state = state.lock().await;
        if let Some((at, reason)) = &state.failed
            && at.elapsed() < PAUSE
        {
            return Err(reason.clone());
        }
        let done = self.fetch_and_add(name).await;
        let done = done.map_err(|reason| format!("The font package {name} cannot be fetched: {reason}."));
        if let Err(reason) = &done {
            tracing::warn!(reason, "failed to fetch a font family");
            state.failed = Some((Instant::now(), reason.clone()));
        }
        done
    }

    async fn fetch_and_add(&self, name: &str) -> Result<(), String> {
        let package =
            self.0.packages.iter().find(|package| package.name == name).ok_or("it is not listed")?;
        // Another process may have fetched it.
        if !self.0.fetched.has(name) {
            let _turn = self.0.turns.acquire().await;
            let late = |_| Err(format!("it takes longer than {} s", FETCHING.as_secs()));
            timeout(FETCHING, self.download(package)).await.unwrap_or_else(late)?;
            tracing::info!(family = name, "fetched a font family");
        }
        self.add(name)
    }

    async fn download(&self, package: &FontPackage) -> Result<(), String> {
        let Some(registry) = self.0.registry.address().await else {
            return Err("npm is not installed, and font-registry is not set".to_owned());
        };
        let url = package.url(&registry);
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        let limits = DownloadLimits { bytes: MOST_BYTES, time: FETCHING };
        self.0.fetch.download(&url, file.path(), limits).await.map_err(|error| error.to_string())?;
        let (package, fetched) = (package.clone(), self.0.fetched.clone());
        let unpacking = tokio::task::spawn_blocking(move || {
            let family = unpack(file.reopen().map_err(|error| error.to_string())?, &package)?;
            fetched.store(&package.name, &family.licence, &family.file).map_err(|error| error.to_string())
        });
        unpacking.await.map_err(|error| error.to_string())?
    }

    /// Adds a fetched family to the catalogue.
    fn add(&self, package: &str) -> Result<(), String> {
        let path = self.0.fetched.file(package).ok_or("it has no file")?;
        let mut current = self.0.catalog.write().unwrap_or_else(PoisonError::into_inner);
        let mut catalog = (**current).clone();
        add_family(&mut catalog, &path)?;
        *current = Arc::new(catalog);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
