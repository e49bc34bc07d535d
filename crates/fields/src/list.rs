//! Arrays.

use serde_json::{Value, json};

use crate::codec::{Codec, Definitions};
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// An array of values of one kind. Made by [`list`].
#[derive(Debug, Clone, Copy)]
pub struct List<C> {
    item: C,
    least: usize,
    most: usize,
}

/// An array of `item`s.
pub fn list<C: Codec>(item: C) -> List<C> {
    List { item, least: 0, most: usize::MAX }
}

impl<C> List<C> {
    /// Refuses fewer than `least` items.
    pub fn at_least(self, least: usize) -> Self {
        Self { least, ..self }
    }

    /// Refuses more than `most` items.
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

impl<C: Codec> Codec for List<C> {
    type Out = Vec<C::Out>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        let Some(items) = value.as_array() else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        if items.len() < self.least || items.len() > self.most {
            return reader.refuse(ProblemKind::OutOfRange, value, self.expected());
        }
        let mut out = Some(Vec::with_capacity(items.len()));
        for (index, item) in items.iter().enumerate() {
            let read = reader.at_index(index, |reader| self.item.read(item, reader));
            match (&mut out, read) {
                (Some(list), Some(item)) => list.push(item),
                (_, None) => out = None,
                (None, _) => {}
            }
        }
        out
    }

    fn write(&self, out: &Self::Out) -> Value {
        out.iter().map(|item| self.item.write(item)).collect()
    }

    fn tidy(&self, value: &mut Value) {
        value.as_array_mut().into_iter().flatten().for_each(|item| self.item.tidy(item));
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        let mut schema = json!({"type": "array", "items": self.item.schema(definitions)});
        if self.least > 0 {
            schema["minItems"] = json!(self.least);
        }
        if self.most != usize::MAX {
            schema["maxItems"] = json!(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        match (self.least, self.most) {
            (0, usize::MAX) => "an array".to_owned(),
            (0, most) => format!("an array of at most {most}"),
            (least, usize::MAX) => format!("an array of at least {least}"),
            (least, most) if least == most => format!("an array of {most}"),
            (least, most) => format!("an array of {least} to {most}"),
        }
    }
}
