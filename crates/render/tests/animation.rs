//! Animated pictures in image overlays: every frame of the film shows the picture that is on show then, on the
//! overlay's own clock, independent of its other properties.

mod common;

use common::*;
use serde_json::{Value, json};

const RATE: u32 = 30;
const SIZE: [f64; 4] = [0.0, 0.0, CODE_WIDTH as f64, CODE_HEIGHT as f64];
const CANVAS: [u32; 2] = [CODE_WIDTH as u32, CODE_HEIGHT as u32];
const FOREVER: [(&str, &str); 3] = [
    ("clip.gif", "-loop 0"),
    ("clip.webp", "-c:v libwebp_anim -lossless 1 -loop 0"),
    ("clip.png", "-f apng -plays 0"),
];

fn image(src: &str, more: Value) -> Value {
    let mut overlay = overlay(1, "image", SIZE, more);
    overlay["src"] = json!(src);
    overlay
}

/// Number of the picture on show at a frame, 40 ms each.
fn on_show(frame: u32, pictures: u32) -> u32 {
    frame * 1000 / RATE / 40 % pictures
}

#[test]
fn animated_pictures_play_on_the_clock_of_their_overlay_and_start_over() {
    for (name, coding) in FOREVER {
        let studio = Studio::new();
        studio.numbered(name, "25", 30, "", coding);
        let mut playing = composition(CANVAS, RATE, 120, &[image(name, json!({"from": 7}))]);
        playing["backgroundColor"] = json!("#000000");
        let mut film = studio.film(&playing);
        for frame in 7..120 {
            assert_eq!(still_number(&mut film, frame, 0, 0), on_show(frame - 7, 30), "{name}, frame {frame}");
        }
        for step in 0..30 {
            let frame = 7 + step * 67 % 113;
            assert_eq!(
                still_number(&mut film, frame, 0, 0),
                on_show(frame - 7, 30),
                "{name}, frame {frame} alone"
            );
        }
    }
}

#[test]
fn the_last_picture_is_held_when_the_animation_has_played_often_enough() {
    let studio = Studio::new();
    studio.numbered("clip.gif", "25", 10, "", "-loop 1");
    let mut film = studio.film(&composition(CANVAS, RATE, 60, &[image("clip.gif", json!({}))]));
    for frame in 0..60 {
        let wanted = if frame < 24 { on_show(frame, 10) } else { 9 };
        assert_eq!(still_number(&mut film, frame, 0, 0), wanted, "frame {frame}");
    }
}

#[test]
fn one_animation_plays_at_two_places_and_in_a_video_overlay() {
    let studio = Studio::new();
    studio.numbered("clip.gif", "25", 30, "", "-loop 0");
    let below = json!({"top": CODE_HEIGHT, "from": 11});
    let mut video = overlay(3, "video", SIZE, json!({"src": "clip.gif", "top": 2 * CODE_HEIGHT, "speed": 2}));
    video["id"] = json!(3);
    let mut second = image("clip.gif", below);
    second["id"] = json!(2);
    let overlays = [image("clip.gif", json!({})), second, video];
    let size = [CANVAS[0], 3 * CANVAS[1]];
    let mut film = studio.film(&composition(size, RATE, 60, &overlays));
    for frame in 11..60 {
        assert_eq!(still_number(&mut film, frame, 0, 0), on_show(frame, 30));
        assert_eq!(still_number(&mut film, frame, 0, CODE_HEIGHT), on_show(frame - 11, 30));
        let played = (frame * 2 * 1000 / RATE / 40).min(29);
        assert_eq!(
            still_number(&mut film, frame, 0, 2 * CODE_HEIGHT),
            played,
            "a video holds its last frame"
        );
    }
    let alone = overlay(1, "video", SIZE, json!({"src": "clip.gif"}));
    let mut film = studio.film(&composition(CANVAS, RATE, 30, &[alone]));
    for frame in 0..30 {
        assert_eq!(
            still_number(&mut film, frame, 0, 0),
            on_show(frame, 30),
            "as a video alone, frame {frame}"
        );
    }
}

#[test]
fn animated_pictures_play_under_filters_crops_keys_poses_and_motion() {
    let studio = Studio::new();
    studio.numbered("clip.gif", "25", 30, "", "-loop 0");
    let whole = [0.0, 0.0, 100.0, 100.0].map(Value::from);
    let [x, y, w, h] = whole;
    let cases = [
        json!({"styles": {"filter": "contrast(1.5)"}}),
        json!({"styles": {"cropEnabled": true, "cropX": x, "cropY": y, "cropWidth": w, "cropHeight": h}}),
        json!({"greenscreen": {"enabled": true, "sensitivity": 50}}),
        json!({"styles": {"animation": {"enter": "fade", "exit": "slideUp", "enterDuration": 0.1}}}),
        json!({"styles": {"animation": {"during": "ken-burns-in", "duringIntensity": 0.1}}}),
    ];
    for case in cases {
        let mut film = studio.film(&composition(CANVAS, RATE, 60, &[image("clip.gif", case.clone())]));
        for frame in [10, 23, 44] {
            assert_eq!(still_number(&mut film, frame, 0, 0), on_show(frame, 30), "{case}, frame {frame}");
        }
    }
    let inverted = image("clip.gif", json!({"styles": {"filter": "invert(1)"}}));
    let mut film = studio.film(&composition(CANVAS, RATE, 60, &[inverted]));
    assert_eq!(1023 - still_number(&mut film, 44, 0, 0), on_show(44, 30));

    let posed = image("clip.gif", json!({"styles": {"layout3D": {"layout": "card-left"}}}));
    let mut film = studio.film(&composition(CANVAS, RATE, 60, &[posed]));
    let mut painted = |frame| film.still(frame).expect("a still").pixels.to_vec();
    assert!(painted(3) == painted(39), "the same picture, one run later");
    assert!(painted(3) != painted(5), "the next picture");
}

#[test]
fn transparent_parts_of_an_animation_show_the_background() {
    let studio = Studio::new();
    let ball =
        "color=black@0:s=40x20:r=10:d=0.6,format=rgba,geq=r=255:g=0:b=0:a='255*eq(floor(X/20),mod(N,2))'";
    let split = format!("{ball},split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse");
    for (name, filter, coding) in [
        ("ball.gif", split.as_str(), ""),
        ("ball.webp", ball, "-c:v libwebp_anim -lossless 1"),
        ("ball.png", ball, "-f apng"),
    ] {
        let mut arguments = vec!["-f", "lavfi", "-i", filter, "-frames:v", "6"];
        arguments.extend(coding.split_whitespace());
        studio.ffmpeg(&arguments, name);
        let size = json!({"width": 40, "height": 20});
        let blue = json!({"width": 40, "height": 20, "row": 5, "styles": {"fill": "#0000FF"}, "content": "rectangle"});
        let overlays = [image(name, size), overlay(2, "shape", SIZE, blue)];
        let mut film = studio.film(&composition([40, 20], 10, 6, &overlays));
        for frame in 0..6 {
            let halves = [pixel(&mut film, frame, 10, 10), pixel(&mut film, frame, 30, 10)];
            let (ball, behind) = if frame % 2 == 0 { (0, 1) } else { (1, 0) };
            assert_near(halves[ball], [255, 0, 0], 3, name);
            assert_near(halves[behind], [0, 0, 255], 3, name);
        }
    }
}
