//! Style sheets: selectors, properties and values.

use super::{Kind, Tokens};

/// Adds the tokens of a style sheet, which starts at `base` of the whole text.
pub(super) fn highlight(code: &str, base: usize, tokens: &mut Tokens) {
    let mut at = 0;
    while let Some(c) = code.get(at..).and_then(|rest| rest.chars().next()) {
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if let Some(end) = comment_end(code, at) {
            tokens.push(base + at..base + end, Kind::Comment);
            at = end;
        } else if matches!(c, '{' | '}' | ';') {
            tokens.push(base + at..base + at + 1, Kind::Punctuation);
            at += 1;
        } else {
            at = statement(code, at, base, tokens);
        }
    }
}

fn comment_end(code: &str, at: usize) -> Option<usize> {
    let rest = code.get(at..)?;
    let inside = rest.strip_prefix("/*")?;
    Some(inside.find("*/").map_or(code.len(), |n| at + n + 4))
}

/// A selector, an at-rule or a declaration, up to the sign that ends it.
fn statement(code: &str, start: usize, base: usize, tokens: &mut Tokens) -> usize {
    let (end, opens) = statement_end(code, start);
    let text = code.get(start..end).unwrap_or("");
    if text.starts_with('@') {
        let name = text.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(text.len());
        tokens.push(base + start..base + start + name, Kind::Keyword);
        values(code, start + name, end, base, Kind::Plain, tokens);
    } else if opens {
        let name = text.trim_end().len();
        let mut at = start;
        for (i, c) in text.get(..name).unwrap_or("").char_indices().filter(|(_, c)| matches!(c, ',' | '{')) {
            tokens.push(base + at..base + start + i, Kind::Selector);
            tokens.push(base + start + i..base + start + i + c.len_utf8(), Kind::Punctuation);
            at = start + i + c.len_utf8();
        }
        tokens.push(base + at..base + start + name, Kind::Selector);
    } else if let Some(colon) = text.find(':') {
        let property = text.get(..colon).unwrap_or("").trim_end().len();
        let kind = if text.starts_with(['-', '$']) && !text.starts_with("-webkit") {
            Kind::Variable
        } else {
            Kind::AttrName
        };
        tokens.push(base + start..base + start + property, kind);
        tokens.push(base + start + colon..base + start + colon + 1, Kind::Punctuation);
        values(code, start + colon + 1, end, base, Kind::String, tokens);
    } else {
        values(code, start, end, base, Kind::Plain, tokens);
    }
    end
}

/// Where a statement ends, and whether a block follows.
fn statement_end(code: &str, start: usize) -> (usize, bool) {
    let mut quote = None;
    let mut depth = 0usize;
    for (i, c) in code.get(start..).unwrap_or("").char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open || c == '\n' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, '{') => return (start + i, true),
            (None, ';') if depth == 0 => return (start + i, false),
            (None, '}') => return (start + i, false),
            _ => {}
        }
    }
    (code.len(), false)
}

/// Numbers, strings, functions and words of a value; words are of kind `word`.
fn values(code: &str, start: usize, end: usize, base: usize, word: Kind, tokens: &mut Tokens) {
    let mut at = start;
    let name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '$' | '@');
    while at < end {
        let rest = code.get(at..end).unwrap_or("");
        let Some(c) = rest.chars().next() else { return };
        let run = |from: usize, inside: &dyn Fn(char) -> bool| {
            let tail = rest.get(from..).unwrap_or("");
            from + tail.find(|c| !inside(c)).unwrap_or(tail.len())
        };
        let second = rest.chars().nth(1).unwrap_or(' ');
        let signed = matches!(c, '-' | '+' | '.') && (second.is_ascii_digit() || second == '.');
        let (length, kind) = if let Some(comment) = comment_end(code, at) {
            (comment.min(end) - at, Kind::Comment)
        } else if matches!(c, '"' | '\'') {
            (rest.get(1..).and_then(|r| r.find(c)).map_or(rest.len(), |n| n + 2), Kind::String)
        } else if c.is_ascii_digit() || signed {
            (run(1, &|c| c.is_alphanumeric() || matches!(c, '.' | '%')), Kind::Number)
        } else if c == '#' {
            (run(1, &char::is_alphanumeric), word)
        } else if c == '!' {
            (run(1, &char::is_alphanumeric), Kind::Keyword)
        } else if name(c) {
            let length = run(0, &name);
            let kind = match rest.as_bytes().get(length) {
                Some(b'(') => Kind::Function,
                _ if rest.starts_with("--") || c == '$' => Kind::Variable,
                Some(b':') if word == Kind::Plain => Kind::AttrName,
                _ => word,
            };
            (length, kind)
        } else if c.is_ascii_punctuation() {
            (1, Kind::Punctuation)
        } else {
            (c.len_utf8(), Kind::Plain)
        };
        tokens.push(base + at..base + at + length, kind);
        at += length.max(1);
    }
}
