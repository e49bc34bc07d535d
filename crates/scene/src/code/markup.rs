//! HTML and XML, and the tags of elements in code.

use super::{Kind, Tokens, css, languages, lexer};

/// Position inside a tag.
pub(super) struct TagState {
    pub closing: bool,
    named: bool,
    /// Whether an attribute's value comes next.
    valued: bool,
}

impl TagState {
    pub fn new(closing: bool) -> Self {
        Self { closing, named: false, valued: false }
    }
}

/// The state after the next part of a tag.
pub(super) enum TagStep {
    Next(usize),
    /// Code begins.
    Hole(usize),
    /// The tag ended; an empty element has no other.
    End {
        at: usize,
        empty: bool,
    },
}

/// Reads the next part of a tag whose `<` or `</` has been read. In code, braces hold code and capital names are
/// components.
pub(super) fn tag_step(
    code: &str,
    at: usize,
    base: usize,
    in_code: bool,
    state: &mut TagState,
    tokens: &mut Tokens,
) -> TagStep {
    let rest = code.get(at..).unwrap_or("");
    let Some(c) = rest.chars().next() else { return TagStep::End { at, empty: false } };
    let mut push = |end: usize, kind: Kind| {
        tokens.push(base + at..base + end, kind);
        end
    };
    if c.is_whitespace() {
        return TagStep::Next(at + c.len_utf8());
    }
    if rest.starts_with("/>") {
        return TagStep::End { at: push(at + 2, Kind::Punctuation), empty: true };
    }
    let named = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '@');
    match c {
        '>' => TagStep::End { at: push(at + 1, Kind::Punctuation), empty: false },
        '{' if in_code => TagStep::Hole(push(at + 1, Kind::Punctuation)),
        '"' | '\'' => {
            let end = rest.get(1..).and_then(|r| r.find(c)).map_or(code.len(), |n| at + n + 2);
            state.valued = false;
            TagStep::Next(push(end, Kind::AttrValue))
        }
        '=' => {
            state.valued = true;
            TagStep::Next(push(at + 1, Kind::Operator))
        }
        _ if state.valued && !in_code => {
            let end = rest.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(rest.len());
            state.valued = false;
            TagStep::Next(push(at + end, Kind::AttrValue))
        }
        _ if named(c) => {
            let end = at + rest.find(|c| !named(c)).unwrap_or(rest.len());
            let component = in_code && c.is_uppercase();
            let kind = match (state.named, component) {
                (true, _) => Kind::AttrName,
                (false, true) => Kind::ClassName,
                (false, false) => Kind::Tag,
            };
            state.named = true;
            TagStep::Next(push(end, kind))
        }
        _ => TagStep::Next(push(at + c.len_utf8(), Kind::Punctuation)),
    }
}

/// Adds the tokens of a document, which starts at `base` of the whole text.
pub(super) fn highlight(code: &str, base: usize, tokens: &mut Tokens) {
    let mut at = 0;
    while let Some(found) = code.get(at..).and_then(|rest| rest.find(['<', '&'])) {
        at += found;
        let rest = code.get(at..).unwrap_or("");
        if rest.starts_with('&') {
            let name = rest.bytes().take(12).position(|b| b == b';');
            let entity = name
                .filter(|&n| rest.bytes().take(n).skip(1).all(|b| b.is_ascii_alphanumeric() || b == b'#'));
            let end = at + entity.map_or(1, |n| n + 1);
            tokens.push(base + at..base + end, if entity.is_some() { Kind::Char } else { Kind::Plain });
            at = end;
        } else if rest.starts_with("<!--") {
            let end = rest.find("-->").map_or(code.len(), |n| at + n + 3);
            tokens.push(base + at..base + end, Kind::Comment);
            at = end;
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            let end = rest.find('>').map_or(code.len(), |n| at + n + 1);
            tokens.push(base + at..base + end, Kind::Keyword);
            at = end;
        } else {
            at = tag(code, at, base, tokens);
        }
    }
}

/// One tag, and after it the code or styles it holds.
fn tag(code: &str, start: usize, base: usize, tokens: &mut Tokens) -> usize {
    let rest = code.get(start..).unwrap_or("");
    let closing = rest.starts_with("</");
    let opened = start + 1 + usize::from(closing);
    let name = code.get(opened..).unwrap_or("");
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return start + 1;
    }
    tokens.push(base + start..base + opened, Kind::Punctuation);
    let mut state = TagState::new(closing);
    let mut at = opened;
    let empty = loop {
        match tag_step(code, at, base, false, &mut state, tokens) {
            TagStep::Next(next) | TagStep::Hole(next) => at = next,
            TagStep::End { at: end, empty } => {
                at = end;
                break empty;
            }
        }
    };
    let is = |tag: &str| name.get(..tag.len()).is_some_and(|n| n.eq_ignore_ascii_case(tag));
    let held = ["script", "style"].into_iter().find(|tag| !closing && !empty && is(tag));
    let Some(held) = held else { return at };
    let inside = code.get(at..).unwrap_or("");
    let close = inside
        .match_indices("</")
        .map(|(i, _)| i)
        .find(|i| inside.get(i + 2..i + 2 + held.len()).is_some_and(|n| n.eq_ignore_ascii_case(held)));
    let inside = inside.get(..close.unwrap_or(inside.len())).unwrap_or("");
    if held == "script" {
        lexer::highlight(inside, base + at, &languages::JSX, tokens);
    } else {
        css::highlight(inside, base + at, tokens);
    }
    at + inside.len()
}
