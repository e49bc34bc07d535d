//! What a render may take: processor time, time for a still, and how soon a cancelled one ends.

mod common;

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::*;
use rondo_render::{Output, RenderError, RenderOptions};
use serde_json::{Value, json};

/// A film whose every frame takes seconds to paint: large blurs that change all the time, and one cheap overlay.
fn expensive(studio: &Studio) -> Value {
    studio.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=600x400", "-frames:v", "1"], "picture.png");
    let mut overlays = vec![overlay(
        1,
        "shape",
        [0.0, 0.0, 50.0, 50.0],
        json!({"content": "rectangle", "row": 5, "styles": {"animation": {"during": "sway"}}}),
    )];
    overlays.extend((2..200).map(|id| {
        overlay(
            id,
            "image",
            [f64::from(id), 0.0, 3000.0, 2000.0],
            json!({"src": "picture.png", "row": id % 5, "styles": {
                "opacity": 0.9, "filter": format!("blur({}px) blur(9px) blur(7px)", id),
                "animation": {"during": "ken-burns-in"},
            }}),
        )
    }));
    composition([3840, 2160], 30, 60, &overlays)
}

#[test]
fn a_cancelled_render_ends_in_the_middle_of_an_expensive_frame() {
    let studio = Studio::new();
    let mut film = studio.film(&expensive(&studio));
    let cancel = AtomicBool::new(false);
    let (ended, late) = std::thread::scope(|scope| {
        let render = scope.spawn(|| {
            let output = Output::File(studio.path("film.mp4"));
            (film.render(&output, &RenderOptions::default(), &mut |_| {}, &cancel), Instant::now())
        });
        std::thread::sleep(Duration::from_millis(700));
        cancel.store(true, Ordering::Relaxed);
        let cancelled = Instant::now();
        let (ended, end) = render.join().expect("no panic");
        (ended, end.saturating_duration_since(cancelled))
    });
    assert!(matches!(ended, Err(RenderError::Cancelled)), "{ended:?}");
    // It takes a tenth of that when the machine has nothing else to do.
    assert!(late < Duration::from_millis(1000), "{late:?}");
    assert_eq!(studio.files(), ["picture.png"]);
}

/// A long film of a cheap overlay and a costly one, the second.
fn long(studio: &Studio) -> Value {
    studio.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=600x400", "-frames:v", "1"], "picture.png");
    let slow = overlay(
        2,
        "image",
        [0.0, 0.0, 1000.0, 1000.0],
        json!({"src": "picture.png", "styles": {
            "filter": "blur(9px) blur(11px) blur(7px)", "opacity": 0.9, "animation": {"during": "ken-burns-in"},
        }}),
    );
    let cheap = overlay(1, "shape", [0.0, 0.0, 20.0, 20.0], json!({"content": "rectangle", "row": 1}));
    composition([1000, 1000], 30, 3000, &[cheap, slow])
}

#[test]
fn a_render_over_its_budget_of_processor_time_fails_and_names_the_costliest_overlays() {
    let studio = Studio::new();
    let film = long(&studio);
    let budget = Duration::from_millis(500);
    let options = RenderOptions { cpu_budget: Some(budget), ..RenderOptions::default() };
    let output = Output::File(studio.path("film.mp4"));
    let never = AtomicBool::new(false);
    let started = Instant::now();
    let error = studio.film(&film).render(&output, &options, &mut |_| {}, &never).expect_err("too much");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let RenderError::OverBudget { used, overlays, .. } = &error else { panic!("{error}") };
    assert!(*used > budget, "{used:?}");
    assert!(overlays[0].starts_with("overlays[1] ("), "{overlays:?}");
    let message = error.to_string();
    assert!(message.contains("than its budget of 0.5 s. The costliest overlay"), "{message}");
    assert_eq!(studio.files(), ["picture.png"]);
}

#[test]
fn a_render_over_its_time_fails_and_names_the_costliest_overlays() {
    let studio = Studio::new();
    let mut film = studio.film(&long(&studio));
    film.set_deadline(Some(Instant::now() + Duration::from_millis(500)));
    let output = Output::File(studio.path("film.mp4"));
    let (options, never) = (RenderOptions::default(), AtomicBool::new(false));
    let started = Instant::now();
    let error = film.render(&output, &options, &mut |_| {}, &never).expect_err("too long");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let RenderError::OverTime { overlays, .. } = &error else { panic!("{error}") };
    assert!(overlays[0].starts_with("overlays[1] ("), "{overlays:?}");
    let message = error.to_string();
    assert!(message.contains("longer than its limit of 0.5 s. The costliest overlay"), "{message}");
    assert_eq!(studio.files(), ["picture.png"]);
}

#[test]
fn a_still_that_is_not_finished_in_time_fails_and_a_later_one_is_whole() {
    let studio = Studio::new();
    let mut film = studio.film(&expensive(&studio));
    film.set_deadline(Some(Instant::now() + Duration::from_millis(200)));
    let started = Instant::now();
    let error = film.still(3).map(|_| ()).expect_err("too slow");
    assert!(started.elapsed() < Duration::from_millis(1500), "{:?}", started.elapsed());
    assert!(matches!(error, RenderError::OverTime { .. }), "{error}");
    assert!(error.to_string().contains("The costliest overlays: overlays["), "{error}");

    studio.numbered("clip.mp4", "25", 60, "", LONG_GOP);
    let clip = json!({"src": "clip.mp4"});
    let quick = composition([160, 32], 25, 60, &[overlay(1, "video", [0.0, 0.0, 160.0, 32.0], clip)]);
    let mut film = studio.film(&quick);
    film.set_deadline(Some(Instant::now()));
    // It may be painted before the first look at the clock.
    let _ = film.still(50).map(|_| ());
    film.set_deadline(None);
    assert_eq!(still_number(&mut film, 40, 0, 0), 40);
}

#[test]
fn images_with_too_many_pixels_together_fail_the_film_with_the_overlay_and_one_after_the_other_do_not() {
    let studio = Studio::new();
    let file = File::create(studio.path("0.png")).expect("a file");
    let mut encoder = png::Encoder::new(file, 10_000, 10_000);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![0; 10_000 * 1250]).expect("a picture");
    writer.finish().expect("an end");
    (1..300).for_each(|number| {
        std::fs::hard_link(studio.path("0.png"), studio.path(&format!("{number}.png"))).expect("a link");
    });
    let film = |step: u32, fit: &str| {
        let overlays: Vec<Value> = (0..300)
            .map(|number| {
                let times =
                    json!({"src": format!("{number}.png"), "from": number * step, "durationInFrames": 30,
                        "styles": {"objectFit": fit}});
                overlay(number, "image", [0.0, 0.0, 64.0, 64.0], times)
            })
            .collect();
        studio.film(&composition([64, 64], 30, 300 * step.max(1), &overlays))
    };
    let Err(RenderError::Media(problems)) = film(0, "none").still(0).map(|_| ()) else {
        panic!("too many pixels")
    };
    assert_eq!(problems[0].path, "overlays[4].src");
    let reason = &problems[0].reason;
    assert!(
        reason.contains("4.png cannot be shown: images") && reason.contains("400 megapixels"),
        "{reason}"
    );
    assert_eq!(film(60, "none").problems(), []);
    // Images are kept at a few times the size of their box, however large they are.
    assert_eq!(film(0, "cover").problems(), []);
}
