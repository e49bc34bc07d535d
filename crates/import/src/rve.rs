//! Files of React Video Editor. Their overlays are those of a composition but for older names and units; its first
//! versions kept clips, texts and sounds in lists of their own.

use rondo_composition::{Error, ProblemKind};
use serde_json::{Map, Value, json};

use crate::fields::{named, number_of};
use crate::film::{Film, Overlay, Rect};
use crate::merge::joined;
use crate::notes::Notes;
use crate::problem;

/// Canvas by `aspectRatio`.
const RATIOS: [(&str, (f64, f64)); 4] = [
    ("16:9", (1280.0, 720.0)),
    ("9:16", (1080.0, 1920.0)),
    ("1:1", (1080.0, 1080.0)),
    ("4:5", (1080.0, 1350.0)),
];

/// Overlay types, by today's and older names.
const TYPES: [(&str, &str); 13] = [
    ("text", "text"),
    ("video", "video"),
    ("clip", "video"),
    ("image", "image"),
    ("sound", "sound"),
    ("audio", "sound"),
    ("shape", "shape"),
    ("rectangle", "shape"),
    ("sticker", "sticker"),
    ("caption", "caption"),
    ("captions", "caption"),
    ("effect", "effect"),
    ("particles", "effect"),
];

/// Fields that every overlay has, which are written anew.
const BASE: [&str; 12] = [
    "id",
    "type",
    "from",
    "durationInFrames",
    "row",
    "left",
    "top",
    "width",
    "height",
    "rotation",
    "isDynamic",
    "name",
];

/// What editors note and a film does not show.
const LEFTOVERS: [&str; 14] = [
    "isDragging",
    "isResizing",
    "isSelected",
    "meta",
    "trackMuted",
    "aspectRatio",
    "assetId",
    "thumbnail",
    "locked",
    "hidden",
    "groupId",
    "showInAssetsPanel",
    "originalDuration",
    "waveform",
];

/// Lists of the first versions: their key, the type of their overlays, and the fields with the content.
const EARLY: [(&str, &str, [&str; 3]); 3] = [
    ("clips", "video", ["src", "url", "content"]),
    ("textOverlays", "text", ["text", "content", "value"]),
    ("sounds", "sound", ["file", "src", "content"]),
];

pub fn recognised(document: &Value) -> bool {
    let looks_right =
        |overlay: &Value| overlay.get("durationInFrames").is_some() && overlay.get("from").is_some();
    match overlays(document) {
        Some((overlays, _)) => overlays.is_empty() || overlays.iter().any(looks_right),
        None => EARLY.iter().any(|(key, _, _)| document.get(key).is_some_and(Value::is_array)),
    }
}

/// The array of overlays, wherever the file keeps it, and its path.
fn overlays(document: &Value) -> Option<(&Vec<Value>, &'static str)> {
    const PLACES: [(&str, &str); 7] = [
        ("/overlays", "overlays"),
        ("/inputProps/overlays", "inputProps.overlays"),
        ("/state/overlays", "state.overlays"),
        ("/editorState/overlays", "editorState.overlays"),
        ("/data/overlays", "data.overlays"),
        ("/project/overlays", "project.overlays"),
        ("/composition/overlays", "composition.overlays"),
    ];
    if let Some(overlays) = document.as_array() {
        return Some((overlays, ""));
    }
    PLACES.iter().find_map(|(pointer, path)| Some((document.pointer(pointer)?.as_array()?, *path)))
}

pub fn import(document: &Value, notes: &Notes) -> Result<Film, Error> {
    let Some((list, path)) = overlays(document) else { return early(document, notes) };
    let parent = match path.rsplit_once('.') {
        Some((parent, _)) => document.pointer(&format!("/{parent}")).unwrap_or(document),
        None => document,
    };
    let mut film = canvas(document, parent, notes);
    // Editors that named videos clips gave in-points in frames.
    let in_frames = list.iter().any(|overlay| overlay.get("type").and_then(Value::as_str) == Some("clip"));
    for (index, value) in list.iter().enumerate() {
        let source = format!("{path}[{index}]");
        if let Some(overlay) = overlay(value, source, in_frames, &film, notes) {
            film.push(overlay)?;
        }
    }
    let frames =
        [parent, document].iter().find_map(|place| place.get("durationInFrames").and_then(number_of));
    film.length = frames.map(|frames| frames / f64::from(film.fps)).filter(|length| *length > 0.0);
    Ok(film)
}

fn canvas(document: &Value, parent: &Value, notes: &Notes) -> Film {
    let number = |key: &str| [parent, document].iter().find_map(|place| place.get(key).and_then(number_of));
    let sized = |key: &str| {
        let size =
            [parent, document].iter().find_map(|place| place.get(key).filter(|value| value.is_object()))?;
        Some((size.get("width").and_then(number_of)?, size.get("height").and_then(number_of)?))
    };
    let ratio = [parent, document].iter().find_map(|place| place.get("aspectRatio").and_then(Value::as_str));
    let own = number("width").zip(number("height"));
    let size =
        own.or_else(|| sized("playerDimensions")).or_else(|| sized("size")).or_else(|| sized("dimensions"));
    let (width, height) = size.unwrap_or_else(|| {
        let ratio = ratio.unwrap_or("16:9");
        let (width, height) = named(&RATIOS, ratio).unwrap_or(RATIOS[0].1);
        let message = format!("The file has no size. {width} × {height} are used, for {ratio}.");
        notes.approximated("", message);
        (width, height)
    });
    let mut film = Film::new(width, height, number("fps").unwrap_or(30.0), "");
    let background = [parent, document]
        .iter()
        .find_map(|place| place.get("backgroundColor").and_then(Value::as_str))
        .and_then(crate::color::css);
    film.background = background.unwrap_or_else(|| "white".into());
    film
}

fn overlay(value: &Value, source: String, in_frames: bool, film: &Film, notes: &Notes) -> Option<Overlay> {
    let Some(fields) = value.as_object() else {
        notes.value_ignored(source, "This must be an object. It is left out.");
        return None;
    };
    let name = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    let Some(kind) = named(&TYPES, name) else {
        let name: String = name.chars().take(60).collect();
        notes.no_equivalent(source, format!("A composition has no overlay `{name}`. It is left out."));
        return None;
    };
    let mut overlay = Overlay::new(kind, source.clone());
    let fps = f64::from(film.fps);
    let number = |key: &str| fields.get(key).and_then(number_of);
    overlay.start = number("from").unwrap_or(0.0) / fps;
    overlay.length = number("durationInFrames").unwrap_or(1.0).max(0.0) / fps;
    overlay.row = Some(number("row").unwrap_or(0.0));
    let side = |key: &str, or: f64| number(key).unwrap_or(or);
    let (width, height) = (side("width", film.width), side("height", film.height));
    overlay.rect = Rect::new(side("left", 0.0), side("top", 0.0), width, height);
    overlay.rotation = side("rotation", 0.0);
    let name = fields.get("name").and_then(Value::as_str).map(str::to_owned);
    match fields.get("isDynamic") == Some(&Value::Bool(true)) {
        true => overlay.variable = name,
        false => overlay.name = name,
    }
    for (key, value) in fields {
        let key = &**key;
        let skipped = BASE.contains(&key) || LEFTOVERS.contains(&key) || key == "styles" || value.is_null();
        if !skipped {
            overlay.field(key, value.clone());
        }
    }
    if kind == "shape" && !fields.contains_key("content") {
        overlay.field("content", "rectangle");
    }
    media(fields, &mut overlay, in_frames, fps, notes);
    if kind == "caption" {
        overlay.field("captions", captions(fields.get("captions")));
    }
    styles(fields.get("styles"), &mut overlay, notes);
    Some(overlay)
}

/// Addresses and in-points.
fn media(fields: &Map<String, Value>, overlay: &mut Overlay, in_frames: bool, fps: f64, notes: &Notes) {
    if !matches!(overlay.kind, "video" | "image" | "sound") {
        return;
    }
    let text = |key: &str| fields.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    if text("src").is_none() {
        let address = ["url", "file", "content"].iter().find_map(|key| text(key));
        if address.is_none() {
            let message = "The media has no address. Set `src` before the film is rendered.";
            notes.media_needed(joined(&overlay.source, "src"), message);
        }
        overlay.field("src", address.unwrap_or_default());
    }
    for key in ["url", "file"] {
        overlay.remove_field(key);
    }
    for key in ["videoStartTime", "startFromSound"] {
        let Some(value) = fields.get(key).and_then(number_of).filter(|value| *value > 0.0) else { continue };
        let known = fields.get("mediaSrcDuration").and_then(number_of);
        let past_end = known.is_some_and(|length| value > length && value / fps <= length);
        if in_frames || past_end {
            let message = format!("The in-point is in frames. It becomes {} s.", value / fps);
            notes.approximated(joined(&overlay.source, key), message);
            overlay.field(key, value / fps);
        }
    }
}

/// Captions, with the parts that older files leave out.
fn captions(value: Option<&Value>) -> Value {
    let captions = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let part = |value: &Value, key: &str| value.get(key).cloned().unwrap_or_default();
    let caption = |caption: &Value| {
        let words = caption.get("words").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let words: Vec<Value> = words
            .iter()
            .map(|word| {
                let confidence = word.get("confidence").filter(|value| value.is_number()).cloned();
                json!({"word": part(word, "word"), "startMs": part(word, "startMs"), "endMs": part(word, "endMs"),
                       "confidence": confidence.unwrap_or_else(|| 1.into())})
            })
            .collect();
        json!({"text": part(caption, "text"), "startMs": part(caption, "startMs"), "endMs": part(caption, "endMs"),
               "words": words})
    };
    captions.iter().map(caption).collect()
}

fn styles(value: Option<&Value>, overlay: &mut Overlay, notes: &Notes) {
    let Some(styles) = value.and_then(Value::as_object) else { return };
    for (key, value) in styles {
        let path = || joined(&joined(&overlay.source, "styles"), key);
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            ("animation", value) if !value.is_object() => {
                notes
                    .value_ignored(path(), "Animations are objects with `enter` and `exit`. It is left out.");
            }
            ("fontSize", Value::String(size)) if overlay.kind == "text" && size.ends_with("em") => {
                notes.approximated(path(), "The editor fits text to its box, and so does the composition.");
            }
            _ => overlay.style(key, value.clone()),
        }
    }
}

/// Files of the first versions: lists of clips, texts and sounds, in frames.
fn early(document: &Value, notes: &Notes) -> Result<Film, Error> {
    if !EARLY.iter().any(|(key, _, _)| document.get(key).is_some_and(Value::is_array)) {
        return Err(problem("overlays", ProblemKind::WrongType, "nothing", "an array of overlays"));
    }
    let mut film = canvas(document, document, notes);
    film.background = "black".into();
    for (key, kind, contents) in EARLY {
        for (index, item) in document.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            let source = format!("{key}[{index}]");
            let number = |key: &str| item.get(key).and_then(number_of);
            let mut overlay = Overlay::new(kind, source.clone());
            overlay.start = number("start").unwrap_or(0.0) / f64::from(film.fps);
            overlay.length = number("duration").unwrap_or(1.0).max(0.0) / f64::from(film.fps);
            // Texts are above clips.
            overlay.row = Some(number("row").unwrap_or(0.0) + if kind == "text" { 0.0 } else { 10.0 });
            overlay.rect = film.canvas();
            let content =
                contents.iter().find_map(|key| item.get(key).and_then(Value::as_str)).unwrap_or_default();
            if kind == "text" {
                overlay.field("content", content);
                overlay.style("color", "#ffffff");
                overlay.style("textAlign", "center");
                overlay.style("fontSize", format!("{}px", film.height / 10.0));
            } else {
                if content.is_empty() {
                    notes.media_needed(
                        source,
                        "The media has no address. Set `src` before the film is rendered.",
                    );
                }
                overlay.field("src", content);
            }
            film.push(overlay)?;
        }
    }
    if document.get("effects").and_then(Value::as_array).is_some_and(|effects| !effects.is_empty()) {
        notes.no_equivalent("effects", "The effects of the first versions are left out.");
    }
    Ok(film)
}
