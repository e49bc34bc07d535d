//! The overlay types that are drawn, each in its own module: CSS read, text laid out, contents built once, so that a
//! frame only has to place them. Effects and stickers have folders of their own.

mod apart;
pub(crate) mod caption;
mod cut;
pub(crate) mod decoration;
pub(crate) mod marks;
pub(crate) mod media;
pub(crate) mod moves;
pub(crate) mod parts;
pub(crate) mod shape;
pub(crate) mod stroke;
pub(crate) mod text;

use rondo_composition::OverlayKind;

use crate::visual::Visual;

/// The overlay as something that is drawn; `None` for sound.
pub(crate) fn visual(kind: &OverlayKind) -> Option<&dyn Visual> {
    Some(match kind {
        OverlayKind::Text(text) => text,
        OverlayKind::Video(video) => video,
        OverlayKind::Image(image) => image,
        OverlayKind::Shape(shape) => shape,
        OverlayKind::Sticker(sticker) => sticker,
        OverlayKind::Caption(captions) => captions,
        OverlayKind::Effect(effect) => effect,
        OverlayKind::Sound(_) => return None,
    })
}
