//! The shipped templates: what the library promises of each, for any replacement.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rondo_composition::{Composition, Limits};
use rondo_pixels::Stop;
use rondo_render::{Film, FontSettings, Locate, MediaLibrary, bundled_folder, load_fonts};
use rondo_scene::Scene;
use rondo_text::{Catalog, TextEngine};
use serde::Deserialize;
use serde_json::{Map, Value};

const CATEGORIES: [&str; 9] = [
    "BRANDING",
    "REAL_ESTATE",
    "SOCIAL_MEDIA",
    "EDUCATIONAL",
    "ECOMMERCE",
    "SPORTS",
    "PERSONALIZED",
    "EVENTS",
    "TRAVEL",
];
/// 16:9, 9:16, 1:1 and 4:5.
const SIZES: [(u32, u32); 4] = [(1920, 1080), (1080, 1920), (1080, 1080), (1080, 1350)];
/// Of the shorter side: text keeps this far from the edges.
const MARGIN: f64 = 0.05;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Meta {
    id: String,
    name: String,
    description: String,
    category: String,
    credits_per_minute: u32,
    poster_frame: u32,
}

struct Template {
    slug: String,
    folder: PathBuf,
    meta: Meta,
    json: Value,
    composition: Composition,
}

impl Locate for Template {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(src);
        if path.is_file() { Ok(path) } else { Err("there is no such file".into()) }
    }
}

impl Template {
    fn read(folder: &Path) -> Self {
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        let slug = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let json: Value = serde_json::from_str(&text("composition.json")).expect(&slug);
        let read = Composition::read(&json, Limits::WIDEST).expect(&slug);
        assert_eq!(read.remarks.unknown_fields, Vec::<String>::new(), "{slug}");
        let meta = toml::from_str(&text("meta.toml")).expect(&slug);
        Self { slug, folder: folder.to_path_buf(), meta, json, composition: read.composition }
    }

    fn variables(&self) -> BTreeMap<String, &'static str> {
        let overlays = self.composition.overlays.iter();
        overlays.filter_map(|o| Some((o.variable_name()?, o.type_name()))).collect()
    }

    /// Overlays of text that a replacement may change.
    fn open_texts(&self) -> Vec<&Value> {
        let overlays = self.json["overlays"].as_array().expect("overlays").iter();
        overlays.filter(|o| o["type"] == "text" && o["isDynamic"] == true).collect()
    }

    /// Whether a layer lies between two texts while both are on show, which carries the upper one: the background of the
    /// next scene, which moves in over the scene before, or a card.
    fn covered_between(&self, one: &Value, other: &Value) -> bool {
        let row = |overlay: &Value| overlay["row"].as_i64().expect("a row");
        let (upper, lower) = if row(one) < row(other) { (one, other) } else { (other, one) };
        let carries = |layer: &Value| {
            let ([left, top, right, bottom], text) = (edges(layer), edges(upper));
            left <= text[0] && top <= text[1] && text[2] <= right && text[3] <= bottom
        };
        let overlays = self.json["overlays"].as_array().expect("overlays").iter();
        let mut layers = overlays.filter(|o| {
            let is_drawn = matches!(o["type"].as_str(), Some("shape" | "image" | "video"));
            is_drawn && row(upper) < row(o) && row(o) < row(lower) && carries(o)
        });
        layers.any(|layer| frames(layer).0 <= frames(upper).0 && frames(lower).1 <= frames(layer).1)
    }
}

/// Every template, in the order of their names.
fn templates() -> Vec<Template> {
    let folder = bundled_folder("templates").expect("the folder of templates");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    folders.iter().filter(|folder| folder.join("meta.toml").is_file()).map(|f| Template::read(f)).collect()
}

fn fonts() -> Arc<Catalog> {
    static FONTS: OnceLock<Arc<Catalog>> = OnceLock::new();
    FONTS.get_or_init(|| load_fonts(&FontSettings::default()).0).clone()
}

/// Left, top, right, bottom of where a text stands at last. Without a background, that is inside the padding: it gives the text
/// room to come in from elsewhere.
fn edges(overlay: &Value) -> [f64; 4] {
    let [left, top, width, height] =
        ["left", "top", "width", "height"].map(|key| overlay[key].as_f64().expect(key));
    let styles = &overlay["styles"];
    let padding: Vec<f64> = match (styles.get("backgroundColor"), styles["padding"].as_str()) {
        (None, Some(padding)) => {
            padding.split(' ').filter_map(|side| side.strip_suffix("px")?.parse().ok()).collect()
        }
        _ => Vec::new(),
    };
    let [above, right, below, left_side] = padding.try_into().unwrap_or([0.0; 4]);
    [left + left_side, top + above, left + width - right, top + height - below]
}

/// First frame on show, and the first after.
fn frames(overlay: &Value) -> (u64, u64) {
    let [from, length] = ["from", "durationInFrames"].map(|key| overlay[key].as_u64().expect(key));
    (from, from + length)
}

#[test]
fn every_category_and_every_shape_has_templates() {
    let templates = templates();
    assert!(templates.len() >= 24, "{} templates", templates.len());
    for category in CATEGORIES {
        assert!(templates.iter().filter(|t| t.meta.category == category).count() >= 2, "{category}");
    }
    for size in SIZES {
        assert!(templates.iter().any(|t| (t.composition.width, t.composition.height) == size), "{size:?}");
    }
    let narrated =
        |t: &&Template| ["narration", "captions"].iter().all(|name| t.variables().contains_key(*name));
    assert!(templates.iter().filter(narrated).count() >= 4, "narrated templates");
    let filmed = |t: &&Template| t.composition.overlays.iter().any(|o| o.type_name() == "video");
    assert!(templates.iter().filter(filmed).count() >= 6, "templates with clips");
}

#[test]
fn every_template_says_what_it_is() {
    let mut ids = BTreeSet::new();
    for template in templates() {
        let Template { slug, meta, composition, .. } = &template;
        assert_eq!(meta.id, format!("tpl_{}", slug.replace('-', "_")));
        assert!(ids.insert(meta.id.clone()), "{slug}: the id is taken");
        assert!(!meta.name.is_empty() && meta.description.len() >= 40, "{slug}");
        assert!(CATEGORIES.contains(&meta.category.as_str()), "{slug}: {}", meta.category);
        assert!((1..=3).contains(&meta.credits_per_minute), "{slug}");
        assert!(meta.poster_frame < composition.duration, "{slug}: the poster frame");
        assert!(SIZES.contains(&(composition.width, composition.height)), "{slug}");
        assert!((6.0..=45.0).contains(&composition.seconds()), "{slug}: {} s", composition.seconds());
        let variables = template.variables();
        assert!((3..=10).contains(&variables.len()), "{slug}: {} variables", variables.len());
        let kinds: BTreeSet<&str> = variables.values().copied().collect();
        assert!(kinds.contains("text") && kinds.contains("sound"), "{slug}: {kinds:?}");
        for name in variables.keys() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(plain), "{slug}: {name}");
        }
    }
}

#[test]
fn every_template_has_colours_that_change_something() {
    for template in templates() {
        let Template { slug, composition, .. } = &template;
        assert!((1..=3).contains(&composition.colors.len()), "{slug}");
        let listed = composition.variables().len();
        let styles = composition.colors.len() + composition.fonts.len();
        assert_eq!(listed, template.variables().len() + styles, "{slug}: a name is taken");
        for color in &composition.colors {
            let mut changed = composition.clone();
            let values = Map::from_iter([(color.name.clone(), Value::from("#010203"))]);
            changed.apply_replacements(&values).expect(slug);
            let places =
                changed.colors.iter().find(|it| it.name == color.name).and_then(|it| it.fields.clone());
            assert!(!places.unwrap_or_default().is_empty(), "{slug}: {} changes nothing", color.name);
        }
    }
}

#[test]
fn every_template_has_fonts_that_change_something() {
    for Template { slug, composition, .. } in &templates() {
        assert!((1..=2).contains(&composition.fonts.len()), "{slug}");
        for font in &composition.fonts {
            let mut changed = composition.clone();
            let values = Map::from_iter([(font.name.clone(), Value::from("Inter"))]);
            changed.apply_replacements(&values).expect(slug);
            let places =
                changed.fonts.iter().find(|it| it.name == font.name).and_then(|it| it.fields.clone());
            assert!(!places.unwrap_or_default().is_empty(), "{slug}: {} changes nothing", font.name);
        }
    }
}

#[test]
fn every_media_file_is_used_and_nothing_is_missing() {
    let mut total = 0;
    for template in templates() {
        let mut used = BTreeSet::new();
        sources(&template.json, &mut used);
        let mut there = BTreeSet::new();
        for entry in std::fs::read_dir(template.folder.join("media")).expect("media") {
            let entry = entry.expect("an entry");
            total += entry.metadata().expect("its size").len();
            there.insert(format!("media/{}", entry.file_name().to_string_lossy()));
        }
        assert_eq!(used, there, "{}", template.slug);
    }
    assert!(total < 60_000_000, "{total} bytes");
}

fn sources(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.starts_with("media/") => drop(found.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| sources(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| sources(field, found)),
        _ => {}
    }
}

#[test]
fn every_template_paints_without_a_notice() {
    for template in templates() {
        let Template { slug, composition, .. } = &template;
        // The ending, where the picture stands.
        let frame = composition.duration - composition.fps;
        let mut film = Film::open(composition.clone(), &template, fonts());
        assert_eq!(film.notices(), [], "{slug}");
        let still = film.still(frame).expect(slug);
        assert_eq!((still.width, still.height), (composition.width, composition.height));
        let first = &still.pixels[..4];
        assert!(still.pixels.chunks_exact(4).any(|pixel| pixel != first), "{slug}: the picture is empty");
    }
}

/// Share of pixels that differ clearly from the pixel before.
fn detail(pixels: &[u8]) -> f64 {
    let clear = |pair: [&[u8]; 2]| (0..3).any(|channel| pair[0][channel].abs_diff(pair[1][channel]) > 24);
    let edges = pixels.chunks_exact(4).zip(pixels[4..].chunks_exact(4)).filter(|(a, b)| clear([*a, *b]));
    edges.count() as f64 / (pixels.len() / 4) as f64
}

#[test]
fn every_template_starts_with_a_picture_and_moves_until_its_end() {
    for template in templates() {
        let Template { slug, composition, .. } = &template;
        let mut film = Film::open(composition.clone(), &template, fonts());
        let first = film.still(0).expect(slug);
        let seen = detail(first.pixels);
        assert!(seen > 0.001, "{slug}: the first frame shows nothing, {seen}");
        let before = film.still(composition.duration - composition.fps / 2).expect(slug).pixels.to_vec();
        let last = film.still(composition.duration - 1).expect(slug);
        assert!(last.pixels != before, "{slug}: nothing moves in the last half second");
    }
}

#[test]
fn captions_of_templates_never_leave_a_word_alone() {
    for template in templates() {
        let captions = template.json["overlays"].as_array().expect("overlays").iter();
        for caption in captions.filter_map(|overlay| overlay["captions"].as_array()).flatten() {
            let words = caption["words"].as_array().map_or(0, Vec::len);
            assert!(words >= 2, "{}: {}", template.slug, caption["text"]);
        }
    }
}

#[test]
fn a_template_left_without_its_media_still_shows_its_texts() {
    for template in templates() {
        let Template { slug, json, .. } = &template;
        let mut json = json.clone();
        json["overlays"].as_array_mut().expect("overlays").retain(|overlay| overlay.get("src").is_none());
        let composition = Composition::read(&json, Limits::WIDEST).expect(slug).composition;
        let frame = composition.duration - composition.fps;
        let mut film = Film::open(composition, &template, fonts());
        assert_eq!(film.notices(), [], "{slug}");
        let still = film.still(frame).expect(slug);
        let first = &still.pixels[..4];
        assert!(still.pixels.chunks_exact(4).any(|pixel| pixel != first), "{slug}: the picture is empty");
    }
}

#[test]
fn texts_keep_a_margin_and_never_share_a_place() {
    for template in templates() {
        let (w, h) = (f64::from(template.composition.width), f64::from(template.composition.height));
        let margin = MARGIN * w.min(h) - 0.5;
        let texts = template.open_texts();
        for (index, text) in texts.iter().enumerate() {
            let what = format!("{}: {}", template.slug, text["name"]);
            let [left, top, right, bottom] = edges(text);
            let inside = left >= margin && top >= margin && right <= w - margin && bottom <= h - margin;
            assert!(inside, "{what} is too near the edge");
            for other in &texts[index + 1..] {
                let (a, b) = (frames(text), frames(other));
                let (p, q) = (edges(text), edges(other));
                let together = a.0 < b.1 && b.0 < a.1;
                let meet = p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3];
                let apart = !together || !meet || template.covered_between(text, other);
                assert!(apart, "{what} lies on {}", other["name"]);
            }
        }
    }
}

#[test]
fn text_of_any_length_and_script_fits_at_every_shape_of_film() {
    let long = "A rather long sentence with uncharacteristically long words in it, ".repeat(3);
    let values = ["I", &long[..200], "🎉👩‍🚀🏳️‍🌈🎂", "مرحبا بالعالم، שלום עולם"];
    let mut engine = TextEngine::new(fonts());
    for template in templates() {
        let (library, problems) = MediaLibrary::load(&template.composition, &template, &Stop::default());
        assert!(problems.is_empty(), "{}: {problems:?}", template.slug);
        for value in values {
            let mut composition = template.composition.clone();
            let texts = template.open_texts().into_iter();
            let replacements: Map<String, Value> =
                texts.map(|o| (o["name"].as_str().expect("a name").to_owned(), value.into())).collect();
            let report = composition.apply_replacements(&replacements).expect("text for texts");
            assert!(report.unknown.is_empty(), "{}", template.slug);
            for (width, height) in SIZES {
                (composition.width, composition.height) = (width, height);
                let (scene, notices) = Scene::new(&composition, &mut engine, &library);
                let clipped = notices.iter().find(|n| n.code == "TEXT_MAY_CLIP");
                assert_eq!(clipped, None, "{} at {width} × {height} with {value:?}", template.slug);
                assert_eq!(scene.duration(), composition.duration);
            }
        }
    }
}
