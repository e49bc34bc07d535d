//! Caption overlays: timed lines of words, the spoken word highlighted.

use rondo_fields::{Codec, Definitions, ProblemKind, Reader, choices, list, number, object, one_of, record};
use serde_json::{Value, json};

use super::base::Base;
use super::overlay_type::{AiKind, OverlayType};
use super::variable::{Field, Variable};
use crate::animation::{Animation, animation};
use crate::caption::{Caption, CaptionWord};
use crate::grouping::{CaptionRoom, group_words};
use crate::subtitles;
use crate::values::{length, style};

record! {
    /// Captions that follow speech.
    pub struct Captions {
        /// The captions in order of time.
        captions: required Vec<Caption> => "captions", list(object());
        /// Name of the caption style. `styles` override it field by field. Without a known name they stand alone; without
        /// both, the style is classic.
        template: optional String => "template", style();
        /// How the captions look. An empty object counts as none.
        styles: optional CaptionStyles => "styles", GivenStyles;
    }
}

impl OverlayType for Captions {
    fn animation(&self) -> Option<&Animation> {
        self.styles.as_ref()?.animation.as_ref()
    }

    fn variable(&self, _: &Base) -> Variable {
        let lines: Vec<&str> = self.captions.iter().map(|caption| caption.text.as_str()).collect();
        let help = "Captions as an array, as SRT or WebVTT text, or a transcribe object.";
        Variable::new(Field::Content, help, lines.join("\n"))
    }

    /// Captions as they are, from subtitles, or from a list of timed words.
    fn fill(&mut self, value: &Value, room: CaptionRoom, reader: &mut Reader) -> Option<()> {
        const EXPECTED: &str =
            "an array of captions or of timed words, SRT or WebVTT text, or a transcribe object";
        self.captions = match value {
            Value::Array(items) if items.first().is_some_and(|item| item.get("word").is_some()) => {
                let words = list(object::<CaptionWord>()).read(value, reader)?;
                group_words(&words, room)
            }
            Value::Array(_) => list(object::<Caption>()).read(value, reader)?,
            Value::String(text) if text.trim().is_empty() => Vec::new(),
            Value::String(text) => match subtitles::parse(text) {
                Some(captions) => captions,
                None => return reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
            },
            _ => return reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
        };
        Some(())
    }

    fn ai_value(&self) -> Option<AiKind> {
        Some(AiKind::Transcribe)
    }

    fn transform(&self) -> Option<&str> {
        self.styles.as_ref()?.transform.as_deref()
    }

    fn caption_words(&self) -> usize {
        self.captions.iter().map(Caption::word_count).sum()
    }
}

/// Styles with at least one field, known or not, that is not `null`.
struct GivenStyles;

impl Codec for GivenStyles {
    type Out = CaptionStyles;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<CaptionStyles> {
        let styles = object().read(value, reader)?;
        let is_empty = value.as_object().is_some_and(|fields| fields.values().all(Value::is_null));
        (!is_empty).then_some(styles)
    }

    fn write(&self, styles: &CaptionStyles) -> Value {
        // Styles that hold only defaults stay given.
        if *styles == CaptionStyles::default() { json!({"opacity": 1}) } else { object().write(styles) }
    }

    fn tidy(&self, value: &mut Value) {
        object::<CaptionStyles>().tidy(value);
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        object::<CaptionStyles>().schema(definitions)
    }

    fn expected(&self) -> String {
        object::<CaptionStyles>().expected()
    }
}

choices! {
    /// How spoken words are highlighted.
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
        font_size: optional String => "fontSize", length();
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
        /// `text` paints the background inside the letters only.
        background_clip: optional String => "WebkitBackgroundClip", style();
        /// Fill colour of the letters; `transparent` together with `WebkitBackgroundClip: text` shows the background.
        text_fill_color: optional String => "WebkitTextFillColor", style();
        /// Line along the outlines of the letters, half inside and half outside: a width and a colour, such as
        /// `2px black`. It takes no room.
        text_stroke: optional String => "WebkitTextStroke", length();
        /// Width of that line.
        text_stroke_width: optional String => "WebkitTextStrokeWidth", length();
        /// Colour of that line, the text colour when omitted.
        text_stroke_color: optional String => "WebkitTextStrokeColor", style();
        /// `stroke` paints the line below the fill of the letters instead of over it.
        paint_order: optional String => "paintOrder", style();
        /// Filter on the backdrop of the caption.
        backdrop_filter: optional String => "backdropFilter", style();
        /// Space around the words.
        padding: optional String => "padding", length();
        /// Extra space after every character.
        letter_spacing: optional String => "letterSpacing", length();
        /// Shadows of the letters.
        text_shadow: optional String => "textShadow", style();
        /// Corner radius of the caption.
        border_radius: optional String => "borderRadius", length();
        /// Without effect on a film.
        transition: optional String => "transition", style();
        /// Font weight.
        font_weight: optional String => "fontWeight", style();
        /// Font style: normal or italic.
        font_style: optional String => "fontStyle", style();
        /// Case of the text: uppercase, lowercase or capitalize.
        text_transform: optional String => "textTransform", style();
        /// The word being spoken.
        highlight_style: optional HighlightStyle => "highlightStyle", object();
        /// How spoken words are highlighted.
        mode: default CaptionMode => "mode", one_of(), CaptionMode::Highlight;
        /// Border of the caption.
        border: optional String => "border", length();
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Enter and exit motion.
        animation: optional Animation => "animation", animation();
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
        padding: optional String => "padding", length();
        /// Corner radius behind the word.
        border_radius: optional String => "borderRadius", length();
        /// Time the highlight takes to appear, as in 0.2s.
        transition: optional String => "transition", style();
        /// Background of the word: a colour or gradients, in place of `backgroundColor`.
        background: optional String => "background", style();
        /// Border around the word; every word reserves it.
        border: optional String => "border", length();
        /// Filter on the backdrop of the word.
        backdrop_filter: optional String => "backdropFilter", style();
        /// Scale of the word, 1.08 when omitted.
        scale: optional f64 => "scale", number().between(0.0, 100.0);
        /// Font weight of the word.
        font_weight: optional String => "fontWeight", style();
        /// Font style of the word: normal or italic; every word has the room for it.
        font_style: optional String => "fontStyle", style();
        /// CSS transform of the word. With it, the word is not enlarged unless `scale` is set.
        transform: optional String => "transform", style();
    }
}
