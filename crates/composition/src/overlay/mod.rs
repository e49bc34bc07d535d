//! An overlay: the fields all types share, and what its type adds.

mod base;
mod caption;
mod effect;
mod media;
mod media_source;
mod overlay_type;
mod shape;
mod sticker;
mod text;
mod variable;

pub use base::{Base, OverlayId};
pub use caption::{CaptionMode, CaptionStyles, Captions, HighlightStyle};
pub use effect::{Column, ColumnDirection, Effect, EffectName, EffectStyles};
pub use media::{
    ChannelThresholds, Greenscreen, Image, ImageStyles, Layout3d, Layout3dName, ObjectFit, Sound,
    SoundStyles, Video, VideoStyles,
};
pub use media_source::{MediaRole, MediaSegment, MediaSource, Playback};
pub(crate) use overlay_type::AiKind;
use overlay_type::OverlayType;
pub use shape::{GradientTransition, Shape, ShapeStyles};
pub use sticker::{Sticker, StickerCategory, StickerStyles};
pub use text::{
    AnimatedText, CodeBlock, CodeTheme, CounterMode, Split, Text, TextAlign, TextStyles, TypeWriter,
};
pub(crate) use variable::{Capacity, Field, Variable};

use rondo_fields::{Codec, Definitions, Object, ObjectSchema, ProblemKind, Reader, Record};
use serde_json::{Map, Value, json};

use crate::animation::Animation;
use crate::grouping::CaptionRoom;
use crate::tolerance::{OVERLAY_TYPE_RENAMED, aliased_type};

/// A timed layer of a composition.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    pub base: Base,
    pub kind: OverlayKind,
}

/// The overlay types: the variant, its field table and the name in `type`.
macro_rules! overlay_types {
    ($($variant:ident($table:ident) = $name:literal,)+) => {
        /// What an overlay shows or plays.
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "a composition holds at most a few hundred overlays")]
        pub enum OverlayKind {
            $($variant($table),)+
        }

        /// Names of the overlay types.
        pub const OVERLAY_TYPES: &[&str] = &[$($name),+];

        impl OverlayKind {
            fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)+
                }
            }

            fn as_type(&self) -> &dyn OverlayType {
                match self {
                    $(Self::$variant(overlay) => overlay,)+
                }
            }

            fn as_type_mut(&mut self) -> &mut dyn OverlayType {
                match self {
                    $(Self::$variant(overlay) => overlay,)+
                }
            }

            /// `None` when `type_name` is unknown; `Some(None)` when a problem was noted.
            fn read_fields(
                type_name: &str,
                object: &mut Object<'_>,
                reader: &mut Reader,
            ) -> Option<Option<Self>> {
                match type_name {
                    $($name => Some($table::read_fields(object, reader).map(Self::$variant)),)+
                    _ => None,
                }
            }

            fn write_fields(&self, fields: &mut Map<String, Value>) {
                match self {
                    $(Self::$variant(overlay) => overlay.write_fields(fields),)+
                }
            }

            fn tidy_fields(type_name: &str, fields: &mut Map<String, Value>) {
                match type_name {
                    $($name => $table::tidy_fields(fields),)+
                    _ => {}
                }
            }

            fn describe(definitions: &mut Definitions) {
                $(describe::<$table>($name, definitions);)+
            }
        }
    };
}

overlay_types! {
    Text(Text) = "text",
    Video(Video) = "video",
    Image(Image) = "image",
    Sound(Sound) = "sound",
    Shape(Shape) = "shape",
    Sticker(Sticker) = "sticker",
    Caption(Captions) = "caption",
    Effect(Effect) = "effect",
}

impl OverlayKind {
    /// Takes a replacement value. `None` means that a problem was noted.
    pub(crate) fn fill(&mut self, value: &Value, room: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.as_type_mut().fill(value, room, reader)
    }

    pub(crate) fn caption_words(&self) -> usize {
        self.as_type().caption_words()
    }

    pub(crate) fn ai_value(&self) -> Option<AiKind> {
        self.as_type().ai_value()
    }
}

impl Overlay {
    /// The value of `type`.
    pub fn type_name(&self) -> &'static str {
        self.kind.type_name()
    }

    /// The first frame at which the overlay is gone again.
    pub fn end(&self) -> i64 {
        self.base.from + i64::from(self.base.duration)
    }

    pub fn is_mounted_at(&self, frame: i64) -> bool {
        (self.base.from..self.end()).contains(&frame)
    }

    /// Whether the overlay draws anything.
    pub fn is_visible(&self) -> bool {
        self.kind.as_type().is_visible()
    }

    /// How the sound of the overlay is played; `None` for types without sound.
    pub fn playback(&self) -> Option<Playback<'_>> {
        self.kind.as_type().playback()
    }

    /// Whether the overlay has this name and is of a type with sound.
    pub fn is_audible_as(&self, name: &str) -> bool {
        self.display_name() == name && self.playback().is_some()
    }

    /// CSS transform of the content.
    pub fn transform(&self) -> Option<&str> {
        self.kind.as_type().transform()
    }

    /// How the overlay enters, moves and leaves.
    pub fn animation(&self) -> Option<&Animation> {
        self.kind.as_type().animation()
    }

    /// Number of words in the captions of the overlay.
    pub fn caption_words(&self) -> usize {
        self.kind.caption_words()
    }

    /// Every media address of the overlay.
    pub fn media(&self) -> Vec<MediaSource<'_>> {
        self.kind.as_type().media()
    }

    /// The addresses of [`Overlay::media`], in the same order.
    pub fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        self.kind.as_type_mut().media_addresses_mut()
    }

    /// The address in `src` of an overlay that plays or shows one file.
    pub fn media_src(&self) -> Option<&str> {
        self.media().into_iter().find(|source| source.field == "src").map(|source| source.address)
    }

    /// The name in messages and variable lists: `overlay-{id}` for an overlay without one.
    pub fn display_name(&self) -> String {
        match self.base.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("overlay-{}", self.base.id),
        }
    }

    pub(crate) fn variable(&self) -> Variable {
        self.kind.as_type().variable(&self.base)
    }
}

/// Overlays as items of the `overlays` array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OverlayCodec;

impl Codec for OverlayCodec {
    type Out = Overlay;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Overlay> {
        let mut object = Object::open(value, reader)?;
        let base = Base::read_fields(&mut object, reader);
        let expected = format!("one of {}", OVERLAY_TYPES.join(", "));
        let kind = match object.get("type") {
            None => reader.at_key("type", |reader| reader.missing(expected)),
            Some(given @ Value::String(name)) => {
                match OverlayKind::read_fields(current_type(name, given, reader), &mut object, reader) {
                    Some(kind) => kind,
                    None => {
                        return reader.at_key("type", |reader| {
                            reader.refuse(
                                ProblemKind::UnknownOverlayType,
                                &Value::String(name.clone()),
                                expected,
                            )
                        });
                    }
                }
            }
            Some(other) => {
                reader.at_key("type", |reader| reader.refuse(ProblemKind::WrongType, other, expected))
            }
        };
        object.close(reader);
        Some(Overlay { base: base?, kind: kind? })
    }

    fn write(&self, overlay: &Overlay) -> Value {
        let mut fields = Map::new();
        overlay.base.write_fields(&mut fields);
        fields.insert("type".to_owned(), Value::from(overlay.type_name()));
        overlay.kind.write_fields(&mut fields);
        Value::Object(fields)
    }

    fn tidy(&self, value: &mut Value) {
        let Some(fields) = value.as_object_mut() else { return };
        Base::tidy_fields(fields);
        let Some(Value::String(name)) = fields.get_mut("type") else { return };
        if let Some(known) = aliased_type(name) {
            known.clone_into(name);
        }
        let name = name.clone();
        OverlayKind::tidy_fields(&name, fields);
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        OverlayKind::describe(definitions);
        let refs: Vec<Value> = OVERLAY_TYPES
            .iter()
            .map(|name| json!({"$ref": format!("#/$defs/{}", definition_name(name))}))
            .collect();
        json!({"oneOf": refs})
    }

    fn expected(&self) -> String {
        "an overlay".to_owned()
    }
}

/// The name of a type in this format: `name` itself, or what older editors meant by it.
fn current_type<'a>(name: &'a str, given: &Value, reader: &mut Reader) -> &'a str {
    let Some(known) = aliased_type(name) else { return name };
    reader.at_key("type", |reader| reader.tolerate(OVERLAY_TYPE_RENAMED, given, known));
    known
}

fn definition_name(type_name: &str) -> String {
    let (first, rest) = type_name.split_at(1);
    format!("{}{rest}Overlay", first.to_uppercase())
}

fn describe<T: Record>(type_name: &str, definitions: &mut Definitions) {
    let mut schema = ObjectSchema::new(definitions);
    Base::describe(&mut schema);
    schema.constant("type", type_name);
    T::describe(&mut schema);
    let schema = schema.finish(T::ABOUT);
    definitions.insert(definition_name(type_name), schema);
}
