//! Values with units: seconds, percentages, angles and lengths; and values that change over time.

use rondo_css::Easing;
use serde_json::Value;

use crate::fields::{Fields, number_of};
use crate::length::{Base, pixels};
use crate::motion::{Keyframe, MOST_KEYFRAMES};

/// A time in seconds, as in `2`, `"2 s"` or `"500 ms"`. `None` for `auto` and the like.
pub fn seconds_of(value: &Value) -> Option<f64> {
    let Value::String(text) = value else { return number_of(value) };
    let text = text.trim();
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 0.001),
        (_, Some(number)) => (number, 1.0),
        _ => (text, 1.0),
    };
    number
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map(|number| (number * unit).clamp(-1e7, 1e7))
}

/// A time in seconds. `None` where it is found out from the contents.
pub fn seconds(fields: &Fields<'_>, key: &'static str) -> Option<f64> {
    let value = fields.value(key)?;
    let found = seconds_of(value);
    if found.is_none() && !matches!(value.as_str(), Some("auto" | "media" | "end" | "start")) {
        fields.notes.value_ignored(fields.at(key), "This must be a number of seconds. It is ignored.");
    }
    found
}

/// A share from a percentage: `"50%"` and 50 are 0.5.
pub fn share_of(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            let number: f64 = text.trim().trim_end_matches('%').trim().parse().ok()?;
            number.is_finite().then_some(number / 100.0)
        }
        other => number_of(other).map(|number| number / 100.0),
    }
}

pub fn share(fields: &Fields<'_>, key: &'static str) -> Option<f64> {
    let value = steady(fields, key)?;
    share_of(value).or_else(|| {
        fields.notes.value_ignored(fields.at(key), "This must be a percentage. It is ignored.");
        None
    })
}

/// Degrees, as in `45`, `"45°"` or `"45 deg"`.
pub fn degrees_of(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            let text = text.trim().trim_end_matches("deg").trim_end_matches('°');
            text.trim().parse().ok().filter(|number: &f64| number.is_finite())
        }
        other => number_of(other),
    }
}

pub fn degrees(fields: &Fields<'_>, key: &'static str) -> Option<f64> {
    steady(fields, key).and_then(degrees_of)
}

/// A length in pixels.
pub fn length_of(value: &Value, base: Base) -> Option<f64> {
    match value {
        Value::String(text) => pixels(text, base),
        other => number_of(other),
    }
}

pub fn length(fields: &Fields<'_>, key: &'static str, base: Base) -> Option<f64> {
    let value = steady(fields, key)?;
    length_of(value, base).or_else(|| {
        fields.notes.value_ignored(fields.at(key), "This must be a length. It is ignored.");
        None
    })
}

/// A value, or the last of its keyframes, which is reported: only what [`keyframes`] reads may change over time.
pub fn steady<'a>(fields: &Fields<'a>, key: &'static str) -> Option<&'a Value> {
    match fields.value(key)? {
        Value::Array(items) if items.iter().any(|item| item.get("time").is_some()) => {
            let message = "This cannot change over time in a composition. Its last value is used.";
            fields.notes.no_equivalent(fields.at(key), message);
            items.last()?.get("value")
        }
        value => Some(value),
    }
}

/// A text, or the last of its keyframes.
pub fn text(fields: &Fields<'_>, key: &'static str) -> Option<String> {
    match steady(fields, key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The keyframes of a property; `None` where it does not change over time.
pub fn keyframes(
    fields: &Fields<'_>,
    key: &'static str,
    read: impl Fn(&Value) -> Option<f64>,
) -> Option<Vec<Keyframe>> {
    let items = fields.peek(key)?.as_array()?;
    fields.skip(&[key]);
    let keyframes = items.iter().take(MOST_KEYFRAMES).filter_map(|item| {
        let time = item.get("time").and_then(seconds_of)?;
        let easing = item.get("easing").and_then(Value::as_str).and_then(easing);
        Some(Keyframe { time, value: read(item.get("value")?)?, easing })
    });
    let mut keyframes: Vec<Keyframe> = keyframes.collect();
    // Here an easing is how a value is arrived at; a track says how it is left.
    let easings: Vec<Option<Easing>> = keyframes.iter().map(|keyframe| keyframe.easing.clone()).collect();
    for (keyframe, easing) in keyframes.iter_mut().zip(easings.into_iter().skip(1).chain([None])) {
        keyframe.easing = easing;
    }
    (!keyframes.is_empty()).then_some(keyframes)
}

/// An easing such as `quadratic-out` or `cubic-bezier(…)`; `None` for a straight way.
pub fn easing(name: &str) -> Option<Easing> {
    const NAMES: [(&str, &str); 10] = [
        ("quadratic", "Quad"),
        ("cubic", "Cubic"),
        ("quartic", "Quart"),
        ("quintic", "Quint"),
        ("sinusoid", "Sine"),
        ("exponential", "Expo"),
        ("circular", "Circ"),
        ("back", "Back"),
        ("elastic", "Elastic"),
        ("bounce", "Bounce"),
    ];
    let (curve, direction) = name.split_once('-').unwrap_or((name, "in-out"));
    let direction = match direction {
        "in" => "easeIn",
        "out" => "easeOut",
        _ => "easeInOut",
    };
    match crate::fields::named(&NAMES, curve) {
        Some(curve) => Easing::parse(&format!("{direction}{curve}")),
        None if name == "linear" => None,
        None => Easing::parse(name),
    }
}
