//! What a frame shows: order, timing, placement, and notices for the author.

use std::cell::RefCell;
use std::sync::Arc;

use kurbo::{Point, Rect};
use rondo_composition::{Composition, Limits};
use rondo_css::Color;
use rondo_scene::display::{BlendMode, Draw, Frame, Item, Layer, Outline, Paint};
use rondo_scene::{ClipInfo, MediaInfo, Notice, Scene, World};
use rondo_text::{Catalog, Origin, TextEngine};
use serde_json::{Value, json};

/// A photo of 400 × 300 and a clip of 10 seconds.
struct TestWorld;

impl World for TestWorld {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let clip = match src {
            "photo.jpg" => None,
            "clip.mp4" => Some(ClipInfo { duration: 10.0, timetable: None }),
            _ => return None,
        };
        Some(MediaInfo { source: 0, key: [1; 32], width: 400, height: 300, scale: 1.0, clip })
    }
}

fn scene(overlays: Value) -> (Scene, Vec<Notice>) {
    let page = json!({"width": 200, "height": 100, "durationInFrames": 90, "overlays": overlays});
    let read = Composition::read(&page, Limits::default()).expect("a valid composition");
    Scene::new(&read.composition, &mut TextEngine::new(Arc::new(Catalog::new(None))), &TestWorld)
}

fn shape(id: u32, row: i32, fill: &str) -> Value {
    json!({"id": id, "type": "shape", "content": "rectangle", "from": 10, "durationInFrames": 20, "row": row,
           "left": 0, "top": 0, "width": 50, "height": 40, "styles": {"fill": fill}})
}

fn image(styles: Value) -> Value {
    json!({"id": 1, "type": "image", "src": "photo.jpg", "from": 0, "durationInFrames": 90, "row": 0,
           "left": 10, "top": 20, "width": 100, "height": 50, "styles": styles})
}

fn with(mut overlay: Value, key: &str, value: Value) -> Value {
    overlay[key] = value;
    overlay
}

fn layers(frame: &Frame) -> Vec<&Layer> {
    frame
        .items
        .iter()
        .map(|item| match item {
            Item::Layer(layer) => layer,
            Item::Group(_) => panic!("a group where a layer was expected"),
        })
        .collect()
}

fn fills(frame: &Frame) -> Vec<[u8; 4]> {
    layers(frame)
        .iter()
        .map(|layer| match &layer.content.draws[..] {
            [Draw::Fill { paint: Paint::Solid(color), .. }] => color.rgba8(),
            other => panic!("not one plain fill: {other:?}"),
        })
        .collect()
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn lower_rows_paint_in_front() {
    let (scene, _) = scene(json!([shape(1, 0, "red"), shape(2, 3, "blue"), shape(3, -2, "lime")]));
    assert_eq!(fills(&scene.frame(15)), [BLUE, RED, [0, 255, 0, 255]]);
}

#[test]
fn overlays_of_one_row_keep_the_order_of_the_array() {
    let (scene, _) = scene(json!([shape(1, 2, "red"), shape(2, 2, "blue")]));
    assert_eq!(fills(&scene.frame(15)), [RED, BLUE]);
}

#[test]
fn an_overlay_is_seen_from_its_first_frame_until_before_its_end() {
    let (scene, _) = scene(json!([shape(1, 0, "red")]));
    let seen = |frame| !scene.frame(frame).items.is_empty();
    assert_eq!([9, 10, 29, 30].map(seen), [false, true, true, false]);
}

#[test]
fn an_overlay_that_began_before_the_film_is_seen_from_the_start() {
    let (scene, _) = scene(json!([with(shape(1, 0, "red"), "from", json!(-10))]));
    assert!(!scene.frame(0).items.is_empty());
    assert!(!scene.frame(9).items.is_empty());
    assert!(scene.frame(10).items.is_empty());
}

#[test]
fn still_frames_have_equal_hashes_and_moving_ones_do_not() {
    let moving =
        with(shape(1, 0, "red"), "styles", json!({"fill": "red", "animation": {"enter": "slideUp"}}));
    let (scene, _) = scene(json!([with(moving, "durationInFrames", json!(60))]));
    assert_ne!(scene.frame(12).hash(), scene.frame(13).hash());
    assert_eq!(scene.frame(40).hash(), scene.frame(41).hash());
    assert_eq!(scene.frame(40).hash(), scene.frame(40).hash());
}

#[test]
fn a_translucent_canvas_lies_on_white() {
    let page = json!({"durationInFrames": 1, "overlays": [], "backgroundColor": "rgba(0, 0, 0, 0.5)"});
    let read = Composition::read(&page, Limits::default()).unwrap();
    let engine = &mut TextEngine::new(Arc::new(Catalog::new(None)));
    let (scene, _) = Scene::new(&read.composition, engine, &TestWorld);
    assert_eq!(scene.frame(0).background, Color { r: 0.5, g: 0.5, b: 0.5, a: 1.0 });
}

#[test]
fn rotation_turns_about_the_centre_of_the_box() {
    let (scene, _) = scene(json!([with(shape(1, 0, "red"), "rotation", json!(90))]));
    let frame = scene.frame(15);
    let transform = layers(&frame)[0].placement.transform;
    // The box is 50 × 40: its top left corner goes to the top right of the turned one.
    let corner = transform.apply(Point::ORIGIN).unwrap();
    assert!((corner - Point::new(45.0, -5.0)).hypot() < 1e-9, "{corner:?}");
}

#[test]
fn boxes_between_pixels_are_painted_on_whole_ones() {
    let (scene, _) = scene(json!([with(shape(1, 0, "red"), "left", json!(10.6))]));
    let frame = scene.frame(15);
    let layer = layers(&frame)[0];
    let Draw::Fill { outline: Outline::Rect(rect), .. } = &layer.content.draws[0] else {
        panic!("no rectangle")
    };
    assert_eq!(layer.placement.transform.map_rect(*rect).unwrap(), Rect::new(11.0, 0.0, 61.0, 40.0));
}

#[test]
fn cover_fills_the_box_and_cuts_the_longer_side_evenly() {
    let (scene, _) = scene(json!([image(json!({}))]));
    let frame = scene.frame(0);
    let Draw::Picture(picture) = &layers(&frame)[0].content.draws[0] else { panic!("no picture") };
    assert_eq!(picture.dest, Rect::new(0.0, 0.0, 100.0, 50.0));
    // 12.5 px above and below, its edges on whole pixels.
    assert_eq!(picture.source, Rect::new(0.0, 48.0, 400.0, 248.0));
}

#[test]
fn contain_shows_the_whole_picture_at_the_position_asked_for() {
    let (scene, _) = scene(json!([image(json!({"objectFit": "contain", "objectPosition": "right top"}))]));
    let frame = scene.frame(0);
    let Draw::Picture(picture) = &layers(&frame)[0].content.draws[0] else { panic!("no picture") };
    assert_eq!(picture.source, Rect::new(0.0, 0.0, 400.0, 300.0));
    assert_eq!(picture.dest, Rect::new(33.0, 0.0, 100.0, 50.0));
}

#[test]
fn a_drifting_picture_moves_inside_a_clip_that_stays() {
    let styles = json!({"borderRadius": "8px", "animation": {"during": "ken-burns-in"}});
    let (scene, _) = scene(json!([image(styles)]));
    let (early, late) = (scene.frame(0), scene.frame(89));
    let (a, b) = (layers(&early)[0], layers(&late)[0]);
    assert_eq!(a.content.hash, b.content.hash);
    assert_ne!(a.placement.transform, b.placement.transform);
    assert_eq!(a.placement.clips[0].transform, b.placement.clips[0].transform);
}

#[test]
fn a_clip_plays_at_its_speed_from_its_in_point_and_holds_its_end() {
    let video = json!({"id": 1, "type": "video", "src": "clip.mp4", "from": 0, "durationInFrames": 90, "row": 0,
        "left": 0, "top": 0, "width": 100, "height": 50, "videoStartTime": 4, "speed": 2.5});
    let (scene, _) = scene(json!([video]));
    let time = |number| {
        let frame = scene.frame(number);
        let Draw::Picture(picture) = &layers(&frame)[0].content.draws[0] else { panic!("no picture") };
        picture.picture.time_us
    };
    assert_eq!(time(0), 4_000_000);
    assert_eq!(time(30), 6_500_000);
    assert_eq!(time(89), 10_000_000);
}

#[test]
fn an_overlay_faded_out_completely_draws_nothing() {
    let faded = with(shape(1, 0, "red"), "styles", json!({"animation": {"enter": "fade"}}));
    let (scene, _) = scene(json!([faded]));
    assert!(scene.frame(10).items.is_empty());
    assert!(!scene.frame(11).items.is_empty());
}

#[test]
fn what_cannot_be_read_is_told_with_its_path() {
    let odd = json!({"fill": "blurple", "animation": {"enter": "slideupp", "during": "wobbel"}});
    let (_, notices) = scene(json!([shape(1, 0, "red"), with(shape(2, 0, ""), "styles", odd)]));
    let told: Vec<_> = notices.iter().map(|n| (n.code, n.path.as_str())).collect();
    assert_eq!(
        told,
        [
            ("UNKNOWN_PRESET", "overlays[1].styles.animation.enter"),
            ("UNKNOWN_PRESET", "overlays[1].styles.animation.during"),
            ("INVALID_CSS_VALUE", "overlays[1].styles.fill"),
        ]
    );
    assert!(notices[0].hint.as_ref().unwrap().contains("slide-up"), "{:?}", notices[0]);
}

#[test]
fn sizes_in_other_units_than_pixels_are_told_once_from_the_first_overlay_on() {
    let text = |id: u32, size: &str| {
        json!({"id": id, "type": "text", "content": "Hi", "from": 0, "durationInFrames": 9, "row": id,
            "left": 0, "top": 0, "width": 100, "height": 50, "styles": {"fontSize": size}})
    };
    let (_, notices) = scene(json!([text(1, "2rem"), text(2, "20px"), text(3, "3em")]));
    let told: Vec<_> = notices.iter().filter(|n| n.code == "FONT_SIZE_UNIT_IGNORED").collect();
    assert_eq!(told.len(), 1, "{notices:?}");
    assert!(told[0].message.contains("\"2rem\""), "{}", told[0].message);
    assert_eq!(told[0].paths, ["overlays[0].styles.fontSize", "overlays[2].styles.fontSize"]);
}

#[test]
fn a_blend_mode_holds_for_the_whole_overlay_and_changes_the_frame() {
    let framed =
        json!({"border": "4px solid red", "padding": "6px", "opacity": 0.5, "mixBlendMode": "Multiply"});
    let (blended, notices) = scene(json!([image(framed.clone())]));
    assert!(notices.is_empty());
    let frame = blended.frame(0);
    let [Item::Group(group)] = frame.items.as_slice() else { panic!("not one group: {:?}", frame.items) };
    assert_eq!(group.blend, BlendMode::Multiply);
    assert_eq!(frame.overlays, [0]);
    let other =
        with(image(framed), "styles", json!({"border": "4px solid red", "padding": "6px", "opacity": 0.5}));
    let (plain, _) = scene(json!([other]));
    assert_ne!(frame.hash(), plain.frame(0).hash());
    let (unknown, notices) = scene(json!([image(json!({"mixBlendMode": "mulitply"}))]));
    assert_eq!(notices[0].path, "overlays[0].styles.mixBlendMode");
    assert_eq!(layers(&unknown.frame(0)).len(), 1);
}

#[test]
fn padding_and_borders_that_leave_no_room_are_told_for_each_direction() {
    let text = |styles: Value| {
        json!({"id": 1, "type": "text", "content": "Hi", "from": 0, "durationInFrames": 9, "row": 0,
            "left": 0, "top": 0, "width": 100, "height": 40, "styles": styles})
    };
    let told = |styles: Value| -> Vec<(String, String)> {
        let (_, notices) = scene(json!([text(styles)]));
        let rooms = notices.into_iter().filter(|n| n.code == "NO_ROOM_FOR_TEXT");
        rooms.map(|n| (n.path, n.message)).collect()
    };
    let padding = "overlays[0].styles.padding".to_owned();
    assert_eq!(
        told(json!({"padding": "20px 10px"})),
        [(
            padding.clone(),
            "The padding leaves no room for text in the 100 × 40 box, so it is ignored top and bottom."
                .to_owned()
        )]
    );
    assert_eq!(told(json!({"padding": 60})).len(), 2);
    assert_eq!(told(json!({"padding": "19px 10px"})), []);
    assert_eq!(told(json!({"padding": "19px 10px", "border": "1px solid red"}))[0].0, padding);
    assert_eq!(told(json!({"padding": 0, "border": "20px solid red"}))[0].0, "overlays[0].styles.border");
    // Ems count at a fixed size only.
    assert_eq!(told(json!({"padding": "1em", "fontSize": "20px"})), []);
    assert_eq!(told(json!({"padding": "1em", "fontSize": "20px", "fontSizeFixed": true})).len(), 1);
}

#[test]
fn a_padding_colour_on_text_has_no_effect_and_is_told() {
    let text = |styles: Value| {
        json!([{"id": 1, "type": "text", "content": "Hi", "from": 0, "durationInFrames": 9, "row": 0,
            "left": 0, "top": 0, "width": 100, "height": 40, "styles": styles}])
    };
    let (plain, _) = scene(text(json!({"padding": 4})));
    let (coloured, notices) = scene(text(json!({"padding": 4, "paddingBackgroundColor": "red"})));
    assert_eq!(plain.frame(0).hash(), coloured.frame(0).hash());
    let (filled, _) = scene(text(json!({"padding": 4, "backgroundColor": "red"})));
    assert_ne!(plain.frame(0).hash(), filled.frame(0).hash());
    let told: Vec<_> = notices.iter().map(|n| (n.code, n.severity.name())).collect();
    assert!(told.contains(&("STYLE_WITHOUT_EFFECT", "info")), "{told:?}");
}

#[test]
fn letters_that_their_box_cuts_are_told_and_others_are_not() {
    let mut catalog = Catalog::default();
    let font = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/fonts/Inter-400.ttf");
    catalog.add(std::fs::read(font).expect("a font"), Origin::Bundled).expect("a font");
    let engine = RefCell::new(TextEngine::new(Arc::new(catalog)));
    let told = |content: &str, styles: Value| -> Vec<(String, String)> {
        let mut all = json!({"fontFamily": "Inter", "fontWeight": "400", "fontSize": "60px", "padding": "0px", "lineHeight": "1"});
        all.as_object_mut().unwrap().extend(styles.as_object().unwrap().clone());
        let text = json!({"id": 1, "type": "text", "content": content, "from": 0, "durationInFrames": 90,
                          "row": 0, "left": 0, "top": 0, "width": 200, "height": 60, "styles": all});
        let page = json!({"width": 200, "height": 100, "durationInFrames": 90, "overlays": [shape(2, 1, "red"), text]});
        let read = Composition::read(&page, Limits::default()).expect("a valid composition");
        let (_, notices) = Scene::new(&read.composition, &mut engine.borrow_mut(), &TestWorld);
        notices.into_iter().map(|n| (format!("{} {}", n.code, n.path), n.message)).collect()
    };
    let cut = told("gypq", json!({}));
    assert_eq!(cut.len(), 1, "{cut:?}");
    assert_eq!(cut[0].0, "TEXT_INK_CLIPPED overlays[1].content");
    assert!(
        cut[0].1.ends_with("of the letters are cut off at the bottom of the 200 × 60 box."),
        "{}",
        cut[0].1
    );
    let moving = json!({"animatedText": {"enabled": true, "split": "word", "y": [20, 0]}});
    assert_eq!(told("gypq", moving), cut, "moving text ends where still text stands");
    let accents = told("ÅŜ", json!({"lineHeight": "0.8"}));
    assert!(accents[0].1.contains("at the top"), "{accents:?}");
    // A background that shows through the letters ends with the block, not with the box.
    let seen = json!({"fontSize": "40px", "background": "red", "WebkitBackgroundClip": "text", "WebkitTextFillColor": "transparent"});
    assert_eq!(told("gypq", seen).len(), 1);
    for (content, styles) in [
        ("acorn", json!({})),
        ("gypq", json!({"fontSize": "40px"})),
        ("gypq", json!({"lineHeight": "1.4"})),
        ("gypq", json!({"fontSize": "40px", "padding": "0.1em 0px"})),
        ("", json!({})),
    ] {
        assert_eq!(told(content, styles.clone()), [], "{content} {styles}");
    }
}
