//! Closed lists of names.

use std::marker::PhantomData;

use serde_json::{Value, json};

use crate::codec::{Codec, Definitions};
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// A closed list of names. [`crate::choices!`] makes one.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every choice, in the order it is described.
    const ALL: &'static [Self];
    /// The problem with a name that is not in the list.
    const REFUSAL: ProblemKind = ProblemKind::InvalidEnumValue;

    /// The name in JSON.
    fn name(self) -> &'static str;

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

/// One of a closed list of names. Made by [`one_of`].
#[derive(Debug, Clone, Copy)]
pub struct OneOf<T>(PhantomData<T>);

/// One of the names of `T`.
pub fn one_of<T: Choice>() -> OneOf<T> {
    OneOf(PhantomData)
}

impl<T: Choice> Codec for OneOf<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        let Some(name) = value.as_str() else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        match T::from_name(name) {
            Some(choice) => Some(choice),
            None => reader.refuse(T::REFUSAL, value, self.expected()),
        }
    }

    fn write(&self, out: &T) -> Value {
        Value::from(out.name())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "enum": T::ALL.iter().map(|choice| choice.name()).collect::<Vec<_>>()})
    }

    fn expected(&self) -> String {
        let names: Vec<&str> = T::ALL.iter().map(|choice| choice.name()).collect();
        format!("one of {}", names.join(", "))
    }
}
