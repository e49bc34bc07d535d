//! Font files that a film brings along, as `@font-face` does in a style sheet.

use rondo_fields::{record, text};

/// Font files of a film at most.
pub const MOST_FONT_FACES: usize = 32;
/// Characters of the name of a family at most.
const LONGEST: usize = 200;

record! {
    /// A font file for texts of the film.
    pub struct FontFace {
        /// The family that the file belongs to. Texts use it with this name in `fontFamily`; it wins over other families
        /// of the same name.
        family: required String => "family", text().not_blank().at_most(LONGEST);
        /// Address of the file: ttf, otf, woff or woff2. Its weight and style are those that the file states.
        src: required String => "src", text().not_blank();
    }
}
