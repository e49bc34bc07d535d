//! Replacing values in all styles of a film at once.

use rondo_fields::{Codec, Error, Reader, object};
use serde_json::Value;

use crate::composition::Composition;

impl Composition {
    /// The composition after `visit` changed strings: the background and every string in a style, each with its path.
    pub(crate) fn restyled(&self, visit: &mut impl FnMut(&mut String, &str)) -> Result<Self, Error> {
        let mut written = self.write();
        if let Some(Value::String(background)) = written.get_mut("backgroundColor") {
            visit(background, "backgroundColor");
        }
        let overlays = written.get_mut("overlays").and_then(Value::as_array_mut);
        for (index, overlay) in overlays.into_iter().flatten().enumerate() {
            if let Some(styles) = overlay.get_mut("styles") {
                each_text(styles, &format!("overlays[{index}].styles"), visit);
            }
        }
        let mut reader = Reader::default();
        let read = object::<Self>().read(&written, &mut reader);
        reader.finish(read)
    }
}

/// Visits every string in a value, with its path.
fn each_text(value: &mut Value, path: &str, visit: &mut impl FnMut(&mut String, &str)) {
    match value {
        Value::String(text) => visit(text, path),
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                each_text(item, &format!("{path}[{index}]"), visit);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                each_text(field, &format!("{path}.{key}"), visit);
            }
        }
        _ => {}
    }
}
