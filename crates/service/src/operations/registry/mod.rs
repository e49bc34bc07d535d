//! The names a composition may use.

mod list_registry;

pub use list_registry::{ListRegistry, Registry, RegistryQuery, list, names};
