//! Field tables. A `record!` is a Rust struct whose rows say, once, what each JSON field is called, what it holds,
//! whether it must be there and what it means; reading, writing and the JSON Schema all come from that row.
//! A `choices!` is a closed list of names.

use serde_json::{Map, Value, json};

use crate::codec::{Codec, Definitions};
use crate::problem::ProblemKind;
use crate::reader::{Object, Reader};

pub(crate) trait Record: Sized + Clone + PartialEq {
    const NAME: &'static str;
    const ABOUT: &'static [&'static str];

    fn read_fields(object: &mut Object<'_>, reader: &mut Reader) -> Option<Self>;
    fn write_fields(&self, fields: &mut Map<String, Value>);
    fn describe(shape: &mut Shape<'_>);
}

pub(crate) trait Choice: Copy + PartialEq + 'static {
    const ALL: &'static [Self];
    /// The problem that a name outside the list is.
    const REFUSAL: ProblemKind = ProblemKind::InvalidEnumValue;

    fn name(self) -> &'static str;

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

/// The JSON Schema of an object under construction.
pub(crate) struct Shape<'a> {
    definitions: &'a mut Definitions,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl<'a> Shape<'a> {
    pub(crate) fn new(definitions: &'a mut Definitions) -> Self {
        Self { definitions, properties: Map::new(), required: Vec::new() }
    }

    pub(crate) fn field<T, C: Codec<Out = T>>(
        &mut self,
        key: &'static str,
        codec: &C,
        about: &[&str],
        default: Option<&T>,
    ) {
        let mut schema = codec.schema(self.definitions);
        schema["description"] = json!(sentence(about));
        if let Some(default) = default {
            schema["default"] = codec.write(default);
        }
        self.properties.insert(key.to_owned(), schema);
    }

    pub(crate) fn constant(&mut self, key: &'static str, value: &str) {
        self.properties.insert(key.to_owned(), json!({"const": value}));
        self.required.push(key);
    }

    pub(crate) fn require(&mut self, key: &'static str) {
        self.required.push(key);
    }

    pub(crate) fn finish(self, about: &[&str]) -> Value {
        let mut schema = json!({"description": sentence(about), "type": "object"});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema["properties"] = Value::Object(self.properties);
        schema
    }
}

/// Writes a field unless it holds its default.
pub(crate) fn write_unless<C: Codec>(
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

fn sentence(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// Rows are `name: presence Type => "jsonKey", codec;` with presence `required`, `optional` (an `Option`) or
/// `default` (followed by the value of an absent field, which is also what is not written).
macro_rules! record {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $presence:ident $ty:ty => $key:literal, $codec:expr $(, $default:expr)?;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $crate::record::field_type!($presence $ty), )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $crate::record::field_default!($presence $($default)?), )+ }
            }
        }

        impl $crate::record::Record for $name {
            const NAME: &'static str = stringify!($name);
            const ABOUT: &'static [&'static str] = &[$($about),+];

            fn read_fields(
                object: &mut $crate::reader::Object<'_>,
                reader: &mut $crate::reader::Reader,
            ) -> Option<Self> {
                // A tuple, so that no field shadows a codec of the same name.
                let fields =
                    ($( $crate::record::read_field!($presence object, reader, $key, $codec $(, $default)?), )+);
                let ($( $field, )+) = fields;
                Some(Self { $( $field: $crate::record::take_field!($presence $field), )+ })
            }

            fn write_fields(&self, fields: &mut serde_json::Map<String, serde_json::Value>) {
                $( $crate::record::write_field!($presence self.$field, fields, $key, $codec $(, $default)?); )+
            }

            fn describe(shape: &mut $crate::record::Shape<'_>) {
                $( $crate::record::describe_field!($presence $ty, shape, $key, $codec, &[$($doc),+] $(, $default)?); )+
            }
        }
    };
}

macro_rules! field_type {
    (optional $ty:ty) => { Option<$ty> };
    ($presence:ident $ty:ty) => { $ty };
}

macro_rules! field_default {
    (default $default:expr) => {
        $default
    };
    ($presence:ident) => {
        Default::default()
    };
}

macro_rules! read_field {
    (default $object:ident, $reader:ident, $key:literal, $codec:expr, $default:expr) => {
        $object.optional($key, &$codec, $reader).unwrap_or_else(|| $default)
    };
    ($presence:ident $object:ident, $reader:ident, $key:literal, $codec:expr) => {
        $object.$presence($key, &$codec, $reader)
    };
}

macro_rules! take_field {
    (required $field:ident) => {
        $field?
    };
    ($presence:ident $field:ident) => {
        $field
    };
}

macro_rules! write_field {
    (required $value:expr, $fields:ident, $key:literal, $codec:expr) => {
        $fields.insert($key.to_owned(), $crate::codec::Codec::write(&$codec, &$value));
    };
    (optional $value:expr, $fields:ident, $key:literal, $codec:expr) => {
        if let Some(value) = &$value {
            $fields.insert($key.to_owned(), $crate::codec::Codec::write(&$codec, value));
        }
    };
    (default $value:expr, $fields:ident, $key:literal, $codec:expr, $default:expr) => {
        $crate::record::write_unless($fields, $key, &$codec, &$value, &$default);
    };
}

macro_rules! describe_field {
    (required $ty:ty, $shape:ident, $key:literal, $codec:expr, $doc:expr) => {
        $shape.field::<$ty, _>($key, &$codec, $doc, None);
        $shape.require($key);
    };
    (optional $ty:ty, $shape:ident, $key:literal, $codec:expr, $doc:expr) => {
        $shape.field::<$ty, _>($key, &$codec, $doc, None);
    };
    (default $ty:ty, $shape:ident, $key:literal, $codec:expr, $doc:expr, $default:expr) => {
        $shape.field::<$ty, _>($key, &$codec, $doc, Some(&$default));
    };
}

/// Rows are `Variant = "name",`. The first is the default.
macro_rules! choices {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident { $first:ident = $first_text:literal, $($variant:ident = $text:literal,)* }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum $name { #[default] $first, $($variant),* }

        impl $name {
            /// Every choice, in the order of the format's description.
            pub const ALL: &'static [Self] = &[Self::$first, $(Self::$variant),*];

            /// The name in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $( Self::$variant => $text, )*
                }
            }
        }

        impl $crate::record::Choice for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        }
    };
}

pub(crate) use {
    choices, describe_field, field_default, field_type, read_field, record, take_field, write_field,
};
