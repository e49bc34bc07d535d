//! Languages read line by line: YAML, Markdown and differences.

use super::{Kind, Tokens, languages};

/// The lines of a text with their places, without newlines.
fn lines(code: &str, base: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = base;
    code.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

pub(super) fn diff(code: &str, base: usize, tokens: &mut Tokens) {
    const HEADERS: &[&str] =
        &["diff ", "index ", "+++", "---", "new file", "deleted file", "rename ", "similarity "];
    for (at, line) in lines(code, base) {
        let kind = match line.as_bytes().first() {
            _ if HEADERS.iter().any(|h| line.starts_with(h)) => Kind::Keyword,
            Some(b'+' | b'>') => Kind::Inserted,
            Some(b'-' | b'<') => Kind::Deleted,
            Some(b'@' | b'!') => Kind::Changed,
            _ => Kind::Plain,
        };
        tokens.push(at..at + line.len(), kind);
    }
}

pub(super) fn yaml(code: &str, base: usize, tokens: &mut Tokens) {
    // The indent of the key whose text block is being read.
    let mut block = None;
    for (at, line) in lines(code, base) {
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let start = indent(line);
        if block.is_some_and(|outer| start > outer) {
            tokens.push(at + start..at + line.len(), Kind::String);
            continue;
        }
        block = None;
        if yaml_line(line, start, at, tokens) {
            block = Some(start);
        }
    }
}

/// One line from `from` on; whether a text block follows.
fn yaml_line(line: &str, mut from: usize, at: usize, tokens: &mut Tokens) -> bool {
    if matches!(line.trim_end(), "---" | "...") {
        tokens.push(at..at + line.len(), Kind::Punctuation);
        return false;
    }
    while line.get(from..).is_some_and(|rest| rest.starts_with("- ") || rest == "-") {
        tokens.push(at + from..at + from + 1, Kind::Punctuation);
        from += 1;
        from += indent(line.get(from..).unwrap_or(""));
    }
    let rest = line.get(from..).unwrap_or("");
    let quoted = rest.starts_with(['"', '\'', '[', '{', '#', '&', '*', '!', '|', '>']);
    let quoted_key = rest.starts_with(['"', '\'']) && rest.trim_end().ends_with(':');
    let key = if quoted && !quoted_key {
        None
    } else {
        rest.find(": ").or_else(|| rest.trim_end().strip_suffix(':').map(str::len))
    };
    if let Some(key) = key.filter(|&k| rest.find(" #").is_none_or(|comment| k < comment)) {
        tokens.push(at + from..at + from + key, Kind::Property);
        tokens.push(at + from + key..at + from + key + 1, Kind::Punctuation);
        from += key + 1;
    }
    yaml_value(line, from, at, tokens);
    let value = line.get(from..).unwrap_or("");
    let value = value.split(" #").next().unwrap_or("").trim();
    matches!(value, "|" | ">" | "|-" | ">-" | "|+" | ">+")
}

fn yaml_value(line: &str, mut from: usize, at: usize, tokens: &mut Tokens) {
    let mut flow = 0usize;
    let comment_from = |from: usize| line.get(from..).and_then(|r| r.find(" #")).map(|n| from + n);
    let mut comment = comment_from(from);
    while let Some(c) = line.get(from..).and_then(|r| r.chars().next()) {
        let rest = line.get(from..).unwrap_or("");
        if comment.is_some_and(|c| c < from) {
            comment = comment_from(from);
        }
        let after_blank = from == 0 || line.as_bytes()[from - 1] == b' ';
        let (length, kind) = match c {
            ' ' | '\t' => (1, Kind::Plain),
            '#' if after_blank => (rest.len(), Kind::Comment),
            '"' | '\'' => {
                let end = rest.get(1..).and_then(|r| r.find(c)).map_or(rest.len(), |n| n + 2);
                let key = flow > 0 && rest.get(end..).is_some_and(|r| r.starts_with(':'));
                (end, if key { Kind::Property } else { Kind::String })
            }
            '[' | '{' => {
                flow += 1;
                (1, Kind::Punctuation)
            }
            ']' | '}' | ',' | ':' if flow > 0 => {
                flow -= usize::from(matches!(c, ']' | '}'));
                (1, Kind::Punctuation)
            }
            '|' | '>' => (1, Kind::Punctuation),
            '&' | '*' => (rest.find(' ').unwrap_or(rest.len()), Kind::Variable),
            '!' => (rest.find(' ').unwrap_or(rest.len()), Kind::ClassName),
            _ => {
                let inner = if flow > 0 { rest.find([',', ']', '}', ':']) } else { None };
                let end =
                    [inner, comment.map(|c| c - from)].into_iter().flatten().min().unwrap_or(rest.len());
                let word = rest.get(..end).unwrap_or("");
                let key = flow > 0 && rest.get(end..).is_some_and(|r| r.starts_with(": "));
                (word.len().max(c.len_utf8()), if key { Kind::Property } else { scalar(word.trim()) })
            }
        };
        tokens.push(at + from..at + from + length, kind);
        from += length;
    }
}

fn scalar(word: &str) -> Kind {
    let first = word.trim_start_matches(['-', '+', '.']);
    let number = first.starts_with(|c: char| c.is_ascii_digit())
        && word
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b'-' | b'+' | b'_' | b'x' | b':'));
    match word {
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "~" => Kind::Keyword,
        _ if number => Kind::Number,
        _ => Kind::String,
    }
}

pub(super) fn markdown(code: &str, base: usize, tokens: &mut Tokens) {
    // The fence, its language, and where the code in it began.
    let mut fence: Option<(&str, &str, usize)> = None;
    let end = base + code.len();
    for (at, line) in lines(code, base) {
        let text = line.trim_start();
        let opening = ["```", "~~~"].into_iter().find(|f| text.starts_with(f));
        match (fence, opening) {
            (Some((sign, language, from)), Some(close)) if sign == close => {
                fenced(code, from - base, at - base, base, language, tokens);
                tokens.push(at..at + line.len(), Kind::Punctuation);
                fence = None;
            }
            (Some(_), _) => {}
            (None, Some(sign)) => {
                tokens.push(at..at + line.len(), Kind::Punctuation);
                let language = text.get(sign.len()..).unwrap_or("").trim();
                fence = Some((sign, language, (at + line.len() + 1).min(end)));
            }
            (None, None) => markdown_line(line, at, tokens),
        }
    }
    if let Some((_, language, from)) = fence {
        fenced(code, from - base, code.len(), base, language, tokens);
    }
}

/// Code within a text, in its own language where that is known.
fn fenced(code: &str, from: usize, to: usize, base: usize, language: &str, tokens: &mut Tokens) {
    let inside = code.get(from..to).unwrap_or("");
    match languages::find(language).known().filter(|l| l.name != "markdown") {
        Some(language) => language.highlight(inside, base + from, tokens),
        None => tokens.push(base + from..base + to, Kind::String),
    }
}

fn markdown_line(line: &str, at: usize, tokens: &mut Tokens) {
    let mut from = indent(line);
    let text = line.get(from..).unwrap_or("");
    let hashes = text.bytes().take_while(|&b| b == b'#').count();
    if (1..=6).contains(&hashes) && text.get(hashes..).is_some_and(|r| r.is_empty() || r.starts_with(' ')) {
        tokens.push(at + from..at + line.len(), Kind::Keyword);
        return;
    }
    let rule = text.trim_end();
    if rule.len() >= 3 && ['-', '*', '_', '='].iter().any(|&c| rule.chars().all(|r| r == c)) {
        tokens.push(at + from..at + line.len(), Kind::Punctuation);
        return;
    }
    if text.starts_with('>') {
        tokens.push(at + from..at + line.len(), Kind::Comment);
        return;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let bullet = if text.starts_with(['-', '*', '+']) && text.get(1..).is_some_and(|r| r.starts_with(' ')) {
        1
    } else if digits > 0 && text.get(digits..).is_some_and(|r| r.starts_with(". ")) {
        digits + 1
    } else {
        0
    };
    tokens.push(at + from..at + from + bullet, Kind::Keyword);
    from += bullet;
    inline(line, from, at, tokens);
}

/// The longest text or address of a link, which bounds the search for its end.
const LONGEST_LINK: usize = 400;

/// Code, emphasis and links within a line.
fn inline(line: &str, mut from: usize, at: usize, tokens: &mut Tokens) {
    while let Some(next) = line.get(from..).and_then(|r| r.find(['`', '*', '['])) {
        from += next;
        let rest = line.get(from..).unwrap_or("");
        let closed = |sign: &str| {
            let inside = rest.strip_prefix(sign)?;
            inside.find(sign).filter(|&n| n > 0).map(|n| n + 2 * sign.len())
        };
        let (length, kind) = if rest.starts_with('`') {
            (closed("`"), Kind::String)
        } else if rest.starts_with("**") {
            (closed("**"), Kind::Keyword)
        } else if rest.starts_with('*') {
            (closed("*"), Kind::Variable)
        } else {
            let near = |from: usize, sign: &str| {
                let bytes = rest.as_bytes().get(from..)?;
                bytes.windows(sign.len()).take(LONGEST_LINK).position(|w| w == sign.as_bytes())
            };
            let text = near(0, "](");
            let address = text.and_then(|n| near(n, ")").map(|m| (n, n + m)));
            if let Some((text, end)) = address {
                tokens.push(at + from..at + from + 1, Kind::Punctuation);
                tokens.push(at + from + 1..at + from + text, Kind::String);
                tokens.push(at + from + text..at + from + text + 2, Kind::Punctuation);
                tokens.push(at + from + text + 2..at + from + end, Kind::Variable);
                tokens.push(at + from + end..at + from + end + 1, Kind::Punctuation);
                from += end + 1;
                continue;
            }
            (None, Kind::Plain)
        };
        match length {
            Some(length) => {
                tokens.push(at + from..at + from + length, kind);
                from += length;
            }
            // An unmatched delimiter leaves the rest of the line plain.
            None if !rest.starts_with('[') => return,
            None => from += 1,
        }
    }
}
