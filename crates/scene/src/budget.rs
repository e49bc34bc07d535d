//! Limits on the painting cost of one overlay's parts in a frame. Ordinary films stay far below them; they keep hostile
//! compositions from taking minutes per frame.

use kurbo::Rect;

use crate::Homography;

const FULL_HD: f64 = 1920.0 * 1080.0;
/// Maximum pixels the parts of one overlay paint, overlaps included.
const MOST_PAINTED: f64 = 64.0 * FULL_HD;
/// Maximum blurred pixels, summed over the parts.
const MOST_BLURRED: f64 = 16.0 * FULL_HD;

/// The area of a part on the canvas, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    width: f64,
    height: f64,
    /// Standard deviation of its blur.
    sigma: f64,
}

impl Extent {
    /// The cost of a content with these bounds, clipped to `frame`.
    pub fn new(bounds: Rect, sigma: f64, transform: &Homography, frame: Option<Rect>) -> Self {
        let seen = transform.map_rect(bounds).unwrap_or(Rect::ZERO);
        let cut = |from: f64, to: f64| (to - from).max(0.0);
        let (width, height) = match frame {
            Some(f) => (cut(seen.x0.max(f.x0), seen.x1.min(f.x1)), cut(seen.y0.max(f.y0), seen.y1.min(f.y1))),
            None => (seen.width(), seen.height()),
        };
        Self { width, height, sigma: sigma * transform.scale_at(bounds.center()) }
    }

    /// Pixels including the blur margin, with this fraction of the blur.
    fn area(&self, share: f64) -> f64 {
        let around = 6.0 * self.sigma * share;
        (self.width + around) * (self.height + around)
    }
}

/// The affordable subset of an overlay's parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Allowance {
    /// Number of parts, back to front.
    pub parts: usize,
    /// Factor for each blur's radius.
    pub blur: f64,
}

/// A single part is always drawn.
pub(crate) fn allowance(extents: &[Extent]) -> Allowance {
    let blurred =
        |share: f64| -> f64 { extents.iter().filter(|e| e.sigma > 0.0).map(|e| e.area(share)).sum() };
    let mut blur = 1.0;
    while extents.len() > 1 && blurred(blur) > MOST_BLURRED && blur > 1e-3 {
        blur *= 0.75;
    }
    let mut painted = 0.0;
    let affordable = extents.iter().take_while(|extent| {
        painted += extent.area(blur);
        painted <= MOST_PAINTED
    });
    Allowance { parts: affordable.count().max(1), blur }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(count: usize, side: f64, sigma: f64) -> Vec<Extent> {
        vec![Extent::new(Rect::new(0.0, 0.0, side, side), sigma, &Homography::IDENTITY, None); count]
    }

    #[test]
    fn what_films_show_is_drawn_as_it_is() {
        for (count, side, sigma) in
            [(200, 64.0, 40.0), (2000, 110.0, 0.0), (10_000, 40.0, 0.0), (1, 4000.0, 300.0)]
        {
            assert_eq!(allowance(&parts(count, side, sigma)), Allowance { parts: count, blur: 1.0 });
        }
    }

    #[test]
    fn parts_beyond_all_measure_are_blurred_less_or_left_out() {
        let letters = allowance(&parts(5000, 12.0, 500.0));
        assert!(letters.parts == 5000 && letters.blur < 0.05 && letters.blur > 0.01, "{letters:?}");
        let flakes = allowance(&parts(2000, 1000.0, 0.0));
        assert!((100..200).contains(&flakes.parts), "{flakes:?}");
    }
}
