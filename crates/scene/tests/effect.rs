//! Effects: the same picture regardless of earlier requests, the same motion at every frame rate, and the built-in patterns.

use std::collections::BTreeSet;
use std::sync::Arc;

use kurbo::{Point, Rect};
use rondo_composition::{Composition, Limits};
use rondo_scene::display::{Draw, Frame, Group, Item, Layer, Paint};
use rondo_scene::motion::random;
use rondo_scene::{MediaInfo, Notice, Scene, World};
use rondo_text::{Catalog, TextEngine};
use serde_json::{Value, json};

/// Every image is 400 × 300.
struct Photos;

impl World for Photos {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let key = src.strip_suffix(".jpg")?.len() as u8;
        Some(MediaInfo { source: 0, key: [key; 32], width: 400, height: 300, scale: 1.0, clip: None })
    }
}

const PARTICLES: [&str; 6] = ["snow", "confetti", "rain", "fireflies", "sparkles", "bubbles"];
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 600.0;

fn prepared(content: &str, fps: u32, styles: Value) -> (Scene, Vec<Notice>) {
    let effect = json!({"id": 7, "type": "effect", "content": content, "from": 0, "durationInFrames": 600,
        "row": 0, "left": 0, "top": 0, "width": WIDTH, "height": HEIGHT, "styles": styles});
    let page = json!({"width": WIDTH, "height": HEIGHT, "fps": fps, "durationInFrames": 600,
        "overlays": [effect]});
    let read = Composition::read(&page, Limits::default()).expect("a valid composition");
    Scene::new(&read.composition, &mut TextEngine::new(Arc::new(Catalog::new(None))), &Photos)
}

fn scene(content: &str, fps: u32, styles: Value) -> Scene {
    let (scene, notices) = prepared(content, fps, styles);
    assert!(notices.is_empty(), "{notices:?}");
    scene
}

fn group(frame: &Frame) -> &Group {
    match frame.items.as_slice() {
        [Item::Group(group)] => group,
        other => panic!("not one group: {other:?}"),
    }
}

fn layers(frame: &Frame) -> Vec<&Layer> {
    group(frame)
        .items
        .iter()
        .map(|item| match item {
            Item::Layer(layer) => layer,
            Item::Group(_) => panic!("a group inside an effect"),
        })
        .collect()
}

fn place(layer: &Layer) -> Rect {
    layer.placement.transform.map_rect(layer.content.bounds).expect("a layer in front of the viewer")
}

fn middle(layer: &Layer) -> Point {
    place(layer).center()
}

#[test]
fn a_frame_asked_for_alone_equals_the_frame_after_others() {
    for content in PARTICLES.into_iter().chain(["matrix", "grid-stagger", "fracture"]) {
        let watched = scene(content, 30, json!({}));
        for frame in [0, 30, 499, 501] {
            watched.frame(frame);
        }
        let alone = scene(content, 30, json!({})).frame(500).hash();
        assert_eq!(watched.frame(500).hash(), alone, "{content}");
    }
}

#[test]
fn particles_are_at_the_same_place_at_the_same_time_at_every_frame_rate() {
    for content in PARTICLES {
        let [slow, usual, fast] = [24, 30, 60].map(|fps| scene(content, fps, json!({})).frame(fps * 3 / 2));
        let usual = layers(&usual);
        assert!(!usual.is_empty(), "{content} shows nothing");
        for other in [&slow, &fast] {
            let other = layers(other);
            assert_eq!(other.len(), usual.len(), "{content}");
            let apart = usual.iter().zip(other).map(|(a, b)| middle(a).distance(middle(b)));
            assert!(apart.fold(0.0, f64::max) < 1e-6, "{content}");
        }
    }
}

#[test]
fn particles_move() {
    for content in PARTICLES {
        let scene = scene(content, 30, json!({}));
        assert_ne!(scene.frame(40).hash(), scene.frame(41).hash(), "{content}");
    }
}

#[test]
fn particle_count_is_how_many_there_are_at_once() {
    let stars = |count| layers(&scene("sparkles", 30, json!({"particleCount": count})).frame(100)).len();
    assert!((57..=60).contains(&stars(60)), "some may be pulsing at nothing");
    assert!(stars(2000) > 1900);
    assert!(scene("snow", 30, json!({"particleCount": 0})).frame(100).items.is_empty());
}

#[test]
fn thousands_of_particles_share_a_few_pictures() {
    for content in PARTICLES {
        let frame = scene(content, 30, json!({"particleCount": 2000})).frame(20);
        let pictures: BTreeSet<_> = layers(&frame).iter().map(|l| l.content.hash).collect();
        assert!(layers(&frame).len() > 500 && pictures.len() <= 16, "{content}: {}", pictures.len());
    }
}

#[test]
fn the_overlay_number_changes_where_particles_are() {
    let with_id = |id: u32| {
        let effect = json!({"id": id, "type": "effect", "content": "snow", "from": 0, "durationInFrames": 90,
            "row": 0, "left": 0, "top": 0, "width": 100, "height": 100});
        let page = json!({"width": 100, "height": 100, "durationInFrames": 90, "overlays": [effect]});
        let read = Composition::read(&page, Limits::default()).expect("a valid composition");
        let mut engine = TextEngine::new(Arc::new(Catalog::new(None)));
        Scene::new(&read.composition, &mut engine, &Photos).0.frame(30).hash()
    };
    assert_ne!(with_id(1), with_id(2));
}

#[test]
fn the_box_clips_and_the_opacity_covers_the_effect_as_a_whole() {
    let frame = scene("rain", 30, json!({"opacity": 0.5})).frame(10);
    let group = group(&frame);
    assert_eq!((group.opacity, group.clips.len()), (0.5, 1));
}

#[test]
fn sizes_up_to_ten_are_factors_and_larger_ones_pixels() {
    let width = |size: Value| {
        let frame = scene("confetti", 30, json!({"size": size})).frame(20);
        layers(&frame)[0].content.bounds.width()
    };
    // A piece is 3 % of the shorter side wide, and its picture has a pixel of room on each side.
    assert_eq!(width(json!(1)), 20.0);
    assert_eq!(width(json!(2)), 38.0);
    assert_eq!(width(json!(40)), 42.0);
}

#[test]
fn matrix_cells_are_lit_behind_the_head_of_their_stream() {
    const CELL: f64 = 20.0;
    for (fps, frame) in [(30, 45), (60, 90)] {
        let frame = scene("matrix", fps, json!({})).frame(frame);
        let lit: BTreeSet<(u32, u32)> = layers(&frame)
            .iter()
            .map(|l| {
                let at = l.placement.transform.apply(Point::ORIGIN).unwrap();
                ((at.x / CELL) as u32, (at.y / CELL) as u32)
            })
            .collect();
        let mut expected = BTreeSet::new();
        for column in 0..40u32 {
            let throw = |n: u32| random::from_number(f64::from(column + n));
            let fall = HEIGHT + 20.0 * CELL;
            let head = (45.0 * (0.5 + 1.5 * throw(1)) * CELL + throw(2) * fall) % fall;
            let rows = (0..30u32).filter(|r| (0.0..20.0).contains(&((head - f64::from(*r) * CELL) / CELL)));
            expected.extend(rows.map(|row| (column, row)));
        }
        assert_eq!(lit, expected, "at {fps} frames a second");
    }
}

#[test]
fn matrix_density_leaves_columns_dark() {
    let frame = scene("matrix", 30, json!({"matrixDensity": 0.3})).frame(45);
    let columns: BTreeSet<u32> = layers(&frame).iter().map(|l| (middle(l).x / 20.0) as u32).collect();
    assert!(!columns.is_empty() && columns.iter().all(|c| random::from_number(f64::from(*c)) < 0.3));
}

#[test]
fn grid_cells_start_at_the_middle_of_the_list() {
    let frame = scene("grid-stagger", 30, json!({})).frame(2);
    // Cell 8 of 16 starts at once; its neighbours three frames later.
    let started: Vec<Rect> = layers(&frame).iter().map(|l| place(l)).collect();
    assert_eq!(started.len(), 1, "{started:?}");
    let cell = (HEIGHT - 120.0 - 60.0) / 4.0;
    let left = (WIDTH - (4.0 * cell + 60.0)) / 2.0;
    let expected = Point::new(left + cell / 2.0, 60.0 + 2.0 * (cell + 20.0) + cell / 2.0);
    assert!(started[0].center().distance(expected) < 1.0, "{started:?}");
    assert_eq!(layers(&scene("grid-stagger", 30, json!({})).frame(200)).len(), 16);
}

#[test]
fn cell_colours_repeat_in_turn_and_unreadable_ones_are_told() {
    let styles = json!({"gridCols": 3, "gridRows": 1, "cellColors": ["red", "notacolour"]});
    let (scene, notices) = prepared("grid-stagger", 30, styles);
    let frame = scene.frame(300);
    let colors: Vec<[u8; 4]> = layers(&frame)
        .iter()
        .map(|l| match l.content.draws.as_slice() {
            [Draw::Fill { paint: Paint::Solid(color), .. }] => color.rgba8(),
            other => panic!("not a plain cell: {other:?}"),
        })
        .collect();
    assert_eq!(colors, [[255, 0, 0, 255], [0x63, 0x66, 0xf1, 255], [255, 0, 0, 255]]);
    let told: Vec<_> = notices.iter().map(|n| (n.code, n.path.as_str())).collect();
    assert_eq!(told, [("INVALID_CSS_VALUE", "overlays[0].styles.cellColors[1]")]);
}

#[test]
fn a_fracture_is_one_picture_while_it_holds() {
    let frame = scene("fracture", 30, json!({"cellImages": ["one.jpg"]})).frame(300);
    let tiles = layers(&frame);
    assert_eq!(tiles.len(), 25);
    assert!(tiles.iter().all(|t| !t.placement.moving && t.placement.opacity == 1.0));
    // Neighbouring tiles show neighbouring parts of the picture.
    let sources: Vec<Rect> = tiles
        .iter()
        .map(|t| match t.content.draws.as_slice() {
            [Draw::Group { draws, .. }] => match draws.as_slice() {
                [Draw::Picture(picture)] => picture.source,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(sources[0].x1 < sources[1].x0 && sources[0].y1 < sources[5].y0);
    let away = scene("fracture", 30, json!({})).frame(30);
    assert!(layers(&away).iter().all(|t| t.placement.moving));
}

#[test]
fn columns_scroll_up_or_down_at_their_own_speed() {
    let columns = json!([{"images": ["a.jpg", "b.jpg"], "speed": 60},
                         {"images": ["a.jpg"], "speed": 120, "direction": "down"}]);
    let scene = scene("scrolling-columns", 30, json!({"columns": columns, "imageHeight": 500}));
    let at = |frame: u32, right: bool| {
        let frame = scene.frame(frame);
        let seen: Vec<f64> = layers(&frame)
            .iter()
            .filter(|l| (middle(l).x > WIDTH / 2.0) == right)
            .map(|l| place(l).y0)
            .collect();
        seen[0]
    };
    assert!((at(45, false) - at(15, false) + 60.0).abs() < 1e-6);
    assert!((at(45, true) - at(15, true) - 120.0).abs() < 1e-6);
}

#[test]
fn pictures_without_columns_are_dealt_to_four() {
    let frame =
        scene("scrolling-columns", 30, json!({"cellImages": ["a.jpg", "bb.jpg", "ccc.jpg", "d.jpg"]}))
            .frame(10);
    let columns: BTreeSet<i64> = layers(&frame).iter().map(|l| middle(l).x as i64).collect();
    assert_eq!(columns.len(), 4);
}
