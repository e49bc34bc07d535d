//! How large a document may be. Everything after this check relies on it.

use rondo_composition::{Error, ProblemKind};
use serde_json::Value;

use crate::problem;

/// Objects and arrays within each other.
const MOST_DEPTH: usize = 64;
/// Values of all kinds.
const MOST_VALUES: usize = 200_000;

/// Refuses documents that are too deep or too large.
pub fn check(document: &Value) -> Result<(), Error> {
    let mut values = vec![(document, 0)];
    let mut count = 0;
    while let Some((value, depth)) = values.pop() {
        count += 1;
        if depth > MOST_DEPTH {
            let given = format!("nested {depth} levels deep");
            let expected = format!("nested at most {MOST_DEPTH} levels deep");
            return Err(problem("", ProblemKind::CompositionTooLarge, given, expected));
        }
        if count > MOST_VALUES {
            let expected = format!("at most {MOST_VALUES} values in total");
            return Err(problem("", ProblemKind::CompositionTooLarge, "more", expected));
        }
        match value {
            Value::Array(items) => values.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(fields) => values.extend(fields.values().map(|field| (field, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}
