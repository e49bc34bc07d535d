//! Who changed something: a person, a program with a key, or an app.

use sqlx::any::AnyRow;

use crate::Result;
use crate::row::{Columns, text_enum};

text_enum!(
    /// What a change was authenticated with.
    AuthorKind, "a kind of author", { Person = "person", Key = "key", App = "app" });

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub kind: AuthorKind,
    /// The name of the person, of the key or of the app.
    pub name: String,
}

impl Author {
    /// The author in the columns `author_kind` and `author_name`.
    pub(crate) fn read(row: &AnyRow) -> Result<Option<Self>> {
        let kind = row.text_or_none("author_kind")?.map(AuthorKind::stored).transpose()?;
        let name = row.text_or_none("author_name")?;
        Ok(kind.map(|kind| Self { kind, name: name.unwrap_or_default() }))
    }
}
