//! Colour spaces and the ways between them; linear sRGB without bounds is the crossroads.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorSpace {
    Srgb,
    SrgbLinear,
    DisplayP3,
    DisplayP3Linear,
    A98Rgb,
    ProphotoRgb,
    Rec2020,
    XyzD50,
    XyzD65,
    /// Lightness 0 to 100.
    Lab,
    /// Lightness 0 to 1.
    Oklab,
    /// Lightness 0 to 100, hue in degrees.
    Lch,
    /// Lightness 0 to 1, hue in degrees.
    Oklch,
    /// Hue in degrees, the others 0 to 1.
    Hsl,
    /// Hue in degrees, the others 0 to 1.
    Hwb,
}

type Triple = [f64; 3];
type Matrix = [[f64; 3]; 3];

const SRGB_TO_XYZ: Matrix = [
    [506752.0 / 1228815.0, 87881.0 / 245763.0, 12673.0 / 70218.0],
    [87098.0 / 409605.0, 175762.0 / 245763.0, 12673.0 / 175545.0],
    [7918.0 / 409605.0, 87881.0 / 737289.0, 1001167.0 / 1053270.0],
];
const P3_TO_XYZ: Matrix = [
    [608311.0 / 1250200.0, 189793.0 / 714400.0, 198249.0 / 1000160.0],
    [35783.0 / 156275.0, 247089.0 / 357200.0, 198249.0 / 2500400.0],
    [0.0, 32229.0 / 714400.0, 5220557.0 / 5000800.0],
];
const A98_TO_XYZ: Matrix = [
    [573536.0 / 994567.0, 263643.0 / 1420810.0, 187206.0 / 994567.0],
    [591459.0 / 1989134.0, 6239551.0 / 9945670.0, 374412.0 / 4972835.0],
    [53769.0 / 1989134.0, 351524.0 / 4972835.0, 4929758.0 / 4972835.0],
];
const REC2020_TO_XYZ: Matrix = [
    [63426534.0 / 99577255.0, 20160776.0 / 139408157.0, 47086771.0 / 278816314.0],
    [26158966.0 / 99577255.0, 472592308.0 / 697040785.0, 8267143.0 / 139408157.0],
    [0.0, 19567812.0 / 697040785.0, 295819943.0 / 278816314.0],
];
const PROPHOTO_TO_XYZ_D50: Matrix = [
    [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
    [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
    [0.0, 0.0, 0.8251046025104602],
];
const D50_TO_D65: Matrix = [
    [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
    [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
    [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];
const D50_WHITE: Triple = [0.3457 / 0.3585, 1.0, (1.0 - 0.3457 - 0.3585) / 0.3585];

const SRGB_TO_LMS: Matrix = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
];
const LMS_TO_SRGB: Matrix = [
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.707614701],
];
const LMS_TO_OKLAB: Matrix = [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
];
const OKLAB_TO_LMS: Matrix = [
    [1.0, 0.3963377774, 0.2158037573],
    [1.0, -0.1055613458, -0.0638541728],
    [1.0, -0.0894841775, -1.291485548],
];

impl ColorSpace {
    /// The component that is a hue, if any.
    pub(super) fn hue(self) -> Option<usize> {
        match self {
            ColorSpace::Lch | ColorSpace::Oklch => Some(2),
            ColorSpace::Hsl | ColorSpace::Hwb => Some(0),
            _ => None,
        }
    }

    pub(super) fn to_linear_srgb(self, color: Triple) -> Triple {
        match self {
            ColorSpace::Srgb => color.map(srgb_to_linear),
            ColorSpace::SrgbLinear => color,
            ColorSpace::DisplayP3 => from_xyz(apply(&P3_TO_XYZ, color.map(srgb_to_linear))),
            ColorSpace::DisplayP3Linear => from_xyz(apply(&P3_TO_XYZ, color)),
            ColorSpace::A98Rgb => from_xyz(apply(&A98_TO_XYZ, color.map(|v| power(v, 563.0 / 256.0)))),
            ColorSpace::ProphotoRgb => from_d50(apply(&PROPHOTO_TO_XYZ_D50, color.map(prophoto_to_linear))),
            ColorSpace::Rec2020 => from_xyz(apply(&REC2020_TO_XYZ, color.map(rec2020_to_linear))),
            ColorSpace::XyzD50 => from_d50(color),
            ColorSpace::XyzD65 => from_xyz(color),
            ColorSpace::Lab => from_d50(lab_to_xyz_d50(color)),
            ColorSpace::Lch => from_d50(lab_to_xyz_d50(from_polar(color))),
            ColorSpace::Oklab => oklab_to_linear(color),
            ColorSpace::Oklch => oklab_to_linear(from_polar(color)),
            ColorSpace::Hsl => hsl_to_srgb(color).map(srgb_to_linear),
            ColorSpace::Hwb => hwb_to_srgb(color).map(srgb_to_linear),
        }
    }

    pub(super) fn of_linear_srgb(self, color: Triple) -> Triple {
        let xyz = || apply(&SRGB_TO_XYZ, color);
        let d50 = || apply(&inverse(&D50_TO_D65), xyz());
        match self {
            ColorSpace::Srgb => color.map(linear_to_srgb),
            ColorSpace::SrgbLinear => color,
            ColorSpace::DisplayP3 => apply(&inverse(&P3_TO_XYZ), xyz()).map(linear_to_srgb),
            ColorSpace::DisplayP3Linear => apply(&inverse(&P3_TO_XYZ), xyz()),
            ColorSpace::A98Rgb => apply(&inverse(&A98_TO_XYZ), xyz()).map(|v| power(v, 256.0 / 563.0)),
            ColorSpace::ProphotoRgb => apply(&inverse(&PROPHOTO_TO_XYZ_D50), d50()).map(linear_to_prophoto),
            ColorSpace::Rec2020 => apply(&inverse(&REC2020_TO_XYZ), xyz()).map(linear_to_rec2020),
            ColorSpace::XyzD50 => d50(),
            ColorSpace::XyzD65 => xyz(),
            ColorSpace::Lab => xyz_d50_to_lab(d50()),
            ColorSpace::Lch => to_polar(xyz_d50_to_lab(d50())),
            ColorSpace::Oklab => linear_to_oklab(color),
            ColorSpace::Oklch => to_polar(linear_to_oklab(color)),
            ColorSpace::Hsl => srgb_to_hsl(color.map(linear_to_srgb)),
            ColorSpace::Hwb => srgb_to_hwb(color.map(linear_to_srgb)),
        }
    }
}

fn apply(matrix: &Matrix, [x, y, z]: Triple) -> Triple {
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z)
}

/// Of a matrix that has one: all those above do.
fn inverse(m: &Matrix) -> Matrix {
    let minor = |a: usize, b: usize, c: usize, d: usize| m[a][c] * m[b][d] - m[a][d] * m[b][c];
    let determinant = m[0][0] * minor(1, 2, 1, 2) - m[0][1] * minor(1, 2, 0, 2) + m[0][2] * minor(1, 2, 0, 1);
    [
        [minor(1, 2, 1, 2), -minor(0, 2, 1, 2), minor(0, 1, 1, 2)],
        [-minor(1, 2, 0, 2), minor(0, 2, 0, 2), -minor(0, 1, 0, 2)],
        [minor(1, 2, 0, 1), -minor(0, 2, 0, 1), minor(0, 1, 0, 1)],
    ]
    .map(|row| row.map(|v| v / determinant))
}

fn from_xyz(xyz: Triple) -> Triple {
    apply(&inverse(&SRGB_TO_XYZ), xyz)
}

fn from_d50(xyz: Triple) -> Triple {
    from_xyz(apply(&D50_TO_D65, xyz))
}

/// The power of the magnitude, keeping the sign.
fn power(value: f64, exponent: f64) -> f64 {
    libm::pow(value.abs(), exponent).copysign(value)
}

pub(super) fn srgb_to_linear(value: f64) -> f64 {
    if value.abs() <= 0.04045 {
        value / 12.92
    } else {
        libm::pow((value.abs() + 0.055) / 1.055, 2.4).copysign(value)
    }
}

pub(super) fn linear_to_srgb(value: f64) -> f64 {
    if value.abs() <= 0.0031308 {
        value * 12.92
    } else {
        (1.055 * libm::pow(value.abs(), 1.0 / 2.4) - 0.055).copysign(value)
    }
}

fn prophoto_to_linear(value: f64) -> f64 {
    if value.abs() <= 16.0 / 512.0 { value / 16.0 } else { power(value, 1.8) }
}

fn linear_to_prophoto(value: f64) -> f64 {
    if value.abs() >= 1.0 / 512.0 { power(value, 1.0 / 1.8) } else { value * 16.0 }
}

const REC2020_ALPHA: f64 = 1.09929682680944;
const REC2020_BETA: f64 = 0.018053968510807;

fn rec2020_to_linear(value: f64) -> f64 {
    if value.abs() < REC2020_BETA * 4.5 {
        value / 4.5
    } else {
        libm::pow((value.abs() + REC2020_ALPHA - 1.0) / REC2020_ALPHA, 1.0 / 0.45).copysign(value)
    }
}

fn linear_to_rec2020(value: f64) -> f64 {
    if value.abs() > REC2020_BETA {
        (REC2020_ALPHA * libm::pow(value.abs(), 0.45) - (REC2020_ALPHA - 1.0)).copysign(value)
    } else {
        value * 4.5
    }
}

pub(super) fn linear_to_oklab(rgb: Triple) -> Triple {
    apply(&LMS_TO_OKLAB, apply(&SRGB_TO_LMS, rgb).map(libm::cbrt))
}

pub(super) fn oklab_to_linear(lab: Triple) -> Triple {
    apply(&LMS_TO_SRGB, apply(&OKLAB_TO_LMS, lab).map(|v| v * v * v))
}

const LAB_EPSILON: f64 = 216.0 / 24389.0;
const LAB_KAPPA: f64 = 24389.0 / 27.0;

fn lab_to_xyz_d50([l, a, b]: Triple) -> Triple {
    let fy = (l + 16.0) / 116.0;
    let fx = a / 500.0 + fy;
    let fz = fy - b / 200.0;
    let part = |f: f64| if f * f * f > LAB_EPSILON { f * f * f } else { (116.0 * f - 16.0) / LAB_KAPPA };
    let y = if l > LAB_KAPPA * LAB_EPSILON { fy * fy * fy } else { l / LAB_KAPPA };
    [part(fx) * D50_WHITE[0], y, part(fz) * D50_WHITE[2]]
}

fn xyz_d50_to_lab([x, y, z]: Triple) -> Triple {
    let part = |v: f64| if v > LAB_EPSILON { libm::cbrt(v) } else { (LAB_KAPPA * v + 16.0) / 116.0 };
    let [fx, fy, fz] = [part(x / D50_WHITE[0]), part(y), part(z / D50_WHITE[2])];
    [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
}

pub(super) fn to_polar([l, a, b]: Triple) -> Triple {
    [l, libm::hypot(a, b), libm::atan2(b, a).to_degrees().rem_euclid(360.0)]
}

pub(super) fn from_polar([l, c, h]: Triple) -> Triple {
    let (sin, cos) = libm::sincos(h.to_radians());
    [l, c * cos, c * sin]
}

pub(super) fn hsl_to_srgb([h, s, l]: Triple) -> Triple {
    let a = s * l.min(1.0 - l);
    [0.0, 8.0, 4.0].map(|n| {
        let k = (n + h.rem_euclid(360.0) / 30.0) % 12.0;
        l - a * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}

pub(super) fn hwb_to_srgb([h, white, black]: Triple) -> Triple {
    if white + black >= 1.0 {
        return [white / (white + black); 3];
    }
    hsl_to_srgb([h, 1.0, 0.5]).map(|v| v * (1.0 - white - black) + white)
}

fn srgb_hue([r, g, b]: Triple) -> f64 {
    let max = r.max(g).max(b);
    let delta = max - r.min(g).min(b);
    if delta <= 0.0 {
        return 0.0;
    }
    let sixth = if max == r {
        (g - b) / delta
    } else if max == g {
        (b - r) / delta + 2.0
    } else {
        (r - g) / delta + 4.0
    };
    (sixth * 60.0).rem_euclid(360.0)
}

fn srgb_to_hsl([r, g, b]: Triple) -> Triple {
    let (max, min) = (r.max(g).max(b), r.min(g).min(b));
    let l = (max + min) / 2.0;
    let room = l.min(1.0 - l);
    let s = if room.abs() < 1e-12 { 0.0 } else { (max - l) / room };
    [srgb_hue([r, g, b]), s, l]
}

fn srgb_to_hwb([r, g, b]: Triple) -> Triple {
    [srgb_hue([r, g, b]), r.min(g).min(b), 1.0 - r.max(g).max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_space_leads_back_to_where_it_started() {
        let spaces = [
            ColorSpace::Srgb,
            ColorSpace::DisplayP3,
            ColorSpace::DisplayP3Linear,
            ColorSpace::A98Rgb,
            ColorSpace::ProphotoRgb,
            ColorSpace::Rec2020,
            ColorSpace::XyzD50,
            ColorSpace::XyzD65,
            ColorSpace::Lab,
            ColorSpace::Oklab,
            ColorSpace::Lch,
            ColorSpace::Oklch,
            ColorSpace::Hsl,
            ColorSpace::Hwb,
        ];
        for space in spaces {
            let color = [0.21, 0.6, 0.004];
            let back = space.to_linear_srgb(space.of_linear_srgb(color));
            for channel in 0..3 {
                assert!((back[channel] - color[channel]).abs() < 1e-6, "{space:?} gave {back:?}");
            }
        }
    }
}
