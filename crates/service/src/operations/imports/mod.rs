//! Imports: films of other services and editors as compositions.

mod create_import;

pub use create_import::{CreateImport, ImportSource};
