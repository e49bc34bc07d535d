//! Filters on layers, groups and backdrops, one after the other.

mod blur;
mod color;
mod scale;
pub mod shadow;

pub use blur::{Edge, blur, reduction};

use blur::settled;
use kurbo::{Affine, Vec2};
use rondo_css::Color;
use rondo_pixels::{Bitmap, IRect, Stop};
use rondo_scene::display::Filter;

use crate::composite::{self, Coverage};
use crate::simd::widest;

/// How content pixels map to the pixels being filtered.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    linear: Affine,
    /// Pixels a content pixel, across and down.
    scale: (f64, f64),
}

impl Grain {
    pub fn new(transform: Affine) -> Self {
        let [a, b, c, d, ..] = transform.as_coeffs();
        let linear = Affine::new([a, b, c, d, 0.0, 0.0]);
        // Where content is turned, its axes mix; a blur is then taken as round.
        let scale = if b.abs() < 1e-6 && c.abs() < 1e-6 {
            (a.abs(), d.abs())
        } else {
            let even = (a * d - b * c).abs().sqrt();
            (even, even)
        };
        Self { linear, scale }
    }

    pub fn sigma(&self, sigma: f64) -> (f64, f64) {
        // The browser blurs no wider than this either.
        const WIDEST: f64 = 532.0;
        ((sigma * self.scale.0).clamp(0.0, WIDEST), (sigma * self.scale.1).clamp(0.0, WIDEST))
    }

    /// The width that stands for all that blur as a blur of this width does here.
    pub fn settled(&self, sigma: f64) -> (f64, f64) {
        let (x, y) = self.sigma(sigma);
        (settled(x), settled(y))
    }

    fn offset(&self, offset: Vec2) -> Vec2 {
        const FARTHEST: f64 = 4096.0;
        let o = self.linear * offset.to_point();
        Vec2::new(o.x.clamp(-FARTHEST, FARTHEST), o.y.clamp(-FARTHEST, FARTHEST))
    }
}

/// How wide, in content pixels, filters blur everything that passes them.
pub fn softness(filters: &[Filter]) -> f64 {
    let mut widest = 0.0f64;
    for filter in filters {
        match filter {
            Filter::Blur { sigma } => widest = widest.max(*sigma),
            Filter::Matrix(_) => {}
            // It shows the picture itself above the shadow.
            Filter::DropShadow { .. } => return 0.0,
        }
    }
    widest
}

/// How far, in pixels, filters carry colour.
pub fn reach(filters: &[Filter], grain: &Grain) -> i32 {
    let of = |sigma: f64| {
        let (x, y) = grain.settled(sigma);
        spread(x.max(y))
    };
    filters
        .iter()
        .map(|f| match f {
            Filter::Blur { sigma } => of(*sigma),
            Filter::Matrix(_) => 0,
            Filter::DropShadow { offset, sigma, .. } => {
                let o = grain.offset(*offset);
                of(*sigma) + o.x.abs().max(o.y.abs()).ceil() as i32
            }
        })
        .sum::<i32>()
        .min(6000)
}

/// How far a blur carries colour.
pub fn spread(sigma: f64) -> i32 {
    if sigma > 0.0 { (sigma * 3.0).ceil() as i32 + 2 } else { 0 }
}

/// Applies filters to a picture that already has the room they need.
/// Once `stop` is set the rest is left out.
pub fn apply(filters: &[Filter], bitmap: &mut Bitmap, grain: &Grain, edge: Edge, stop: &Stop) {
    let (width, height) = (bitmap.width as usize, bitmap.height as usize);
    for filter in filters.iter().take_while(|_| !stop.is_set()) {
        match filter {
            Filter::Blur { sigma } => {
                blur::<4>(&mut bitmap.pixels, width, height, grain.settled(*sigma), edge);
            }
            Filter::Matrix(m) => color::matrix(&mut bitmap.pixels, m),
            Filter::DropShadow { offset, sigma, color } => {
                let mut alpha: Vec<u8> = bitmap.pixels.as_chunks::<4>().0.iter().map(|p| p[3]).collect();
                blur::<1>(&mut alpha, width, height, grain.settled(*sigma), edge);
                let alpha = shadow::shift(&alpha, width, height, grain.offset(*offset));
                let mut under = Bitmap::new(bitmap.width, bitmap.height);
                tint(&mut under.pixels, &alpha, *color);
                composite::over(&mut under.pixels, &bitmap.pixels, Coverage::Full);
                *bitmap = under;
            }
        }
    }
}

/// A picture in one colour, blurred, with room around it: only its coverage needs blurring.
pub fn blurred_ink(bitmap: &Bitmap, color: Color, sigma: (f64, f64), by: i32) -> Bitmap {
    let mut out = Bitmap::new(bitmap.width + 2 * by as u32, bitmap.height + 2 * by as u32);
    let (width, height) = (out.width as usize, out.height as usize);
    let mut coverage = vec![0; width * height];
    for y in 0..bitmap.height as i32 {
        let row = bitmap.span(y, 0, bitmap.width as i32).as_chunks::<4>().0;
        let to = &mut coverage[(y + by) as usize * width + by as usize..];
        for (to, pixel) in to.iter_mut().zip(row) {
            *to = pixel[3];
        }
    }
    blur::<1>(&mut coverage, width, height, sigma, Edge::Transparent);
    tint(&mut out.pixels, &coverage, Color { a: 1.0, ..color });
    out
}

/// A picture with room around it.
pub fn padded(bitmap: &Bitmap, by: i32) -> Bitmap {
    let mut out = Bitmap::new(bitmap.width + 2 * by as u32, bitmap.height + 2 * by as u32);
    for y in 0..bitmap.height as i32 {
        let row = bitmap.span(y, 0, bitmap.width as i32);
        out.span_mut(y + by, by, by + bitmap.width as i32).copy_from_slice(row);
    }
    out
}

/// One colour through coverage, as premultiplied pixels.
pub fn tint(pixels: &mut [u8], coverage: &[u8], color: Color) {
    let full = premultiplied(color);
    widest(
        #[inline(always)]
        || {
            for (p, c) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(coverage) {
                for i in 0..4 {
                    p[i] = composite::div255(u16::from(full[i]) * u16::from(*c)) as u8;
                }
            }
        },
    );
}

pub fn premultiplied(color: Color) -> [u8; 4] {
    let a = color.a.clamp(0.0, 1.0);
    let byte = |v: f32| (v.clamp(0.0, 1.0) * a * 255.0 + 0.5) as u8;
    [byte(color.r), byte(color.g), byte(color.b), (a * 255.0 + 0.5) as u8]
}

/// Whether filters do nothing at all.
pub fn idle(filters: &[Filter]) -> bool {
    filters.iter().all(|f| matches!(f, Filter::Blur { sigma } if *sigma <= 0.0))
}

/// The room a region needs around it so that filtered pixels inside are right.
pub fn room(region: IRect, filters: &[Filter], grain: &Grain) -> IRect {
    region.grow(reach(filters, grain))
}
