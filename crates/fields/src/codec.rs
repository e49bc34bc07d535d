//! The contract of a codec: how one kind of value is read from JSON, written and described.

use serde_json::{Map, Value};

use crate::reader::Reader;

/// Schemas of named objects, collected while a schema is described. They are referred to as `#/$defs/Name`.
pub type Definitions = Map<String, Value>;

/// One kind of value.
pub trait Codec {
    type Out: Clone + PartialEq;

    /// Reads a value. `None` means that a problem was noted.
    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out>;

    fn write(&self, out: &Self::Out) -> Value;

    /// Makes a value that can be read one that the schema allows, and that reads as the same: what reading ignores is
    /// removed, what it takes for something else is replaced. A value that becomes `null` is removed as a whole. Fields of
    /// no table stay as they are.
    fn tidy(&self, _value: &mut Value) {}

    /// JSON Schema of the value. Named objects go to `definitions`.
    fn schema(&self, definitions: &mut Definitions) -> Value;

    /// What is accepted, to end the sentence "must be …".
    fn expected(&self) -> String;
}
