//! Height of a line and the place of its baseline.

use crate::breaking::{Span, font_size};
use crate::layout::FaceMetrics;
use crate::rounding::{floor64, sane};
use crate::shaping::{Paragraph, Shaped};
use crate::style::LineHeight;

/// Vertical metrics of a face per em, not rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FaceHeights {
    pub ascent: f32,
    pub descent: f32,
    /// Room between lines that the face asks for.
    pub gap: f32,
}

impl FaceHeights {
    /// Ascent and descent in whole pixels.
    pub fn at(&self, size: f32) -> FaceMetrics {
        let whole = |em: f32| (em * font_size(size)).round();
        FaceMetrics { ascent: whole(self.ascent), descent: whole(self.descent) }
    }

    /// Pixels above and below the baseline where the line height is `normal`.
    fn normal(&self, size: f32) -> (f32, f32) {
        let FaceMetrics { ascent, descent } = self.at(size);
        let gap = (self.gap * font_size(size)).round();
        let above = ascent + (gap / 2.0).floor();
        (above, ascent + descent + gap - above)
    }
}

/// A line's height, and its baseline from its top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LineBox {
    pub height: f32,
    pub baseline: f32,
}

impl LineBox {
    /// The box of a line. Faces other than the primary one count only where the height is `normal`.
    pub fn new(style: &LineHeight, shaped: &Shaped, paragraph: &Paragraph, span: &Span, size: f32) -> Self {
        if let Some(height) = style.fixed(size) {
            let FaceMetrics { ascent, descent } = shaped.heights.at(size);
            return Self { height, baseline: ascent + ((height - ascent - descent) / 2.0).floor() };
        }
        let mut used: Vec<usize> = paragraph.atoms[span.atoms.clone()].iter().map(|atom| atom.run).collect();
        used.dedup();
        let faces = used.into_iter().map(|run| &paragraph.runs[run].heights);
        let (above, below) = faces.fold(shaped.heights.normal(size), |(above, below), face| {
            let (face_above, face_below) = face.normal(size);
            (above.max(face_above), below.max(face_below))
        });
        Self { height: floor64(sane(above + below)), baseline: above }
    }
}
