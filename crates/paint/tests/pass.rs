//! Video that fills the canvas reaches the encoder's planes as it came, where nothing covers it.

mod common;

use std::sync::Arc;

use common::*;
use kurbo::Rect;
use rondo_paint::{Painter, update_planes};
use rondo_pixels::{Picture, PixelSource, Plane, Planes, PlanesRef};
use rondo_scene::display::*;
use rondo_scene::{Homography, PictureError, Pictures};

const W: u32 = 320;
const H: u32 = 200;

/// A frame of a clip, in planes with gaps between their rows.
struct Shot {
    planes: [Vec<u8>; 3],
    rgba: Vec<u8>,
}

const GAP: usize = 16;

impl Shot {
    fn new(time: u32) -> Self {
        let plane = |width: u32, height: u32, low: u32, range: u32| {
            let stride = width as usize + GAP;
            let mut bytes = vec![0; stride * height as usize];
            for (y, row) in bytes.chunks_exact_mut(stride).enumerate() {
                for (x, v) in row[..width as usize].iter_mut().enumerate() {
                    *v = (low + (x as u32 * 2 + y as u32 * 3 + time * 5) % range) as u8;
                }
            }
            bytes
        };
        let planes = [plane(W, H, 80, 90), plane(W / 2, H / 2, 110, 40), plane(W / 2, H / 2, 115, 30)];
        let mut rgba = Vec::new();
        for y in 0..H as usize {
            for x in 0..W as usize {
                let chroma = |i: usize| f64::from(planes[i][y / 2 * (W as usize / 2 + GAP) + x / 2]) - 128.0;
                let luma = (f64::from(planes[0][y * (W as usize + GAP) + x]) - 16.0) * 255.0 / 219.0;
                let (u, v) = (chroma(1) * 255.0 / 224.0, chroma(2) * 255.0 / 224.0);
                let rgb = [luma + 1.5748 * v, luma - 0.187324 * u - 0.468124 * v, luma + 1.8556 * u];
                rgba.extend(rgb.map(|c| c.round().clamp(0.0, 255.0) as u8));
                rgba.push(255);
            }
        }
        Self { planes, rgba }
    }

    /// The planes without gaps.
    fn film(&self) -> Planes {
        let mut film = Planes::new(W, H);
        for (plane, to) in self.planes.iter().zip([&mut film.y, &mut film.u, &mut film.v]) {
            let width = if to.len() == (W * H) as usize { W } else { W / 2 } as usize;
            *to = plane.chunks_exact(width + GAP).flat_map(|row| row[..width].to_vec()).collect();
        }
        film
    }
}

impl PixelSource for Shot {
    fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    fn planes(&self) -> Option<PlanesRef<'_>> {
        let [y, u, v] = &self.planes;
        let (whole, half) = (W as usize + GAP, W as usize / 2 + GAP);
        Some(PlanesRef {
            y: Plane { bytes: y, stride: whole },
            u: Plane { bytes: u, stride: half },
            v: Plane { bytes: v, stride: half },
        })
    }
}

struct Clip;

impl Pictures for Clip {
    fn picture(&mut self, r: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        let pixels = Arc::new(Shot::new(r.time_us as u32));
        Ok(Arc::new(Picture { width: W, height: H, pixels, opaque: true }))
    }
}

fn video(time: i64) -> Item {
    let whole = Rect::new(0.0, 0.0, f64::from(W), f64::from(H));
    Item::Layer(placed(
        content(1000 + time as u128, whole, vec![picture(0, time, whole, whole)]),
        Homography::IDENTITY,
    ))
}

/// A box with a hole that shows the video.
fn badge(x: f64, y: f64) -> Item {
    let bounds = Rect::new(0.0, 0.0, 60.0, 40.0);
    let red = color(200, 30, 40, 1.0);
    let draws = vec![rect(Rect::new(0.0, 0.0, 20.0, 40.0), red), rect(Rect::new(40.0, 0.0, 60.0, 40.0), red)];
    Item::Layer(placed(content(7, bounds, draws), Homography::translate(x, y)))
}

fn cover() -> Item {
    let whole = Rect::new(0.0, 0.0, f64::from(W), f64::from(H));
    let veil = vec![rect(whole, color(0, 0, 0, 0.5))];
    Item::Layer(placed(content(8, whole, veil), Homography::IDENTITY))
}

fn alone(items: Vec<Item>) -> Planes {
    let mut planes = Planes::new(W, H);
    Painter::new(W, H).paint_film(&frame(W, H, items), &mut Clip, None, &mut planes).expect("paints");
    planes
}

#[test]
fn untouched_video_is_not_changed_by_a_single_bit() {
    assert!(alone(vec![video(3)]) == Shot::new(3).film());
}

#[test]
fn video_around_and_between_overlays_is_untouched() {
    let got = alone(vec![video(3), badge(101.0, 71.0)]);
    let source = Shot::new(3).film();
    let at = |film: &Planes, x: u32, y: u32| film.y[(y * W + x) as usize];
    for (x, y) in [(0, 0), (90, 80), (130, 90), (200, 90), (319, 199), (130, 60)] {
        assert_eq!(at(&got, x, y), at(&source, x, y), "at {x}, {y}");
    }
    // The box itself: BT.709 of its red.
    for (x, y) in [(101, 71), (120, 110), (141, 71), (160, 110)] {
        assert!(at(&got, x, y).abs_diff(73) <= 1, "at {x}, {y}: {}", at(&got, x, y));
    }
    let mut plain = Planes::new(W, H);
    let mut painter = Painter::new(W, H);
    let frame = frame(W, H, vec![video(3), badge(101.0, 71.0)]);
    let painted = painter.paint(&frame, &mut Clip).expect("paints");
    update_planes(&mut plain, painted.bitmap, painted.dirty);
    for (got, plain) in [(&got.y, &plain.y), (&got.u, &plain.u), (&got.v, &plain.v)] {
        let worst = got.iter().zip(plain).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst <= Some(2), "{worst:?} levels from the way through RGBA");
    }
}

fn blended(item: Item, blend: BlendMode) -> Item {
    Item::Group(Group::blended(vec![item], blend))
}

/// The planes by way of the canvas alone.
fn through_rgba(items: Vec<Item>) -> Planes {
    let mut planes = Planes::new(W, H);
    let mut painter = Painter::new(W, H);
    let painted = painter.paint(&frame(W, H, items), &mut Clip).expect("paints").bitmap;
    update_planes(&mut planes, painted, &[painted.bounds()]);
    planes
}

#[test]
fn a_blended_video_shows_what_is_beneath_it() {
    let whole = Rect::new(0.0, 0.0, f64::from(W), f64::from(H));
    let black = content(9, whole, vec![rect(whole, color(0, 0, 0, 1.0))]);
    let black = Item::Layer(placed(black, Homography::IDENTITY));
    let darkened = alone(vec![video(3), black.clone(), blended(video(3), BlendMode::Multiply)]);
    assert!(darkened == alone(vec![black.clone()]), "nothing is darker than black");
    let added = alone(vec![video(3), black, blended(video(3), BlendMode::Screen)]);
    assert!(added == through_rgba(vec![video(3)]));
}

#[test]
fn overlays_blend_with_a_video_that_passes() {
    let items = vec![video(3), blended(badge(101.0, 71.0), BlendMode::Difference)];
    let (got, plain) = (alone(items.clone()), through_rgba(items));
    let worst = got.y.iter().zip(&plain.y).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(worst <= Some(2), "{worst:?} levels from the way through RGBA");
    assert!(got != alone(vec![video(3), badge(101.0, 71.0)]));
}

#[test]
fn planes_hold_each_frame_whatever_was_in_them_before() {
    let films: [Vec<Item>; 9] = [
        vec![video(1), badge(40.0, 30.0)],
        vec![video(2), badge(44.0, 30.0), badge(200.0, 31.0)],
        vec![video(2), cover()],
        vec![cover()],
        vec![video(2), cover(), badge(10.0, 10.0)],
        vec![video(3)],
        vec![badge(10.0, 10.0)],
        vec![video(3), blended(badge(10.0, 10.0), BlendMode::Screen)],
        vec![cover(), blended(video(3), BlendMode::Overlay)],
    ];
    let mut painter = Painter::new(W, H);
    let (mut last, mut planes) = (None, Planes::new(W, H));
    for order in [[0, 1, 2, 3, 4, 5, 6, 7, 8], [5, 7, 2, 8, 0, 6, 1, 4, 3]] {
        for number in order {
            let frame = frame(W, H, films[number].clone());
            planes.y.fill(77);
            let changed = painter.paint_film(&frame, &mut Clip, last.as_ref(), &mut planes).expect("paints");
            assert!(changed && planes == alone(films[number].clone()), "film {number}");
            last = Some(planes.clone());
            let again = painter.paint_film(&frame, &mut Clip, last.as_ref(), &mut planes).expect("paints");
            assert!(!again, "film {number} painted twice");
        }
    }
}
