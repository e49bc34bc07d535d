//! How alike two pictures are: structural similarity over all and over the detailed parts, the share of pixels that
//! are off, and the largest difference that is not a matter of edges.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

/// How alike a picture has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    Graphic,
    /// Mostly glyphs, whose edges differ from rasteriser to rasteriser.
    Text,
}

#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// Gaussian SSIM on luma, the mean over the picture.
    pub ssim: f32,
    /// The same, the mean over places where either picture has detail.
    pub detail: f32,
    /// Share of pixels with a channel off by more than 24.
    pub bad: f32,
    /// Largest channel difference left after blurring the signed difference by 6 px.
    pub local: f32,
}

impl Score {
    pub fn passes(&self, class: Class) -> bool {
        let (ssim, detail, bad) = match class {
            Class::Graphic => (0.97, 0.84, 0.02),
            Class::Text => (0.94, 0.78, 0.04),
        };
        self.ssim >= ssim && self.detail >= detail && self.bad <= bad && self.local <= 20.0
    }

    pub fn of(a: &Raster, b: &Raster) -> Self {
        if (a.width, a.height) != (b.width, b.height) {
            return Self { ssim: 0.0, detail: 0.0, bad: 1.0, local: 255.0 };
        }
        let (la, lb) = (a.luma(), b.luma());
        let map = ssim_map(&la, &lb);
        let inner =
            (5..map.height.saturating_sub(5)).flat_map(|y| &map.values[y * map.width..][5..map.width - 5]);
        let ssim = mean(inner.copied());
        let (da, db) = (detailed(&la), detailed(&lb));
        let there =
            map.values.iter().zip(da.iter().zip(&db)).filter(|(_, (a, b))| **a || **b).map(|(s, _)| *s);
        let detail = if there.clone().count() > 200 { mean(there) } else { ssim };
        let pixels = a.rgb.chunks_exact(3).zip(b.rgb.chunks_exact(3));
        let bad = pixels.filter(|(p, q)| p.iter().zip(*q).any(|(x, y)| x.abs_diff(*y) > 24)).count();
        Self { ssim, detail, bad: bad as f32 / (a.rgb.len() / 3) as f32, local: local(a, b) }
    }
}

/// An opaque picture, 8 bits a channel.
#[derive(Clone)]
pub struct Raster {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

impl Raster {
    pub fn from_rgba(width: u32, height: u32, rgba: &[u8]) -> Self {
        Self { width, height, rgb: rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect() }
    }

    pub fn read(path: &Path) -> Self {
        let file =
            File::open(path).unwrap_or_else(|e| panic!("{}: {e}; run fidelity/update", path.display()));
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        pixels.truncate(info.buffer_size());
        match info.color_type {
            png::ColorType::Rgb => Self { width: info.width, height: info.height, rgb: pixels },
            png::ColorType::Rgba => Self::from_rgba(info.width, info.height, &pixels),
            other => {
                panic!("{}: {other:?} is not a supported colour type of expected pictures", path.display())
            }
        }
    }

    /// Four times the difference, on black.
    pub fn difference(&self, other: &Self) -> Self {
        let channels = self.rgb.iter().zip(&other.rgb);
        let mut rgb: Vec<u8> = channels.map(|(a, b)| a.abs_diff(*b).saturating_mul(4)).collect();
        rgb.resize(self.rgb.len(), 255);
        Self { width: self.width, height: self.height, rgb }
    }

    fn plane(&self, value: impl Fn(&[u8]) -> f32) -> Plane {
        let values = self.rgb.chunks_exact(3).map(value).collect();
        Plane { width: self.width as usize, height: self.height as usize, values }
    }

    fn luma(&self) -> Plane {
        self.plane(|p| 0.2126 * f32::from(p[0]) + 0.7152 * f32::from(p[1]) + 0.0722 * f32::from(p[2]))
    }
}

struct Plane {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

/// Value beyond the edge of a plane.
#[derive(Clone, Copy)]
enum Beyond {
    Mirrored,
    Nearest,
}

impl Beyond {
    fn index(self, i: isize, n: usize) -> usize {
        let n = n as isize;
        let inside = match self {
            Self::Nearest => i.clamp(0, n - 1),
            Self::Mirrored => {
                let i = i.rem_euclid(2 * n);
                if i < n { i } else { 2 * n - 1 - i }
            }
        };
        inside as usize
    }
}

impl Plane {
    fn with(&self, values: Vec<f32>) -> Self {
        Self { width: self.width, height: self.height, values }
    }

    fn times(&self, other: &Self) -> Self {
        self.with(self.values.iter().zip(&other.values).map(|(a, b)| a * b).collect())
    }

    fn blurred(&self, sigma: f32, radius: usize, beyond: Beyond) -> Self {
        let weights: Vec<f32> =
            (0..=2 * radius).map(|i| (-0.5 * ((i as f32 - radius as f32) / sigma).powi(2)).exp()).collect();
        let total: f32 = weights.iter().sum();
        let weights: Vec<f32> = weights.iter().map(|w| w / total).collect();
        let (w, h) = (self.width, self.height);
        let mut down = vec![0.0; w * h];
        for y in 0..h {
            let row = &mut down[y * w..][..w];
            for (k, weight) in weights.iter().enumerate() {
                let from = beyond.index(y as isize + k as isize - radius as isize, h);
                for (out, value) in row.iter_mut().zip(&self.values[from * w..][..w]) {
                    *out += weight * value;
                }
            }
        }
        let mut across = vec![0.0; w * h];
        let mut padded = vec![0.0; w + 2 * radius];
        for y in 0..h {
            let row = &down[y * w..][..w];
            for (i, value) in padded.iter_mut().enumerate() {
                *value = row[beyond.index(i as isize - radius as isize, w)];
            }
            let out = &mut across[y * w..][..w];
            for (k, weight) in weights.iter().enumerate() {
                for (out, value) in out.iter_mut().zip(&padded[k..]) {
                    *out += weight * value;
                }
            }
        }
        self.with(across)
    }
}

fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, n) = values.fold((0.0_f64, 0_u32), |(sum, n), v| (sum + f64::from(v), n + 1));
    (sum / f64::from(n.max(1))) as f32
}

fn ssim_map(a: &Plane, b: &Plane) -> Plane {
    let soft = |plane: &Plane| plane.blurred(1.5, 5, Beyond::Mirrored).values;
    let (ma, mb) = (soft(a), soft(b));
    let (aa, bb, ab) = (soft(&a.times(a)), soft(&b.times(b)), soft(&a.times(b)));
    let (c1, c2) = ((0.01_f32 * 255.0).powi(2), (0.03_f32 * 255.0).powi(2));
    let at = |i: usize| {
        let (va, vb, vab) = (aa[i] - ma[i] * ma[i], bb[i] - mb[i] * mb[i], ab[i] - ma[i] * mb[i]);
        ((2.0 * ma[i] * mb[i] + c1) * (2.0 * vab + c2))
            / ((ma[i] * ma[i] + mb[i] * mb[i] + c1) * (va + vb + c2))
    };
    a.with((0..a.values.len()).map(at).collect())
}

/// Where luma leaves its surroundings by more than 3 within 3 px.
fn detailed(luma: &Plane) -> Vec<bool> {
    let soft = luma.blurred(3.0, 12, Beyond::Mirrored);
    let (w, h) = (luma.width, luma.height);
    let edge: Vec<bool> = luma.values.iter().zip(&soft.values).map(|(a, b)| (a - b).abs() > 3.0).collect();
    let mut across = vec![false; w * h];
    let mut grown = vec![false; w * h];
    for i in (0..w * h).filter(|i| edge[*i]) {
        let (y, x) = (i / w, i % w);
        across[y * w..][x.saturating_sub(3)..(x + 4).min(w)].fill(true);
    }
    for i in (0..w * h).filter(|i| across[*i]) {
        let (y, x) = (i / w, i % w);
        (y.saturating_sub(3)..(y + 4).min(h)).for_each(|y| grown[y * w + x] = true);
    }
    grown
}

fn local(a: &Raster, b: &Raster) -> f32 {
    let largest = |channel: usize| {
        let (a, b) = (a.plane(|p| f32::from(p[channel])), b.plane(|p| f32::from(p[channel])));
        let signed = a.with(a.values.iter().zip(&b.values).map(|(a, b)| a - b).collect());
        signed.blurred(6.0, 18, Beyond::Nearest).values.iter().fold(0.0_f32, |most, v| most.max(v.abs()))
    };
    (0..3).map(largest).fold(0.0, f32::max)
}
