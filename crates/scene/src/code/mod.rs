//! Syntax highlighting: languages, token kinds and colours.

mod css;
mod languages;
mod lexer;
mod lines;
mod markup;
mod theme;

use std::ops::Range;

pub(crate) use languages::{Language, find, names};
pub(crate) use theme::Palette;

/// Token kinds that themes distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Plain,
    Comment,
    Keyword,
    Builtin,
    Number,
    Constant,
    AttrName,
    AttrValue,
    Property,
    Variable,
    String,
    Selector,
    Tag,
    ClassName,
    Function,
    Punctuation,
    Operator,
    Char,
    Inserted,
    Deleted,
    Changed,
}

/// A byte range of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub range: Range<usize>,
    pub kind: Kind,
}

/// The tokens of a code in order. Text between them is plain. Any input is accepted; time is linear in its length.
pub(crate) fn highlight(code: &str, language: &Language) -> Vec<Token> {
    let mut tokens = Tokens::default();
    language.highlight(code, 0, &mut tokens);
    tokens.list
}

/// Tokens as they are found.
#[derive(Default)]
struct Tokens {
    list: Vec<Token>,
}

impl Tokens {
    /// Adds a range, merged with the previous one if they are adjacent and of the same kind.
    fn push(&mut self, range: Range<usize>, kind: Kind) {
        if kind == Kind::Plain || range.is_empty() {
            return;
        }
        match self.list.last_mut().filter(|last| last.kind == kind && last.range.end == range.start) {
            Some(last) => last.range.end = range.end,
            None => self.list.push(Token { range, kind }),
        }
    }
}

#[cfg(test)]
mod tests;
