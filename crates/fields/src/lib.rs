//! Declarative field tables. A [`record!`] is a struct whose rows say, once, what each JSON field is called, what it
//! holds, whether it is required and what it means. Reading (every problem at once, each with its JSON path),
//! writing and JSON Schema all come from that row. A [`choices!`] is a closed list of names.
//!
//! ```
//! use rondo_fields::{Record, choices, integer, one_of, read, record, text, url};
//! use serde_json::json;
//!
//! choices! {
//!     /// When to send.
//!     pub enum Event {
//!         Done = "done",
//!         Failed = "failed",
//!     }
//! }
//!
//! record! {
//!     /// A callback to register.
//!     pub struct Register {
//!         /// Address to call.
//!         url: required String => "url", url();
//!         /// When to call it.
//!         event: default Event => "event", one_of(), Event::Done;
//!         /// Label shown in lists.
//!         label: optional String => "label", text().not_blank().at_most(100);
//!         /// Attempts before giving up.
//!         attempts: default u32 => "attempts", integer(1, 10), 5;
//!     }
//! }
//!
//! let register: Register = read(&json!({"url": "https://example.com", "event": "failed"})).unwrap();
//! assert_eq!((register.event, register.attempts), (Event::Failed, 5));
//!
//! let error = read::<Register>(&json!({"label": " ", "attempts": 11})).unwrap_err();
//! let paths: Vec<&str> = error.problems().iter().map(|problem| problem.path.as_str()).collect();
//! assert_eq!(paths, ["url", "label", "attempts"]);
//!
//! assert_eq!(rondo_fields::schema::<Register>()["properties"]["attempts"]["maximum"], 10);
//! ```
//!
//! Modules build on each other in this order: `problem`, `nearest`, `reader`, `codec`, the codecs of single values (`text`,
//! `number`, `json`), `list`, `choice`, `tolerant`, `object`, `object_schema`, `record`, `macros`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod choice;
mod codec;
mod json;
mod list;
mod macros;
mod nearest;
mod number;
mod object;
mod object_schema;
mod problem;
mod reader;
mod record;
mod text;
mod tolerant;

pub use choice::{Choice, OneOf, one_of};
pub use codec::{Codec, Definitions};
pub use json::{JsonMap, JsonValue, json_map, json_value};
pub use list::{List, list};
pub use nearest::{edit_distance, nearest_name};
pub use number::{Flag, Float, Whole, amount, count, flag, integer, number, plain_number, whole, write_f64};
pub use object::Object;
pub use object_schema::ObjectSchema;
pub use problem::{Error, Problem, ProblemKind, Tolerated};
pub use reader::Reader;
pub use record::{Nested, Record, object, read, read_checked, schema, write};
pub use text::{Text, Url, text, url};
pub use tolerant::{Tolerant, tolerant};

#[doc(hidden)]
pub use record::{__tidy, __write_unless};
#[doc(hidden)]
pub use serde_json;
