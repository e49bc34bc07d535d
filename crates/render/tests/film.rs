//! The file that comes out: its frames, its bytes, its parameters, its colours, and nothing at all when it fails.

mod common;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use common::*;
use rondo_composition::{Composition, Limits};
use rondo_media::MediaFile;
use rondo_paint::update_planes;
use rondo_pixels::Planes;
use rondo_render::{
    Film, FontSettings, Locate, Output, RenderError, RenderOptions, Scale, Wanted, load_fonts,
};
use serde_json::{Value, json};

/// A film of everything: video, image, text and shapes in motion, and sound.
fn everything(studio: &Studio) -> Value {
    studio.numbered("clip.mp4", "25", 60, "", LONG_GOP);
    studio.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=60x60", "-frames:v", "1"], "picture.png");
    studio.wav("tone.wav", 44_100, 1, 88_200, |frame| tone(440.0, 0.4, frame as f64 / 44_100.0));
    let mut film = composition(
        [200, 120],
        30,
        40,
        &[
            overlay(1, "video", [0.0, 0.0, 160.0, 32.0], json!({"src": "clip.mp4", "row": 3, "speed": 0.7})),
            overlay(
                2,
                "image",
                [20.5, 40.0, 60.0, 60.0],
                json!({"src": "picture.png", "row": 2, "styles": {
                    "borderRadius": "12px", "boxShadow": "0 4px 10px rgba(0,0,0,.4)",
                    "animation": {"enter": "slide-up", "during": "ken-burns-in"},
                }}),
            ),
            overlay(
                3,
                "text",
                [70.0, 60.0, 120.0, 50.0],
                json!({"content": "Frame by frame", "row": 1, "from": 4, "durationInFrames": 30, "styles": {
                    "color": "#0f172a", "fontWeight": "700", "animation": {"enter": "fade", "exit": "scale"},
                }}),
            ),
            overlay(
                4,
                "shape",
                [120.0, 10.0, 60.0, 40.0],
                json!({"content": "star", "rotation": 12, "styles": {
                    "gradient": "linear-gradient(90deg, #f97316, #db2777)", "opacity": 0.8,
                    "animation": {"during": "spin"},
                }}),
            ),
            overlay(5, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "tone.wav", "styles": {"fadeIn": 0.3}})),
        ],
    );
    film["backgroundColor"] = json!("#e2e8f0");
    film
}

/// A still as the encoder gets it.
fn planes(film: &mut Film, frame: u32) -> Vec<u8> {
    let still = film.still(frame).expect("a still");
    let bitmap = still.to_bitmap();
    let mut planes = Planes::new(bitmap.width, bitmap.height);
    update_planes(&mut planes, &bitmap, &[bitmap.bounds()]);
    [planes.y, planes.u, planes.v].concat()
}

#[test]
fn still_n_is_frame_n_of_the_film_in_whatever_order_stills_are_asked_for() {
    let studio = Studio::new();
    let film = everything(&studio);
    let raw = studio.path("frames.yuv");
    let report = studio.try_render(&film, &Output::RawFrames(raw.clone())).expect("renders");
    let frames = std::fs::read(raw).expect("frames");
    let size = 200 * 120 * 3 / 2;
    assert_eq!((report.frames, report.bytes, frames.len()), (40, 40 * size as u64, 40 * size));
    let frames: Vec<&[u8]> = frames.chunks_exact(size).collect();
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "every frame differs from the one before");
    let mut forward = studio.film(&film);
    let mut astray = studio.film(&film);
    for step in 0..40u32 {
        assert!(planes(&mut forward, step) == frames[step as usize], "frame {step}, in order");
        let frame = (step * 23 + 39) % 40;
        assert!(planes(&mut astray, frame) == frames[frame as usize], "frame {frame}, out of order");
    }
}

#[test]
fn rendering_twice_gives_the_same_bytes() {
    let studio = Studio::new();
    let film = everything(&studio);
    let first = std::fs::read(studio.render(&film, "first.mp4")).expect("a film");
    let second = std::fs::read(studio.render(&film, "second.mp4")).expect("a film");
    assert!(first == second);
    let mut used = studio.film(&film);
    for frame in [39, 3, 17] {
        used.still(frame).expect("a still");
    }
    let third = studio.path("third.mp4");
    let never = AtomicBool::new(false);
    used.render(&Output::File(third.clone()), &RenderOptions::default(), &mut |_| {}, &never)
        .expect("renders");
    assert!(first == std::fs::read(third).expect("a film"), "stills painted before change nothing");
}

/// Paths that nothing has: their files were provided as open descriptors.
struct Nameless(PathBuf);

impl Locate for Nameless {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Ok(self.0.join(src))
    }
}

#[test]
fn a_film_of_provided_files_opens_none_by_name_and_has_the_same_bytes() {
    let studio = Studio::new();
    let film = everything(&studio);
    let expected = std::fs::read(studio.render(&film, "named.mp4")).expect("a film");
    let nowhere = Nameless(studio.path("nowhere"));
    for name in ["clip.mp4", "picture.png", "tone.wav"] {
        let file = std::fs::File::open(studio.path(name)).expect("a file");
        MediaFile::provide(nowhere.0.join(name), file);
    }
    let path = studio.path("nameless.mp4");
    let read = Composition::read(&film, Limits::WIDEST).expect("a valid composition");
    let fonts = load_fonts(&FontSettings::default()).0;
    let mut film = Film::open(read.composition, &nowhere, fonts);
    assert_eq!(film.problems(), []);
    let never = AtomicBool::new(false);
    film.render(&Output::File(path.clone()), &RenderOptions::default(), &mut |_| {}, &never)
        .expect("renders");
    assert!(expected == std::fs::read(path).expect("a film"));
}

#[test]
fn stream_parameters_are_exactly_the_promised_ones_at_every_rate() {
    let studio = Studio::new();
    let mut state = 1u32;
    let noise: Vec<f64> = (0..96_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24) - 0.5
        })
        .collect();
    studio.wav("noise.wav", 48_000, 2, noise.len(), |frame| noise[frame]);
    let overlays = [
        overlay(
            1,
            "shape",
            [10.0, 10.0, 40.0, 20.0],
            json!({"content": "pill", "styles": {
                "animation": {"during": "sway"},
            }}),
        ),
        overlay(2, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "noise.wav"})),
    ];
    for (fps, frames) in [(24, 37), (25, 50), (30, 45), (60, 70), (23, 41)] {
        let path = studio.render(&composition([64, 48], fps, frames, &overlays), "film.mp4");
        let seconds = f64::from(frames) / f64::from(fps);
        let probed =
            ffprobe(&path, &["-show_streams", "-show_format", "-show_entries", "packet=stream_index,pts"]);
        let (video, audio) = (&probed["streams"][0], &probed["streams"][1]);
        for (field, promised) in [
            ("codec_name", "h264"),
            ("profile", "High"),
            ("pix_fmt", "yuv420p"),
            ("color_range", "tv"),
            ("color_space", "bt709"),
            ("color_transfer", "bt709"),
            ("color_primaries", "bt709"),
            ("start_time", "0.000000"),
            ("avg_frame_rate", &format!("{fps}/1")),
            ("r_frame_rate", &format!("{fps}/1")),
            ("nb_frames", &frames.to_string()),
        ] {
            assert_eq!(video[field], promised, "{field} at {fps} fps");
        }
        assert_eq!((video["width"].as_u64(), video["height"].as_u64()), (Some(64), Some(48)));
        for (field, promised) in [
            ("codec_name", "aac"),
            ("profile", "LC"),
            ("sample_rate", "48000"),
            ("channel_layout", "stereo"),
            ("start_time", "0.000000"),
        ] {
            assert_eq!(audio[field], promised, "{field} at {fps} fps");
        }
        let rate = number_of(&audio["bit_rate"]);
        assert!((170_000.0..215_000.0).contains(&rate), "{rate} bit/s of sound at {fps} fps");
        for (what, length) in [("pictures", video), ("sound", audio), ("file", &probed["format"])] {
            let length = number_of(&length["duration"]);
            assert!((length - seconds).abs() < 0.000_03, "{what} of {length} s, not {seconds}, at {fps} fps");
        }

        let base = video["time_base"].as_str().and_then(|base| base.strip_prefix("1/")).expect("a time base");
        let ticks: u64 = base.parse().expect("a number");
        let mut times: Vec<u64> = probed["packets"]
            .as_array()
            .expect("packets")
            .iter()
            .filter(|packet| packet["stream_index"] == 0)
            .map(|packet| packet["pts"].as_u64().expect("a time"))
            .collect();
        times.sort_unstable();
        let wanted: Vec<u64> = (0..u64::from(frames)).map(|frame| frame * ticks / u64::from(fps)).collect();
        assert_eq!(ticks % u64::from(fps), 0, "a frame is a whole number of ticks");
        assert_eq!(times, wanted, "constant frame times at {fps} fps");

        let bytes = std::fs::read(&path).expect("a film");
        let find = |name: &[u8]| bytes.windows(4).position(|window| window == name).expect("a box");
        assert!(find(b"moov") < find(b"mdat"), "the index comes first");
    }
}

fn number_of(text: &Value) -> f64 {
    text.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{text} is not a number"))
}

#[test]
fn film_without_sound_has_no_sound_track() {
    let studio = Studio::new();
    studio.numbered("mute.mp4", "30", 10, "", LONG_GOP);
    let overlays = [overlay(1, "video", [0.0, 0.0, 160.0, 32.0], json!({"src": "mute.mp4"}))];
    let path = studio.render(&composition([160, 32], 30, 5, &overlays), "film.mp4");
    let probed = ffprobe(&path, &["-show_streams"]);
    let kinds: Vec<&Value> =
        probed["streams"].as_array().expect("streams").iter().map(|s| &s["codec_type"]).collect();
    assert_eq!(kinds, ["video"]);
}

#[test]
fn odd_sizes_become_even_with_a_warning() {
    let studio = Studio::new();
    let odd = composition([65, 33], 30, 2, &[]);
    let film = studio.film(&odd);
    let notice = film.notices().iter().find(|n| n.code == "ODD_DIMENSIONS").expect("a warning");
    assert!(notice.message.contains("66 × 34"), "{}", notice.message);
    let probed = ffprobe(&studio.render(&odd, "film.mp4"), &["-show_streams"]);
    let video = &probed["streams"][0];
    assert_eq!((video["width"].as_u64(), video["height"].as_u64()), (Some(66), Some(34)));
    assert!(studio.film(&composition([64, 32], 30, 2, &[])).notices().is_empty());
}

#[test]
fn a_film_may_be_smaller_than_its_composition_and_shows_the_same() {
    let studio = Studio::new();
    let left = overlay(
        1,
        "shape",
        [0.0, 0.0, 200.0, 300.0],
        json!({"content": "rectangle", "styles": {"fill": "#cc2020"}}),
    );
    let mut composition = composition([400, 300], 30, 3, &[left]);
    composition["backgroundColor"] = json!("#2020cc");
    let path = studio.path("small.mp4");
    let options = RenderOptions {
        wanted: Wanted { scale: Scale::ShorterSide(150), ..Wanted::default() },
        ..RenderOptions::default()
    };
    let mut film = studio.film(&composition);
    let report = film
        .render(&Output::File(path.clone()), &options, &mut |_| {}, &AtomicBool::new(false))
        .expect("a film");
    assert_eq!((report.width, report.height), (200, 150));
    let frames = decode_frames(&path, 200, 150);
    let at =
        |x: usize, y: usize| -> [u8; 3] { frames[2][(y * 200 + x) * 3..][..3].try_into().expect("a pixel") };
    assert_near(at(40, 75), [204, 32, 32], 6, "left");
    assert_near(at(160, 75), [32, 32, 204], 6, "right");
}

#[test]
fn flat_colours_come_back_within_two_levels() {
    let studio = Studio::new();
    let mut colors =
        vec![[0; 3], [255; 3], [128; 3], [18, 52, 86], [250, 204, 21], [15, 23, 42], [219, 39, 119]];
    for r in [0u8, 127, 255] {
        for g in [0u8, 63, 190, 255] {
            colors.extend([0u8, 100, 255].map(|b| [r, g, b]));
        }
    }
    let columns = 8;
    let place = |index: usize| (index % columns * 32, index / columns * 32);
    let shapes: Vec<Value> = colors
        .iter()
        .enumerate()
        .map(|(index, [r, g, b])| {
            let (x, y) = place(index);
            let styles = json!({"fill": format!("rgb({r}, {g}, {b})")});
            let square = [x as f64, y as f64, 32.0, 32.0];
            overlay(index as u32, "shape", square, json!({"content": "rectangle", "styles": styles}))
        })
        .collect();
    let (width, height) = (columns * 32, colors.len().div_ceil(columns) * 32);
    let film = composition([width as u32, height as u32], 30, 6, &shapes);
    let frames = decode_frames(&studio.render(&film, "film.mp4"), width, height);
    assert_eq!(frames.len(), 6);
    for frame in [0, 5] {
        for (index, color) in colors.iter().enumerate() {
            let (x, y) = place(index);
            for (dx, dy) in [(16, 16), (8, 8), (23, 20)] {
                let at = ((y + dy) * width + x + dx) * 3;
                let shown = &frames[frame][at..at + 3];
                assert_near([shown[0], shown[1], shown[2]], *color, 2, &format!("frame {frame}"));
            }
        }
    }
}

#[test]
fn cancelling_leaves_no_file() {
    let studio = Studio::new();
    let film = composition([64, 48], 30, 2000, &[]);
    for output in [Output::File(studio.path("film.mp4")), Output::RawFrames(studio.path("frames.yuv"))] {
        let cancel = AtomicBool::new(false);
        let mut last = 0;
        let result = studio.film(&film).render(
            &output,
            &RenderOptions::default(),
            &mut |progress| {
                last = progress.frame;
                cancel.store(progress.frame >= 5, Ordering::Relaxed);
            },
            &cancel,
        );
        assert!(matches!(result, Err(RenderError::Cancelled)), "{output:?}");
        assert_eq!(last, 5, "it stops at once");
        assert_eq!(studio.files(), Vec::<String>::new(), "{output:?}");
    }
}

#[test]
fn unreadable_media_fail_the_render_with_name_and_reason_and_leave_no_file() {
    let studio = Studio::new();
    std::fs::write(studio.path("garbage.mp4"), b"this is not a film at all").expect("a file");
    std::fs::write(studio.path("garbage.png"), b"this is not a picture").expect("a file");
    studio.wav("tone.wav", 48_000, 1, 4800, |frame| tone(440.0, 0.4, frame as f64 / 48_000.0));
    for (kind, src, reason) in [
        ("video", "garbage.mp4", "cannot be read"),
        ("sound", "garbage.mp4", "cannot be read"),
        ("image", "garbage.png", "cannot be read"),
        ("image", "missing.png", "there is no such file"),
        ("video", "tone.wav", "no video track"),
    ] {
        let before = studio.files();
        let overlays = [overlay(1, kind, [0.0, 0.0, 64.0, 48.0], json!({"src": src}))];
        let film = composition([64, 48], 30, 10, &overlays);
        let error =
            studio.try_render(&film, &Output::File(studio.path("film.mp4"))).expect_err("fails").to_string();
        assert!(error.starts_with("overlays[0].src: "), "{error}");
        assert!(error.contains(src) && error.contains(reason), "{error}");
        let error = studio.film(&film).still(0).map(|_| ()).expect_err("fails").to_string();
        assert!(error.contains(src), "{error}");
        assert_eq!(studio.files(), before);
    }
}

#[test]
fn clip_that_breaks_off_fails_the_render_with_its_name() {
    let studio = Studio::new();
    let coding = format!("{LONG_GOP} -movflags +faststart");
    studio.numbered("whole.mp4", "30", 200, ",noise=alls=30:allf=t", &coding);
    let whole = std::fs::read(studio.path("whole.mp4")).expect("a clip");
    std::fs::remove_file(studio.path("whole.mp4")).expect("removed");
    std::fs::write(studio.path("cut.mp4"), &whole[..whole.len() / 2]).expect("a file");
    let overlays = [overlay(1, "video", [0.0, 0.0, 160.0, 32.0], json!({"src": "cut.mp4"}))];
    let film = composition([160, 32], 30, 200, &overlays);
    let error =
        studio.try_render(&film, &Output::File(studio.path("film.mp4"))).expect_err("fails").to_string();
    assert!(error.contains("cut.mp4") && error.contains("cut short"), "{error}");
    assert_eq!(studio.files(), ["cut.mp4"]);
}

#[test]
fn all_unreadable_media_are_reported_at_once() {
    let studio = Studio::new();
    let overlays = [
        overlay(1, "image", [0.0, 0.0, 9.0, 9.0], json!({"src": "one.png"})),
        overlay(2, "video", [0.0, 0.0, 9.0, 9.0], json!({"src": "two.mp4"})),
    ];
    let error =
        studio.film(&composition([64, 48], 30, 10, &overlays)).still(0).map(|_| ()).expect_err("fails");
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("one.png") && lines[1].contains("two.mp4"), "{lines:?}");
}

#[test]
fn a_damaged_image_is_reported_when_it_is_shown_or_checked() {
    let studio = Studio::new();
    studio.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=320x240", "-frames:v", "1"], "whole.png");
    let whole = std::fs::read(studio.path("whole.png")).expect("a picture");
    std::fs::write(studio.path("cut.png"), &whole[..whole.len() / 2]).expect("a file");
    let image = |id: u32, src: &str, from: u32| {
        overlay(id, "image", [0.0, 0.0, 32.0, 24.0], json!({"src": src, "from": from, "durationInFrames": 5}))
    };
    let value = composition([64, 48], 30, 15, &[image(1, "whole.png", 0), image(2, "cut.png", 10)]);
    let mut film = studio.film(&value);
    assert_eq!(film.problems(), []);
    film.still(3).expect("it is not on show yet");
    let Err(RenderError::Media(problems)) = film.still(12).map(|_| ()) else { panic!("it cannot be shown") };
    assert_eq!((problems.len(), problems[0].path.as_str()), (1, "overlays[1].src"));
    assert!(problems[0].reason.contains("cut.png cannot be read"), "{}", problems[0].reason);
    film.still(3).expect("the others still show");

    let error = studio.try_render(&value, &Output::File(studio.path("film.mp4"))).expect_err("fails");
    let RenderError::Media(told) = error else { panic!("{error}") };
    assert_eq!(told, problems);
    assert_eq!(studio.files(), ["cut.png", "whole.png"]);

    let mut film = studio.film(&value);
    film.try_pictures();
    assert_eq!(film.problems(), problems);
    assert_eq!(film.notices()[0].code, "MEDIA_UNREACHABLE");

    let overlays = [image(1, "cut.png", 0), image(2, "gone.png", 0), image(3, "cut.png", 0)];
    let mut film = studio.film(&composition([64, 48], 30, 15, &overlays));
    for _ in 0..2 {
        film.try_pictures();
        let told: Vec<&str> = film.notices().iter().map(|notice| notice.path.as_str()).collect();
        assert_eq!(told, ["overlays[0].src", "overlays[1].src", "overlays[2].src"], "once each, in order");
    }
}

#[test]
fn every_overlay_with_missing_media_is_reported_in_order() {
    let studio = Studio::new();
    let image = |id: u32, src: &str| overlay(id, "image", [0.0, 0.0, 20.0, 20.0], json!({"src": src}));
    let overlays = [image(1, "gone.png"), image(2, "lost.png"), image(3, "gone.png")];
    let film = studio.film(&composition([64, 48], 30, 30, &overlays));
    let told: Vec<(&str, &str)> = film.problems().iter().map(|p| (p.path.as_str(), p.src.as_str())).collect();
    assert_eq!(
        told,
        [("overlays[0].src", "gone.png"), ("overlays[1].src", "lost.png"), ("overlays[2].src", "gone.png")]
    );
}
