//! One lexer for all languages made of words, strings, numbers and comments, driven by a table of rules.

mod words;

use std::collections::HashSet;

use super::markup::{self, TagState, TagStep};
use super::{Kind, Tokens};

/// The rules of one language.
pub(super) struct Syntax {
    pub line_comments: &'static [&'static str],
    pub block_comments: &'static [(&'static str, &'static str)],
    pub nested_comments: bool,
    /// Longer openings first.
    pub quotes: &'static [Quote],
    /// Separated by spaces, as are the builtins.
    pub keywords: &'static str,
    pub builtins: &'static str,
    /// Whether the case of keywords does not matter; they are listed in lower case.
    pub ignores_case: bool,
    /// Characters of names beside letters, digits and `_`.
    pub identifier: &'static str,
    pub types_are_capital: bool,
    pub functions_are_capital: bool,
    /// `@name`.
    pub decorators: bool,
    /// `$name`.
    pub variables: bool,
    /// `#name` at the start of a line.
    pub preprocessor: bool,
    /// `/…/` where a value is expected.
    pub regex: bool,
    /// Words with signs in them.
    pub marks: &'static [&'static str],
    pub dialect: Dialect,
}

impl Syntax {
    pub const NONE: Self = Self {
        line_comments: &[],
        block_comments: &[],
        nested_comments: false,
        quotes: &[],
        keywords: "",
        builtins: "",
        ignores_case: false,
        identifier: "",
        types_are_capital: false,
        functions_are_capital: false,
        decorators: false,
        variables: false,
        preprocessor: false,
        regex: false,
        marks: &[],
        dialect: Dialect::Common,
    };
}

/// Syntax of a single language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Common,
    /// Elements in code.
    Jsx,
    /// Strings before a colon are keys.
    Json,
    /// Lifetimes, attributes and macros.
    Rust,
    /// Instance variables and symbols.
    Ruby,
    /// Commands, options and `${…}`.
    Shell,
    /// Tables, and keys before an equals sign.
    Toml,
}

/// A kind of string.
#[derive(Clone, Copy)]
pub(super) struct Quote {
    open: &'static str,
    close: &'static str,
    kind: Kind,
    escapes: bool,
    multiline: bool,
    hole: Option<Hole>,
    variables: bool,
}

/// Code inside a string.
#[derive(Clone, Copy)]
pub(super) struct Hole {
    open: &'static str,
    close: u8,
}

impl Hole {
    pub const fn until(open: &'static str, close: u8) -> Self {
        Self { open, close }
    }
}

impl Quote {
    /// A string that ends with its line at the latest.
    pub const fn line(open: &'static str, close: &'static str) -> Self {
        let (hole, variables) = (None, false);
        Self { open, close, kind: Kind::String, escapes: true, multiline: false, hole, variables }
    }

    /// A string that may span lines.
    pub const fn block(open: &'static str, close: &'static str) -> Self {
        Self { multiline: true, ..Self::line(open, close) }
    }

    pub const fn opening(self, open: &'static str) -> Self {
        Self { open, ..self }
    }

    pub const fn of(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Without escapes.
    pub const fn raw(self) -> Self {
        Self { escapes: false, ..self }
    }

    pub const fn with(self, hole: Hole) -> Self {
        Self { hole: Some(hole), ..self }
    }

    /// With `$name` inside.
    pub const fn variables(self) -> Self {
        Self { variables: true, ..self }
    }
}

/// A longer regular expression is read as a division, which bounds the search for its end.
const LONGEST_REGEX: usize = 400;

/// Adds the tokens of `code`, which starts at `base` of the whole text.
pub(super) fn highlight(code: &str, base: usize, syntax: &'static Syntax, tokens: &mut Tokens) {
    let mut lexer = Lexer {
        code,
        base,
        syntax,
        keywords: syntax.keywords.split_ascii_whitespace().collect(),
        builtins: syntax.builtins.split_ascii_whitespace().collect(),
        tokens,
        at: 0,
        stack: Vec::new(),
        before: Before::Nothing,
        line_start: true,
        brackets: 0,
    };
    while lexer.at < code.len() {
        lexer.step();
    }
}

struct Lexer<'a, 't> {
    code: &'a str,
    base: usize,
    syntax: &'static Syntax,
    keywords: HashSet<&'static str>,
    builtins: HashSet<&'static str>,
    tokens: &'t mut Tokens,
    at: usize,
    /// The blocks around the current position, innermost last.
    stack: Vec<Mode>,
    before: Before,
    /// Whether only blanks came before on this line.
    line_start: bool,
    /// Square brackets open.
    brackets: usize,
}

enum Mode {
    Text(Quote),
    /// Code within a string or an element, and how many brackets of its own kind are open in it.
    Hole {
        close: u8,
        depth: usize,
    },
    Tag(TagState),
    /// Between the tags of an element.
    Children,
}

/// The previous token, ignoring blanks and comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Value,
    Operator,
    Dot,
    Keyword,
    /// A keyword that a function's name follows.
    Function,
    /// A keyword that a type's name follows.
    Type,
    New,
}

impl Before {
    /// Whether a value may follow, rather than an operator.
    fn expects_value(self) -> bool {
        !matches!(self, Self::Value | Self::Dot)
    }
}

impl<'a> Lexer<'a, '_> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or("")
    }

    fn byte(&self, at: usize) -> u8 {
        self.code.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Makes a token of everything up to `end`.
    fn take(&mut self, end: usize, kind: Kind) {
        self.tokens.push(self.base + self.at..self.base + end, kind);
        self.at = end;
    }

    fn step(&mut self) {
        match self.stack.last_mut() {
            Some(Mode::Text(quote)) => {
                let quote = *quote;
                self.text(quote);
            }
            Some(Mode::Tag(state)) => {
                let step = markup::tag_step(self.code, self.at, self.base, true, state, self.tokens);
                let closing = state.closing;
                self.tagged(step, closing);
            }
            Some(Mode::Children) => self.children(),
            Some(Mode::Hole { .. }) | None => self.in_code(),
        }
    }

    /// The end of the line, its newline left out.
    fn line_end(&self) -> usize {
        self.rest().find('\n').map_or(self.code.len(), |n| self.at + n)
    }

    fn in_code(&mut self) {
        let Some(c) = self.rest().chars().next() else { return };
        if c.is_whitespace() {
            self.line_start |= c == '\n';
            if c == '\n' && self.syntax.dialect == Dialect::Shell {
                self.before = Before::Nothing;
            }
            self.at += c.len_utf8();
            return;
        }
        if !(self.comment() || self.end_of_hole(c) || self.special(c) || self.quote()) {
            if c.is_ascii_digit() || c == '.' && self.byte(self.at + 1).is_ascii_digit() {
                self.number();
            } else if self.starts_word(c) {
                self.word();
            } else if !(self.regex(c) || self.element(c)) {
                self.sign(c);
            }
        }
        self.line_start = false;
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let at_word_start = self.at == 0 || self.byte(self.at - 1).is_ascii_whitespace();
        let line = self.syntax.line_comments.iter().any(|open| rest.starts_with(open))
            && !(rest.starts_with("#[") && self.syntax.variables)
            && (self.syntax.dialect != Dialect::Shell || at_word_start);
        if line {
            self.take(self.line_end(), Kind::Comment);
            return true;
        }
        let Some((open, close)) = self.syntax.block_comments.iter().find(|(open, _)| rest.starts_with(open))
        else {
            return false;
        };
        if self.syntax.dialect == Dialect::Ruby && !self.line_start {
            return false;
        }
        let mut end = self.at + open.len();
        let mut depth = 1;
        while depth > 0 && end < self.code.len() {
            let rest = &self.code.as_bytes()[end..];
            if rest.starts_with(close.as_bytes()) {
                depth -= 1;
                end += close.len();
            } else if self.syntax.nested_comments && rest.starts_with(open.as_bytes()) {
                depth += 1;
                end += open.len();
            } else {
                end += 1;
            }
        }
        self.take(end, Kind::Comment);
        true
    }

    /// The end of code within a string or an element.
    fn end_of_hole(&mut self, c: char) -> bool {
        let Some(Mode::Hole { close, depth }) = self.stack.last_mut() else { return false };
        let open = if *close == b')' { '(' } else { '{' };
        if c == open {
            *depth += 1;
        } else if c == char::from(*close) {
            if *depth == 0 {
                self.stack.pop();
                self.take(self.at + 1, Kind::Punctuation);
                self.before = Before::Value;
                return true;
            }
            *depth -= 1;
        }
        false
    }

    fn quote(&mut self) -> bool {
        let rest = self.rest();
        let Some(quote) = self.syntax.quotes.iter().find(|q| rest.starts_with(q.open)).copied() else {
            return false;
        };
        self.before = Before::Value;
        if quote.hole.is_some() || quote.variables {
            self.take(self.at + quote.open.len(), quote.kind);
            self.stack.push(Mode::Text(quote));
            return true;
        }
        let mut end = self.at + quote.open.len();
        while let Some(next) = self.in_text(quote, end) {
            end = next;
        }
        let end = self.after_text(quote, end);
        let after = self.code.get(end..).unwrap_or("").trim_start();
        let key = match self.syntax.dialect {
            Dialect::Json => after.starts_with(':'),
            Dialect::Toml => after.starts_with('='),
            _ => false,
        };
        self.take(end, if key { Kind::Property } else { quote.kind });
        true
    }

    /// The place after the next character of a string; `None` at its end.
    fn in_text(&self, quote: Quote, at: usize) -> Option<usize> {
        let rest = self.code.get(at..)?;
        let c = rest.chars().next()?;
        if let Some(after) = rest.strip_prefix(quote.close) {
            // Where nothing can be escaped, a quote is written twice.
            let doubled = !quote.escapes && quote.close.len() == 1 && after.starts_with(quote.close);
            return doubled.then_some(at + 2);
        }
        if c == '\n' && !quote.multiline {
            return None;
        }
        if c == '\\' && quote.escapes {
            let escaped =
                rest.get(1..).and_then(|r| r.chars().next()).filter(|&e| e != '\n' || quote.multiline);
            return Some(at + 1 + escaped.map_or(0, char::len_utf8));
        }
        Some(at + c.len_utf8())
    }

    fn after_text(&self, quote: Quote, end: usize) -> usize {
        let closed = self.code.get(end..).is_some_and(|r| r.starts_with(quote.close));
        if closed { end + quote.close.len() } else { end }
    }

    /// The inside of a string up to its end, or up to code in it.
    fn text(&mut self, quote: Quote) {
        let mut end = self.at;
        loop {
            let rest = self.code.get(end..).unwrap_or("");
            if let Some(hole) = quote.hole.filter(|h| rest.starts_with(h.open)) {
                if hole.open == "{" && rest.starts_with("{{") {
                    end += 2;
                    continue;
                }
                self.take(end, quote.kind);
                // The sign of a variable belongs to the code.
                let sign = usize::from(hole.open == "{$");
                self.take(end + hole.open.len() - sign, Kind::Punctuation);
                self.stack.push(Mode::Hole { close: hole.close, depth: 0 });
                self.before = Before::Nothing;
                return;
            }
            if quote.variables && rest.starts_with('$') {
                let variable = self.variable_end(end);
                if variable > end + 1 {
                    self.take(end, quote.kind);
                    self.take(variable, Kind::Variable);
                    end = variable;
                    continue;
                }
            }
            match self.in_text(quote, end) {
                Some(next) => end = next,
                None => break,
            }
        }
        self.stack.pop();
        self.take(self.after_text(quote, end), quote.kind);
        self.before = Before::Value;
    }

    /// Where a variable that begins with `$` at `at` ends.
    fn variable_end(&self, at: usize) -> usize {
        let rest = self.code.get(at + 1..).unwrap_or("");
        let shell = self.syntax.dialect == Dialect::Shell;
        let length = match rest.chars().next() {
            Some('{') if shell => rest.find(['}', '\n']).map_or(rest.len(), |n| n + 1),
            Some('@' | '?' | '#' | '*' | '$' | '!' | '0'..='9') if shell => 1,
            _ => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
        };
        at + 1 + length
    }

    fn children(&mut self) {
        let rest = self.rest();
        let text = rest.find(['<', '{']).unwrap_or(rest.len());
        self.at += text;
        match rest.as_bytes().get(text) {
            Some(b'{') => {
                self.take(self.at + 1, Kind::Punctuation);
                self.stack.push(Mode::Hole { close: b'}', depth: 0 });
                self.before = Before::Operator;
            }
            Some(_) => self.open_tag(),
            None => {}
        }
    }

    fn open_tag(&mut self) {
        let closing = self.byte(self.at + 1) == b'/';
        self.take(self.at + 1 + usize::from(closing), Kind::Punctuation);
        self.stack.push(Mode::Tag(TagState::new(closing)));
    }

    fn tagged(&mut self, step: TagStep, closing: bool) {
        match step {
            TagStep::Next(at) => self.at = at,
            TagStep::Hole(at) => {
                self.at = at;
                self.stack.push(Mode::Hole { close: b'}', depth: 0 });
                self.before = Before::Operator;
            }
            TagStep::End { at, empty } => {
                self.at = at;
                self.stack.pop();
                if closing && matches!(self.stack.last(), Some(Mode::Children)) {
                    self.stack.pop();
                } else if !closing && !empty {
                    self.stack.push(Mode::Children);
                }
                self.before = Before::Value;
            }
        }
    }

    /// The start of an element in code.
    fn element(&mut self, c: char) -> bool {
        if self.syntax.dialect != Dialect::Jsx || c != '<' || !self.before.expects_value() {
            return false;
        }
        let rest = self.rest().get(1..).unwrap_or("");
        let name = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let after = rest.get(name..).unwrap_or("");
        // `<T,>` and `<T extends …>` are type parameters.
        let named = rest.starts_with(char::is_alphabetic)
            && !after.starts_with([','])
            && !after.starts_with(" extends ");
        let element = named || rest.starts_with('>');
        if element {
            self.open_tag();
        }
        element
    }

    fn regex(&mut self, c: char) -> bool {
        if !self.syntax.regex || c != '/' || !self.before.expects_value() {
            return false;
        }
        let bytes = self.code.as_bytes();
        let end = bytes.len().min(self.at + LONGEST_REGEX);
        let (mut at, mut in_class) = (self.at + 1, false);
        while at < end {
            match bytes[at] {
                b'\n' => return false,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    let flags = bytes[at + 1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
                    self.take(at + 1 + flags, Kind::Char);
                    self.before = Before::Value;
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn sign(&mut self, c: char) {
        let kind = match c {
            '(' | ')' | '{' | '}' | '[' | ']' | ';' | ',' | '.' | ':' => Kind::Punctuation,
            _ if c.is_ascii_punctuation() => Kind::Operator,
            _ => Kind::Plain,
        };
        match c {
            '[' => self.brackets += 1,
            ']' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        let previous = if self.at > 0 { self.byte(self.at - 1) } else { 0 };
        self.before = match c {
            ')' | ']' | '}' => Before::Value,
            '.' if previous != b'.' => Before::Dot,
            '>' if previous == b'-' && self.syntax.variables => Before::Dot,
            ';' | '|' | '&' | '(' if self.syntax.dialect == Dialect::Shell => Before::Nothing,
            _ if kind == Kind::Plain => Before::Value,
            _ => Before::Operator,
        };
        self.take(self.at + c.len_utf8(), kind);
    }
}
