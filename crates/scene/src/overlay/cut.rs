//! Letters that the box of their overlay cuts off.

use kurbo::Size;

use crate::prepare::Prepare;

/// Letters may lose so many pixels, and so much of their size, before it shows.
const LEAST_CUT: f64 = 1.5;
const LEAST_CUT_EMS: f64 = 0.02;

/// How far letters of a font size reach beyond their box: left, top, right and bottom.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    pub beyond: [f64; 4],
    pub font_size: f64,
}

impl Cut {
    /// The side on which most is lost, and how many pixels. `None` if too little is lost to be seen.
    fn worst(self) -> Option<(&'static str, f64)> {
        let sides = ["left", "top", "right", "bottom"].into_iter().zip(self.beyond);
        let least = LEAST_CUT.max(LEAST_CUT_EMS * self.font_size);
        sides.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, cut)| *cut >= least)
    }

    /// Pixels lost on the worst side, 0 if they are too few to be seen.
    pub fn pixels(self) -> f64 {
        self.worst().map_or(0.0, |(_, cut)| cut)
    }

    /// Warns of descenders of a low line, accents of a capital, the end of an italic. `field` is that of the text.
    pub fn warn(self, field: &str, size: Size, p: &mut Prepare<'_>) {
        let Some((side, cut)) = self.worst() else { return };
        let hint = match side {
            "left" | "right" => "Add padding on that side, or move the text away from the edge of its box.",
            _ => "Make the box higher, or add padding or lineHeight.",
        };
        p.notices.warn(
            "TEXT_INK_CLIPPED",
            p.at(field),
            format!(
                "{cut:.0} px of the letters are cut off at the {side} of the {} × {} box.",
                size.width, size.height
            ),
            Some(hint.into()),
        );
    }
}
