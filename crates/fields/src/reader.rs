//! The state of reading a JSON value: the current path, and the problems, tolerated values and unknown fields found so
//! far.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::problem::{Error, Problem, ProblemKind, Tolerated, shorten};

/// Further problems, tolerated values and unknown fields are not noted: hostile input must not exhaust memory.
const MOST_NOTES: usize = 1000;

#[derive(Debug)]
enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

/// The state of reading a JSON value.
#[derive(Debug, Default)]
pub struct Reader {
    path: Vec<Step>,
    problems: Vec<Problem>,
    tolerated: Vec<Tolerated>,
    unknown: Vec<String>,
    /// The known field that an unknown one resembles, by the path of the unknown one.
    nearest: BTreeMap<String, &'static str>,
}

impl Reader {
    /// Runs `read` with `key` added to the path.
    pub fn at_key<T>(&mut self, key: impl Into<Cow<'static, str>>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(Step::Key(key.into()));
        let out = read(self);
        self.path.pop();
        out
    }

    /// Runs `read` with `index` added to the path.
    pub fn at_index<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(Step::Index(index));
        let out = read(self);
        self.path.pop();
        out
    }

    /// Notes a problem with the value at the current path. Returns `None` to end the reading of that value.
    pub fn refuse<T>(&mut self, kind: ProblemKind, value: &Value, expected: impl Into<String>) -> Option<T> {
        self.note(kind, Some(shorten(value)), expected.into());
        None
    }

    /// Notes that the value at the current path is absent.
    pub fn missing<T>(&mut self, expected: impl Into<String>) -> Option<T> {
        self.note(ProblemKind::Missing, None, expected.into());
        None
    }

    /// Notes a problem at the current path, with the value as a sentence shows it.
    pub fn note(&mut self, kind: ProblemKind, value: Option<String>, expected: String) {
        if self.problems.len() < MOST_NOTES {
            let path = self.path();
            self.problems.push(Problem { path, kind, value, expected });
        }
    }

    /// Notes that the value at the current path is not as it should be, and is accepted all the same.
    pub fn tolerate(&mut self, code: &'static str, value: &Value, expected: impl Into<String>) {
        let (path, value) = (self.path(), Some(shorten(value)));
        self.add_tolerated(
            code,
            Problem { path, kind: ProblemKind::WrongType, value, expected: expected.into() },
        );
    }

    fn add_tolerated(&mut self, code: &'static str, problem: Problem) {
        if self.tolerated.len() < MOST_NOTES {
            self.tolerated.push(Tolerated { code, problem });
        }
    }

    /// Runs `read` on `value`, and turns the problems it notes into tolerated values. An object of nothing but unknown
    /// fields is a tolerated value too.
    pub(crate) fn tolerating<T>(
        &mut self,
        code: &'static str,
        value: &Value,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let (problems, unknown) = (self.problems.len(), self.unknown.len());
        let out = read(self);
        for problem in self.problems.split_off(problems) {
            self.add_tolerated(code, problem);
        }
        let strange = value.as_object().filter(|fields| !fields.is_empty());
        if strange.is_some_and(|fields| self.unknown.len() == unknown + fields.len()) {
            self.unknown.truncate(unknown);
            self.tolerate(code, value, "an object with fields of this format");
            return None;
        }
        out
    }

    pub(crate) fn note_unknown(&mut self, nearest: impl FnOnce() -> Option<&'static str>) {
        if self.unknown.len() < MOST_NOTES {
            let path = self.path();
            if let Some(nearest) = nearest() {
                self.nearest.insert(path.clone(), nearest);
            }
            self.unknown.push(path);
        }
    }

    pub fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Paths of the fields that were not read, such as `overlays[0].styles.colour`. They are left out of the reader.
    pub fn take_unknown(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unknown)
    }

    /// The known fields that unknown ones resemble, by the paths of the unknown ones. They are left out of the reader.
    pub fn take_nearest(&mut self) -> BTreeMap<String, &'static str> {
        std::mem::take(&mut self.nearest)
    }

    /// The values that were accepted although they are not as they should be. They are left out of the reader.
    pub fn take_tolerated(&mut self) -> Vec<Tolerated> {
        std::mem::take(&mut self.tolerated)
    }

    /// Ends the reading: what was read, or every problem.
    pub fn finish<T>(self, out: Option<T>) -> Result<T, Error> {
        match out {
            Some(out) if self.problems.is_empty() => Ok(out),
            _ => Err(Error::Invalid(self.problems)),
        }
    }

    fn path(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) if out.is_empty() => out.push_str(key),
                Step::Key(key) => {
                    out.push('.');
                    out.push_str(key);
                }
                Step::Index(index) => {
                    // Writing to a String does not fail.
                    let _ = write!(out, "[{index}]");
                }
            }
        }
        out
    }
}
