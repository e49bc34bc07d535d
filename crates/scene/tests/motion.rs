//! What changes over time inside an overlay: units that move, text that is typed or counts, gradients that shift.
#![allow(clippy::unwrap_used, reason = "what the tests build is there")]

use std::path::Path;
use std::sync::{Arc, LazyLock};

use kurbo::{Point, Rect};
use rondo_composition::{Composition, Limits};
use rondo_scene::display::{Draw, Filter, Frame, Group, Item, Layer, Paint};
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
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fonts/Inter-400.ttf");
    let mut catalog = Catalog::default();
    catalog.add(std::fs::read(file).unwrap(), Origin::Bundled).unwrap();
    Arc::new(catalog)
});

fn scene(overlay: Value) -> (Scene, Vec<Notice>) {
    let page = json!({"width": 400, "height": 200, "durationInFrames": 90, "overlays": [overlay]});
    let read = Composition::read(&page, Limits::default()).unwrap();
    Scene::new(&read.composition, &mut TextEngine::new(FONTS.clone()), &Nothing)
}

fn text(content: &str, mut styles: Value) -> Scene {
    styles["fontSize"] = json!("20px");
    scene(json!({"id": 1, "type": "text", "content": content, "from": 0, "durationInFrames": 90, "row": 0,
                 "left": 0, "top": 0, "width": 400, "height": 200, "styles": styles}))
    .0
}

fn layer(item: &Item) -> &Layer {
    match item {
        Item::Layer(layer) => layer,
        Item::Group(_) => panic!("a group where a layer was expected"),
    }
}

fn layers(frame: &Frame) -> Vec<&Layer> {
    frame.items.iter().map(layer).collect()
}

fn group(frame: &Frame) -> &Group {
    match &frame.items[..] {
        [Item::Group(group)] => group,
        other => panic!("not one group: {other:?}"),
    }
}

/// Where the layer's own origin has moved to.
fn moved(layer: &Layer) -> Point {
    layer.placement.transform.apply(Point::ORIGIN).unwrap()
}

/// Places and identities of all glyphs a frame shows, to the nearest pixel, left to right.
fn glyphs(frame: &Frame) -> Vec<(i64, u32)> {
    let mut seen = Vec::new();
    for layer in layers(frame) {
        for draw in &layer.content.draws {
            let Draw::Glyphs { run, origin, .. } = draw else { continue };
            for glyph in &run.glyphs {
                let at = moved(layer).x + origin.x + f64::from(glyph.x);
                seen.push((at.round() as i64, glyph.id));
            }
        }
    }
    seen.sort_unstable();
    seen
}

fn ids(frame: &Frame) -> Vec<u32> {
    glyphs(frame).into_iter().map(|(_, id)| id).collect()
}

#[test]
fn words_start_two_staggers_apart_because_spaces_count() {
    let styles = json!({"animatedText": {"enabled": true, "split": "word", "splitStagger": 5, "y": [40, 0],
                                         "opacity": [0, 1], "blur": [8, 0], "duration": 10}});
    let scene = text("One two", styles);
    assert!(layers(&scene.frame(0)).is_empty());
    let frame = scene.frame(5);
    let [one] = layers(&frame)[..] else { panic!("the second word has not begun") };
    assert_eq!((moved(one).y, one.placement.opacity, one.placement.moving), (20.0, 0.5, true));
    assert_eq!(one.placement.filters, [Filter::Blur { sigma: 4.0 }]);
    let frame = scene.frame(15);
    let [one, two] = layers(&frame)[..] else { panic!("two words") };
    assert_eq!((moved(one).y, moved(two).y), (0.0, 20.0));
    assert!(!one.placement.moving && one.placement.filters.is_empty());
}

#[test]
fn units_at_rest_lie_where_the_plain_text_lies() {
    let plain = text("Plain words here", json!({"textAlign": "center"}));
    for split in ["none", "word", "line"] {
        let styles =
            json!({"textAlign": "center", "animatedText": {"enabled": true, "split": split, "x": [9, 0]}});
        let scene = text("Plain words here", styles);
        let seen = glyphs(&scene.frame(60));
        let visible: Vec<_> =
            glyphs(&plain.frame(0)).into_iter().filter(|g| split != "word" || seen.contains(g)).collect();
        assert_eq!(seen, visible, "{split}");
        assert!(seen.len() >= 14, "{split}");
    }
}

#[test]
fn moving_units_keep_their_contents() {
    let styles = json!({"animatedText": {"enabled": true, "split": "character", "splitStagger": 1, "scale": [0, 1],
                                         "rotate": [90, 0]}});
    let scene = text("Many characters", styles);
    let hashes = |n| layers(&scene.frame(n)).iter().map(|l| l.content.hash).collect::<Vec<_>>();
    assert_eq!(hashes(9).len(), 14);
    assert_eq!(hashes(9), hashes(10));
    assert_ne!(scene.frame(9).hash(), scene.frame(10).hash());
}

#[test]
fn units_turn_about_their_own_centres() {
    let styles = json!({"animatedText": {"enabled": true, "split": "line", "rotate": [180]}});
    let scene = text("One\nTwo", styles);
    let frame = scene.frame(0);
    let places: Vec<Rect> =
        layers(&frame).iter().map(|l| l.placement.transform.map_rect(l.content.bounds).unwrap()).collect();
    assert!(places[0].center().y < 100.0 && places[1].center().y > 100.0, "{places:?}");
}

#[test]
fn units_on_a_panel_fade_with_it_as_one() {
    let styles = json!({"backgroundColor": "red", "opacity": 0.5,
                        "animatedText": {"enabled": true, "split": "word", "opacity": [0, 1], "duration": 10}});
    let scene = text("One two", styles);
    let frame = scene.frame(5);
    let group = group(&frame);
    assert_eq!((group.items.len(), group.opacity), (3, 0.5));
    assert_eq!(layer(&group.items[1]).placement.opacity, 0.5);
}

#[test]
fn units_that_leave_the_box_are_cut_by_it() {
    let styles = json!({"animatedText": {"enabled": true, "x": [-300, 0], "duration": 10}});
    let scene = text("Wide", styles);
    assert_eq!(layers(&scene.frame(0))[0].placement.clips.len(), 1);
    let centred =
        text("Wide", json!({"textAlign": "center", "animatedText": {"enabled": true, "x": [-9, 0]}}));
    assert!(layers(&centred.frame(0))[0].placement.clips.is_empty());
}

#[test]
fn glitching_letters_change_from_frame_to_frame_and_settle() {
    let styles = json!({"animatedText": {"enabled": true, "glitch": [1, 0], "duration": 10}});
    let (scene, plain) = (text("Signal", styles), text("Signal", json!({})));
    assert_ne!(ids(&scene.frame(0)), ids(&scene.frame(1)));
    assert_eq!(ids(&scene.frame(1)), ids(&scene.frame(1)));
    assert_eq!(glyphs(&scene.frame(10)), glyphs(&plain.frame(0)));
}

#[test]
fn lines_of_a_staggered_text_start_in_their_order() {
    let styles = json!({"staggeredMotion": {"stagger": 10, "staggerDirection": "reverse", "x": [50, 0], "duration": 10}});
    let scene = text("One\nTwo\nThree", styles);
    let at = |frame| layers(&scene.frame(frame)).iter().map(|l| moved(l).x).collect::<Vec<_>>();
    assert_eq!(at(10), [50.0, 50.0, 0.0]);
    assert_eq!(at(20), [50.0, 0.0, 0.0]);
}

#[test]
fn a_typewriter_types_in_place_before_its_cursor() {
    let styles = json!({"typeWriter": {"enabled": true, "typeSpeed": 2, "blinkSpeed": 8}});
    let (scene, plain) = (text("Types", styles), text("Types", json!({})));
    let whole = glyphs(&plain.frame(0));
    let cursor = ids(&scene.frame(0));
    assert_eq!(cursor.len(), 1);
    // Two letters and the lit cursor, then three without it.
    let frame = glyphs(&scene.frame(8));
    assert_eq!(frame.len(), 5);
    assert_eq!(frame[..4], whole[..4]);
    assert_eq!(frame[4].1, cursor[0]);
    assert_eq!(glyphs(&scene.frame(6)), whole[..3]);
}

#[test]
fn centred_typing_recentres_its_line() {
    let styles =
        json!({"textAlign": "center", "typeWriter": {"enabled": true, "typeSpeed": 2, "cursor": false}});
    let scene = text("Types", styles);
    let first = |frame| glyphs(&scene.frame(frame))[0].0;
    assert!(first(2) > first(6) && first(6) > first(10));
}

#[test]
fn the_typing_entrance_shows_a_character_every_four_frames() {
    let scene = text("Types", json!({"animation": {"enter": "typing"}}));
    let count = |frame| glyphs(&scene.frame(frame)).len();
    assert_eq!([16, 19, 20, 60].map(count), [4, 4, 5, 5]);
}

#[test]
fn a_counter_ends_at_the_number_of_its_text_and_keeps_its_room() {
    let styles =
        json!({"textAlign": "right", "counterMode": {"enabled": true, "prefix": "$", "duration": 10}});
    let scene = text("up to 1,500", styles);
    let count = |frame| glyphs(&scene.frame(frame)).len();
    assert_eq!([0, 1, 9, 10, 60].map(count), ["$0", "$150", "$1350", "$1500", "$1500"].map(str::len));
    let last = |frame| glyphs(&scene.frame(frame)).last().map(|g| g.0);
    assert_eq!(last(0), last(10));
}

#[test]
fn the_typewriter_goes_before_the_counter() {
    let styles = json!({"typeWriter": {"enabled": true}, "counterMode": {"enabled": true, "to": 5}});
    assert_eq!(ids(&text("Typed", styles).frame(0)), ids(&text("|", json!({})).frame(0)));
}

fn shape(styles: Value) -> Scene {
    scene(
        json!({"id": 1, "type": "shape", "content": "rectangle", "from": 0, "durationInFrames": 90, "row": 0,
                 "left": 0, "top": 0, "width": 100, "height": 100, "styles": styles}),
    )
    .0
}

#[test]
fn keyframes_move_a_shape_as_one_child() {
    let motion = json!({"x": [0, 40], "opacity": [0, 1], "blur": [6, 0], "duration": 10});
    let scene = shape(json!({"staggeredMotion": motion}));
    let frame = scene.frame(5);
    let layer = layers(&frame)[0];
    assert_eq!((moved(layer).x, layer.placement.opacity, layer.placement.moving), (20.0, 0.5, true));
    assert_eq!(layer.placement.filters, [Filter::Blur { sigma: 3.0 }]);
    assert!(!layers(&scene.frame(10))[0].placement.moving);
}

#[test]
fn gradients_that_cannot_be_mixed_fade_into_each_other() {
    let gradients =
        json!(["repeating-linear-gradient(red 0 10px, lime 10px 20px)", "linear-gradient(blue, gold)"]);
    let scene = shape(json!({"gradientTransition": {"gradients": gradients, "duration": 40}}));
    let frame = scene.frame(10);
    match &layers(&frame)[0].content.draws[..] {
        [Draw::Fill { paint: Paint::Gradient(under), .. }, Draw::Group { opacity, .. }] => {
            assert!(under.repeat);
            assert_eq!(*opacity, 0.25);
        }
        other => panic!("not two fills: {other:?}"),
    }
    assert_eq!(scene.frame(40).hash(), scene.frame(80).hash());
}

#[test]
fn an_unknown_easing_is_told() {
    let styles = json!({"animatedText": {"enabled": true, "easing": "easeOutCubik"}});
    let overlay = json!({"id": 1, "type": "text", "content": "let x;", "from": 0, "durationInFrames": 90, "row": 0,
                         "left": 0, "top": 0, "width": 400, "height": 200, "styles": styles});
    let (_, notices) = scene(overlay);
    let told: Vec<_> = notices.iter().map(|n| (n.code, n.path.as_str())).collect();
    assert_eq!(told, [("UNKNOWN_EASING", "overlays[0].styles.animatedText.easing")]);
}

#[test]
fn a_filter_of_a_text_holds_for_all_its_parts_before_the_box_cuts_them() {
    let styles = json!({"filter": "drop-shadow(4px 2px 1px red)", "transform": "scale(2) rotate(90deg)",
                        "animatedText": {"enabled": true, "split": "word", "opacity": [0.5, 1]}});
    let frame = text("two words", styles).frame(10);
    let whole = group(&frame);
    assert!(whole.filters.is_empty() && whole.clips.len() == 1);
    let [Item::Group(inner)] = whole.items.as_slice() else { panic!("not one group: {:?}", whole.items) };
    assert!(inner.clips.is_empty() && inner.items.len() == 2);
    let [Filter::DropShadow { offset, sigma, .. }] = inner.filters.as_slice() else {
        panic!("not one shadow: {:?}", inner.filters)
    };
    // Enlarged and turned as the text is.
    assert!((offset.x + 4.0).abs() < 1e-9 && (offset.y - 8.0).abs() < 1e-9 && (sigma - 2.0).abs() < 1e-9);
}

/// A text of many letters over `frames` frames.
fn lasting(content: &str, frames: u32, styles: &Value) -> Scene {
    let overlay = json!({"id": 1, "type": "text", "content": content, "from": 0, "durationInFrames": frames, "row": 0,
        "left": 0, "top": 0, "width": 1000, "height": 800, "styles": styles});
    let page = json!({"width": 1000, "height": 800, "durationInFrames": frames, "overlays": [overlay]});
    let read = Composition::read(&page, Limits::WIDEST).unwrap();
    Scene::new(&read.composition, &mut TextEngine::new(FONTS.clone()), &Nothing).0
}

#[test]
fn states_drawn_when_they_are_shown_equal_those_drawn_ahead() {
    let words = "Typed words fi ffl, one after another. ".repeat(30);
    for align in ["center", "left"] {
        // A hundred letters a frame: the first states are few, so all are drawn ahead.
        let typed = |speed: f64| {
            let writer = json!({"enabled": true, "typeSpeed": speed, "errorRate": 0.2, "errorCorrectDelay": speed,
                "deleteSpeed": 0, "blinkSpeed": 10_000});
            let styles = json!({"textAlign": align, "fontSize": "20px", "textShadow": "1px 1px 2px #000",
                "typeWriter": writer});
            lasting(&words, 1500, &styles)
        };
        let (late, early) = (typed(1.0), typed(0.01));
        for frame in [7, 5, 9] {
            let wanted = early.frame(frame).hash();
            let around: Vec<_> =
                (frame * 100 - 55..=frame * 100 + 55).map(|frame| late.frame(frame).hash()).collect();
            assert!(around.contains(&wanted), "{align} {frame}");
            let others: std::collections::BTreeSet<_> = around.into_iter().collect();
            assert!(others.len() > 50, "{align} {frame}: {} states", others.len());
        }
    }
    let counting = |duration: u32| {
        let counter = json!({"enabled": true, "to": 1e6, "toFixed": 9, "duration": duration});
        let styles = json!({"fontSize": "20px", "textAlign": "center", "counterMode": counter});
        lasting("0", duration, &styles)
    };
    let (late, early) = (counting(20_000), counting(20));
    for frame in [17, 3, 19] {
        assert_eq!(late.frame(frame * 1000).hash(), early.frame(frame).hash(), "{frame}");
    }
}

#[test]
fn long_typed_texts_and_counters_are_prepared_in_a_moment() {
    let letters = "The quick brown fox jumps over the lazy dog. ".repeat(440);
    let styles = [
        json!({"textAlign": "center", "typeWriter": {"enabled": true, "typeSpeed": 1}}),
        json!({"animation": {"enter": "typing"}}),
        json!({"counterMode": {"enabled": true, "to": 1e9, "toFixed": 20, "duration": 100_000, "prefix": letters}}),
        json!({"animatedText": {"enabled": true, "split": "character", "opacity": [0, 1]}}),
    ];
    for styles in styles {
        let started = std::time::Instant::now();
        let scene = lasting(&letters, 100_000, &styles);
        assert!(!scene.frame(99_999).items.is_empty());
        assert!(started.elapsed().as_secs() < 20, "{:?} for {styles:.100}", started.elapsed());
    }
}
