//! Stickers: each is drawn, moves as its kind does, takes the author's colours, and unknown ones are reported.

use std::sync::Arc;

use rondo_composition::{Composition, Limits};
use rondo_scene::display::{Draw, Frame, Group, Item, Layer, Paint};
use rondo_scene::{MediaInfo, Notice, Scene, World};
use rondo_text::{Catalog, TextEngine};
use serde_json::{Value, json};

struct Nothing;

impl World for Nothing {
    fn media(&self, _: &str) -> Option<MediaInfo> {
        None
    }
}

fn scene(content: &str, fps: u32, styles: Value) -> (Scene, Vec<Notice>) {
    sized(content, fps, (200.0, 200.0), styles)
}

fn sized(content: &str, fps: u32, (width, height): (f64, f64), styles: Value) -> (Scene, Vec<Notice>) {
    let sticker = json!({"id": 1, "type": "sticker", "content": content, "from": 0, "durationInFrames": 300,
        "row": 0, "left": 0, "top": 0, "width": width, "height": height, "styles": styles});
    let page =
        json!({"width": 200, "height": 200, "fps": fps, "durationInFrames": 300, "overlays": [sticker]});
    let read = Composition::read(&page, Limits::default()).expect("a valid composition");
    Scene::new(&read.composition, &mut TextEngine::new(Arc::new(Catalog::new(None))), &Nothing)
}

fn group(frame: &Frame) -> &Group {
    match frame.items.as_slice() {
        [Item::Group(group)] => group,
        other => panic!("not one group: {other:?}"),
    }
}

fn first(frame: &Frame) -> &Layer {
    match &group(frame).items[0] {
        Item::Layer(layer) => layer,
        Item::Group(_) => panic!("a group inside a sticker"),
    }
}

/// How much the first part is enlarged.
fn scale(frame: &Frame) -> f64 {
    let m = first(frame).placement.transform.0;
    m[0].hypot(m[3])
}

const STICKERS: [&str; 46] = [
    "discount-circle",
    "circular-progress",
    "audio-visualiser",
    "card-flip",
    "matrix-rain",
    "boom-effect",
    "bar-chart",
    "pulsing-circle",
    "spinning-square",
    "bouncing-triangle",
    "expanding-hexagon",
    "morphing-star",
    "rotating-octagon",
    "zigzag-diamond",
    "flashing-pentagon",
    "discount-badge",
    "discount-ribbon",
    "discount-tag",
    "sale-burst",
    "limited-offer",
    "five-stars",
    "star-rating",
    "review-card",
    "quote-bubble",
    "verified-badge",
    "thumbs-up",
    "arrow",
    "circle-pulse",
    "check-mark",
    "lightning-bolt",
    "location-pin",
    "swipe-up",
    "loading-spinner",
    "progress-ring",
    "countdown-timer",
    "audio-bars",
    "typing-dots",
    "chat-bubble",
    "like-heart-burst",
    "subscribe-button",
    "social-proof",
    "quote-marks",
    "flash-sale",
    "sale-tag",
    "new-badge",
    "hot-badge",
];

#[test]
fn every_sticker_is_drawn_and_looks_the_same_whatever_was_asked_before() {
    for content in STICKERS {
        let (watched, notices) = scene(content, 30, json!({}));
        assert!(notices.is_empty(), "{content}: {notices:?}");
        for frame in [0, 20, 99, 101] {
            watched.frame(frame);
        }
        let alone = scene(content, 30, json!({})).0.frame(100);
        assert!(!group(&alone).items.is_empty(), "{content} shows nothing");
        assert_eq!(watched.frame(100).hash(), alone.hash(), "{content}");
    }
}

#[test]
fn stickers_move_alike_at_every_frame_rate() {
    for content in STICKERS {
        let [usual, fast] = [30, 60].map(|fps| scene(content, fps, json!({})).0.frame(fps));
        let distance = |a: &Layer, b: &Layer| {
            a.placement
                .transform
                .0
                .iter()
                .zip(b.placement.transform.0)
                .map(|(a, b)| (a - b).abs())
                .sum::<f64>()
        };
        assert!(distance(first(&usual), first(&fast)) < 1e-6, "{content}");
        assert_eq!(group(&usual).items.len(), group(&fast).items.len(), "{content}");
    }
}

#[test]
fn shapes_loop_and_single_turns_end() {
    let (circle, _) = scene("pulsing-circle", 30, json!({}));
    assert_eq!(scale(&circle.frame(0)), 1.0);
    assert!((scale(&circle.frame(30)) - 1.2).abs() < 1e-9);
    assert!((scale(&circle.frame(90)) - 1.2).abs() < 1e-9);
    let (square, _) = scene("spinning-square", 30, json!({}));
    assert!(first(&square.frame(30)).placement.moving);
    assert!(!first(&square.frame(90)).placement.moving);
    assert_eq!(square.frame(90).hash(), square.frame(200).hash());
}

#[test]
fn fill_replaces_the_colour_and_scale_enlarges_about_the_middle() {
    let (star, _) = scene("morphing-star", 30, json!({"fill": "blue", "scale": 1.5}));
    let frame = star.frame(10);
    let layer = first(&frame);
    let Some(Draw::Fill { paint: Paint::Solid(color), .. }) = layer.content.draws.first() else {
        panic!("not a plain shape: {:?}", layer.content.draws);
    };
    assert_eq!(color.rgba8(), [0, 0, 255, 255]);
    assert_eq!(scale(&frame), 1.5);
    let middle = layer.placement.transform.apply(kurbo::Point::ORIGIN);
    assert_eq!(middle, Some(kurbo::Point::new(100.0, 100.0)));
}

#[test]
fn opacity_and_filter_cover_the_sticker_as_a_whole() {
    let (scene, _) = scene("sale-burst", 30, json!({"opacity": 0.4, "filter": "grayscale(1)"}));
    let frame = scene.frame(60);
    assert_eq!((group(&frame).opacity, group(&frame).filters.len()), (0.4, 1));
}

#[test]
fn an_unknown_sticker_draws_nothing_and_names_the_nearest() {
    let (scene, notices) = scene("discount-circel", 30, json!({}));
    assert!(scene.frame(10).items.is_empty());
    assert_eq!((notices[0].code, notices[0].path.as_str()), ("UNKNOWN_STICKER", "overlays[0].content"));
    assert!(notices[0].hint.as_deref().is_some_and(|h| h.contains("discount-circle")), "{notices:?}");
}

#[test]
fn stickers_fit_boxes_of_any_shape() {
    for content in STICKERS {
        for size in [
            (0.0, 0.0),
            (1.0, 1.0),
            (400.0, 2.0),
            (2.0, 400.0),
            (20000.0, 0.001),
            (24.0, 24.0),
            (9000.0, 9000.0),
        ] {
            let (scene, _) = sized(content, 30, size, json!({}));
            for tick in [0, 7, 30, 77, 299] {
                let frame = scene.frame(tick);
                let Some(Item::Group(group)) = frame.items.first() else { continue };
                for item in &group.items {
                    let Item::Layer(layer) = item else { panic!("{content}: a group inside a sticker") };
                    let finite = layer.placement.transform.0.iter().all(|n| n.is_finite());
                    assert!(finite && layer.content.bounds.is_finite(), "{content} {size:?} {tick}");
                }
            }
        }
    }
}

#[test]
fn emoji_have_their_cldr_names_and_float() {
    let (rocket, notices) = scene("emoji-rocket", 30, json!({}));
    assert!(notices.is_empty(), "{notices:?}");
    assert!(scale(&rocket.frame(2)) < scale(&rocket.frame(15)));
    assert!(first(&rocket.frame(60)).placement.moving);
    let (_, notices) = scene("emoji-thums-up", 30, json!({}));
    assert!(notices[0].hint.as_deref().is_some_and(|h| h.contains("emoji-thumbs-up")), "{notices:?}");
    let (_, notices) = scene("emoji-heart", 30, json!({}));
    assert!(notices[0].hint.as_deref().is_some_and(|h| h.contains("emoji-red-heart")), "{notices:?}");
}
