//! The trait of overlay types. Every type implements it in its own file.

use rondo_fields::Reader;
use serde_json::Value;

use super::base::Base;
use super::media_source::{MediaSource, Playback};
use super::variable::Variable;
use crate::animation::Animation;
use crate::grouping::CaptionRoom;

/// A type of overlay.
pub(crate) trait OverlayType {
    /// What the overlay holds and accepts as a variable.
    fn variable(&self, base: &Base) -> Variable;

    /// Takes a replacement value. `None` means that a problem was noted.
    fn fill(&mut self, value: &Value, room: CaptionRoom, reader: &mut Reader) -> Option<()>;

    /// The AI value it takes as a variable.
    fn ai_value(&self) -> Option<AiKind> {
        None
    }

    /// Every media address.
    fn media(&self) -> Vec<MediaSource<'_>> {
        Vec::new()
    }

    /// The addresses of [`OverlayType::media`], in the same order.
    fn media_addresses_mut(&mut self) -> Vec<&mut String> {
        Vec::new()
    }

    /// How its sound is played; `None` for types without sound.
    fn playback(&self) -> Option<Playback<'_>> {
        None
    }

    fn is_visible(&self) -> bool {
        true
    }

    /// CSS transform of the content.
    fn transform(&self) -> Option<&str> {
        None
    }

    /// How it enters, moves and leaves.
    fn animation(&self) -> Option<&Animation> {
        None
    }

    fn caption_words(&self) -> usize {
        0
    }
}

/// Values that ask for speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AiKind {
    /// Speech to generate.
    Tts,
    /// Speech to transcribe.
    Transcribe,
}

impl AiKind {
    /// The key of the value, and the type of overlay that takes it.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Tts => ("tts", "sound"),
            Self::Transcribe => ("transcribe", "caption"),
        }
    }
}
