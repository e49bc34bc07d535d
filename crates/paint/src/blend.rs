//! CSS blend modes on rows of premultiplied pixels. Each mode is a formula on one pixel, computed for many at once; the tests
//! compare it with the definition in the CSS specification.

use fearless_simd::{Level, dispatch};
use rondo_scene::display::BlendMode;

use crate::composite::{self, Coverage};
use crate::simd::{level, nearest};

/// Draws a row over another in a blend mode.
pub fn blend(mode: BlendMode, dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    blend_at(level(), mode, dst, src, coverage);
}

/// The same at a given SIMD level.
fn blend_at(level: Level, mode: BlendMode, dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    use BlendMode::*;
    dispatch!(level, simd => match mode {
        Normal => composite::over_with(simd, dst, src, coverage),
        Multiply => row(dst, src, coverage, channels(multiply)),
        Screen => row(dst, src, coverage, channels(screen)),
        Overlay => row(dst, src, coverage, channels(overlay)),
        Darken => row(dst, src, coverage, channels(darken)),
        Lighten => row(dst, src, coverage, channels(lighten)),
        ColorDodge => row(dst, src, coverage, channels(color_dodge)),
        ColorBurn => row(dst, src, coverage, channels(color_burn)),
        HardLight => row(dst, src, coverage, channels(hard_light)),
        SoftLight => row(dst, src, coverage, channels(soft_light)),
        Difference => row(dst, src, coverage, channels(difference)),
        Exclusion => row(dst, src, coverage, channels(exclusion)),
        Hue => row(dst, src, coverage, colors(hue)),
        Saturation => row(dst, src, coverage, colors(saturation)),
        Color => row(dst, src, coverage, colors(color)),
        Luminosity => row(dst, src, coverage, colors(luminosity)),
    });
}

/// Pixels processed together.
const BLOCK: usize = 16;

/// A premultiplied pixel, each channel 0 to 1.
#[derive(Clone, Copy, Default)]
struct Pixel {
    color: [f32; 3],
    alpha: f32,
}

/// Blends rows block by block. `both` is the colour where both pixels are, times their alphas.
#[inline(always)]
fn row(dst: &mut [u8], src: &[u8], coverage: Coverage<'_>, both: impl Fn(Pixel, Pixel) -> [f32; 3]) {
    let (dst, src) = (dst.as_chunks_mut::<4>().0, src.as_chunks::<4>().0);
    for (i, (dst, src)) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)).enumerate() {
        let n = dst.len().min(src.len());
        let mut shares = [0.0; BLOCK];
        match coverage {
            Coverage::Full => shares = [1.0; BLOCK],
            Coverage::Even(share) => shares = [f32::from(share) / 255.0; BLOCK],
            Coverage::Row(row) => {
                for (share, value) in shares.iter_mut().zip(&row[i * BLOCK..]) {
                    *share = f32::from(*value) / 255.0;
                }
            }
        }
        let (mut lower, mut upper) = ([[0; 4]; BLOCK], [[0; 4]; BLOCK]);
        upper[..n].copy_from_slice(&src[..n]);
        if upper.as_flattened().iter().all(|v| *v == 0) || shares.iter().all(|v| *v == 0.0) {
            continue;
        }
        lower[..n].copy_from_slice(&dst[..n]);
        for ((d, s), share) in lower.iter_mut().zip(&upper).zip(&shares) {
            *d = blended(*d, *s, *share, &both);
        }
        dst[..n].copy_from_slice(&lower[..n]);
    }
}

#[inline(always)]
fn blended(dst: [u8; 4], src: [u8; 4], share: f32, both: &impl Fn(Pixel, Pixel) -> [f32; 3]) -> [u8; 4] {
    let (d, s) = (read(dst, 1.0), read(src, share));
    let color = both(s, d);
    let alpha = s.alpha + d.alpha - s.alpha * d.alpha;
    let channel = |i: usize| {
        let alone = s.color[i] * (1.0 - d.alpha) + d.color[i] * (1.0 - s.alpha);
        (alone + color[i]).max(0.0).min(alpha)
    };
    let byte = |v: f32| u32::from(nearest(v.min(1.0) * 255.0));
    let pixel = byte(channel(0)) | (byte(channel(1)) << 8) | (byte(channel(2)) << 16) | (byte(alpha) << 24);
    pixel.to_le_bytes()
}

#[inline(always)]
fn read(pixel: [u8; 4], share: f32) -> Pixel {
    let pixel = u32::from_le_bytes(pixel);
    // Vectors convert signed integers only.
    let channel = |shift: u32| ((pixel >> shift) & 255) as i32 as f32 * (1.0 / 255.0) * share;
    Pixel { color: [channel(0), channel(8), channel(16)], alpha: channel(24) }
}

/// A channel of the source and of what is beneath it, with their alphas, all premultiplied.
struct Channel {
    s: f32,
    sa: f32,
    d: f32,
    da: f32,
}

/// A mode that treats the channels separately.
#[inline(always)]
fn channels(mode: impl Fn(Channel) -> f32) -> impl Fn(Pixel, Pixel) -> [f32; 3] {
    #[inline(always)]
    move |s, d| {
        let at = |i: usize| mode(Channel { s: s.color[i], sa: s.alpha, d: d.color[i], da: d.alpha });
        [at(0), at(1), at(2)]
    }
}

#[inline(always)]
fn multiply(c: Channel) -> f32 {
    c.s * c.d
}

#[inline(always)]
fn screen(c: Channel) -> f32 {
    c.s * c.da + c.d * c.sa - c.s * c.d
}

#[inline(always)]
fn overlay(c: Channel) -> f32 {
    hard_light(Channel { s: c.d, sa: c.da, d: c.s, da: c.sa })
}

#[inline(always)]
fn darken(c: Channel) -> f32 {
    (c.s * c.da).min(c.d * c.sa)
}

#[inline(always)]
fn lighten(c: Channel) -> f32 {
    (c.s * c.da).max(c.d * c.sa)
}

#[inline(always)]
fn color_dodge(c: Channel) -> f32 {
    let lightened = c.da.min(c.d * c.sa / (c.sa - c.s));
    let lightened = if c.s >= c.sa { c.da } else { lightened };
    if c.d <= 0.0 { 0.0 } else { c.sa * lightened }
}

#[inline(always)]
fn color_burn(c: Channel) -> f32 {
    let darkened = c.da - c.da.min((c.da - c.d) * c.sa / c.s);
    let darkened = if c.s <= 0.0 { 0.0 } else { darkened };
    c.sa * if c.d >= c.da { c.da } else { darkened }
}

#[inline(always)]
fn hard_light(c: Channel) -> f32 {
    let dark = 2.0 * c.s * c.d;
    let light = c.sa * c.da - 2.0 * (c.da - c.d) * (c.sa - c.s);
    if 2.0 * c.s <= c.sa { dark } else { light }
}

#[inline(always)]
fn soft_light(c: Channel) -> f32 {
    let beneath = if c.da > 0.0 { c.d / c.da } else { 0.0 };
    let strength = 2.0 * c.s - c.sa;
    let steep = ((16.0 * beneath - 12.0) * beneath + 4.0) * beneath;
    let curve = if beneath <= 0.25 { steep } else { beneath.sqrt() };
    let change = if strength <= 0.0 { c.d * (1.0 - beneath) } else { c.da * (curve - beneath) };
    c.sa * c.d + strength * change
}

#[inline(always)]
fn difference(c: Channel) -> f32 {
    (c.s * c.da - c.d * c.sa).abs()
}

#[inline(always)]
fn exclusion(c: Channel) -> f32 {
    c.s * c.da + c.d * c.sa - 2.0 * c.s * c.d
}

/// A mode that treats colours as a whole. Both are brought to the same alpha, which the third argument holds: the formulas
/// are linear in it.
#[inline(always)]
fn colors(mode: impl Fn([f32; 3], [f32; 3], f32) -> [f32; 3]) -> impl Fn(Pixel, Pixel) -> [f32; 3] {
    #[inline(always)]
    move |s, d| mode(times(s.color, d.alpha), times(d.color, s.alpha), s.alpha * d.alpha)
}

#[inline(always)]
fn hue(s: [f32; 3], d: [f32; 3], alpha: f32) -> [f32; 3] {
    with_lightness(with_spread(s, spread(d)), lightness(d), alpha)
}

#[inline(always)]
fn saturation(s: [f32; 3], d: [f32; 3], alpha: f32) -> [f32; 3] {
    with_lightness(with_spread(d, spread(s)), lightness(d), alpha)
}

#[inline(always)]
fn color(s: [f32; 3], d: [f32; 3], alpha: f32) -> [f32; 3] {
    with_lightness(s, lightness(d), alpha)
}

#[inline(always)]
fn luminosity(s: [f32; 3], d: [f32; 3], alpha: f32) -> [f32; 3] {
    with_lightness(d, lightness(s), alpha)
}

#[inline(always)]
fn times([r, g, b]: [f32; 3], by: f32) -> [f32; 3] {
    [r * by, g * by, b * by]
}

#[inline(always)]
fn lightness([r, g, b]: [f32; 3]) -> f32 {
    0.3 * r + 0.59 * g + 0.11 * b
}

#[inline(always)]
fn lowest([r, g, b]: [f32; 3]) -> f32 {
    r.min(g).min(b)
}

#[inline(always)]
fn highest([r, g, b]: [f32; 3]) -> f32 {
    r.max(g).max(b)
}

#[inline(always)]
fn spread(color: [f32; 3]) -> f32 {
    highest(color) - lowest(color)
}

/// The colour with another distance between its highest and its lowest channel, which becomes 0.
#[inline(always)]
fn with_spread(color: [f32; 3], to: f32) -> [f32; 3] {
    let (low, own) = (lowest(color), spread(color));
    let scale = if own > 0.0 { to / own } else { 0.0 };
    [(color[0] - low) * scale, (color[1] - low) * scale, (color[2] - low) * scale]
}

/// The colour with another lightness, brought between 0 and `alpha` without changing it.
#[inline(always)]
fn with_lightness(color: [f32; 3], to: f32, alpha: f32) -> [f32; 3] {
    let by = to - lightness(color);
    let [r, g, b] = [color[0] + by, color[1] + by, color[2] + by];
    let (low, high) = (lowest([r, g, b]), highest([r, g, b]));
    let raise = if low < 0.0 { to / (to - low) } else { 1.0 };
    let [r, g, b] = [to + (r - to) * raise, to + (g - to) * raise, to + (b - to) * raise];
    let high = to + (high - to) * raise;
    // The lightness of white may be rounded to more than `alpha`: then there is nothing to bring nearer.
    let lower = if high > alpha && high > to { (alpha - to) / (high - to) } else { 1.0 };
    [to + (r - to) * lower, to + (g - to) * lower, to + (b - to) * lower]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rondo_css::BLEND_MODES;

    use super::*;
    use crate::composite::tests::premultiplied;
    use crate::simd::levels;

    /// The definition: colours without alpha, one pixel at a time.
    fn mixed(mode: BlendMode, below: [f64; 3], above: [f64; 3]) -> [f64; 3] {
        let hard = |below: f64, above: f64| {
            if above <= 0.5 {
                below * 2.0 * above
            } else {
                let above = 2.0 * above - 1.0;
                below + above - below * above
            }
        };
        let channel = |b: f64, s: f64| match mode {
            BlendMode::Multiply => b * s,
            BlendMode::Screen => b + s - b * s,
            BlendMode::Overlay => hard(s, b),
            BlendMode::Darken => b.min(s),
            BlendMode::Lighten => b.max(s),
            BlendMode::ColorDodge if b == 0.0 => 0.0,
            BlendMode::ColorDodge if s >= 1.0 => 1.0,
            BlendMode::ColorDodge => (b / (1.0 - s)).min(1.0),
            BlendMode::ColorBurn if b >= 1.0 => 1.0,
            BlendMode::ColorBurn if s == 0.0 => 0.0,
            BlendMode::ColorBurn => 1.0 - ((1.0 - b) / s).min(1.0),
            BlendMode::HardLight => hard(b, s),
            BlendMode::SoftLight if s <= 0.5 => b - (1.0 - 2.0 * s) * b * (1.0 - b),
            BlendMode::SoftLight => {
                let d = if b <= 0.25 { ((16.0 * b - 12.0) * b + 4.0) * b } else { b.sqrt() };
                b + (2.0 * s - 1.0) * (d - b)
            }
            BlendMode::Difference => (b - s).abs(),
            BlendMode::Exclusion => b + s - 2.0 * b * s,
            _ => s,
        };
        match mode {
            BlendMode::Hue => set_lum(set_sat(above, sat(below)), lum(below)),
            BlendMode::Saturation => set_lum(set_sat(below, sat(above)), lum(below)),
            BlendMode::Color => set_lum(above, lum(below)),
            BlendMode::Luminosity => set_lum(below, lum(above)),
            _ => [0, 1, 2].map(|i| channel(below[i], above[i])),
        }
    }

    fn lum([r, g, b]: [f64; 3]) -> f64 {
        0.3 * r + 0.59 * g + 0.11 * b
    }

    fn ends(c: [f64; 3]) -> (f64, f64) {
        (c.iter().copied().fold(f64::MAX, f64::min), c.iter().copied().fold(f64::MIN, f64::max))
    }

    fn sat(c: [f64; 3]) -> f64 {
        ends(c).1 - ends(c).0
    }

    fn set_sat(c: [f64; 3], to: f64) -> [f64; 3] {
        let (low, high) = ends(c);
        c.map(|v| if high > low { (v - low) * to / (high - low) } else { 0.0 })
    }

    fn set_lum(c: [f64; 3], to: f64) -> [f64; 3] {
        let by = to - lum(c);
        let mut c = c.map(|v| v + by);
        let l = lum(c);
        let (low, high) = ends(c);
        if low < 0.0 {
            c = c.map(|v| l + (v - l) * l / (l - low));
        }
        if high > 1.0 {
            c = c.map(|v| l + (v - l) * (1.0 - l) / (high - l));
        }
        c
    }

    /// One pixel by the definition, in bytes before rounding.
    fn defined(mode: BlendMode, below: &[u8], above: &[u8], share: u8) -> [f64; 4] {
        let read = |p: &[u8]| {
            let a = f64::from(p[3]) / 255.0;
            let color = [0, 1, 2].map(|i| if a > 0.0 { f64::from(p[i]) / 255.0 / a } else { 0.0 });
            (color, a)
        };
        let ((b, ba), (s, sa)) = (read(below), read(above));
        let sa = sa * f64::from(share) / 255.0;
        let both = mixed(mode, b, s);
        let channel = |i: usize| s[i] * sa * (1.0 - ba) + b[i] * ba * (1.0 - sa) + both[i] * sa * ba;
        [channel(0), channel(1), channel(2), sa + ba - sa * ba].map(|v| v * 255.0)
    }

    proptest! {
        #[test]
        fn every_mode_is_what_css_defines_at_every_simd_level(
            (dst, src, cov) in (0usize..70).prop_flat_map(|n| (
                premultiplied(n),
                premultiplied(n),
                proptest::collection::vec(prop_oneof![Just(0u8), Just(255u8), any::<u8>()], n),
            )),
            even in any::<u8>(),
            mode in 1usize..16,
        ) {
            let (name, mode) = BLEND_MODES[mode];
            let shares: [(Coverage<'_>, &dyn Fn(usize) -> u8); 3] =
                [(Coverage::Full, &|_| 255), (Coverage::Even(even), &|_| even), (Coverage::Row(&cov), &|i| cov[i])];
            for (coverage, share) in shares {
                let mut first: Option<Vec<u8>> = None;
                for level in levels() {
                    let mut out = dst.clone();
                    blend_at(level, mode, &mut out, &src, coverage);
                    for (i, got) in out.chunks_exact(4).enumerate() {
                        let at = i * 4..i * 4 + 4;
                        let want = defined(mode, &dst[at.clone()], &src[at.clone()], share(i));
                        for (got, want) in got.iter().zip(want) {
                            prop_assert!((f64::from(*got) - want).abs() < 0.51, "{name}: {got}, not {want}");
                        }
                    }
                    prop_assert_eq!(first.get_or_insert_with(|| out.clone()), &out, "{:?}", level);
                }
            }
        }
    }

    #[test]
    fn white_of_any_alpha_stays_finite_under_any_share() {
        for alpha in 1..=255u8 {
            for even in 0..=255u8 {
                let (below, above) = ([alpha; 4], [145, 128, 112, 255]);
                let mut out = below;
                blend(BlendMode::Saturation, &mut out, &above, Coverage::Even(even));
                let want = defined(BlendMode::Saturation, &below, &above, even);
                let off = |(got, want): (u8, f64)| (f64::from(got) - want).abs() >= 0.51;
                assert!(!out.into_iter().zip(want).any(off), "{alpha} {even}: {out:?}, not {want:?}");
            }
        }
    }

    #[test]
    fn an_empty_source_changes_nothing() {
        let before: Vec<u8> = (0..200u8).flat_map(|v| [v / 3, v / 2, v, v.max(1)]).collect();
        for (name, mode) in BLEND_MODES {
            let mut after = before.clone();
            blend(mode, &mut after, &vec![0; before.len()], Coverage::Full);
            assert_eq!(after, before, "{name}");
            blend(mode, &mut after, &vec![255; before.len()], Coverage::Even(0));
            assert_eq!(after, before, "{name}");
        }
    }
}
