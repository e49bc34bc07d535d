//! The text of HTML and the declarations of style sheets: enough for titles, not a browser.

/// Tags that begin a new line.
const BLOCKS: [&str; 13] =
    ["p", "div", "br", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "section", "article"];
/// Tags whose contents are not text.
const HIDDEN: [&str; 4] = ["style", "script", "head", "title"];
const ENTITIES: [(&str, &str); 8] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", "\u{a0}"),
    ("mdash", "—"),
    ("hellip", "…"),
];
/// Further declarations are not read.
const MOST_DECLARATIONS: usize = 200;

/// The text without tags, one line for each block.
pub fn text_of(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    let mut hidden: Option<String> = None;
    while let Some(start) = rest.find('<') {
        if hidden.is_none() {
            out.push_str(&unescaped(&rest[..start]));
        }
        let is_tag =
            rest[start + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        let Some(end) = rest[start..].find('>').filter(|_| is_tag) else {
            if hidden.is_none() {
                out.push('<');
            }
            rest = &rest[start + 1..];
            continue;
        };
        let tag = &rest[start + 1..start + end];
        rest = &rest[start + end + 1..];
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        match (&hidden, tag.starts_with('/')) {
            (Some(open), true) if *open == name => hidden = None,
            (None, false) if HIDDEN.contains(&&*name) => hidden = Some(name.clone()),
            _ => {}
        }
        if BLOCKS.contains(&&*name) {
            out.push('\n');
        }
    }
    if hidden.is_none() {
        out.push_str(&unescaped(rest));
    }
    let lines = out.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Text with its entities replaced. Line breaks in the source are blanks.
fn unescaped(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let entity =
            after.find(';').filter(|end| *end <= 10).and_then(|end| Some((entity(&after[..end])?, end)));
        match entity {
            Some((character, end)) => {
                out.push_str(&character);
                rest = &after[end + 1..];
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).map(String::from);
    }
    crate::fields::named(&ENTITIES, name).map(str::to_owned)
}

/// All declarations of a style sheet in their order, whatever they apply to; then those of `style` attributes.
pub fn declarations(css: &str, html: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = css;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((body, next)) = after.split_once('}') else { break };
        collect(body, &mut found);
        rest = next;
    }
    let mut rest = html;
    while let Some((_, after)) = rest.split_once("style=") {
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((body, next)) = after[1..].split_once(quote) else { break };
        collect(body, &mut found);
        rest = next;
    }
    found
}

fn collect(body: &str, found: &mut Vec<(String, String)>) {
    for (key, value) in body.split(';').filter_map(|one| one.split_once(':')) {
        if found.len() < MOST_DECLARATIONS {
            found.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{declarations, text_of};

    #[test]
    fn text_keeps_its_lines_and_loses_its_tags() {
        assert_eq!(text_of("<p>Fish &amp; <b>chips</b></p><p>5&nbsp;&lt; 6</p>"), "Fish & chips\n5\u{a0}< 6");
        assert_eq!(
            text_of("<style>p { color: red }</style>\n  <h1>One</h1>two<br/>three"),
            "One\ntwo\nthree"
        );
        assert_eq!(text_of("a < b"), "a < b");
        assert_eq!(text_of("1 <2 and <b>3"), "1 <2 and 3");
        assert_eq!(text_of("AT&T &#x41;&#66; &bogus;"), "AT&T AB &bogus;");
    }

    #[test]
    fn declarations_come_from_rules_and_attributes() {
        let got =
            declarations("p { color: #fff; font-size: 40px } b{}", "<p style=\"text-align: left\">x</p>");
        let pairs: Vec<(&str, &str)> = got.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(pairs, [("color", "#fff"), ("font-size", "40px"), ("text-align", "left")]);
    }
}
