//! Response headers.

use serde_json::{Map, Value, json};

/// Every header by name: what it says, and the type of its value.
const HEADERS: [(&str, &str, &str); 11] = [
    (
        "ETag",
        "Names the state of what is returned. Send it as `If-Match` with a change, or as `If-None-Match`.",
        "string",
    ),
    (
        "Idempotency-Replayed",
        "`true` where this is the answer to an earlier request with the same Idempotency-Key.",
        "boolean",
    ),
    ("RateLimit-Limit", "Requests allowed in a minute.", "integer"),
    ("RateLimit-Remaining", "Requests left in this minute.", "integer"),
    ("RateLimit-Reset", "Seconds until the minute ends.", "integer"),
    ("Retry-After", "Seconds to wait before trying again.", "integer"),
    ("WWW-Authenticate", "Where to get a token.", "string"),
    ("X-RateLimit-Limit", "The same as RateLimit-Limit.", "integer"),
    ("X-RateLimit-Remaining", "The same as RateLimit-Remaining.", "integer"),
    ("X-RateLimit-Reset", "When the minute ends, in Unix seconds.", "integer"),
    ("X-Request-Id", "Names this request. Quote it when you report an error.", "string"),
];

/// Those of every response.
const ALWAYS: [&str; 7] = [
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
];

/// The headers as components.
pub fn components() -> Map<String, Value> {
    let describe = |(name, about, kind): (&str, &str, &str)| {
        (name.to_owned(), json!({"description": about, "schema": {"type": kind}}))
    };
    HEADERS.into_iter().map(describe).collect()
}

/// Adds to every response of an operation the headers it has.
pub fn add(operation: &mut Value) {
    let has_key = operation["parameters"].to_string().contains("\"Idempotency-Key\"");
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        let mut names = ALWAYS.to_vec();
        match status.as_str() {
            "200" if has_key => names.push("Idempotency-Replayed"),
            "401" => names.push("WWW-Authenticate"),
            "409" | "429" | "503" => names.push("Retry-After"),
            _ => {}
        }
        for name in names {
            response["headers"][name] = json!({"$ref": format!("#/components/headers/{name}")});
        }
    }
}
