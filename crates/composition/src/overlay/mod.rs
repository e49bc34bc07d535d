//! An overlay: the fields all types share, and what its type adds.

mod base;
mod caption;
mod effect;
mod media;
mod shape;
mod sticker;
mod text;

pub use base::{Base, OverlayId};
pub use caption::{Caption, CaptionMode, CaptionStyles, CaptionWord, Captions, HighlightStyle};
pub use effect::{Column, ColumnDirection, Effect, EffectName, EffectStyles};
pub use media::{
    ChannelThresholds, Greenscreen, Image, ImageStyles, Layout3d, Layout3dName, MediaSegment, ObjectFit,
    Sound, SoundStyles, Video, VideoStyles,
};
pub use shape::{GradientTransition, Shape, ShapeStyles};
pub use sticker::{Sticker, StickerCategory, StickerStyles};
pub use text::{
    AnimatedText, CodeBlock, CodeTheme, CounterMode, Split, Text, TextAlign, TextStyles, TypeWriter,
};

use rondo_fields::{Codec, Definitions, Object, ObjectSchema, ProblemKind, Reader, Record};
use serde_json::{Map, Value, json};

/// A timed layer of a composition.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    pub base: Base,
    pub kind: OverlayKind,
}

/// What an overlay shows or plays.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a composition holds at most a few hundred overlays")]
pub enum OverlayKind {
    Text(Text),
    Video(Video),
    Image(Image),
    Sound(Sound),
    Shape(Shape),
    Sticker(Sticker),
    Caption(Captions),
    Effect(Effect),
}

/// The overlay types by the name in `type`.
const TYPES: [&str; 8] = ["text", "video", "image", "sound", "shape", "sticker", "caption", "effect"];

impl Overlay {
    /// The value of `type`.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            OverlayKind::Text(_) => "text",
            OverlayKind::Video(_) => "video",
            OverlayKind::Image(_) => "image",
            OverlayKind::Sound(_) => "sound",
            OverlayKind::Shape(_) => "shape",
            OverlayKind::Sticker(_) => "sticker",
            OverlayKind::Caption(_) => "caption",
            OverlayKind::Effect(_) => "effect",
        }
    }

    /// The first frame at which the overlay is gone again.
    pub fn end(&self) -> i64 {
        self.base.from + i64::from(self.base.duration)
    }

    pub fn is_mounted_at(&self, frame: i64) -> bool {
        (self.base.from..self.end()).contains(&frame)
    }

    /// The address of the media a video, image or sound overlay plays.
    pub fn media_src(&self) -> Option<&str> {
        match &self.kind {
            OverlayKind::Video(video) => Some(&video.src),
            OverlayKind::Image(image) => Some(&image.src),
            OverlayKind::Sound(sound) => Some(&sound.src),
            _ => None,
        }
    }

    pub fn media_src_mut(&mut self) -> Option<&mut String> {
        match &mut self.kind {
            OverlayKind::Video(video) => Some(&mut video.src),
            OverlayKind::Image(image) => Some(&mut image.src),
            OverlayKind::Sound(sound) => Some(&mut sound.src),
            _ => None,
        }
    }

    /// The name as a message or a variable list shows it: `overlay-{id}` for an overlay without one.
    pub fn display_name(&self) -> String {
        match self.base.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("overlay-{}", self.base.id),
        }
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
        let expected = format!("one of {}", TYPES.join(", "));
        let kind = match object.get("type") {
            None => reader.at_key("type", |reader| reader.missing(expected)),
            Some(Value::String(name)) => match name.as_str() {
                "text" => Text::read_fields(&mut object, reader).map(OverlayKind::Text),
                "video" => Video::read_fields(&mut object, reader).map(OverlayKind::Video),
                "image" => Image::read_fields(&mut object, reader).map(OverlayKind::Image),
                "sound" => Sound::read_fields(&mut object, reader).map(OverlayKind::Sound),
                "shape" => Shape::read_fields(&mut object, reader).map(OverlayKind::Shape),
                "sticker" => Sticker::read_fields(&mut object, reader).map(OverlayKind::Sticker),
                "caption" => Captions::read_fields(&mut object, reader).map(OverlayKind::Caption),
                "effect" => Effect::read_fields(&mut object, reader).map(OverlayKind::Effect),
                _ => {
                    return reader.at_key("type", |reader| {
                        reader.refuse(ProblemKind::UnknownOverlayType, &Value::String(name.clone()), expected)
                    });
                }
            },
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
        match &overlay.kind {
            OverlayKind::Text(text) => text.write_fields(&mut fields),
            OverlayKind::Video(video) => video.write_fields(&mut fields),
            OverlayKind::Image(image) => image.write_fields(&mut fields),
            OverlayKind::Sound(sound) => sound.write_fields(&mut fields),
            OverlayKind::Shape(shape) => shape.write_fields(&mut fields),
            OverlayKind::Sticker(sticker) => sticker.write_fields(&mut fields),
            OverlayKind::Caption(captions) => captions.write_fields(&mut fields),
            OverlayKind::Effect(effect) => effect.write_fields(&mut fields),
        }
        Value::Object(fields)
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        describe::<Text>("text", definitions);
        describe::<Video>("video", definitions);
        describe::<Image>("image", definitions);
        describe::<Sound>("sound", definitions);
        describe::<Shape>("shape", definitions);
        describe::<Sticker>("sticker", definitions);
        describe::<Captions>("caption", definitions);
        describe::<Effect>("effect", definitions);
        let refs: Vec<Value> =
            TYPES.iter().map(|name| json!({"$ref": format!("#/$defs/{}", definition_name(name))})).collect();
        json!({"oneOf": refs})
    }

    fn expected(&self) -> String {
        "an overlay".to_owned()
    }
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
