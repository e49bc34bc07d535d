//! Easing curves against the shared vectors.

use rondo_css::{EASINGS, Easing};

fn at(name: &str, t: f64) -> f64 {
    Easing::parse(name).unwrap_or_default().at(t)
}

#[test]
fn curves_match_the_vectors() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../testdata/vectors.json")).unwrap();
    for case in vectors["easing"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        for sample in case["at"].as_array().unwrap() {
            let (t, expected) = (sample[0].as_f64().unwrap(), sample[1].as_f64().unwrap());
            let got = at(name, t);
            assert!((got - expected).abs() < 1e-6, "{name} at {t} gave {got}, expected {expected}");
        }
    }
}

#[test]
fn every_name_of_the_registry_runs_from_0_to_1() {
    for entry in EASINGS.iter().filter(|entry| entry.name != "step-start") {
        let easing = Easing::parse(entry.name).unwrap();
        assert!(easing.at(0.0).abs() < 1e-3 && (easing.at(1.0) - 1.0).abs() < 1e-9, "{}", entry.name);
        assert_eq!(easing.at(-1.0), easing.at(0.0), "{}", entry.name);
        assert_eq!(easing.at(2.0), easing.at(1.0), "{}", entry.name);
    }
}

#[test]
fn case_and_dashes_do_not_matter_except_for_the_css_keywords() {
    for name in ["easeInOutCubic", "ease-in-out-cubic", "EASE_IN_OUT_CUBIC", " easeinoutcubic "] {
        assert_eq!(Easing::parse(name), Easing::parse("easeInOutCubic"), "{name}");
    }
    assert_eq!(Easing::parse("EASE-IN"), Easing::parse("ease-in"));
    assert_ne!(Easing::parse("ease-in"), Easing::parse("easeIn"));
    assert_eq!(at("easeIn", 0.5), 0.25);
}

#[test]
fn steps_jump_where_css_says() {
    assert_eq!(at("steps(4, jump-start)", 0.3), 0.5);
    assert_eq!(at("steps(4, end)", 0.3), 0.25);
    assert_eq!(at("steps(3, jump-none)", 0.5), 0.5);
    assert_eq!(at("steps(3, jump-both)", 0.0), 0.25);
}

#[test]
fn linear_fills_in_missing_inputs() {
    assert!((at("linear(0, 0.25, 1)", 0.25) - 0.125).abs() < 1e-6);
    assert!((at("linear(0, 0.5 20% 80%, 1)", 0.6) - 0.5).abs() < 1e-6);
    assert!((at("linear(0, 1 50%, 0.5, 0)", 0.75) - 0.5).abs() < 1e-6);
}

#[test]
fn wrappers_run_a_curve_from_its_end() {
    for t in [0.1, 0.35, 0.5, 0.8] {
        assert!((at("out(cubic)", t) - at("easeOutCubic", t)).abs() < 1e-9);
        assert!((at("inOut(quad)", t) - at("easeInOutQuad", t)).abs() < 1e-9);
        assert!((at("in(back(1.70158))", t) - at("easeInBack", t)).abs() < 1e-6);
    }
}

#[test]
fn unknown_names_and_bad_parameters_are_none() {
    for value in [
        "",
        "nonsense",
        "cubic-bezier(2,0,0,1)",
        "cubic-bezier(0,0,1)",
        "steps(0)",
        "steps(2.5)",
        "steps(1, jump-none)",
        "spring(0,1,1)",
        "linear(0)",
        "linear()",
        "out(nothing)",
    ] {
        assert_eq!(Easing::parse(value), None, "{value}");
    }
}
