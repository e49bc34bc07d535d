//! Text overlays and their four modes: animated text, typewriter, counter and code block.

use rondo_fields::{
    Codec, Definitions, Reader, amount, choices, count, flag, list, number, object, one_of, record, text,
};
use serde_json::{Value, json};

use super::base::Base;
use super::overlay_type::OverlayType;
use super::variable::{Field, Variable, content_value};
use crate::animation::{Animation, StaggeredMotion, animation};
use crate::grouping::CaptionRoom;
use crate::limits::MOST_CONTENT;
use crate::values::{length, style};

record! {
    /// A block of text, centred vertically in its box and shrunk to fit it.
    pub struct Text {
        /// The text; newlines break lines.
        content: required String => "content", text().at_most(MOST_CONTENT);
        /// How the text looks and moves.
        styles: default TextStyles => "styles", object(), TextStyles::default();
    }
}

impl OverlayType for Text {
    fn animation(&self) -> Option<&Animation> {
        self.styles.animation.as_ref()
    }

    fn variable(&self, base: &Base) -> Variable {
        let capacity = self.styles.capacity(base.width, base.height);
        let help = match capacity {
            Some(capacity) => format!(
                "Text to show, about {} characters at most: the size is fixed, and what overflows is clipped.",
                capacity.max_characters
            ),
            None if self.counts() => "A number to count to, or text to show.".to_owned(),
            None => "Text to show.".to_owned(),
        };
        Variable { capacity, ..Variable::new(Field::Content, &help, &self.content) }
    }

    fn fill(&mut self, value: &Value, _: CaptionRoom, reader: &mut Reader) -> Option<()> {
        self.content = content_value(value, reader)?;
        let counts = self.counts();
        if let Some(counter) = self.styles.counter_mode.as_mut().filter(|_| counts)
            && let Some(to) = counted(&self.content)
        {
            counter.to = Some(to);
        }
        Some(())
    }

    fn transform(&self) -> Option<&str> {
        self.styles.transform.as_deref()
    }
}

impl Text {
    fn counts(&self) -> bool {
        self.styles.counter_mode.as_ref().is_some_and(|counter| counter.enabled)
    }
}

/// A number a counter can count to; thousands commas are ignored.
fn counted(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', "").parse().ok()?;
    number.is_finite().then(|| number.clamp(-MOST_COUNTED, MOST_COUNTED))
}

choices! {
    /// Horizontal alignment of text.
    pub enum TextAlign {
        Left = "left",
        Center = "center",
        Right = "right",
    }
}

record! {
    /// Styles of a text overlay. Strings hold CSS values.
    pub struct TextStyles {
        /// Largest font size: px or a plain number. The text shrinks below it to fit its box. Any other unit is
        /// ignored. When omitted the size is fitted to the box.
        font_size: optional String => "fontSize", style();
        /// Renders at exactly `fontSize`; what overflows the box is clipped.
        font_size_fixed: default bool => "fontSizeFixed", flag(), false;
        /// Factor on the fitted size; applies only when `fontSize` is omitted. 0.8 to 1.4 is advised.
        font_size_scale: optional f64 => "fontSizeScale", number().between(0.05, 20.0);
        /// Font weight, 400 when omitted.
        font_weight: optional String => "fontWeight", style();
        /// Text colour, black when omitted.
        color: optional String => "color", style();
        /// Colour behind the text block.
        background_color: optional String => "backgroundColor", style();
        /// Font family, Inter when omitted.
        font_family: optional String => "fontFamily", style();
        /// Font style: normal or italic.
        font_style: optional String => "fontStyle", style();
        /// Text decoration: underline, line-through or overline.
        text_decoration: optional String => "textDecoration", style();
        /// Width of the face: a keyword such as condensed, or a percentage. Has an effect where the family has such
        /// faces or a width axis.
        font_stretch: optional String => "fontStretch", style();
        /// Forms of digits: tabular-nums, oldstyle-nums, slashed-zero, diagonal-fractions, ordinal and others.
        font_variant_numeric: optional String => "fontVariantNumeric", style();
        /// OpenType features by name, such as `"ss01" 1, "liga" 0`.
        font_feature_settings: optional String => "fontFeatureSettings", style();
        /// Line height, 1.2 when omitted; `normal` is what the font asks for.
        line_height: optional String => "lineHeight", style();
        /// Extra space after every character.
        letter_spacing: optional String => "letterSpacing", length();
        /// Extra space after every space.
        word_spacing: optional String => "wordSpacing", length();
        /// Space before the first line.
        text_indent: optional String => "textIndent", length();
        /// Place of the block in its box: top, middle or bottom; middle when omitted.
        vertical_align: optional String => "verticalAlign", style();
        /// Horizontal alignment.
        text_align: default TextAlign => "textAlign", one_of(), TextAlign::Left;
        /// Shadows of the letters.
        text_shadow: optional String => "textShadow", style();
        /// Space around the text, 0.1em when omitted.
        padding: optional String => "padding", length();
        /// Without effect: a style of images and videos.
        padding_background_color: optional String => "paddingBackgroundColor", style();
        /// Corner radius of the block.
        border_radius: optional String => "borderRadius", length();
        /// Shadows of the block.
        box_shadow: optional String => "boxShadow", style();
        /// Background of the block: a colour or gradients.
        background: optional String => "background", style();
        /// Size of the background's gradients, which fill the block when omitted.
        background_size: optional String => "backgroundSize", length();
        /// Where they start, at the top left when omitted.
        background_position: optional String => "backgroundPosition", length();
        /// How they repeat, in both directions when omitted.
        background_repeat: optional String => "backgroundRepeat", style();
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
        /// CSS filters on the block, or the name of a filter preset.
        filter: optional String => "filter", style();
        /// Filter on the backdrop of the block.
        backdrop_filter: optional String => "backdropFilter", style();
        /// Border of the block.
        border: optional String => "border", length();
        /// Case of the text: uppercase, lowercase or capitalize.
        text_transform: optional String => "textTransform", style();
        /// Opacity of the whole layer.
        opacity: default f64 => "opacity", number().between(0.0, 1.0), 1.0;
        /// How the layer's colours combine with those beneath it: a CSS blend mode such as multiply, normal when
        /// omitted.
        mix_blend_mode: optional String => "mixBlendMode", style();
        /// Order inside this overlay only.
        z_index: optional f64 => "zIndex", number();
        /// CSS transform of the content.
        transform: optional String => "transform", style();
        /// Enter, exit and continuous motion.
        animation: optional Animation => "animation", animation();
        /// Keyframes spread over the lines.
        staggered_motion: optional StaggeredMotion => "staggeredMotion", object();
        /// Keyframes spread over words, characters or lines.
        animated_text: optional AnimatedText => "animatedText", object();
        /// Types the text letter by letter.
        type_writer: optional TypeWriter => "typeWriter", object();
        /// Counts a number up or down.
        counter_mode: optional CounterMode => "counterMode", object();
        /// Shows the text as highlighted code.
        code_block: optional CodeBlock => "codeBlock", object();
    }
}

/// What one unit of an animated text is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Split {
    #[default]
    None,
    Word,
    Character,
    Line,
    /// The text is cut at this string.
    Separator(String),
}

#[derive(Debug, Clone, Copy)]
struct SplitCodec;

impl Codec for SplitCodec {
    type Out = Split;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Split> {
        let name = text().read(value, reader)?;
        Some(match name.as_str() {
            "none" | "" => Split::None,
            "word" | "words" => Split::Word,
            "character" | "characters" | "char" | "chars" | "letter" | "letters" => Split::Character,
            "line" | "lines" => Split::Line,
            _ => Split::Separator(name),
        })
    }

    fn write(&self, split: &Split) -> Value {
        Value::from(match split {
            Split::None => "none",
            Split::Word => "word",
            Split::Character => "character",
            Split::Line => "line",
            Split::Separator(separator) => separator,
        })
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "examples": ["none", "word", "character", "line"]})
    }

    fn expected(&self) -> String {
        "none, word, character, line or a separator string".to_owned()
    }
}

record! {
    /// Keyframes spread over the units of a text. Arrays are keyframes spaced evenly over `duration`; an empty array
    /// leaves its property alone.
    pub struct AnimatedText {
        /// Switches the mode on.
        enabled: default bool => "enabled", flag(), false;
        /// The unit: none, word, character, line, or a string to cut at.
        split: default Split => "split", SplitCodec, Split::None;
        /// Frames between the starts of two units. In word mode the spaces count as units.
        split_stagger: default f64 => "splitStagger", amount(), 0.0;
        /// Vertical offsets in pixels.
        y: default Vec<f64> => "y", list(number()), Vec::new();
        /// Horizontal offsets in pixels.
        x: default Vec<f64> => "x", list(number()), Vec::new();
        /// Blur radii in pixels.
        blur: default Vec<f64> => "blur", list(amount()), Vec::new();
        /// Opacities from 0 to 1.
        opacity: default Vec<f64> => "opacity", list(number().between(0.0, 1.0)), Vec::new();
        /// Scale factors.
        scale: default Vec<f64> => "scale", list(number()), Vec::new();
        /// Angles in degrees.
        rotate: default Vec<f64> => "rotate", list(number()), Vec::new();
        /// Shares of characters replaced by random ones, from 0 to 1.
        glitch: default Vec<f64> => "glitch", list(number().between(0.0, 1.0)), Vec::new();
        /// Frames one unit takes. When omitted, one second.
        duration: optional f64 => "duration", amount();
        /// Frames before the first unit starts.
        delay: default f64 => "delay", amount(), 0.0;
        /// Easing inside each pair of keyframes.
        easing: optional String => "easing", style();
    }
}

record! {
    /// Types the text letter by letter, with a cursor.
    pub struct TypeWriter {
        /// Switches the mode on.
        enabled: default bool => "enabled", flag(), false;
        /// Shows a blinking cursor.
        cursor: default bool => "cursor", flag(), true;
        /// Starts again at the end.
        repeats: default bool => "loop", flag(), false;
        /// Deletes each line before the next is typed. Set to true, every line of the content is a string of its own.
        delete_before_next: optional bool => "deleteBeforeNext", flag();
        /// Frames per typed character.
        type_speed: default f64 => "typeSpeed", number().between(0.0, 10_000.0), 3.0;
        /// Frames per deleted character.
        delete_speed: default f64 => "deleteSpeed", number().between(0.0, 10_000.0), 2.0;
        /// Probability of a wrong letter, from 0 to 1.
        error_rate: default f64 => "errorRate", number().between(0.0, 1.0), 0.0;
        /// Frames before a wrong letter is deleted.
        error_correct_delay: default f64 => "errorCorrectDelay", number().between(0.0, 10_000.0), 5.0;
        /// Frames per blink of the cursor.
        blink_speed: default f64 => "blinkSpeed", number().between(1.0, 10_000.0), 30.0;
        /// Frames to wait after typing.
        pause_after_type: default f64 => "pauseAfterType", number().between(0.0, 100_000.0), 30.0;
        /// Frames to wait after deleting.
        pause_after_delete: default f64 => "pauseAfterDelete", number().between(0.0, 100_000.0), 15.0;
        /// Frames before typing starts.
        delay: default f64 => "delay", amount(), 0.0;
    }
}

/// Counters reach further than pixels, yet stay exact.
const MOST_COUNTED: f64 = 1e15;

record! {
    /// Counts a number from `from` to `to` in place of the text.
    pub struct CounterMode {
        /// Switches the mode on.
        enabled: default bool => "enabled", flag(), false;
        /// First number.
        from: default f64 => "from", number().between(-MOST_COUNTED, MOST_COUNTED), 0.0;
        /// Last number. When omitted, the number found in the content, else 100.
        to: optional f64 => "to", number().between(-MOST_COUNTED, MOST_COUNTED);
        /// Digits after the decimal point.
        to_fixed: default u8 => "toFixed", count(0, 20), 0;
        /// Frames the count takes. When omitted, one second.
        duration: optional f64 => "duration", amount();
        /// Frames before the count starts.
        delay: default f64 => "delay", amount(), 0.0;
        /// Text before the number.
        prefix: default String => "prefix", style(), String::new();
        /// Text after the number.
        postfix: default String => "postfix", style(), String::new();
        /// Thousands separator, none when omitted.
        separator: optional String => "separator", text();
        /// Easing of the count.
        easing: optional String => "easing", style();
    }
}

choices! {
    /// Colours of a code block.
    pub enum CodeTheme {
        Dark = "dark",
        Light = "light",
    }
}

record! {
    /// Shows the content as highlighted code.
    pub struct CodeBlock {
        /// Switches the mode on.
        enabled: default bool => "enabled", flag(), false;
        /// Language of the code; an unknown one is shown as plain text.
        language: default String => "language", style(), "tsx".to_owned();
        /// Colours: dark or light.
        theme: default CodeTheme => "theme", one_of(), CodeTheme::Dark;
        /// Numbers the lines.
        show_line_numbers: default bool => "showLineNumbers", flag(), false;
        /// Frames between the appearance of two lines; 0 shows all at once.
        line_stagger: default f64 => "lineStagger", amount(), 0.0;
        /// Font size in pixels. When omitted, 1.5 % of the composition width, scaled down to fit the box.
        font_size: optional f64 => "fontSize", number().between(1.0, 1000.0);
    }
}
