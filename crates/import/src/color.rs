//! Colours as other formats write them, as CSS colours.

use rondo_css::Color;

/// A CSS colour; `None` where the text is none.
pub fn css(text: &str) -> Option<String> {
    let text = text.trim();
    Color::parse(text).ok().map(|_| text.to_owned())
}

/// A CSS colour with an opacity from 0 to 1 on it.
pub fn faded(text: &str, opacity: f64) -> Option<String> {
    let color = Color::parse(text.trim()).ok()?;
    if opacity >= 1.0 {
        return css(text);
    }
    let [red, green, blue, alpha] = color.rgba8();
    let alpha = f64::from(alpha) / 255.0 * opacity.clamp(0.0, 1.0);
    Some(format!("rgba({red}, {green}, {blue}, {})", (alpha * 1000.0).round() / 1000.0))
}

/// A hexadecimal colour whose opacity comes first, as in `#80ffffff`.
pub fn opacity_first(text: &str) -> Option<String> {
    match text.trim().strip_prefix('#') {
        Some(hex) if hex.len() == 8 && hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            css(&format!("#{}{}", &hex[2..], &hex[..2]))
        }
        _ => css(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{css, faded, opacity_first};

    #[test]
    fn colours_keep_their_opacity() {
        assert_eq!(opacity_first("#80ffffff").as_deref(), Some("#ffffff80"));
        assert_eq!(opacity_first("#123456").as_deref(), Some("#123456"));
        assert_eq!(faded("#ff0000", 0.5).as_deref(), Some("rgba(255, 0, 0, 0.5)"));
        assert_eq!(faded("#ff0000", 1.0).as_deref(), Some("#ff0000"));
        assert_eq!(css("nonsense"), None);
    }
}
