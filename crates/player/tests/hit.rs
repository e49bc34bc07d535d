//! The overlays at a point of the canvas, against an id buffer: every overlay is painted alone, flat and opaque, by the real
//! painter, and is at the points that it colours.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not there")]

use std::path::Path;
use std::sync::Arc;

use rondo_composition::{Composition, Limits};
use rondo_paint::Painter;
use rondo_pixels::Picture;
use rondo_scene::display::PictureRef;
use rondo_scene::{MediaInfo, PictureError, Pictures, Scene, World, hit};
use rondo_text::{Catalog, Origin, TextEngine};
use serde_json::{Map, Value, json};

/// Points that are compared at least.
const POINTS: usize = 10_000;
/// Points on antialiased or blurred edges are not compared; so many of a hundred at most.
const MOST_ON_EDGES: usize = 3;

/// Styles that decide where an overlay is seen. Others change colours.
const PLACE: [&str; 5] = ["animation", "transform", "opacity", "mixBlendMode", "staggeredMotion"];
const CUTS: [&str; 8] =
    ["borderRadius", "clipPath", "cropEnabled", "cropX", "cropY", "cropWidth", "cropHeight", "layout3D"];
/// Shapes that are seen as boxes. The others are hit within theirs.
const BOXES: [&str; 8] =
    ["rectangle", "rect", "square", "rounded-rectangle", "rounded-rect", "pill", "capsule", "circle"];

/// A world in which every source is a white picture.
struct White;

impl World for White {
    fn media(&self, _: &str) -> Option<MediaInfo> {
        Some(MediaInfo { source: 0, key: [0; 32], width: 64, height: 64, scale: 1.0, clip: None })
    }
}

impl Pictures for White {
    fn picture(&mut self, _: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        let pixels = Arc::new(vec![255; 64 * 64 * 4]);
        Ok(Arc::new(Picture { width: 64, height: 64, pixels, opaque: true }))
    }
}

fn engine() -> TextEngine {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts");
    let mut catalog = Catalog::new(None);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "ttf") {
            catalog.add(std::fs::read(path).unwrap(), Origin::User).unwrap();
        }
    }
    TextEngine::new(Arc::new(catalog))
}

/// Name, composition and frames of the cases.
fn cases() -> Vec<(String, Value, Vec<u32>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fidelity/cases");
    let mut cases = vec![("own".to_owned(), own_film(), vec![0, 4, 20])];
    for area in std::fs::read_dir(root).unwrap() {
        for case in std::fs::read_dir(area.unwrap().path()).unwrap() {
            let folder = case.unwrap().path();
            let film = std::fs::read(folder.join("composition.json")).unwrap();
            let test = std::fs::read_to_string(folder.join("test.toml")).unwrap();
            let frames = test.lines().find_map(|line| line.strip_prefix("frames = [")).unwrap();
            let frames = frames.trim_end_matches(']').split(',').map(|frame| frame.trim().parse().unwrap());
            cases.push((
                folder.display().to_string(),
                serde_json::from_slice(&film).unwrap(),
                frames.collect(),
            ));
        }
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

/// What the cases do not have: stickers and video, turned, scaled and cut.
fn own_film() -> Value {
    let overlay = |id: u32, kind: &str, place: [f64; 5], more: Value| {
        let [left, top, width, height, rotation] = place;
        let mut overlay = json!({
            "id": id, "type": kind, "from": 0, "durationInFrames": 60, "row": id,
            "left": left, "top": top, "width": width, "height": height, "rotation": rotation,
        });
        overlay.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        overlay
    };
    let tilted = "perspective(300px) rotateY(55deg)";
    let wiped = json!({"enter": "wipeRight", "enterDuration": 1});
    json!({"width": 480, "height": 270, "fps": 30, "durationInFrames": 60, "overlays": [
        overlay(1, "sticker", [20.0, 20.0, 120.0, 90.0, 30.0], json!({"content": "five-stars", "styles": {"scale": 1.4}})),
        overlay(2, "sticker", [300.0, 20.0, 92.0, 88.0, 0.0], json!({"content": "arrow", "styles": {"scale": 0.5}})),
        overlay(3, "video", [60.0, 60.0, 200.0, 150.0, -20.0], json!({"src": "a.mp4", "styles": {
            "clipPath": "polygon(50% 0%, 100% 50%, 50% 100%, 0% 50%)", "transform": tilted}})),
        overlay(4, "video", [220.0, 90.0, 220.0, 150.0, 0.0], json!({"src": "a.mp4", "styles": {
            "cropEnabled": true, "cropX": 10, "cropY": 20, "cropWidth": 60, "cropHeight": 50,
            "borderRadius": "40px", "animation": wiped}})),
        overlay(5, "image", [120.0, 100.0, 260.0, 150.0, 10.0], json!({"src": "a.png", "styles": {
            "layout3D": {"layout": "card-left"}, "animation": {"during": "zoomIn"}}})),
        overlay(6, "text", [0.0, 150.0, 480.0, 100.0, 0.0], json!({"content": "Text", "styles": {
            "transform": "perspective(120px) rotateX(70deg)"}})),
    ]})
}

/// The overlay as something flat, white and opaque that covers where it is hit; `None` for sound.
fn flat(overlay: &Value) -> Option<Value> {
    let kind = overlay["type"].as_str()?;
    let media = matches!(kind, "image" | "video");
    let content = overlay["content"].as_str().unwrap_or("").trim().to_lowercase().replace('_', "-");
    let is_box = kind == "shape" && BOXES.contains(&content.as_str());
    let styles = overlay["styles"].as_object().cloned().unwrap_or_default();
    let stays = |name: &str| {
        PLACE.contains(&name) && name != "mixBlendMode"
            || media && CUTS.contains(&name)
            || is_box && name == "borderRadius"
    };
    let mut kept: Map<String, Value> = styles.clone().into_iter().filter(|(name, _)| stays(name)).collect();
    // Parts of texts and effects move one by one; only some types move between entering and leaving, or have a pose.
    let whole = media || matches!(kind, "shape" | "sticker");
    if !whole {
        kept.remove("staggeredMotion");
    }
    if kind == "video" {
        kept.remove("layout3D");
    }
    if let (true, Some(Value::Object(animation))) =
        (matches!(kind, "caption" | "effect"), kept.get_mut("animation"))
    {
        animation.remove("during");
    }
    let mut made = overlay.clone();
    if media {
        kept.insert("objectFit".into(), json!("fill"));
        made["type"] = json!("image");
        made["src"] = json!("white.png");
        made.as_object_mut()?.remove("greenscreen");
    } else {
        kept.insert("fill".into(), json!("#ffffff"));
        made["type"] = json!("shape");
        made["content"] = if is_box { json!(content) } else { json!("rectangle") };
    }
    if kind == "sticker" {
        let scale = styles.get("scale").and_then(Value::as_f64).unwrap_or(1.0);
        for (from, side) in [("left", "width"), ("top", "height")] {
            let (at, length) = (made[from].as_f64()?, made[side].as_f64()?);
            made[from] = json!(at + length * (1.0 - scale) / 2.0);
            made[side] = json!(length * scale);
        }
    }
    made["styles"] = Value::Object(kept);
    Some(made)
}

fn scene(film: &Value, engine: &mut TextEngine) -> Scene {
    let composition = Composition::read(film, Limits::WIDEST).unwrap().composition;
    Scene::new(&composition, engine, &White).0
}

/// What is known of a pixel.
#[derive(Clone, Copy, PartialEq, Debug)]
enum At {
    Inside,
    Outside,
    Edge,
}

/// The pixels of one overlay at a frame, painted alone.
fn painted(film: &Value, overlay: &Value, frame: u32, engine: &mut TextEngine) -> Vec<At> {
    let mut alone = film.clone();
    alone["overlays"] = json!([overlay]);
    alone["backgroundColor"] = json!("#000000");
    let scene = scene(&alone, engine);
    let mut painter = Painter::with_budget(scene.width(), scene.height(), 16 << 20);
    painter.paint(&scene.frame(frame), &mut White).unwrap();
    let reds: Vec<u8> = painter.bitmap().pixels.chunks_exact(4).map(|pixel| pixel[0]).collect();
    let most = reds.iter().copied().max().unwrap();
    let at = |red: u8| match f64::from(red) / f64::from(most.max(1)) {
        share if share >= 0.97 => At::Inside,
        share if share <= 0.03 => At::Outside,
        _ => At::Edge,
    };
    reds.into_iter().map(at).collect()
}

/// The next of a sequence of random numbers.
fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn an_overlay_is_hit_where_it_is_painted() {
    let mut engine = engine();
    let cases = cases();
    let pictures: usize = cases.iter().map(|(.., frames)| frames.len()).sum();
    let each = POINTS * 100 / (100 - MOST_ON_EDGES) / pictures + 1;
    let (mut compared, mut on_edges, mut hits) = (0, 0, 0);
    let mut wrong = Vec::new();
    let mut seed = 0x2545_f491_4f6c_dd1d;
    for (name, film, frames) in &cases {
        let shown = scene(film, &mut engine);
        let (width, height) = (u64::from(shown.width()), u64::from(shown.height()));
        let overlays = film["overlays"].as_array().unwrap();
        // In front first: low rows, then late in the list.
        let mut order: Vec<usize> = (0..overlays.len()).rev().collect();
        order.sort_by(|a, b| {
            let row = |index: usize| overlays[index]["row"].as_f64().unwrap_or(0.0);
            row(*a).total_cmp(&row(*b))
        });
        for frame in frames {
            let areas = shown.areas(*frame);
            let buffers: Vec<(u32, Vec<At>)> = order
                .iter()
                .filter_map(|index| Some((*index as u32, flat(&overlays[*index])?)))
                .map(|(index, overlay)| (index, painted(film, &overlay, *frame, &mut engine)))
                .collect();
            for _ in 0..each {
                let (x, y) = (random(&mut seed) % width, random(&mut seed) % height);
                let pixel = (y * width + x) as usize;
                if buffers.iter().any(|(_, pixels)| pixels[pixel] == At::Edge) {
                    on_edges += 1;
                    continue;
                }
                let expected: Vec<u32> = buffers
                    .iter()
                    .filter(|(_, pixels)| pixels[pixel] == At::Inside)
                    .map(|(index, _)| *index)
                    .collect();
                let found = hit(&areas, (x as f64 + 0.5, y as f64 + 0.5).into());
                let found: Vec<u32> =
                    found.into_iter().filter(|area| area.seen).map(|area| area.overlay).collect();
                if found != expected {
                    wrong.push(format!("{name}, frame {frame}, point {x}, {y}: {found:?}, not {expected:?}"));
                }
                compared += 1;
                hits += found.len();
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} points: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
    println!("{compared} points compared, {hits} hits, {on_edges} on edges");
    assert!(compared >= POINTS && hits > POINTS / 2, "{compared} points, {hits} hits");
    assert!(on_edges * 100 < (compared + on_edges) * MOST_ON_EDGES, "{on_edges} on edges");
}
