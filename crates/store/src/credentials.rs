//! User names and passwords in URLs. Compositions are stored with `***` in their place; what was there is stored
//! encrypted beside them, for rendering alone.

use std::borrow::Cow;

use serde_json::{Map, Value};
use url::Url;

use crate::Result;
use crate::seal::MasterKey;

const MASK: &str = "***";

/// The text without user names and passwords in its URLs: `https://***@host/…`.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut redacted = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("://") {
        let (before, after) = rest.split_at(start + 3);
        let ends = |c: char| matches!(c, '/' | '?' | '#' | '\\' | '"' | '<' | '>') || c.is_whitespace();
        let authority = &after[..after.find(ends).unwrap_or(after.len())];
        redacted.push_str(before);
        rest = after;
        if let Some(at) = authority.rfind('@').filter(|at| *at > 0) {
            redacted.push_str(MASK);
            rest = &after[at..];
        }
    }
    if redacted.is_empty() {
        return text.into();
    }
    redacted.push_str(rest);
    redacted.into()
}

/// The address without its user name and password.
pub fn redact_url(address: &str) -> Cow<'_, str> {
    masked(address).map_or_else(|| redact(address), Cow::Owned)
}

/// Every text of a JSON value without user names and passwords in URLs.
pub fn redact_json(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(redacted) = redact(text) {
                *text = redacted;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_json),
        Value::Object(fields) => fields.values_mut().for_each(redact_json),
        _ => {}
    }
}

/// Masks every URL with credentials. Returns the original ones by JSON pointer.
pub(crate) fn take(value: &mut Value) -> Map<String, Value> {
    let mut taken = Map::new();
    walk(value, &mut String::new(), &mut taken);
    taken
}

fn walk(value: &mut Value, pointer: &mut String, taken: &mut Map<String, Value>) {
    let mut within = |step: &str, value: &mut Value| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(step);
        walk(value, pointer, taken);
        pointer.truncate(length);
    };
    match value {
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(index, item)| within(&index.to_string(), item));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                within(&name.replace('~', "~0").replace('/', "~1"), field);
            }
        }
        Value::String(text) => {
            if let Some(masked) = masked(text) {
                taken.insert(pointer.clone(), std::mem::replace(text, masked).into());
            }
        }
        _ => {}
    }
}

/// The URL without its credentials, if it has any.
fn masked(text: &str) -> Option<String> {
    if !text.contains('@') || !text.trim_start().get(..4)?.eq_ignore_ascii_case("http") {
        return None;
    }
    let mut url = Url::parse(text.trim()).ok()?;
    if url.username().is_empty() && url.password().is_none() || url.username() == MASK {
        return None;
    }
    url.set_password(None).ok()?;
    url.set_username(MASK).ok()?;
    Some(url.into())
}

/// URLs with credentials that were masked: by the name of the value, then by JSON pointer.
#[derive(Clone, PartialEq)]
pub(crate) struct Taken(Value);

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(MASK)
    }
}

/// Masks the named values. Returns the originals, if there are any.
pub(crate) fn take_from<'a>(values: impl IntoIterator<Item = (&'a str, &'a mut Value)>) -> Option<Taken> {
    let taken: Map<String, Value> = values
        .into_iter()
        .map(|(name, value)| (name.to_owned(), take(value)))
        .filter(|(_, taken)| !taken.is_empty())
        .map(|(name, taken)| (name, taken.into()))
        .collect();
    (!taken.is_empty()).then(|| Taken(taken.into()))
}

impl Taken {
    pub fn seal(&self, key: &MasterKey, column: &str, id: &str) -> Result<String> {
        key.seal(column, id, &self.0.to_string())
    }

    pub fn open(key: &MasterKey, column: &str, id: &str, sealed: &str) -> Result<Self> {
        Ok(Self(serde_json::from_str(&key.open(column, id, sealed)?)?))
    }

    /// Puts the originals back into another version of one named value, wherever it still has their masked URLs.
    pub fn put_back_masked(&self, name: &str, value: &mut Value) {
        let originals: Vec<(&str, String, &Value)> = (self.0[name].as_object().into_iter().flatten())
            .filter_map(|(pointer, original)| Some((pointer.as_str(), masked(original.as_str()?)?, original)))
            .collect();
        unmask(value, &mut String::new(), &originals);
    }

    /// Puts the originals of one named value back.
    pub fn put_back(&self, name: &str, value: &mut Value) {
        for (pointer, original) in self.0[name].as_object().into_iter().flatten() {
            if let Some(place) = value.pointer_mut(pointer) {
                *place = original.clone();
            }
        }
    }
}

/// Puts originals where a value still has their masked URL: those of the same place first.
fn unmask(value: &mut Value, pointer: &mut String, originals: &[(&str, String, &Value)]) {
    let mut within = |step: &str, value: &mut Value| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(step);
        unmask(value, pointer, originals);
        pointer.truncate(length);
    };
    match value {
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(index, item)| within(&index.to_string(), item));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                within(&name.replace('~', "~0").replace('/', "~1"), field);
            }
        }
        Value::String(text) if text.contains(MASK) => {
            let same = || originals.iter().filter(|(_, masked, _)| masked == text);
            let found = same().find(|(place, ..)| place == pointer).or_else(|| same().next());
            if let Some((_, _, original)) = found {
                *value = (*original).clone();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn user_names_and_passwords_are_redacted_and_nothing_else() {
        for (text, expected) in [
            ("https://me:pa@ss@host/a.mp4 cannot be used.", "https://***@host/a.mp4 cannot be used."),
            ("`src`: \"HTTP://token@[::1]:80?x=1\"", "`src`: \"HTTP://***@[::1]:80?x=1\""),
            ("a://b@c and d://e:f@g", "a://***@c and d://***@g"),
            ("https://host/a@b", "https://host/a@b"),
            ("me@host, https://host", "me@host, https://host"),
            ("://", "://"),
        ] {
            assert_eq!(redact(text), expected);
        }
    }

    #[test]
    fn credentials_are_taken_out_of_urls_and_put_back() {
        let secret = "https://me:secret@host/a.png";
        let original =
            json!({"overlays": [{"src": secret, "a/b~": [secret, "x"]}, {"src": "https://host/b@c"}]});
        let mut value = original.clone();
        let taken = take_from([("composition", &mut value)]).unwrap();
        assert!(!value.to_string().contains("secret"), "{value}");
        assert_eq!(value["overlays"][0]["src"], "https://***@host/a.png");
        taken.put_back("composition", &mut value);
        assert_eq!(value, original);
        assert_eq!(take_from([("composition", &mut json!({"src": "https://***@host/"}))]), None);
    }

    #[test]
    fn credentials_follow_their_masked_url_to_another_place() {
        let [ada, bob] = ["https://ada:1@host/a.png", "https://bob:2@host/a.png"];
        let mut value = json!([{"src": ada}, {"src": bob}]);
        let taken = take_from([("composition", &mut value)]).unwrap();
        let masked = value[0]["src"].clone();
        let mut edited =
            json!([{"src": masked}, {"src": masked}, {"src": masked}, {"src": "https://***@other/"}]);
        taken.put_back_masked("composition", &mut edited);
        assert_eq!(edited, json!([{"src": ada}, {"src": bob}, {"src": ada}, {"src": "https://***@other/"}]));
    }
}
