//! Numbers measured in Chromium.
#![allow(clippy::unwrap_used, reason = "test data is there")]

mod common;

use common::{engine, style, testdata};
use rondo_text::{Align, FitRequest, Length, LineHeight, TextStyle, WrapMode, auto_size};
use serde_json::Value;

fn vectors(area: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(testdata().join("vectors.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[area].as_array().unwrap().clone()
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

#[test]
fn widths_and_baselines_are_those_of_chromium() {
    let mut engine = engine();
    for case in vectors("textMetrics") {
        let style = TextStyle {
            weight: case["weight"].as_u64().unwrap() as u16,
            italic: case["style"] == "italic",
            ..style(case["family"].as_str().unwrap(), number(&case["size"]))
        };
        let layout = engine.layout("Hamburgefonstiv AVA To 123", &style, None, WrapMode::NoWrap);
        let line = &layout.lines[0];
        let found = (layout.width, line.height, line.painted_baseline(0.0));
        let expected = (number(&case["width"]), number(&case["lineBox"]), number(&case["baseline"]));
        assert!((found.0 - expected.0).abs() <= 0.04, "{case}: width {} != {}", found.0, expected.0);
        assert_eq!((found.1, found.2), (expected.1, expected.2), "{case}");
        let content = layout.metrics.ascent + layout.metrics.descent;
        assert_eq!(content, number(&case["contentHeight"]), "{case}");
    }
}

#[test]
fn omitted_sizes_start_from_the_estimate() {
    for case in vectors("autofit") {
        let styles = &case["styles"];
        let line_height = styles["lineHeight"].as_str().map_or(1.2, |text| text.parse().unwrap());
        let style = TextStyle { line_height: LineHeight::Factor(line_height), ..TextStyle::default() };
        let padding = match styles["padding"].as_str() {
            None => std::array::from_fn(|_| Length::em(0.1)),
            Some("0.5em 1em") => [Length::em(0.5), Length::em(1.0), Length::em(0.5), Length::em(1.0)],
            Some("20px 40px") => [Length::px(20.0), Length::px(40.0), Length::px(20.0), Length::px(40.0)],
            Some(other) => panic!("the test does not know the padding {other}"),
        };
        let request = FitRequest {
            text: case["content"].as_str().unwrap(),
            style: &style,
            width: number(&case["width"]),
            height: number(&case["height"]),
            padding,
            border: [(); 2].map(|()| styles["border"].as_str().map(|_| Length::px(3.0))),
            font_size: None,
            fixed: false,
            scale: styles["fontSizeScale"].as_f64().unwrap_or(1.0) as f32,
        };
        let size = auto_size(&request);
        assert!((size - number(&case["size"])).abs() < 1e-4, "{case}: {size}");
    }
}

fn length(text: &str) -> Length {
    match text.strip_suffix("em") {
        Some(em) => Length::em(em.parse().unwrap()),
        None => Length::px(text.trim_end_matches("px").parse().unwrap()),
    }
}

#[test]
fn fitted_sizes_line_breaks_and_places_are_those_of_chromium() {
    let text = std::fs::read_to_string(testdata().join("text-fit.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut engine = engine();
    for case in cases {
        let get = |name: &str| case["styles"][name].as_str();
        let style = TextStyle {
            weight: get("fontWeight").unwrap().parse().unwrap(),
            italic: get("fontStyle") == Some("italic"),
            letter_spacing: get("letterSpacing").map_or(Length::default(), length),
            line_height: LineHeight::Factor(get("lineHeight").map_or(1.2, |factor| factor.parse().unwrap())),
            align: match get("textAlign") {
                Some("center") => Align::Center,
                Some("right") => Align::Right,
                _ => Align::Left,
            },
            ..style(get("fontFamily").unwrap(), 0.0)
        };
        let padding: Vec<Length> = get("padding").unwrap_or("0.1em").split(' ').map(length).collect();
        let (vertical, horizontal) = (&padding[0], &padding[padding.len() - 1]);
        let border = get("border").map(|_| 3.0);
        let content = case["content"].as_str().unwrap();
        let fit = engine.fit(&FitRequest {
            text: content,
            style: &style,
            width: number(&case["width"]),
            height: number(&case["height"]),
            padding: [vertical, horizontal, vertical, horizontal].map(Length::clone),
            border: [(); 2].map(|()| border.map(Length::px)),
            font_size: get("fontSize").map(|size| size.trim_end_matches("px").parse().unwrap()),
            fixed: case["styles"]["fontSizeFixed"] == true,
            scale: case["styles"]["fontSizeScale"].as_f64().unwrap_or(1.0) as f32,
        });
        assert!((fit.size - number(&case["size"])).abs() < 1e-3, "{case}: size {}", fit.size);
        let around = |padding: &Length| 2.0 * (padding.at(fit.size) + border.unwrap_or(0.0));
        let (width, height) = (fit.layout.width + around(horizontal), fit.layout.height + around(vertical));
        assert!((width - number(&case["blockWidth"])).abs() < 0.08, "{case}: width {width}");
        assert!((height - number(&case["blockHeight"])).abs() < 0.08, "{case}: height {height}");

        let slack = match style.align {
            Align::Left => 0.0,
            Align::Center => (number(&case["width"]) - width) / 2.0,
            Align::Right => number(&case["width"]) - width,
        };
        let edge = slack + around(horizontal) / 2.0;
        let lines = case["lines"].as_array().unwrap();
        assert_eq!(fit.layout.lines.len(), lines.len(), "{case}");
        for (line, expected) in fit.layout.lines.iter().zip(lines) {
            assert_eq!(content[line.text_range.clone()].trim(), expected["text"], "{case}");
            assert!((edge + line.left - number(&expected["left"])).abs() < 0.08, "{case}: {line:?}");
        }
    }
}
