//! Lengths with units, as in `50%`, `5 vmin` and `12px`.

/// What relative lengths refer to, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Base {
    /// The canvas.
    pub width: f64,
    pub height: f64,
    /// What percentages refer to.
    pub whole: f64,
    /// What `em` refers to.
    pub em: f64,
}

/// A length in pixels. A plain number is in pixels; `None` where the text is no length, or a sum of lengths that is
/// none.
pub fn pixels(text: &str, base: Base) -> Option<f64> {
    // Lengths may be added up, as in `50% + 20 px`.
    let mut total = 0.0;
    let mut sign = 1.0;
    let mut any = false;
    let spaced = text.replace(" + ", "\u{1}+").replace(" - ", "\u{1}-");
    for part in spaced.split('\u{1}').take(16) {
        let part = match part.strip_prefix('+') {
            Some(part) if any => part,
            _ => match part.strip_prefix('-') {
                Some(rest) if any => {
                    sign = -1.0;
                    rest
                }
                _ => part,
            },
        };
        total += sign * single(part.trim(), base)?;
        sign = 1.0;
        any = true;
    }
    (any && total.is_finite()).then(|| total.clamp(-1e6, 1e6))
}

fn single(text: &str, base: Base) -> Option<f64> {
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(text.len());
    let number: f64 = text[..end].trim().parse().ok()?;
    let (width, height) = (base.width, base.height);
    let unit = match &*text[end..].trim().to_ascii_lowercase() {
        "" | "px" => 1.0,
        "%" => base.whole / 100.0,
        "vw" => width / 100.0,
        "vh" => height / 100.0,
        "vmin" => width.min(height) / 100.0,
        "vmax" => width.max(height) / 100.0,
        "em" => base.em,
        "rem" => 16.0,
        "pt" => 4.0 / 3.0,
        _ => return None,
    };
    number.is_finite().then_some(number * unit)
}

#[cfg(test)]
mod tests {
    use super::{Base, pixels};

    #[test]
    fn every_unit_becomes_pixels() {
        let base = Base { width: 1920.0, height: 1080.0, whole: 200.0, em: 40.0 };
        let rows = [
            ("12", Some(12.0)),
            ("12px", Some(12.0)),
            ("50%", Some(100.0)),
            ("5 vmin", Some(54.0)),
            ("10vw", Some(192.0)),
            ("1 vh", Some(10.8)),
            ("2em", Some(80.0)),
            ("50% + 20 px", Some(120.0)),
            ("50% - 2 vmin", Some(100.0 - 21.6)),
            ("-5%", Some(-10.0)),
            ("wide", None),
            ("", None),
            ("5 furlongs", None),
        ];
        for (text, expected) in rows {
            let got = pixels(text, base);
            assert_eq!(
                got.map(|v| (v * 100.0).round()),
                expected.map(|v: f64| (v * 100.0).round()),
                "{text}"
            );
        }
    }
}
