//! Names, numbers, and the signs only some languages have.

use super::{Before, Dialect, Lexer};
use crate::code::Kind;

/// Keywords that are ordinary names as well: keywords only where no sign of a name's use follows.
const CONTEXTUAL: &[&str] = &[
    "data", "from", "get", "input", "object", "of", "open", "out", "query", "record", "set", "type", "union",
    "value",
];

impl Lexer<'_, '_> {
    pub(super) fn starts_word(&self, c: char) -> bool {
        c.is_alphabetic() || c == '_' || c == '$' && self.syntax.identifier.contains(c)
    }

    fn word_end(&self, at: usize) -> usize {
        let rest = self.code.get(at..).unwrap_or("");
        let ruby = self.syntax.dialect == Dialect::Ruby;
        let extra = if ruby { "" } else { self.syntax.identifier };
        let name = |c: char| c.is_alphanumeric() || c == '_' || extra.contains(c);
        let end = at + rest.find(|c| !name(c)).unwrap_or(rest.len());
        let asks = ruby && matches!(self.byte(end), b'?' | b'!') && self.byte(end + 1) != b'=';
        end + usize::from(asks)
    }

    /// The next byte on the line after `at` that is not blank; 0 at its end.
    fn next_sign(&self, at: usize) -> u8 {
        let rest = self.code.as_bytes().get(at..).unwrap_or(&[]);
        rest.iter().copied().find(|b| !matches!(b, b' ' | b'\t')).unwrap_or(0)
    }

    pub(super) fn number(&mut self) {
        let toml = self.syntax.dialect == Dialect::Toml;
        let hex = self.byte(self.at) == b'0' && matches!(self.byte(self.at + 1), b'x' | b'X');
        let mut end = self.at + 1;
        loop {
            let next_is_digit = self.byte(end + 1).is_ascii_digit();
            let exponent = !hex && matches!(self.byte(end - 1), b'e' | b'E');
            match self.byte(end) {
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => end += 1,
                b'.' if next_is_digit => end += 1,
                b'+' | b'-' if next_is_digit && (exponent || toml) => end += 1,
                b':' if next_is_digit && toml => end += 1,
                _ => break,
            }
        }
        self.take(end, Kind::Number);
        self.before = Before::Value;
    }

    pub(super) fn word(&mut self) {
        let end = self.word_end(self.at);
        let word = self.code.get(self.at..end).unwrap_or("");
        // Where keywords have no case, a list in brackets often follows a name that is not called.
        let next = if self.syntax.ignores_case { self.byte(end) } else { self.next_sign(end) };
        let folded = if self.syntax.ignores_case { word.to_ascii_lowercase() } else { word.to_owned() };
        let dotted = self.before == Before::Dot;
        let used_as_name = !self.syntax.ignores_case
            && CONTEXTUAL.contains(&word)
            && matches!(next, b'=' | b':' | b'.' | b',' | b')' | b'(');
        let mut end = end;
        let mut before = Before::Value;
        let kind = if self.syntax.dialect == Dialect::Toml
            && self.brackets == 0
            && matches!(next, b'=' | b'.')
        {
            Kind::Property
        } else if !dotted && !used_as_name && self.keywords.contains(folded.as_str()) {
            before = after_keyword(&folded);
            Kind::Keyword
        } else if self.syntax.dialect == Dialect::Shell {
            self.command(&folded, next)
        } else if !dotted && self.builtins.contains(folded.as_str()) {
            Kind::Builtin
        } else if self.before == Before::Function {
            Kind::Function
        } else if matches!(self.before, Before::Type | Before::New) && !matches!(next, b':' | b'.') {
            Kind::ClassName
        } else if self.syntax.dialect == Dialect::Rust && self.byte(end) == b'!' && self.byte(end + 1) != b'='
        {
            end += 1;
            Kind::Function
        } else {
            self.name(word, next, dotted)
        };
        self.take(end, kind);
        self.before = before;
    }

    fn name(&self, word: &str, next: u8, dotted: bool) -> Kind {
        let capital = word.starts_with(char::is_uppercase);
        let shouted = capital && word.len() > 1 && !word.contains(char::is_lowercase);
        if shouted && !self.syntax.ignores_case {
            return if next == b'(' { Kind::Function } else { Kind::Constant };
        }
        if capital && self.syntax.types_are_capital {
            let members = self.syntax.functions_are_capital;
            return match next {
                b'(' if dotted || members => Kind::Function,
                _ if members && (dotted || self.before == Before::Value) => Kind::Plain,
                _ => Kind::ClassName,
            };
        }
        if next == b'(' { Kind::Function } else { Kind::Plain }
    }

    /// Whether the next word of a shell is a command.
    fn runs_next(&self) -> bool {
        matches!(self.before, Before::Keyword | Before::Nothing)
    }

    /// A word of a shell: the first of a command is what is run.
    fn command(&self, word: &str, next: u8) -> Kind {
        if self.runs_next() && next != b'=' {
            return if self.builtins.contains(word) { Kind::Builtin } else { Kind::Function };
        }
        if next == b'=' && self.before != Before::Value { Kind::Variable } else { Kind::Plain }
    }

    /// Signs with a meaning of their own in the language.
    pub(super) fn special(&mut self, c: char) -> bool {
        let rest = self.rest();
        if let Some(mark) = self.syntax.marks.iter().find(|mark| rest.starts_with(**mark)) {
            self.take(self.at + mark.len(), Kind::Keyword);
            self.before = Before::Nothing;
            return true;
        }
        let next = rest.chars().nth(1).unwrap_or(' ');
        let named = next.is_alphabetic() || next == '_';
        let after_value = self.at > 0 && {
            let b = self.byte(self.at - 1);
            b.is_ascii_alphanumeric() || matches!(b, b':' | b')' | b']')
        };
        let (end, kind) = match (c, self.syntax.dialect) {
            ('#', _) if self.syntax.preprocessor && self.line_start => return self.directive(),
            ('@', Dialect::Ruby) if named || next == '@' => {
                (self.word_end(self.at + 1 + usize::from(next == '@')), Kind::Variable)
            }
            (':', Dialect::Ruby) if named && !after_value => (self.word_end(self.at + 1), Kind::String),
            ('@', _) if self.syntax.decorators && named => {
                let mut end = self.word_end(self.at + 1);
                while self.byte(end) == b'.' && self.byte(end + 1).is_ascii_alphabetic() {
                    end = self.word_end(end + 1);
                }
                (end, Kind::Function)
            }
            ('$', _) if self.syntax.variables => match self.variable_end(self.at) {
                end if end > self.at + 1 => (end, Kind::Variable),
                _ => return false,
            },
            ('-', Dialect::Shell) if (named || next == '-') && !after_value => {
                (self.word_end(self.at), Kind::Variable)
            }
            ('.' | '/' | '~', Dialect::Shell) => {
                let end = self.word_end(self.at + 1);
                (end, if self.runs_next() { Kind::Function } else { Kind::Plain })
            }
            ('[', Dialect::Toml) if self.line_start && self.brackets == 0 => {
                let line = self.line_end();
                let inside = rest.get(..line - self.at).unwrap_or("");
                let opened = inside.len() - inside.trim_start_matches('[').len();
                let closed = inside.find(']').unwrap_or(inside.len());
                self.take(self.at + opened, Kind::Punctuation);
                self.take(self.at + closed.saturating_sub(opened), Kind::ClassName);
                let ends = self.rest().bytes().take_while(|&b| b == b']').count();
                (self.at + ends, Kind::Punctuation)
            }
            ('#', Dialect::Rust) if matches!(next, '[' | '!') => (self.attribute_end(), Kind::AttrName),
            ('\'', Dialect::Rust) => self.lifetime_or_char(),
            _ => return false,
        };
        self.take(end, kind);
        self.before = Before::Value;
        true
    }

    /// A line for the preprocessor.
    fn directive(&mut self) -> bool {
        let blanks = self.code.as_bytes()[self.at + 1..].iter().take_while(|b| **b == b' ').count();
        let start = self.at + 1 + blanks;
        let end = self.word_end(start);
        let includes = self.code.get(start..end) == Some("include");
        self.take(end, Kind::Keyword);
        if includes && self.next_sign(end) == b'<' {
            self.at += self.rest().find('<').unwrap_or(0);
            let line = self.line_end();
            let path = self.rest().find('>').map_or(line, |n| (self.at + n + 1).min(line));
            self.take(path, Kind::String);
        }
        self.before = Before::Operator;
        true
    }

    fn attribute_end(&self) -> usize {
        let mut depth = 0usize;
        for (i, b) in self.rest().bytes().enumerate() {
            match b {
                b'[' => depth += 1,
                b']' if depth <= 1 => return self.at + i + 1,
                b']' => depth -= 1,
                _ => {}
            }
        }
        self.code.len()
    }

    fn lifetime_or_char(&self) -> (usize, Kind) {
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(1);
        let (first, second) = (chars.next(), chars.next());
        match (first, second) {
            (Some((_, '\\')), Some((at, escaped))) => {
                // The escaped sign may be a quote itself.
                let after = at + escaped.len_utf8();
                let tail = rest.get(after..).unwrap_or("");
                let close = tail.find(['\'', '\n']).map_or(tail.len(), |n| n + 1);
                (self.at + after + close, Kind::Char)
            }
            (Some(_), Some((at, '\''))) => (self.at + at + 1, Kind::Char),
            _ => (self.word_end(self.at + 1), Kind::Keyword),
        }
    }
}

/// What a keyword leads to.
fn after_keyword(word: &str) -> Before {
    match word {
        "function" | "fn" | "func" | "fun" | "def" => Before::Function,
        "class" | "struct" | "enum" | "interface" | "trait" | "type" | "impl" | "extends" | "implements"
        | "protocol" | "object" | "record" | "union" | "input" | "scalar" | "typealias" => Before::Type,
        "new" => Before::New,
        "this" | "self" | "Self" | "super" | "true" | "false" | "null" | "nil" | "None" | "True"
        | "False" | "undefined" | "end" | "done" | "fi" => Before::Value,
        "for" | "in" | "case" | "export" | "local" | "readonly" | "select" => Before::Operator,
        _ => Before::Keyword,
    }
}
