//! `rondo fonts`, and the fonts of films.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rondo_composition::Composition;
use rondo_render::{FetchedFamilies, FontSettings, families_named, load_fonts};
use rondo_service::font_folder;
use rondo_service::fonts::{FontOptions, FontRegistry, Fonts, font_packages};
use rondo_text::{Catalog, Family, Origin};
use serde_json::{Value, json};

use crate::{Outcome, interrupt, pretty, print, print_stderr};

/// How long a film waits for families that are fetched.
const WAIT: Duration = Duration::from_secs(120);
/// How often it looks for Ctrl-C meanwhile.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(50);

pub fn run(as_json: bool) -> Outcome {
    let families = fonts().families();
    if as_json {
        let rows: Vec<Value> = families
            .iter()
            .map(|f| {
                json!({"family": f.name, "aliases": f.aliases, "weights": f.weights,
                    "italicWeights": f.italic_weights, "source": origin(f)})
            })
            .collect();
        return print(&pretty(&Value::from(rows)));
    }
    let width = families.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for family in &families {
        let mut weights: Vec<String> = family.weights.iter().map(ToString::to_string).collect();
        weights.extend(family.italic_weights.iter().map(|w| format!("{w} italic")));
        let own = if family.origin == Origin::User { "  (RONDO_FONT_DIR)" } else { "" };
        let aliases = match &family.aliases[..] {
            [] => String::new(),
            aliases => format!("; also {}", aliases.join(", ")),
        };
        print(&format!("{:width$}  {}{aliases}{own}", family.name, weights.join(", ")))?;
    }
    print(&format!("{} families.", families.len()))
}

/// Where fonts are looked for.
pub fn font_settings() -> FontSettings {
    FontSettings { user_folder: font_folder(), fetched: fetched_families() }
}

/// Families that were fetched for films of this user; `None` for a user without a home.
pub fn fetched_families() -> Option<FetchedFamilies> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(FetchedFamilies::new(cache.join("rondo/fonts")))
}

/// Loads the available fonts. Prints a warning for each file that cannot be used.
pub fn fonts() -> Arc<Catalog> {
    let (fonts, warnings) = load_fonts(&font_settings());
    for warning in warnings {
        print_stderr(&format!("Warning: {warning}"));
    }
    fonts
}

/// Loads the fonts for a film. Families that it names and that can be installed are fetched first. Those that cannot be
/// fetched stay missing, which the notices of the film say.
pub fn fonts_for(composition: &Composition) -> Result<Arc<Catalog>, String> {
    let fonts = fonts();
    let film = composition.write();
    let lacking: BTreeSet<String> =
        families_named(&film).into_iter().flat_map(|list| fonts.lacking(list)).collect();
    let (false, Some(fetched)) = (lacking.is_empty(), fetched_families()) else { return Ok(fonts) };
    let registry = registry()?;
    if registry == FontRegistry::Off {
        return Ok(fonts);
    }
    print_stderr(&format!("Fetching fonts: {}…", Vec::from_iter(lacking).join(", ")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (fetching, _) = open_fonts(fetched, registry)?;
    runtime.block_on(async {
        tokio::select! {
            problems = fetching.fetch_for(composition) => {
                problems.iter().for_each(|problem| print_stderr(&format!("Warning: {problem}")));
            }
            () = interrupted() => {}
        }
    });
    Ok(fetching.catalog())
}

/// Fonts that are fetched while a page plays a film. Prints a warning for each file that cannot be used.
pub fn fetching_fonts() -> Result<Fonts, String> {
    let fetched = fetched_families();
    let registry = if fetched.is_some() { registry()? } else { FontRegistry::Off };
    // Without a home there is no such folder, and nothing is fetched.
    let fetched = fetched.unwrap_or_else(|| FetchedFamilies::new(PathBuf::from("/nonexistent")));
    let (fonts, warnings) = open_fonts(fetched, registry)?;
    for warning in warnings {
        print_stderr(&format!("Warning: {warning}"));
    }
    Ok(fonts)
}

fn open_fonts(fetched: FetchedFamilies, registry: FontRegistry) -> Result<(Fonts, Vec<String>), String> {
    let options =
        FontOptions { fonts: font_settings(), fetched, registry, packages: font_packages(), wait: WAIT };
    Fonts::open(options).map_err(|error| error.to_string())
}

/// The registry of `RONDO_FONT_REGISTRY`.
fn registry() -> Result<FontRegistry, String> {
    let text = std::env::var("RONDO_FONT_REGISTRY").unwrap_or_default();
    match text.trim() {
        "" => Ok(FontRegistry::Npm),
        text => FontRegistry::parse(text).ok_or_else(|| {
            format!(
                "RONDO_FONT_REGISTRY is \"{text}\", but npm, off or an http or https address is expected."
            )
        }),
    }
}

async fn interrupted() {
    while !interrupt::cancelled() {
        tokio::time::sleep(LOOK_FOR_INTERRUPT).await;
    }
}

fn origin(family: &Family) -> &'static str {
    match family.origin {
        Origin::Film | Origin::User => "user",
        Origin::Bundled => "bundled",
    }
}
