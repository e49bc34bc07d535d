//! Values that are ignored where they cannot be read, instead of refusing the whole input.

use serde_json::Value;

use crate::codec::{Codec, Definitions};
use crate::reader::Reader;

/// A value that counts as absent where it cannot be read. Made by [`tolerant`].
#[derive(Debug, Clone, Copy)]
pub struct Tolerant<C> {
    codec: C,
    code: &'static str,
}

/// A value of an optional field that counts as absent where it cannot be read; the reader notes it under `code`.
pub fn tolerant<C: Codec>(codec: C, code: &'static str) -> Tolerant<C> {
    Tolerant { codec, code }
}

impl<C: Codec> Codec for Tolerant<C> {
    type Out = C::Out;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<C::Out> {
        reader.tolerating(self.code, value, |reader| self.codec.read(value, reader))
    }

    fn write(&self, out: &C::Out) -> Value {
        self.codec.write(out)
    }

    fn tidy(&self, value: &mut Value) {
        let mut reader = Reader::default();
        if self.read(value, &mut reader).is_none() {
            *value = Value::Null;
            return;
        }
        if let Some(fields) = value.as_object_mut() {
            for tolerated in reader.take_tolerated() {
                let path = &tolerated.problem.path;
                fields.shift_remove(path.split(['.', '[']).next().unwrap_or(path));
            }
        }
        self.codec.tidy(value);
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        self.codec.schema(definitions)
    }

    fn expected(&self) -> String {
        self.codec.expected()
    }
}
