//! What a frame looks like, by samples of its pixels.

mod common;

use std::sync::atomic::AtomicBool;

use common::*;
use rondo_render::{Film, Output, Poster, RenderError, RenderOptions, encode_jpeg, sheet, thumbnail};
use serde_json::{Value, json};

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255; 3];

fn film(overlays: &[Value]) -> Film {
    Studio::new().film(&composition([100, 100], 30, 60, overlays))
}

fn shape(id: u32, area: [f64; 4], fill: &str, more: Value) -> Value {
    let mut shape = overlay(id, "shape", area, more);
    if shape["content"].is_null() {
        shape["content"] = json!("rectangle");
    }
    shape["styles"]["fill"] = json!(fill);
    shape
}

#[test]
fn lower_rows_are_in_front_and_equal_rows_follow_the_array() {
    let all = [0.0, 0.0, 100.0, 100.0];
    let mut rows = film(&[shape(1, all, "red", json!({"row": 0})), shape(2, all, "blue", json!({"row": 4}))]);
    assert_eq!(pixel(&mut rows, 0, 50, 50), RED);
    let mut equal =
        film(&[shape(1, all, "red", json!({"row": 2})), shape(2, all, "blue", json!({"row": 2}))]);
    assert_eq!(pixel(&mut equal, 0, 50, 50), BLUE);
}

#[test]
fn overlays_are_shown_from_their_first_to_their_last_frame() {
    let timing = json!({"from": 10, "durationInFrames": 5});
    let mut film = film(&[shape(1, [0.0, 0.0, 100.0, 100.0], "red", timing)]);
    let shown: Vec<u32> = (0..60).filter(|frame| pixel(&mut film, *frame, 50, 50) == RED).collect();
    assert_eq!(shown, [10, 11, 12, 13, 14]);
}

#[test]
fn overlays_reach_over_the_edges_of_the_canvas() {
    let mut film = film(&[shape(1, [-50.0, -50.0, 100.0, 100.0], "red", json!({}))]);
    assert_eq!(pixel(&mut film, 0, 0, 0), RED);
    assert_eq!(pixel(&mut film, 0, 49, 49), RED);
    assert_eq!(pixel(&mut film, 0, 50, 50), WHITE);
}

#[test]
fn opacity_blends_with_the_background() {
    let mut film = film(&[shape(1, [0.0, 0.0, 100.0, 100.0], "red", json!({"styles": {"opacity": 0.25}}))]);
    assert_near(pixel(&mut film, 0, 50, 50), [255, 191, 191], 1, "a quarter of red on white");
}

#[test]
fn rotation_turns_clockwise_about_the_centre() {
    let mut film = film(&[shape(1, [10.0, 40.0, 80.0, 20.0], "red", json!({"rotation": 90}))]);
    assert_eq!([pixel(&mut film, 0, 50, 15), pixel(&mut film, 0, 50, 85)], [RED; 2]);
    assert_eq!([pixel(&mut film, 0, 15, 50), pixel(&mut film, 0, 85, 50)], [WHITE; 2]);
    let gradient =
        json!({"rotation": 90, "styles": {"gradient": "linear-gradient(90deg, red 50%, blue 50%)"}});
    let mut turned = self::film(&[shape(1, [10.0, 40.0, 80.0, 20.0], "red", gradient)]);
    assert_eq!([pixel(&mut turned, 0, 50, 20), pixel(&mut turned, 0, 50, 80)], [RED, BLUE]);
}

#[test]
fn rounded_corners_and_ellipses_cut_the_corners_only() {
    let all = [0.0, 0.0, 100.0, 100.0];
    let mut rounded = film(&[shape(1, all, "red", json!({"styles": {"borderRadius": "30px"}}))]);
    assert_eq!([pixel(&mut rounded, 0, 2, 2), pixel(&mut rounded, 0, 97, 97)], [WHITE; 2]);
    assert_eq!([pixel(&mut rounded, 0, 14, 14), pixel(&mut rounded, 0, 1, 50)], [RED; 2]);
    let mut ellipse = film(&[shape(1, [0.0, 25.0, 100.0, 50.0], "red", json!({"content": "ellipse"}))]);
    assert_eq!(pixel(&mut ellipse, 0, 5, 30), WHITE);
    assert_eq!([pixel(&mut ellipse, 0, 50, 27), pixel(&mut ellipse, 0, 3, 50)], [RED; 2]);
}

#[test]
fn gradients_run_along_their_angle() {
    let gradient =
        |css: &str| shape(1, [0.0, 0.0, 100.0, 100.0], "lime", json!({"styles": {"gradient": css}}));
    let mut across = film(&[gradient("linear-gradient(90deg, black, white)")]);
    for x in [5u32, 25, 50, 75, 95] {
        let grey = ((f64::from(x) + 0.5) * 2.55).round() as u8;
        assert_near(pixel(&mut across, 0, x, 50), [grey; 3], 2, &format!("column {x}"));
    }
    let mut down = film(&[gradient("linear-gradient(red, blue)")]);
    assert_near(pixel(&mut down, 0, 50, 1), [251, 0, 4], 3, "top");
    assert_near(pixel(&mut down, 0, 50, 98), [4, 0, 251], 3, "bottom");
}

#[test]
fn strokes_are_inside_the_box() {
    let styles = json!({"styles": {"stroke": "blue", "strokeWidth": 10}});
    let mut film = film(&[shape(1, [20.0, 20.0, 60.0, 60.0], "red", styles)]);
    assert_eq!([pixel(&mut film, 0, 18, 50), pixel(&mut film, 0, 25, 50)], [WHITE, BLUE]);
    assert_eq!(pixel(&mut film, 0, 50, 50), RED);
}

#[test]
fn pictures_fill_their_box_as_object_fit_says() {
    let studio = Studio::new();
    let halves = "color=red:s=40x20,drawbox=x=20:w=20:h=20:color=blue:t=fill,format=rgb24";
    studio.ffmpeg(&["-f", "lavfi", "-i", halves, "-frames:v", "1"], "halves.png");
    let shown = |fit: &str, x: u32, y: u32| {
        let image = json!({"src": "halves.png", "styles": {"objectFit": fit}});
        let overlays = [overlay(1, "image", [0.0, 0.0, 100.0, 100.0], image)];
        pixel(&mut studio.film(&composition([100, 100], 30, 1, &overlays)), 0, x, y)
    };
    let near = |color: [u8; 3], x: usize| color[x] > 240;
    assert!(near(shown("fill", 10, 5), 0) && near(shown("fill", 90, 95), 2));
    assert!(near(shown("cover", 2, 5), 0) && near(shown("cover", 97, 95), 2));
    assert!(near(shown("contain", 10, 50), 0) && near(shown("contain", 90, 50), 2));
    assert_eq!([shown("contain", 50, 10), shown("contain", 50, 90)], [WHITE; 2]);
    assert!(near(shown("none", 35, 50), 0) && near(shown("none", 65, 50), 2));
    assert_eq!(shown("none", 20, 50), WHITE);
}

#[test]
fn text_is_drawn_in_its_colour_inside_its_box() {
    let text = overlay(
        1,
        "text",
        [10.0, 30.0, 80.0, 40.0],
        json!({"content": "Ink", "styles": {"color": "red", "fontSize": "30px", "fontWeight": "900"}}),
    );
    let mut film = film(&[text]);
    let still = film.still(0).expect("a still");
    let inked: Vec<(u32, u32)> = (0..100 * 100u32)
        .filter(|i| still.pixels[*i as usize * 4 + 1] < 128)
        .map(|i| (i % 100, i / 100))
        .collect();
    assert!(inked.len() > 150, "{} dark pixels", inked.len());
    assert!(inked.iter().all(|(x, y)| (10..90).contains(x) && (30..70).contains(y)));
    let red = |i: &(u32, u32)| still.pixels[((i.1 * 100 + i.0) * 4) as usize] > 250;
    assert!(inked.iter().all(red), "the ink is red");
}

#[test]
fn frames_that_do_not_exist_are_rejected() {
    let mut film = film(&[]);
    let error = film.still(60).map(|_| ()).expect_err("refused");
    assert!(matches!(error, RenderError::NoSuchFrame { frame: 60, duration: 60 }));
    assert_eq!(error.to_string(), "frame 60 does not exist: the composition has 60 frames, numbered from 0");
}

#[test]
fn a_poster_drawn_beside_a_film_is_the_frame_drawn_alone() {
    let studio = Studio::new();
    studio.numbered("clip.mp4", "30", 120, "", LONG_GOP);
    let size = [0.0, 0.0, f64::from(CODE_WIDTH as u32), f64::from(CODE_HEIGHT as u32)];
    let overlays = [
        overlay(1, "video", size, json!({"src": "clip.mp4"})),
        shape(2, [10.0, 40.0, 40.0, 40.0], "red", json!({"styles": {"animation": {"during": "spin"}}})),
    ];
    let composition = composition([320, 180], 30, 120, &overlays);
    let poster = Poster { frame: 77, side: 200, path: studio.path("poster.jpg") };
    let options = RenderOptions { poster: Some(poster.clone()), ..RenderOptions::default() };
    let (mut film, never) = (studio.film(&composition), AtomicBool::new(false));
    film.render(&Output::File(studio.path("film.mp4")), &options, &mut |_| {}, &never).expect("renders");
    let alone = thumbnail(&mut studio.film(&composition), 77, 200).expect("a picture");
    assert_eq!((alone.width, alone.height), (200, 113));
    let drawn = std::fs::read(&poster.path).expect("the poster");
    assert!(drawn == encode_jpeg(&alone).expect("a JPEG"), "the poster differs");
    let plain = studio.render(&composition, "plain.mp4");
    let [film, plain] = [studio.path("film.mp4"), plain].map(|path| std::fs::read(path).expect("a film"));
    assert!(film == plain, "the film differs");

    // A film that is cancelled at once has none.
    std::fs::remove_file(&poster.path).expect("removed");
    let cancelled = AtomicBool::new(true);
    let ended = studio.film(&composition).render(
        &Output::File(studio.path("film.mp4")),
        &options,
        &mut |_| {},
        &cancelled,
    );
    assert!(matches!(ended, Err(RenderError::Cancelled)));
    assert!(!poster.path.exists());
}

#[test]
fn contact_sheets_show_the_first_and_the_last_frame() {
    let mut film = film(&[
        shape(1, [0.0, 0.0, 100.0, 100.0], "red", json!({"durationInFrames": 1})),
        shape(2, [0.0, 0.0, 100.0, 100.0], "blue", json!({"from": 59, "durationInFrames": 1})),
    ]);
    let sheet = sheet(&mut film).expect("a sheet");
    assert_eq!(sheet.pixels.len(), (sheet.width * sheet.height * 4) as usize);
    let count = |color: [u8; 3]| sheet.pixels.chunks_exact(4).filter(|p| p[..3] == color).count();
    assert_eq!([count(RED), count(BLUE)], [100 * 100; 2], "one whole cell each");
    assert!(count(WHITE) >= 10 * 100 * 100, "ten cells between them");
}
