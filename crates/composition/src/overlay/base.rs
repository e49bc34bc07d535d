//! The fields every overlay has: identity, time, stacking and box.

use std::fmt;

use rondo_fields::{
    Codec, Definitions, ProblemKind, Reader, flag, number, record, text, tolerant, write_f64,
};
use serde_json::Value;

use crate::tolerance::{EDITOR_FIELD_IGNORED, overlay_id};
use crate::values::{frame, frames};

/// An overlay's number within its composition. Any finite JSON number will do, also in a string.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct OverlayId(f64);

// Ids are finite (the reader sees to it), so equality is total.
impl Eq for OverlayId {}

impl OverlayId {
    pub fn number(self) -> f64 {
        self.0
    }
}

impl From<u32> for OverlayId {
    fn from(id: u32) -> Self {
        Self(f64::from(id))
    }
}

impl fmt::Display for OverlayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug, Clone, Copy)]
struct IdCodec;

impl Codec for IdCodec {
    type Out = OverlayId;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<OverlayId> {
        match overlay_id(value) {
            // Adding zero turns −0 into 0.
            Some(id) => Some(OverlayId(id + 0.0)),
            None => reader.refuse(ProblemKind::WrongType, value, self.expected()),
        }
    }

    fn write(&self, id: &OverlayId) -> Value {
        write_f64(id.0)
    }

    fn tidy(&self, value: &mut Value) {
        if let Some(id) = overlay_id(value).filter(|_| value.is_string()) {
            *value = write_f64(id + 0.0);
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        number().schema(definitions)
    }

    fn expected(&self) -> String {
        number().expected()
    }
}

record! {
    /// The fields every overlay has.
    pub struct Base {
        /// Unique within the composition.
        id: required OverlayId => "id", IdCodec;
        /// First frame at which the overlay is visible, rounded to a whole frame.
        from: required i64 => "from", frame();
        /// Visible length in frames, rounded to a whole frame.
        duration: required u32 => "durationInFrames", frames();
        /// Track: lower rows are painted in front. Overlays on one row are painted in array order.
        row: required f64 => "row", number();
        /// Pixels from the canvas top.
        top: required f64 => "top", number();
        /// Pixels from the canvas left.
        left: required f64 => "left", number();
        /// Width in pixels.
        width: required f64 => "width", number().at_least(0.0);
        /// Height in pixels.
        height: required f64 => "height", number().at_least(0.0);
        /// Clockwise rotation about the centre in degrees.
        rotation: default f64 => "rotation", number(), 0.0;
        /// Set by editors while the overlay is being dragged. Does not change the film.
        is_dragging: optional bool => "isDragging", tolerant(flag(), EDITOR_FIELD_IGNORED);
        /// Makes the overlay a variable that a replacement can fill.
        is_dynamic: default bool => "isDynamic", flag(), false;
        /// Name of the variable.
        name: optional String => "name", text();
    }
}
