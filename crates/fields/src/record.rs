//! Objects with a field table, and reading, writing and describing them as a whole.

use std::marker::PhantomData;

use serde_json::{Map, Value, json};

use crate::codec::{Codec, Definitions};
use crate::object::Object;
use crate::object_schema::ObjectSchema;
use crate::problem::Error;
use crate::reader::Reader;

/// A struct with a field table. [`crate::record!`] makes one.
pub trait Record: Sized + Clone + PartialEq {
    /// The name of its schema.
    const NAME: &'static str;
    /// Its description, line by line.
    const ABOUT: &'static [&'static str];

    /// Reads the fields of an object that may have others too.
    fn read_fields(object: &mut Object<'_>, reader: &mut Reader) -> Option<Self>;
    /// Writes every field that does not hold its default.
    fn write_fields(&self, fields: &mut Map<String, Value>);
    /// [`Codec::tidy`] for every field of the table.
    fn tidy_fields(fields: &mut Map<String, Value>);
    fn describe(schema: &mut ObjectSchema<'_>);
}

/// Reads a record. Every problem is reported at once; unknown fields are ignored.
pub fn read<T: Record>(value: &Value) -> Result<T, Error> {
    read_checked(value, |_, _| {})
}

/// Reads a record and runs `check` for the rules that span several fields. `check` runs only when the fields
/// themselves could be read; its problems are reported together with theirs.
pub fn read_checked<T: Record>(value: &Value, check: impl FnOnce(&T, &mut Reader)) -> Result<T, Error> {
    let mut reader = Reader::default();
    let record = object::<T>().read(value, &mut reader);
    if let Some(record) = &record {
        check(record, &mut reader);
    }
    reader.finish(record)
}

/// A record as JSON. Fields that hold their default are left out.
pub fn write<T: Record>(record: &T) -> Value {
    object::<T>().write(record)
}

/// Writes a field unless it holds its default. A function, so that the codec fixes the type of the default.
#[doc(hidden)]
pub fn __write_unless<C: Codec>(
    fields: &mut Map<String, Value>,
    key: &str,
    codec: &C,
    value: &C::Out,
    default: &C::Out,
) {
    if value != default {
        fields.insert(key.to_owned(), codec.write(value));
    }
}

/// Tidies a field, and removes it if it is `null`. The order of the others stays. The type of the field fixes that of the
/// codec.
#[doc(hidden)]
pub fn __tidy<T, C: Codec<Out = T>>(fields: &mut Map<String, Value>, key: &str, codec: &C) {
    let Some(value) = fields.get_mut(key) else { return };
    if !value.is_null() {
        codec.tidy(value);
    }
    if value.is_null() {
        fields.shift_remove(key);
    }
}

/// JSON Schema (draft 2020-12) of a record, with the objects it refers to under `$defs`. A field that may be left
/// out may also be `null`.
pub fn schema<T: Record>() -> Value {
    let mut definitions = Definitions::new();
    let mut object = ObjectSchema::new(&mut definitions);
    T::describe(&mut object);
    let body = object.finish(T::ABOUT);

    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": T::NAME,
    });
    if let (Some(schema), Value::Object(body)) = (schema.as_object_mut(), body) {
        schema.extend(body);
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// An object with a field table. Made by [`object`].
#[derive(Debug, Clone, Copy)]
pub struct Nested<T>(PhantomData<T>);

/// An object with the field table of `T`.
pub fn object<T: Record>() -> Nested<T> {
    Nested(PhantomData)
}

impl<T: Record> Codec for Nested<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        let mut object = Object::open(value, reader)?;
        let record = T::read_fields(&mut object, reader);
        object.close(reader);
        record
    }

    fn write(&self, out: &T) -> Value {
        let mut fields = Map::new();
        out.write_fields(&mut fields);
        Value::Object(fields)
    }

    fn tidy(&self, value: &mut Value) {
        if let Some(fields) = value.as_object_mut() {
            T::tidy_fields(fields);
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        if !definitions.contains_key(T::NAME) {
            let mut object = ObjectSchema::new(definitions);
            T::describe(&mut object);
            let schema = object.finish(T::ABOUT);
            definitions.insert(T::NAME.to_owned(), schema);
        }
        json!({"$ref": format!("#/$defs/{}", T::NAME)})
    }

    fn expected(&self) -> String {
        "an object".to_owned()
    }
}
