//! The macros that turn tables into types.

/// A struct with a field table. Rows are `name: presence Type => "jsonKey", codec;` with presence `required`,
/// `optional` (an `Option`), `default` (followed by the value of an absent field, which is also the value that is
/// not written) or `written` (like `default`, but always written). See the [crate](crate) for an example.
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $presence:ident $ty:ty => $key:literal, $codec:expr $(, $default:expr)?;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $doc])+ $vis $field: $crate::__field_type!($presence $ty), )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $crate::__field_default!($presence $($default)?), )+ }
            }
        }

        impl $crate::Record for $name {
            const NAME: &'static str = stringify!($name);
            const ABOUT: &'static [&'static str] = &[$($about),+];

            fn read_fields(object: &mut $crate::Object<'_>, reader: &mut $crate::Reader) -> Option<Self> {
                // A tuple, so that no field shadows a codec of the same name.
                let fields =
                    ($( $crate::__read_field!($presence object, reader, $key, $codec $(, $default)?), )+);
                let ($( $field, )+) = fields;
                Some(Self { $( $field: $crate::__take_field!($presence $field), )+ })
            }

            fn write_fields(
                &self,
                fields: &mut $crate::serde_json::Map<String, $crate::serde_json::Value>,
            ) {
                $( $crate::__write_field!($presence self.$field, fields, $key, $codec $(, $default)?); )+
            }

            fn tidy_fields(fields: &mut $crate::serde_json::Map<String, $crate::serde_json::Value>) {
                $( $crate::__tidy::<$ty, _>(fields, $key, &$codec); )+
            }

            fn describe(schema: &mut $crate::ObjectSchema<'_>) {
                $( $crate::__describe_field!($presence $ty, schema, $key, $codec, &[$($doc),+] $(, $default)?); )+
            }
        }
    };
}

/// A closed list of names. Rows are `Variant = "name",`; the first is the default.
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $name:ident { $first:ident = $first_text:literal, $($variant:ident = $text:literal,)* }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        $vis enum $name { #[default] $first, $($variant),* }

        impl $name {
            /// Every choice, in the order it is described.
            $vis const ALL: &'static [Self] = &[Self::$first, $(Self::$variant),*];

            /// The name in JSON.
            $vis fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $( Self::$variant => $text, )*
                }
            }
        }

        impl $crate::Choice for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __field_type {
    (optional $ty:ty) => { Option<$ty> };
    ($presence:ident $ty:ty) => { $ty };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __field_default {
    ($presence:ident $default:expr) => {
        $default
    };
    ($presence:ident) => {
        Default::default()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __read_field {
    ($presence:ident $object:ident, $reader:ident, $key:literal, $codec:expr, $default:expr) => {
        $object.optional($key, &$codec, $reader).unwrap_or_else(|| $default)
    };
    ($presence:ident $object:ident, $reader:ident, $key:literal, $codec:expr) => {
        $object.$presence($key, &$codec, $reader)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __take_field {
    (required $field:ident) => {
        $field?
    };
    ($presence:ident $field:ident) => {
        $field
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __write_field {
    (required $value:expr, $fields:ident, $key:literal, $codec:expr) => {
        $fields.insert($key.to_owned(), $crate::Codec::write(&$codec, &$value));
    };
    (optional $value:expr, $fields:ident, $key:literal, $codec:expr) => {
        if let Some(value) = &$value {
            $fields.insert($key.to_owned(), $crate::Codec::write(&$codec, value));
        }
    };
    (default $value:expr, $fields:ident, $key:literal, $codec:expr, $default:expr) => {
        $crate::__write_unless($fields, $key, &$codec, &$value, &$default);
    };
    (written $value:expr, $fields:ident, $key:literal, $codec:expr, $default:expr) => {
        $fields.insert($key.to_owned(), $crate::Codec::write(&$codec, &$value));
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __describe_field {
    (required $ty:ty, $schema:ident, $key:literal, $codec:expr, $doc:expr) => {
        $schema.field::<$ty, _>($key, &$codec, $doc, None);
        $schema.require($key);
    };
    (optional $ty:ty, $schema:ident, $key:literal, $codec:expr, $doc:expr) => {
        $schema.field::<$ty, _>($key, &$codec, $doc, None);
    };
    ($presence:ident $ty:ty, $schema:ident, $key:literal, $codec:expr, $doc:expr, $default:expr) => {
        $schema.field::<$ty, _>($key, &$codec, $doc, Some(&$default));
    };
}
