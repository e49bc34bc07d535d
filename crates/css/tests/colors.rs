//! Colours against what Chromium paints, and OKLCH mixes against the shared vectors.

use rondo_css::{Color, ColorValue, Context};

#[rustfmt::skip]
const CHROMIUM: &[(&str, [u8; 4])] = &[
    ("rebeccapurple", [102, 51, 153, 255]),
    ("#f80", [255, 136, 0, 255]),
    ("#f808", [255, 137, 0, 136]),
    ("#ff880080", [255, 135, 0, 128]),
    ("rgb(255,136,0)", [255, 136, 0, 255]),
    ("rgba(255,136,0,.5)", [255, 135, 0, 128]),
    ("rgb(100% 50% 0% / 25%)", [255, 128, 0, 64]),
    ("rgb(300 -20 128.4)", [255, 0, 128, 255]),
    ("hsl(30,100%,50%)", [255, 128, 0, 255]),
    ("hsl(0.5turn 40% 60% / .5)", [112, 193, 193, 128]),
    ("hsl(210 80 40)", [20, 102, 184, 255]),
    ("hwb(90 10% 20%)", [115, 204, 26, 255]),
    ("hwb(90 60% 70%)", [118, 118, 118, 255]),
    ("lab(52.2345% 40.1645 59.9971)", [198, 93, 6, 255]),
    ("lab(29% 39 -50 / .5)", [92, 42, 147, 128]),
    ("lch(52.2345% 72.2 56.2)", [198, 93, 6, 255]),
    ("oklab(59.686% 0.1009 0.1192)", [198, 93, 7, 255]),
    ("oklch(0.7 0.15 200)", [0, 185, 195, 255]),
    ("oklch(70% 0.4 140)", [0, 205, 0, 255]),
    ("oklch(60% none 30)", [128, 128, 128, 255]),
    ("color(srgb 1 0.5 0)", [255, 128, 0, 255]),
    ("color(srgb-linear .5 .2 .1)", [188, 124, 89, 255]),
    ("color(display-p3 0 1 0)", [0, 255, 0, 255]),
    ("color(display-p3 .6 .4 .2 / .5)", [161, 100, 38, 128]),
    ("color(a98-rgb .5 .4 .3)", [137, 102, 74, 255]),
    ("color(prophoto-rgb .4 .5 .6)", [69, 151, 173, 255]),
    ("color(rec2020 .4 .5 .3)", [100, 142, 84, 255]),
    ("color(xyz .3 .3 .3)", [162, 145, 143, 255]),
    ("color(xyz-d50 .3 .3 .3)", [151, 147, 165, 255]),
    ("color-mix(in oklab, red, blue)", [140, 83, 162, 255]),
    ("color-mix(in oklch, #ff0, #00f 25%)", [25, 242, 104, 255]),
    ("color-mix(in oklch longer hue, red, lime)", [89, 153, 255, 255]),
    ("color-mix(in srgb, red 20%, blue 20%)", [128, 0, 128, 102]),
    ("color-mix(in hsl, white 30%, blue)", [103, 103, 228, 255]),
    ("color-mix(in lab, rgb(255 0 0 / .2), blue)", [122, 0, 215, 153]),
    ("color-mix(in hwb, red, yellow)", [255, 128, 0, 255]),
    ("color-mix(in srgb-linear, white, black)", [188, 188, 188, 255]),
    ("color-mix(in xyz, tomato 30%, teal)", [149, 120, 115, 255]),
    ("lab(none 40 50)", [59, 0, 0, 255]),
    ("rgb(none 100 200)", [0, 100, 200, 255]),
    ("hsl(calc(10deg * 12) 50% 50%)", [64, 191, 64, 255]),
];

#[test]
fn every_syntax_paints_the_colour_of_chromium() {
    let mut wrong = Vec::new();
    for (value, expected) in CHROMIUM {
        let got = Color::parse(value).unwrap().rgba8();
        if got.iter().zip(expected).any(|(a, b)| a.abs_diff(*b) > 1) {
            wrong.push(format!("{value}: {got:?}, Chromium {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_come_in_any_case() {
    assert_eq!(Color::parse(" Tomato ").unwrap().rgba8(), [255, 99, 71, 255]);
    assert_eq!(Color::parse("TRANSPARENT").unwrap(), Color::TRANSPARENT);
    assert!(Color::parse("#000").unwrap().is_opaque());
}

#[test]
fn currentcolor_is_that_of_the_context_also_inside_a_mix() {
    let context = Context { current_color: Color::WHITE, ..Context::new(kurbo::Size::ZERO) };
    assert_eq!(ColorValue::parse("currentColor").unwrap().resolve(&context), Color::WHITE);
    let mixed = ColorValue::parse("color-mix(in srgb, currentcolor, black)").unwrap().resolve(&context);
    assert_eq!(mixed.rgba8(), [128, 128, 128, 255]);
}

#[test]
fn what_a_browser_refuses_is_refused() {
    for value in [
        "",
        "red red",
        "#12345",
        "#ggg",
        "rgb(1,2)",
        "rgb(1 2 3 4)",
        "rgb(10%,2,3)",
        "rgb(none,1,2)",
        "rgb(1 2 3 .5)",
        "rgb(1, 2 3)",
        "rgba(0,0,0,)",
        "rgb(1e99 0 0)",
        "hsl(10,20,30)",
        "hsl(10% 20% 30%)",
        "hwb(90, 10%, 20%)",
        "lab(1,2,3)",
        "color(foo 1 2 3)",
        "color(srgb 1 2)",
        "color(oklch 1 1 1)",
        "color-mix(in srgb longer hue, red, blue)",
        "color-mix(in srgb, red 120%, blue)",
        "nocolor",
        "url(a)",
    ] {
        assert!(Color::parse(value).is_err(), "{value} was accepted");
    }
    let nested = format!("{}red{}", "color-mix(in srgb, blue, ".repeat(2000), ")".repeat(2000));
    assert!(Color::parse(&nested).is_err());
}

#[test]
fn errors_name_the_value_and_the_way_out() {
    let error = Color::parse("#12345").unwrap_err();
    let expected = "\"#12345\" is not a valid colour: expected 3, 4, 6 or 8 hexadecimal digits after #.";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn oklch_mixes_match_the_vectors() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../testdata/vectors.json")).unwrap();
    for case in vectors["oklch"].as_array().unwrap() {
        let color = |key: &str| Color::parse(case[key].as_str().unwrap()).unwrap();
        let mixed = color("a").mix_oklch(color("b"), case["t"].as_f64().unwrap());
        let text = case["mix"].as_str().unwrap();
        let numbers = text.trim_start_matches("rgba(").trim_end_matches(')').split(',');
        let expected: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        for (got, expected) in [mixed.r, mixed.g, mixed.b].into_iter().zip(&expected) {
            assert!((f64::from(got) * 255.0 - expected).abs() < 0.0015, "{case}: {mixed:?}");
        }
        assert_eq!(f64::from(mixed.a), expected[3]);
    }
}

#[test]
fn oklch_leads_back_to_the_same_colour() {
    for value in ["#264653", "#ffffff", "#e9c46a", "#0000ff"] {
        let color = Color::parse(value).unwrap();
        assert_eq!(Color::from_oklch(color.to_oklch(), 1.0).rgba8(), color.rgba8());
    }
}
