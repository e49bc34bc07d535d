//! Text shown as highlighted code: its block, colours, line numbers, size and the way lines appear.
#![allow(clippy::unwrap_used, reason = "what the tests build is there")]

use std::path::Path;
use std::sync::{Arc, LazyLock};

use kurbo::{Point, Rect, Vec2};
use rondo_composition::{Composition, Limits};
use rondo_css::Color;
use rondo_scene::display::{Draw, Frame, Item, Layer, Outline, Paint};
use rondo_scene::{MediaInfo, Notice, Scene, World};
use rondo_text::{Catalog, Origin, TextEngine};
use serde_json::{Value, json};

struct Nothing;

impl World for Nothing {
    fn media(&self, _: &str) -> Option<MediaInfo> {
        None
    }
}

static FONTS: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let mut catalog = Catalog::default();
    for name in ["Inter-400.ttf", "RobotoMono-400.ttf"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts").join(name);
        catalog.add(std::fs::read(file).unwrap(), Origin::Bundled).unwrap();
    }
    Arc::new(catalog)
});

/// A code in a box of 400 × 200, in a film 1000 pixels wide.
fn code(content: &str, mut block: Value, mut styles: Value) -> (Scene, Vec<Notice>) {
    block["enabled"] = json!(true);
    styles["codeBlock"] = block;
    let overlay = json!({"id": 1, "type": "text", "content": content, "from": 0, "durationInFrames": 90, "row": 0,
                         "left": 0, "top": 0, "width": 400, "height": 200, "styles": styles});
    let page = json!({"width": 1000, "height": 500, "durationInFrames": 90, "overlays": [overlay]});
    let read = Composition::read(&page, Limits::default()).unwrap();
    Scene::new(&read.composition, &mut TextEngine::new(FONTS.clone()), &Nothing)
}

fn layers(frame: &Frame) -> Vec<&Layer> {
    let layers = frame.items.iter().map(|item| match item {
        Item::Layer(layer) => layer,
        Item::Group(_) => panic!("a group where a layer was expected"),
    });
    layers.collect()
}

/// Where every run of glyphs begins, its size and its colour.
fn runs(draws: &[Draw]) -> Vec<(Point, f32, [u8; 4])> {
    let mut runs = Vec::new();
    for draw in draws {
        match draw {
            Draw::Glyphs { run, origin, paint: Paint::Solid(color) } => {
                let first = f64::from(run.glyphs[0].x);
                runs.push((*origin + Vec2::new(first, 0.0), run.size, color.rgba8()));
            }
            Draw::Group { draws, .. } => runs.extend(self::runs(draws)),
            _ => {}
        }
    }
    runs
}

fn shown(scene: &Scene) -> Vec<(Point, f32, [u8; 4])> {
    runs(&layers(&scene.frame(0))[0].content.draws)
}

#[test]
fn the_block_has_the_themes_background_round_corners_and_a_padding_of_one_em() {
    let (scene, _) = code("\n ab\ncd ", json!({"fontSize": 20, "language": "text"}), json!({}));
    let frame = scene.frame(0);
    let draws = &layers(&frame)[0].content.draws;
    let Draw::Fill { outline: Outline::RoundedRect(rect, radii), paint: Paint::Solid(color), .. } = &draws[0]
    else {
        panic!("no rounded block: {:?}", draws[0]);
    };
    // Two letters of 0.6 em, two lines of 1.5 em.
    assert_eq!(*rect, Rect::new(0.0, 50.0, 64.0, 150.0));
    assert_eq!(*radii, [Vec2::new(8.0, 8.0); 4]);
    assert_eq!(color.rgba8(), [30, 30, 30, 255]);
    let runs = runs(draws);
    let (first, second) = (runs[0], runs[1]);
    assert_eq!(first.0.x, 20.0);
    assert_eq!(second.0 - first.0, Vec2::new(0.0, 30.0));
    assert_eq!(first.2, [156, 220, 254, 255]);
}

#[test]
fn a_background_of_ones_own_replaces_that_of_the_theme() {
    let (scene, _) = code("a", json!({"theme": "light"}), json!({"backgroundColor": "#ff0000"}));
    let frame = scene.frame(0);
    match &layers(&frame)[0].content.draws[0] {
        Draw::Fill { outline: Outline::Rect(_), paint: Paint::Solid(color), .. } => {
            assert_eq!(*color, Color::parse("#ff0000").unwrap());
        }
        other => panic!("not a plain box: {other:?}"),
    }
}

#[test]
fn each_theme_colours_tokens_its_own_way() {
    let colors = |theme: &str| -> Vec<[u8; 4]> {
        let (scene, _) = code("if 1", json!({"theme": theme, "language": "js"}), json!({}));
        shown(&scene).into_iter().map(|run| run.2).collect()
    };
    assert_eq!(colors("dark"), [[86, 156, 214, 255], [181, 206, 168, 255]]);
    assert_eq!(colors("light"), [[0, 0, 255, 255], [9, 134, 88, 255]]);
}

#[test]
fn line_numbers_end_two_and_a_half_ems_after_the_padding_and_one_em_before_the_code() {
    let block = json!({"fontSize": 20, "showLineNumbers": true, "language": "text"});
    let (scene, _) = code("a\n\nb", block, json!({}));
    let runs = shown(&scene);
    let rounded: Vec<_> = runs.iter().map(|run| (run.0.x.round(), run.2[3])).collect();
    assert_eq!(rounded, [(58.0, 128), (90.0, 255), (58.0, 128), (58.0, 128), (90.0, 255)]);
    assert_eq!(runs[0].0.y, runs[1].0.y);
    assert_eq!(runs[0].2, [102, 102, 102, 128]);
}

#[test]
fn code_without_a_size_takes_a_share_of_the_film_and_shrinks_to_fit() {
    let (scene, _) = code("short", json!({}), json!({"fontSize": "90px"}));
    assert_eq!(shown(&scene)[0].1, 15.0);
    let (scene, notices) = code(&"x".repeat(100), json!({}), json!({}));
    // 100 letters of 0.6 em and a padding of 1 em on either side fill 400 px.
    let size = shown(&scene)[0].1;
    assert!((6.42..6.46).contains(&size), "{size}");
    assert!(notices.is_empty());
    let (scene, _) = code(&"x\n".repeat(40), json!({}), json!({}));
    let size = shown(&scene)[0].1;
    assert!((3.2..3.23).contains(&size), "{size}");
}

#[test]
fn code_with_a_size_keeps_it_and_is_clipped() {
    let (scene, notices) = code(&"x".repeat(100), json!({"fontSize": 20}), json!({}));
    let frame = scene.frame(0);
    let content = &layers(&frame)[0].content;
    assert!(matches!(&content.draws[..], [Draw::Group { clip: Some(Outline::Rect(clip)), .. }]
        if *clip == Rect::new(0.0, 0.0, 400.0, 200.0)));
    assert_eq!(runs(&content.draws)[0].1, 20.0);
    assert_eq!(runs(&content.draws)[0].0.x, 20.0);
    assert_eq!(notices.iter().map(|n| n.code).collect::<Vec<_>>(), ["TEXT_MAY_CLIP"]);
}

#[test]
fn lines_rise_into_view_one_after_another_without_being_drawn_anew() {
    let (scene, _) = code("a\nb", json!({"lineStagger": 10}), json!({}));
    assert_eq!(layers(&scene.frame(0)).len(), 1, "the block alone");
    let frame = scene.frame(15);
    let layers_now = layers(&frame);
    let [_, first, second] = &layers_now[..] else { panic!("not a block and two lines") };
    let risen = |layer: &Layer| layer.placement.transform.apply(Point::ORIGIN).unwrap().y;
    // Halfway and a sixth of the way, eased out.
    assert!((first.placement.opacity - 0.75).abs() < 1e-6);
    assert!((risen(first) - 2.5).abs() < 1e-9);
    assert!((f64::from(second.placement.opacity) - 11.0 / 36.0).abs() < 1e-6);
    let end = scene.frame(40);
    let last = layers(&end)[2];
    assert_eq!((last.placement.opacity, risen(last), last.placement.moving), (1.0, 0.0, false));
    assert_eq!(last.content.hash, second.content.hash);
}

#[test]
fn an_unknown_language_is_told_and_shown_as_plain_text() {
    let (scene, notices) = code("if (1) {}", json!({"language": "pyton"}), json!({}));
    assert_eq!(
        (notices[0].code, notices[0].path.as_str()),
        ("UNKNOWN_LANGUAGE", "overlays[0].styles.codeBlock.language")
    );
    assert!(notices[0].hint.as_ref().unwrap().contains("python"));
    assert!(shown(&scene).iter().all(|run| run.2 == [156, 220, 254, 255]));
}

#[test]
fn tabs_reach_to_every_fourth_column() {
    let (scene, _) = code("a\n\tb\n  \tc", json!({"fontSize": 20, "language": "go"}), json!({}));
    let frame = scene.frame(0);
    let ends: Vec<f64> = layers(&frame)[0]
        .content
        .draws
        .iter()
        .filter_map(|draw| match draw {
            Draw::Glyphs { run, origin, .. } => Some((origin.x + f64::from(run.glyphs.last()?.x)).round()),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [20.0, 68.0, 68.0]);
}
