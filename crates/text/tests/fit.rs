//! Shrinking text into its box.

mod common;

use common::{engine, style};
use rondo_text::{Fit, FitRequest, Length, TextStyle};

fn fit(text: &str, width: f32, height: f32, font_size: Option<f32>, fixed: bool) -> Fit {
    let style = style("Inter", 0.0);
    engine().fit(&FitRequest {
        text,
        style: &style,
        width,
        height,
        padding: std::array::from_fn(|_| Length::em(0.1)),
        border: [None, None],
        font_size,
        fixed,
        scale: 1.0,
    })
}

#[test]
fn a_size_that_fits_is_kept_exactly() {
    let fit = fit("Hello", 600.0, 200.0, Some(47.3), false);
    assert_eq!((fit.size, fit.overflow), (47.3, false));
}

#[test]
fn a_size_too_large_shrinks_in_quarters_to_the_largest_that_fits() {
    let text = "Several words that need more than one line";
    let found = fit(text, 300.0, 100.0, Some(60.0), false);
    assert_eq!(found.size % 0.25, 0.0);
    assert!(!found.overflow);
    assert!(found.layout.height + 0.2 * found.size <= 100.0);
    assert!(fit(text, 300.0, 100.0, Some(found.size + 0.25), true).overflow);
}

#[test]
fn words_stay_whole_as_long_as_half_the_size_keeps_them_so() {
    let whole = fit("extraordinarily", 200.0, 400.0, Some(40.0), false);
    assert_eq!(whole.layout.lines.len(), 1);
    assert!(whole.size < 40.0 && whole.size > 20.0);
    let broken = fit("extraordinarily", 80.0, 400.0, Some(40.0), false);
    assert_eq!(broken.size, 40.0);
    assert!(broken.layout.lines.len() > 1);
}

#[test]
fn a_fixed_size_stays_and_tells_of_its_overflow() {
    let fixed = fit("Hello there", 100.0, 50.0, Some(80.0), true);
    assert_eq!((fixed.size, fixed.overflow), (80.0, true));
}

#[test]
fn a_very_long_text_is_fitted_quickly() {
    let text = "Lorem ipsum dolor sit amet ".repeat(20_000 / 27);
    let before = std::time::Instant::now();
    let found = fit(&text, 1000.0, 800.0, None, false);
    assert!(!found.overflow);
    // Generous: this runs unoptimised beside other tests.
    assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
}

#[test]
fn letter_spacing_in_ems_shrinks_with_the_text() {
    let spaced = TextStyle { letter_spacing: Length::em(1.0), ..style("Inter", 0.0) };
    let request = |style| {
        engine()
            .fit(&FitRequest {
                text: "SPACED",
                style,
                width: 300.0,
                height: 300.0,
                padding: std::array::from_fn(|_| Length::default()),
                border: [None, None],
                font_size: Some(40.0),
                fixed: false,
                scale: 1.0,
            })
            .size
    };
    let size = request(&spaced);
    assert!(size < 40.0 && size > 20.0, "{size}");
}
