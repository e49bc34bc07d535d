//! Caption overlays: timed lines of words, the spoken word highlighted.

use rondo_fields::{choices, list, number, object, one_of, record, text};

use crate::animation::Animation;
use crate::limits::MOST_CONTENT;
use crate::values::style;

record! {
    /// Captions that follow speech.
    pub struct Captions {
        /// The captions in order of time.
        captions: required Vec<Caption> => "captions", list(object());
        /// Name of the caption style, classic when omitted. Styles override it field by field.
        template: optional String => "template", style();
        /// How the captions look.
        styles: default CaptionStyles => "styles", object(), CaptionStyles::default();
    }
}

/// Milliseconds reach as far as frames do.
const LAST_MS: f64 = 1e10;

record! {
    /// One caption. Times are milliseconds from the start of the overlay.
    pub struct Caption {
        /// The whole text.
        text: required String => "text", text().at_most(MOST_CONTENT);
        /// When it appears.
        start_ms: required f64 => "startMs", number().between(-LAST_MS, LAST_MS);
        /// When it goes.
        end_ms: required f64 => "endMs", number().between(-LAST_MS, LAST_MS);
        /// The words with their times. When empty, the text is spread over the caption's time.
        words: required Vec<CaptionWord> => "words", list(object());
        /// Time noted by a transcription. Does not change the film.
        timestamp_ms: optional f64 => "timestampMs", number().between(-LAST_MS, LAST_MS);
        /// Confidence of a transcription. Does not change the film.
        confidence: optional f64 => "confidence", number();
    }
}

record! {
    /// One word of a caption.
    pub struct CaptionWord {
        /// The word.
        word: required String => "word", text().at_most(MOST_CONTENT);
        /// When it is spoken.
        start_ms: required f64 => "startMs", number().between(-LAST_MS, LAST_MS);
        /// When it ends.
        end_ms: required f64 => "endMs", number().between(-LAST_MS, LAST_MS);
        /// Confidence of a transcription. Does not change the film.
        confidence: required f64 => "confidence", number();
    }
}

impl Caption {
    /// How many words the caption shows.
    pub fn word_count(&self) -> usize {
        if self.words.is_empty() { self.text.split_whitespace().count() } else { self.words.len() }
    }
}

choices! {
    /// How spoken words are told from the others.
    pub enum CaptionMode {
        Highlight = "highlight",
        Karaoke = "karaoke",
        Progressive = "progressive",
        OneWord = "one-word",
        Fill = "fill",
    }
}

record! {
    /// Styles of a caption overlay. Strings hold CSS values.
    pub struct CaptionStyles {
        /// Font family.
        font_family: optional String => "fontFamily", style();
        /// Font size: any CSS length.
        font_size: optional String => "fontSize", style();
        /// Line height as a factor.
        line_height: optional f64 => "lineHeight", number().between(0.0, 100.0);
        /// Horizontal alignment, centred when omitted.
        text_align: optional super::TextAlign => "textAlign", one_of();
        /// Text colour.
        color: optional String => "color", style();
        /// Colour behind the caption.
        background_color: optional String => "backgroundColor", style();
        /// Background of the caption: a colour or gradients.
        background: optional String => "background", style();
        /// Filter on what lies behind the caption.
        backdrop_filter: optional String => "backdropFilter", style();
        /// Space around the words.
        padding: optional String => "padding", style();
        /// Extra space after every character.
        letter_spacing: optional String => "letterSpacing", style();
        /// Shadows of the letters.
        text_shadow: optional String => "textShadow", style();
        /// Corner radius of the caption.
        border_radius: optional String => "borderRadius", style();
        /// Without effect on a film.
        transition: optional String => "transition", style();
        /// Font weight.
        font_weight: optional String => "fontWeight", style();
        /// The word being spoken.
        highlight_style: optional HighlightStyle => "highlightStyle", object();
        /// How spoken words are told from the others.
        mode: default CaptionMode => "mode", one_of(), CaptionMode::Highlight;
        /// Border of the caption.
        border: optional String => "border", style();
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// Enter and exit motion.
        animation: optional Animation => "animation", object();
    }
}

record! {
    /// Styles of the word being spoken. Strings hold CSS values.
    pub struct HighlightStyle {
        /// Colour behind the word.
        background_color: optional String => "backgroundColor", style();
        /// Colour of the word.
        color: optional String => "color", style();
        /// Shadows of the letters.
        text_shadow: optional String => "textShadow", style();
        /// Space around the word; every word reserves it.
        padding: optional String => "padding", style();
        /// Corner radius behind the word.
        border_radius: optional String => "borderRadius", style();
        /// Time the highlight takes to appear, as in 0.2s.
        transition: optional String => "transition", style();
        /// Background of the word: a colour or gradients, in place of `backgroundColor`.
        background: optional String => "background", style();
        /// Border around the word; every word reserves it.
        border: optional String => "border", style();
        /// Filter on what lies behind the word.
        backdrop_filter: optional String => "backdropFilter", style();
        /// Scale of the word, 1.08 when omitted.
        scale: optional f64 => "scale", number().between(0.0, 100.0);
        /// Font weight of the word.
        font_weight: optional String => "fontWeight", style();
    }
}
