//! How many characters a text box of fixed font size holds, estimated from average character width.

use crate::overlay::{Capacity, TextStyles};

impl TextStyles {
    /// `None` for text that is fitted to its box: it has no fixed capacity.
    pub(crate) fn capacity(&self, width: f64, height: f64) -> Option<Capacity> {
        let size = self.font_size.as_deref().filter(|_| self.font_size_fixed).and_then(pixels)?;
        let border = if self.border.is_some() { 4.0 } else { 0.0 };
        let (down, across) = padding(self.padding.as_deref(), 16.0);
        let (exact_down, exact_across) = padding(self.padding.as_deref(), size);
        // Padding that leaves no room is ignored.
        let available = |length: f64, padding: f64, exact: f64| {
            let padding = if exact + border >= length { 0.0 } else { padding };
            (length - padding - border).max(20.0)
        };
        let available_width = available(width, across, exact_across);
        let available_height = available(height, down, exact_down);
        let line = self.line_height.as_deref().map_or(1.2 * size, |value| line_height(value, size));
        let spacing = self.letter_spacing.as_deref().and_then(|value| length(value, size)).unwrap_or(0.0);
        let advance = (0.5 * size + spacing).max(0.05 * size);
        // Casts saturate, and boxes and sizes are bounded.
        let lines_available = (available_height / line).floor().max(1.0) as u32;
        let per_line = (available_width / advance).floor() as u32;
        Some(Capacity { max_characters: lines_available.saturating_mul(per_line), lines_available })
    }
}

/// A font size: px or a plain number, above zero.
fn pixels(value: &str) -> Option<f64> {
    let value = value.trim();
    let number = value.strip_suffix("px").unwrap_or(value).trim_end();
    finite(number).filter(|size| *size > 0.0)
}

fn finite(number: &str) -> Option<f64> {
    number.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A length in px, em of the font size, or a plain number.
fn length(value: &str, em: f64) -> Option<f64> {
    let value = value.trim();
    if let Some(rems) = value.strip_suffix("rem") {
        return finite(rems.trim_end()).map(|rems| rems * 16.0);
    }
    if let Some(ems) = value.strip_suffix("em") {
        return finite(ems.trim_end()).map(|ems| ems * em);
    }
    finite(value.strip_suffix("px").unwrap_or(value).trim_end())
}

fn line_height(value: &str, size: f64) -> f64 {
    let value = value.trim();
    let line = if let Some(percent) = value.strip_suffix('%') {
        finite(percent).map(|percent| percent / 100.0 * size)
    } else if value.ends_with("px") || value.ends_with("em") {
        length(value, size)
    } else {
        finite(value).map(|factor| factor * size)
    };
    line.filter(|line| *line > 0.0).unwrap_or(1.2 * size)
}

/// Padding of top and bottom together, and of left and right together. The default is 0.1em.
fn padding(value: Option<&str>, em: f64) -> (f64, f64) {
    let sides: Vec<f64> =
        value.unwrap_or("0.1em").split_whitespace().filter_map(|side| length(side, em)).collect();
    match sides[..] {
        [all] => (2.0 * all, 2.0 * all),
        [vertical, horizontal] => (2.0 * vertical, 2.0 * horizontal),
        [top, horizontal, bottom] => (top + bottom, 2.0 * horizontal),
        [top, right, bottom, left] => (top + bottom, left + right),
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(font_size: &str) -> TextStyles {
        TextStyles { font_size: Some(font_size.to_owned()), font_size_fixed: true, ..Default::default() }
    }

    #[test]
    fn fixed_text_holds_lines_times_characters_per_line() {
        let styles = TextStyles { padding: Some("0".to_owned()), ..fixed("40px") };
        let held = styles.capacity(400.0, 100.0);
        assert_eq!(held, Some(Capacity { max_characters: 40, lines_available: 2 }));
    }

    #[test]
    fn spacing_padding_and_line_height_take_room() {
        let styles = TextStyles {
            padding: Some("10px 20px".to_owned()),
            letter_spacing: Some("0.1em".to_owned()),
            line_height: Some("2".to_owned()),
            ..fixed("20")
        };
        // (240 − 40) / (10 + 2) = 16 characters on floor((100 − 20) / 40) = 2 lines.
        assert_eq!(styles.capacity(240.0, 100.0), Some(Capacity { max_characters: 32, lines_available: 2 }));
    }

    #[test]
    fn padding_that_leaves_no_room_is_ignored() {
        let styles = TextStyles { padding: Some("60px 10px".to_owned()), ..fixed("20px") };
        // 100 px high without padding, and 200 − 20 px wide.
        assert_eq!(styles.capacity(200.0, 100.0), Some(Capacity { max_characters: 72, lines_available: 4 }));
    }

    #[test]
    fn fitted_text_and_sizes_in_other_units_have_no_capacity() {
        assert_eq!(TextStyles { font_size_fixed: false, ..fixed("40px") }.capacity(400.0, 100.0), None);
        assert_eq!(fixed("3rem").capacity(400.0, 100.0), None);
    }
}
