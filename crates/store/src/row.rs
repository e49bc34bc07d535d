//! Typed columns of a row, enums stored as text, and text that both databases can store.

use std::borrow::Cow;

use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::{Credits, Result, StoreError, Time};

pub(crate) trait Columns {
    fn text(&self, column: &str) -> Result<String>;
    fn text_or_none(&self, column: &str) -> Result<Option<String>>;
    fn int(&self, column: &str) -> Result<i64>;
    fn int_or_none(&self, column: &str) -> Result<Option<i64>>;

    fn flag(&self, column: &str) -> Result<bool> {
        Ok(self.int(column)? != 0)
    }

    fn count(&self, column: &str) -> Result<u32> {
        Ok(u32::try_from(self.int(column)?).unwrap_or_default())
    }

    fn credits(&self, column: &str) -> Result<Credits> {
        self.int(column).map(Credits::from_thousandths)
    }

    fn time(&self, column: &str) -> Result<Time> {
        self.int(column).map(Time)
    }

    fn time_or_none(&self, column: &str) -> Result<Option<Time>> {
        Ok(self.int_or_none(column)?.map(Time))
    }

    fn json(&self, column: &str) -> Result<Value> {
        Ok(serde_json::from_str(&self.text(column)?)?)
    }

    fn json_or_none(&self, column: &str) -> Result<Option<Value>> {
        Ok(self.text_or_none(column)?.map(|text| serde_json::from_str(&text)).transpose()?)
    }
}

impl Columns for AnyRow {
    fn text(&self, column: &str) -> Result<String> {
        Ok(self.try_get(column)?)
    }

    fn text_or_none(&self, column: &str) -> Result<Option<String>> {
        Ok(self.try_get(column)?)
    }

    fn int(&self, column: &str) -> Result<i64> {
        Ok(self.try_get(column)?)
    }

    fn int_or_none(&self, column: &str) -> Result<Option<i64>> {
        Ok(self.try_get(column)?)
    }
}

/// What was read of the rows of a list. Those with a value that only a newer version knows are left out.
pub(crate) fn known<T>(read: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    read.into_iter().filter(|read| !matches!(read, Err(StoreError::UnknownValue { .. }))).collect()
}

/// Text from outside as both databases can store it: PostgreSQL rejects NUL characters.
pub(crate) fn storable(text: &str) -> String {
    let text: Cow<'_, str> =
        if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() };
    text.into_owned()
}

/// JSON that PostgreSQL can read: it rejects NUL characters, escaped ones too.
pub(crate) fn without_nul(json: &str) -> String {
    json.replace("\\u0000", "\\ufffd")
}

/// A pattern for `LIKE … ESCAPE '!'`: what contains the text in any letter case. `None` for a blank text.
pub(crate) fn containing(text: &str) -> Option<String> {
    let text = storable(text.trim()).to_lowercase();
    let escaped = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    (!escaped.is_empty()).then(|| format!("%{escaped}%"))
}

/// An enum stored as text.
macro_rules! text_enum {
    ($(#[$meta:meta])* $type:ident, $what:literal, { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        pub enum $type { $(#[serde(rename = $name)] $variant),+ }

        impl $type {
            /// Every name.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)+ _ => None }
            }

            #[allow(dead_code, reason = "not every list is read back")]
            pub(crate) fn stored(text: String) -> crate::Result<Self> {
                Self::parse(&text).ok_or(crate::StoreError::UnknownValue { what: $what, value: text })
            }
        }
    };
}
pub(crate) use text_enum;
