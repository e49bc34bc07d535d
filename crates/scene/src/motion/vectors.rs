//! The published numbers, checked against every function of this folder.

use kurbo::{Point, Rect, Size};
use rondo_css::{Context, Easing, Gradient, ResolvedKind, Transform};
use serde_json::Value;

use super::{during, gradients, keyframes, layout3d, presets, ramps, random, stagger, typewriter};
use crate::Homography;
use crate::nearest::letters;

fn vectors(name: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../../../testdata/vectors.json")).unwrap();
    all[name].clone()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn css_transform(css: &str, size: Size, origin: Point) -> Homography {
    let transform = if css.is_empty() { Transform::default() } else { Transform::parse(css).unwrap() };
    Homography(transform.matrix(size.width, size.height, &Context::new(size)).homography(origin))
}

#[track_caller]
fn assert_close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() <= 1e-5 * want.abs().max(1.0), "{what}: {got} instead of {want}");
}

#[track_caller]
fn assert_same_map(got: Homography, css: &str, size: Size, origin: Point, what: &str) {
    let want = css_transform(css, size, origin);
    got.0.iter().zip(want.0).for_each(|(&g, w)| assert_close(g, w, &format!("{what} as {css}")));
}

#[test]
fn random_numbers_match_bit_for_bit() {
    for v in list(&vectors("random")) {
        let seed = &v["seed"];
        let got =
            seed.as_str().map_or_else(|| random::from_number(seed.as_f64().unwrap()), random::from_text);
        let bits = |x: f64| (x * 4_294_967_296.0).round();
        assert_eq!(bits(got), bits(v["value"].as_f64().unwrap()), "{seed}");
    }
}

#[test]
fn keyframes_ease_inside_each_segment() {
    for v in list(&vectors("keyframes")) {
        let values: Vec<f64> = list(&v["values"]).iter().filter_map(Value::as_f64).collect();
        let easing = Easing::parse(v["easing"].as_str().unwrap()).unwrap();
        for at in list(&v["at"]) {
            let got = keyframes::value_at(&values, at[0].as_f64().unwrap(), &easing).unwrap();
            assert_close(got, at[1].as_f64().unwrap(), &v.to_string());
        }
    }
}

#[test]
fn children_start_in_the_published_order() {
    for v in list(&vectors("stagger")) {
        let direction = stagger::Direction::named(v["direction"].as_str().unwrap());
        for (key, n) in [("n4", 4), ("n5", 5), ("n16", 16)] {
            let want: Vec<usize> = list(&v[key]).iter().map(|i| i.as_u64().unwrap() as usize).collect();
            assert_eq!(direction.order(n), want, "{direction:?}");
        }
    }
}

/// `inset(0 75% 0 0)` of a box.
fn inset(css: &str, size: Size) -> Rect {
    let sides: Vec<f64> = css[6..css.len() - 1]
        .split(' ')
        .map(|side| side.trim_end_matches('%').parse::<f64>().unwrap() / 100.0)
        .collect();
    let Size { width, height } = size;
    Rect::new(sides[3] * width, sides[0] * height, (1.0 - sides[1]) * width, (1.0 - sides[2]) * height)
}

#[test]
fn every_preset_moves_as_published() {
    let size = Size::new(12.0, 10.0);
    // A frame at which the glitch does not jump.
    let on = presets::Subject { size, id: 1.into(), frame: 1, duration: 60 };
    let published = vectors("presets");
    let published = published.as_object().unwrap();
    for name in presets::names().filter(|&n| n != "typing") {
        assert!(published.contains_key(&letters(name).collect::<String>()), "{name} is not published");
    }
    for (name, sides) in published {
        let preset = presets::find(name).known().unwrap();
        for side in ["enter", "exit"] {
            for (t, want) in [0.25, 0.5, 0.9].into_iter().zip(list(&sides[side])) {
                let what = format!("{side} {name} at {t}");
                let stage = if side == "enter" { preset.enter(t, &on) } else { preset.exit(t, &on) }.unwrap();
                let origin = want["origin"].as_str().unwrap_or("50% 50%").replace('%', "");
                let origin: Vec<f64> = origin.split(' ').map(|p| p.parse::<f64>().unwrap() / 100.0).collect();
                let origin = Point::new(origin[0] * size.width, origin[1] * size.height);
                assert_same_map(stage.transform, want["transform"].as_str().unwrap(), size, origin, &what);
                assert_close(stage.opacity, want["opacity"].as_f64().unwrap_or(1.0), &what);
                assert_close(stage.blur, want["blur"].as_f64().unwrap_or(0.0), &what);
                match (stage.clip, want["clip"].as_str()) {
                    (Some(got), Some(css)) => {
                        let want = inset(css, size);
                        let gap = [got.x0 - want.x0, got.y0 - want.y0, got.x1 - want.x1, got.y1 - want.y1];
                        gap.into_iter().for_each(|g| assert_close(g, 0.0, &what));
                    }
                    (got, want) => assert_eq!(got.is_some(), want.is_some(), "{what}"),
                }
            }
        }
    }
}

#[test]
fn a_glitch_jumps_on_third_and_fourth_frames_only() {
    let size = Size::new(200.0, 100.0);
    let preset = presets::find("glitch").known().unwrap();
    let shift = |frame| {
        let on = presets::Subject { size, id: 7.into(), frame, duration: 60 };
        let stage = preset.enter(0.5, &on).unwrap();
        let p = stage.transform.apply(Point::new(100.0, 50.0)).unwrap();
        (p.x - 100.0, p.y - 50.0)
    };
    assert_eq!(shift(5), (0.0, 0.0));
    let (x, y) = shift(12);
    assert_close(x, (random::from_text("glitch-x-7-12") * 10.0 - 5.0) * 0.5, "x");
    assert_close(y, (random::from_text("glitch-y-7-12") * 8.0 - 4.0) * 0.5, "y");
    assert!(shift(9).0 != 0.0 && shift(9).1 == 0.0);
}

#[test]
fn during_presets_move_as_published() {
    for v in list(&vectors("during")) {
        let number = |key: &str| v[key].as_f64().unwrap();
        let name = v["preset"].as_str().unwrap();
        let size = Size::new(v["box"][0].as_f64().unwrap(), v["box"][1].as_f64().unwrap());
        let center = size.to_rect().center();
        for (kind, media) in [("image", true), ("text", false)] {
            let on = during::Subject {
                size,
                center,
                media,
                duration: number("D") as u32,
                fps: number("fps"),
                speed: number("speed"),
                intensity: number("intensity"),
            };
            let got = during::find(name).known().unwrap().at(number("f") as u32, &on);
            assert_same_map(got.transform, v[kind]["transform"].as_str().unwrap(), size, center, name);
            let opacity = v[kind]["opacity"].as_str().map_or(1.0, |o| o.parse().unwrap());
            assert_close(got.opacity, opacity, name);
        }
    }
}

#[test]
fn ramps_are_as_long_as_published() {
    for v in list(&vectors("ramps")) {
        let side = |preset: &str, seconds: &str| ramps::Side {
            preset: v["animation"][preset].is_string(),
            seconds: v["animation"][seconds].as_f64(),
        };
        let (enter, exit) = (side("enter", "enterDuration"), side("exit", "exitDuration"));
        let got = ramps::Ramps::new(enter, exit, v["D"].as_u64().unwrap() as u32, 30.0);
        let frame = v["f"].as_u64().unwrap() as u32;
        assert_close(got.enter, v["E"].as_f64().unwrap(), "E");
        assert_close(got.entered(frame), v["u"].as_f64().unwrap(), "u");
        assert_close(got.left(frame), v["v"].as_f64().unwrap(), "v");
    }
}

#[test]
fn poses_and_their_settling_match() {
    let size = Size::new(400.0, 300.0);
    for v in list(&vectors("layout3D")) {
        let name = v["layout"].as_str().unwrap();
        for (entered, key) in [(0.0, "pose"), (0.4, "settleAt04")] {
            let got = layout3d::layout(name, entered, size).unwrap();
            assert_same_map(got, v[key].as_str().unwrap(), size, size.to_rect().center(), name);
        }
    }
}

#[test]
fn typewriters_follow_the_published_timeline() {
    for v in list(&vectors("typewriter")) {
        let text: Vec<&str> = list(&v["strings"]).iter().filter_map(Value::as_str).collect();
        let text = text.join("\n");
        let strings = typewriter::strings(&text, v["cfg"]["deleteBeforeNext"].as_bool());
        let given = |key: &str, or: f64| v["cfg"][key].as_f64().unwrap_or(or);
        let habits = typewriter::Habits::default();
        let timeline = typewriter::Timeline::new(
            &strings,
            typewriter::Habits {
                type_speed: given("typeSpeed", habits.type_speed),
                pause_after_type: given("pauseAfterType", habits.pause_after_type),
                pause_after_delete: given("pauseAfterDelete", habits.pause_after_delete),
                error_rate: given("errorRate", habits.error_rate),
                repeat: v["cfg"]["loop"].as_bool().unwrap_or(false),
                ..habits
            },
        );
        let shown = |frame: u32| {
            let page = timeline.at(frame).0;
            strings[page.string].chars().take(page.characters).chain(page.wrong).collect::<String>()
        };
        let states = list(&v["states"]);
        for (i, state) in states.iter().enumerate() {
            let frame = state[0].as_u64().unwrap();
            let replaced = states.get(i + 1).is_some_and(|next| next[0] == state[0]);
            assert!(replaced || shown(frame as u32) == state[1].as_str().unwrap(), "{state} of {strings:?}");
        }
        if v["cfg"]["loop"] == true {
            let total = v["total"].as_u64().unwrap() as u32;
            assert_eq!(shown(total + 10), shown(10), "{strings:?} starts again after {total} frames");
        }
    }
}

#[test]
fn gradients_turn_into_one_another_as_published() {
    let context = Context::new(Size::new(100.0, 100.0));
    let gradient = |v: &Value| Gradient::parse(v.as_str().unwrap()).unwrap();
    for v in list(&vectors("gradient")) {
        let easing = v["easing"].as_str().and_then(Easing::parse).unwrap_or_default();
        let steps = list(&v["gradients"]).iter().map(gradient).collect();
        let transition = gradients::Transition::new(steps, v["duration"].as_f64().unwrap(), easing).unwrap();
        let shade = transition.at(v["f"].as_u64().unwrap() as u32, &context);
        let gradients::Shade::One(got) = shade else { panic!("{v} fades") };
        let (got, want) = [got, gradient(&v["css"])].map(|g| g.resolve(100.0, 80.0, &context)).into();
        let (ResolvedKind::Linear { start, .. }, ResolvedKind::Linear { start: wanted, .. }) =
            (got.kind, want.kind)
        else {
            panic!("{v}")
        };
        assert!(start.distance(wanted) < 1e-3, "{v}: {start} instead of {wanted}");
        assert_eq!(got.stops.len(), want.stops.len());
        for (got, want) in got.stops.iter().zip(&want.stops) {
            assert_close(got.offset.into(), want.offset.into(), "offset");
            let (got, want) = (got.color, want.color);
            for (g, w) in [(got.r, want.r), (got.g, want.g), (got.b, want.b)] {
                assert!((g - w).abs() < 0.003, "{v}: {got:?} instead of {want:?}");
            }
        }
    }
}
