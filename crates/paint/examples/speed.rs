//! Measures typical 1080p frames: `cargo run --release --example speed [part of a name]`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Instant;

use common::*;
use kurbo::{Affine, Rect, Shape, Vec2};
use rondo_paint::{Painter, update_planes};
use rondo_pixels::{IRect, Picture, Planes};
use rondo_scene::display::*;
use rondo_scene::{Homography, PictureError, Pictures};

const W: u32 = 1920;
const H: u32 = 1080;

/// One big photo-like picture.
struct Photo(Arc<Picture>);

impl Pictures for Photo {
    fn picture(&mut self, _: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        Ok(self.0.clone())
    }
}

fn photo(width: u32, height: u32) -> Photo {
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            pixels.extend([(x / 8) as u8, (y / 5) as u8, (x ^ y) as u8, 255]);
        }
    }
    Photo(Arc::new(Picture { width, height, pixels: Arc::new(pixels), opaque: true }))
}

fn measure(name: &str, frames: u32, pictures: &mut dyn Pictures, mut make: impl FnMut(u32) -> Vec<Item>) {
    if !name.contains(&std::env::args().nth(1).unwrap_or_default()) {
        return;
    }
    let mut painter = Painter::new(W, H);
    let mut planes = Planes::new(W, H);
    let (mut paint, mut convert) = (Vec::new(), Vec::new());
    for n in 0..frames {
        let frame = frame(W, H, make(n));
        let start = Instant::now();
        let Ok(painted) = painter.paint(&frame, pictures) else { return };
        let painted_at = Instant::now();
        update_planes(&mut planes, painted.bitmap, painted.dirty);
        if n > 0 {
            paint.push((painted_at - start).as_secs_f64() * 1e3);
            convert.push(painted_at.elapsed().as_secs_f64() * 1e3);
        }
    }
    let median = |v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        v[v.len() / 2]
    };
    println!("{name:34} paint {:7.3} ms   convert {:6.3} ms", median(&mut paint), median(&mut convert));
}

fn main() {
    let full = Rect::new(0.0, 0.0, 1920.0, 1080.0);
    let back = content(1, full, vec![rect(full, color(15, 23, 42, 1.0))]);
    let card = Rect::new(0.0, 0.0, 800.0, 200.0);
    let panel = content(
        2,
        card,
        vec![fill(
            Outline::RoundedRect(card, [Vec2::new(30.0, 30.0); 4]),
            Paint::Solid(color(99, 102, 241, 0.9)),
        )],
    );
    let with_back =
        |layer: Layer| vec![Item::Layer(placed(back.clone(), Homography::IDENTITY)), Item::Layer(layer)];
    let moving = |content: &Arc<Content>, transform: Homography| {
        let mut layer = placed(content.clone(), transform);
        layer.placement.moving = true;
        layer
    };
    let mut none = photo(8, 8);
    measure("identical frame", 30, &mut none, |_| {
        with_back(placed(panel.clone(), Homography::translate(100.0, 100.0)))
    });
    measure("800×200 slides by whole pixels", 60, &mut none, |n| {
        with_back(moving(&panel, Homography::translate(100.0 + f64::from(n) * 4.0, 300.0)))
    });
    measure("800×200 slides between pixels", 60, &mut none, |n| {
        with_back(moving(&panel, Homography::translate(100.0 + f64::from(n) * 4.3, 300.4)))
    });
    measure("800×200 zooms", 60, &mut none, |n| {
        let s = 0.8 + f64::from(n) * 0.005;
        with_back(moving(&panel, (Affine::translate((300.0, 300.0)) * Affine::scale(s)).into()))
    });
    measure("800×200 fades", 60, &mut none, |n| {
        let mut layer = placed(panel.clone(), Homography::translate(100.0, 300.0));
        layer.placement.opacity = n as f32 / 60.0;
        with_back(layer)
    });
    measure("800×200 turns", 60, &mut none, |n| {
        let turn = Affine::translate((500.0, 500.0))
            * Affine::rotate(f64::from(n) * 0.02)
            * Affine::translate((-400.0, -100.0));
        with_back(moving(&panel, turn.into()))
    });
    measure("800×200 blurs (animated)", 30, &mut none, |n| {
        let mut layer = moving(&panel, Homography::translate(100.0, 300.0));
        layer.placement.filters = vec![Filter::Blur { sigma: 1.0 + f64::from(n) * 0.5 }];
        with_back(layer)
    });
    let letter = |i: u128| {
        let ring = |r: f64| kurbo::Circle::new((30.0, 35.0), r).to_path(0.1);
        let mut path = ring(26.0);
        path.extend(ring(14.0 + (i % 7) as f64));
        let outline = Outline::Path(Arc::new(path), FillRule::EvenOdd);
        content(
            200 + i,
            Rect::new(0.0, 0.0, 60.0, 70.0),
            vec![fill(outline, Paint::Solid(color(255, 255, 255, 1.0)))],
        )
    };
    let letters: Vec<Arc<Content>> = (0..200).map(letter).collect();
    measure("200 letters rise out of a blur", 60, &mut none, |n| {
        let part = |(i, letter): (usize, &Arc<Content>)| {
            let left = 1.0 - (f64::from(n) / 60.0 - i as f64 / 400.0).clamp(0.0, 1.0);
            let (x, y) = ((i % 30) as f64 * 60.0, (i / 30) as f64 * 120.0);
            let mut layer = moving(letter, Homography::translate(x, y + 40.0 * left));
            layer.placement.filters = vec![Filter::Blur { sigma: 10.0 * left }];
            Item::Layer(layer)
        };
        letters.iter().enumerate().map(part).collect()
    });
    measure("full screen gradient changes", 30, &mut none, |n| {
        let stop = |offset, tone| Stop { offset, color: tone };
        let gradient = Gradient {
            kind: GradientKind::Linear { start: (0.0, 0.0).into(), end: (1920.0, 1080.0).into() },
            stops: vec![
                stop(0.0, color(n as u8, 40, 90, 1.0)),
                stop(0.5, color(255, 2 * n as u8, 0, 1.0)),
                stop(1.0, color(20, 60, 160, 1.0)),
            ],
            repeat: false,
        };
        let paint = Paint::Gradient(Arc::new(gradient));
        let content = content(1000 + u128::from(n), full, vec![fill(Outline::Rect(full), paint)]);
        vec![Item::Layer(placed(content, Homography::IDENTITY))]
    });
    let mut big = photo(2880, 1620);
    let whole = Rect::new(0.0, 0.0, 2880.0, 1620.0);
    let image = content(3, full, vec![picture(0, 0, whole, full)]);
    measure("ken-burns, 2880×1620 full screen", 40, &mut big, |n| {
        let s = 1.0 + f64::from(n) * 0.003;
        let zoom = Affine::translate((960.0, 540.0)) * Affine::scale(s) * Affine::translate((-960.0, -540.0));
        vec![Item::Layer(moving(&image, zoom.into()))]
    });
    measure("blurred photo zooms under a mask", 40, &mut big, |n| {
        let s = 1.0 + f64::from(n) * 0.003;
        let corners = [Vec2::new(40.0, 40.0); 4];
        let outline = Outline::RoundedRect(Rect::new(160.0, 90.0, 1760.0, 990.0), corners);
        let mut layer = moving(&image, Affine::scale(s).into());
        layer.placement.filters = vec![Filter::Blur { sigma: 14.0 }];
        layer.placement.opacity = 0.75;
        layer.placement.clips = vec![Clip { outline, transform: Homography::IDENTITY }];
        with_back(layer)
    });
    measure("full screen photo turns", 20, &mut big, |n| {
        let turn = Affine::rotate_about(f64::from(n) * 0.01, (960.0, 540.0));
        vec![Item::Layer(moving(&image, turn.into()))]
    });
    measure("full screen photo tilts", 20, &mut big, |n| {
        let tilt = Homography([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1e-5 * f64::from(n + 1), 0.0, 1.0]);
        vec![Item::Layer(moving(&image, tilt))]
    });
    let mut hd = photo(1920, 1080);
    measure("full screen video, same size", 30, &mut hd, |n| {
        let c = content(100 + u128::from(n), full, vec![picture(0, i64::from(n) + 1, full, full)]);
        vec![Item::Layer(placed(c, Homography::IDENTITY))]
    });
    for (name, blend) in rondo_css::BLEND_MODES {
        measure(&format!("full screen photo, {name}"), 6, &mut hd, |n| {
            let ground = content(2000 + u128::from(n), full, vec![rect(full, color(n as u8, 80, 160, 1.0))]);
            let photo = placed(content(4, full, vec![picture(0, 0, full, full)]), Homography::IDENTITY);
            let photo = Group::blended(vec![Item::Layer(photo)], blend);
            vec![Item::Layer(placed(ground, Homography::IDENTITY)), Item::Group(photo)]
        });
    }
    measure("full screen video from 2880×1620", 20, &mut big, |n| {
        let c = content(100 + u128::from(n), full, vec![picture(0, i64::from(n) + 1, whole, full)]);
        vec![Item::Layer(placed(c, Homography::IDENTITY))]
    });
    measure("glass over a moving photo", 20, &mut big, |n| {
        let s = 1.0 + f64::from(n) * 0.003;
        let mut glass = placed(panel.clone(), Homography::translate(500.0, 400.0));
        glass.placement.backdrop =
            Some(Backdrop { outline: Outline::Rect(card), filters: vec![Filter::Blur { sigma: 12.0 }] });
        vec![Item::Layer(moving(&image, Affine::scale(s).into())), Item::Layer(glass)]
    });
    let mut painter = Painter::new(W, H);
    if let Ok(painted) =
        painter.paint(&frame(W, H, with_back(placed(panel.clone(), Homography::IDENTITY))), &mut none)
    {
        let mut planes = Planes::new(W, H);
        let start = Instant::now();
        for _ in 0..20 {
            update_planes(&mut planes, painted.bitmap, &[IRect::of_size(W, H)]);
        }
        println!("{:34} {:.3} ms", "whole frame to I420", start.elapsed().as_secs_f64() * 1e3 / 20.0);
    }
}
