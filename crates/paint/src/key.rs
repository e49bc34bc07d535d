//! Greenscreen removal on a picture as placed.

use rondo_pixels::Bitmap;
use rondo_scene::display::ChromaKey;

/// Makes the key colour transparent and takes its spill away.
pub fn apply(bitmap: &mut Bitmap, key: &ChromaKey) {
    let channel = if key.channel == 2 { 2 } else { 1 };
    let others = if channel == 1 { [0, 2] } else { [0, 1] };
    let mut straight = Vec::with_capacity(bitmap.pixels.len() / 4);
    let mut alpha = Vec::with_capacity(bitmap.pixels.len() / 4);
    for p in bitmap.pixels.as_chunks::<4>().0 {
        let a = f32::from(p[3]);
        let mut c: [f32; 3] =
            std::array::from_fn(|i| if p[3] == 0 { 0.0 } else { (f32::from(p[i]) * 255.0 / a).min(255.0) });
        let rest = c[others[0]].max(c[others[1]]);
        let mut a = a / 255.0;
        let keyed = c[channel] > key.threshold[channel] && others.iter().all(|o| c[*o] < key.threshold[*o]);
        if keyed {
            let strength = (c[channel] - rest) / 255.0;
            a *= 1.0 - (strength * key.sensitivity / 100.0).clamp(0.0, 1.0);
        }
        if key.spill > 0.0 && c[channel] > rest {
            c[channel] -= (c[channel] - rest) * key.spill;
        }
        straight.push(c.map(|v| v.clamp(0.0, 255.0)));
        alpha.push(a);
    }
    let reach = key.smoothing.min(10) as usize;
    if reach > 0 {
        let (w, h) = (bitmap.width as usize, bitmap.height as usize);
        alpha = mean_along_rows(&alpha, w, reach);
        alpha = turned(&mean_along_rows(&turned(&alpha, w, h), h, reach), h, w);
    }
    for ((p, c), a) in bitmap.pixels.as_chunks_mut::<4>().0.iter_mut().zip(&straight).zip(&alpha) {
        let a = (a.clamp(0.0, 1.0) * 255.0).round() / 255.0;
        *p =
            [(c[0] * a + 0.5) as u8, (c[1] * a + 0.5) as u8, (c[2] * a + 0.5) as u8, (a * 255.0 + 0.5) as u8];
    }
}

/// Mean over `2 · reach + 1` neighbours, the outermost repeated beyond the edges.
fn mean_along_rows(values: &[f32], width: usize, reach: usize) -> Vec<f32> {
    let mut out = Vec::with_capacity(values.len());
    for row in values.chunks_exact(width.max(1)) {
        for x in 0..width {
            let sum: f32 = (0..=2 * reach).map(|k| row[(x + k).saturating_sub(reach).min(width - 1)]).sum();
            out.push(sum / (2 * reach + 1) as f32);
        }
    }
    out
}

fn turned(values: &[f32], width: usize, height: usize) -> Vec<f32> {
    (0..width).flat_map(|x| (0..height).map(move |y| values[y * width + x])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(sensitivity: f32, smoothing: u32, spill: f32) -> ChromaKey {
        ChromaKey { sensitivity, threshold: [100.0; 3], smoothing, spill, channel: 1 }
    }

    fn keyed(pixel: [u8; 4], key: &ChromaKey) -> [u8; 4] {
        let mut b = Bitmap { width: 1, height: 1, pixels: pixel.to_vec() };
        apply(&mut b, key);
        b.pixel(0, 0)
    }

    #[test]
    fn pure_green_goes_and_mid_green_goes_by_a_third() {
        assert_eq!(keyed([0, 255, 0, 255], &key(100.0, 0, 0.0)), [0; 4]);
        let mid = keyed([60, 160, 70, 255], &key(100.0, 0, 0.0));
        assert_eq!(mid[3], 165);
        assert_eq!(keyed([200, 160, 70, 255], &key(100.0, 0, 0.0)), [200, 160, 70, 255]);
    }

    #[test]
    fn spill_lowers_green_to_the_stronger_other_channel() {
        assert_eq!(keyed([120, 200, 50, 255], &key(100.0, 0, 1.0)), [120, 120, 50, 255]);
    }

    #[test]
    fn blue_screens_key_on_blue() {
        let blue = ChromaKey { channel: 2, ..key(100.0, 0, 0.0) };
        assert_eq!(keyed([0, 0, 255, 255], &blue), [0; 4]);
        assert_eq!(keyed([0, 255, 0, 255], &blue), [0, 255, 0, 255]);
    }

    #[test]
    fn smoothing_spreads_alpha_over_its_window() {
        let mut b = Bitmap::new(9, 1);
        for (x, p) in b.pixels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *p = if x < 4 { [0, 255, 0, 255] } else { [255, 0, 0, 255] };
        }
        apply(&mut b, &key(100.0, 1, 0.0));
        let alphas: Vec<u8> = (0..9).map(|x| b.pixel(x, 0)[3]).collect();
        assert_eq!(alphas, [0, 0, 0, 85, 170, 255, 255, 255, 255]);
    }
}
