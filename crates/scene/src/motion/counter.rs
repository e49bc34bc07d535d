//! Numbers that count from one value to another.

use rondo_css::Easing;

use super::lerp;

/// A counter with its defaults filled in.
#[derive(Clone, Debug)]
pub struct Counter {
    pub from: f64,
    pub to: f64,
    /// Digits after the point, at most 20.
    pub decimals: usize,
    /// In frames.
    pub duration: f64,
    pub delay: f64,
    pub easing: Easing,
    pub prefix: String,
    pub postfix: String,
    /// Between groups of three digits; usually empty.
    pub separator: String,
}

impl Counter {
    /// The text shown at a frame.
    pub fn at(&self, frame: u32) -> String {
        let p = ((f64::from(frame) - self.delay).max(0.0) / self.duration.max(1e-9)).clamp(0.0, 1.0);
        self.format(lerp(self.from, self.to, self.easing.at(p)))
    }

    /// The text whose room is kept all the time: the longer of the two ends, the last one if they are equally long.
    pub fn widest(&self) -> String {
        let (from, to) = (self.format(self.from), self.format(self.to));
        if to.chars().count() >= from.chars().count() { to } else { from }
    }

    fn format(&self, value: f64) -> String {
        let digits = fixed(value, self.decimals.min(20));
        format!("{}{}{}", self.prefix, grouped(&digits, &self.separator), self.postfix)
    }
}

/// The end value written in a text: its first number, thousands commas ignored.
pub fn number_in(text: &str) -> Option<f64> {
    let chars: Vec<char> = text.chars().collect();
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let first = (0..chars.len()).find(|&i| digit(i))?;
    let mut number = String::from(if first > 0 && chars[first - 1] == '-' { "-" } else { "" });
    let mut i = first;
    let mut point = false;
    loop {
        let thousands = chars.get(i) == Some(&',') && (1..4).all(|k| digit(i + k));
        if digit(i) {
            number.push(chars[i]);
        } else if chars.get(i) == Some(&'.') && !point && digit(i + 1) {
            point = true;
            number.push('.');
        } else if !thousands {
            break;
        }
        i += 1;
    }
    number.parse().ok()
}

/// A number with this many decimals, halves away from zero; zero has no sign.
fn fixed(value: f64, decimals: usize) -> String {
    let size = value.abs();
    let exact = format!("{size:.*}", decimals + 60);
    let tail = &exact[exact.len() - 60..];
    // The formatter rounds exact halves to even; the next larger number is past the half.
    let half = tail.starts_with('5') && tail[1..].bytes().all(|b| b == b'0');
    let digits = format!("{:.*}", decimals, if half { size.next_up() } else { size });
    let zero = digits.bytes().all(|b| matches!(b, b'0' | b'.'));
    format!("{}{digits}", if value < 0.0 && !zero { "-" } else { "" })
}

/// A formatted number with `separator` between the thousands.
fn grouped(number: &str, separator: &str) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    let mut out = String::with_capacity(number.len() + 8);
    for (i, c) in number.char_indices() {
        let left = whole.saturating_sub(i);
        if i > 0 && left > 0 && left % 3 == 0 && number.as_bytes()[i - 1].is_ascii_digit() {
            out.push_str(separator);
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_away_from_zero_and_zero_has_no_sign() {
        assert_eq!(
            ["2.5", "-2.5", "1.005", "-0.2", "0.5", "1e-30"].map(|v| fixed(v.parse().unwrap(), 0)),
            ["3", "-3", "1", "0", "1", "0"]
        );
        assert_eq!(fixed(1.005, 2), "1.00");
        assert_eq!(fixed(0.125, 2), "0.13");
        assert_eq!(fixed(-0.001, 2), "0.00");
    }

    #[test]
    fn the_separator_groups_whole_digits_only() {
        assert_eq!(grouped("-1234567.8912", ","), "-1,234,567.8912");
        assert_eq!(grouped("123", ","), "123");
        assert_eq!(grouped("1234", ""), "1234");
    }

    #[test]
    fn the_end_value_is_the_first_number_of_the_text() {
        let cases = [
            ("$1,250.50 saved", Some(1250.5)),
            ("down -12%", Some(-12.0)),
            ("1,2 or 3", Some(1.0)),
            ("7.", Some(7.0)),
            ("none", None),
        ];
        for (text, number) in cases {
            assert_eq!(number_in(text), number, "{text}");
        }
    }
}
