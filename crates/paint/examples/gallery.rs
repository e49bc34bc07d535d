//! Paints one picture of everything the painter can draw, to be looked at: `cargo run --example gallery -- out.png [font.ttf]`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::f64::consts::PI;
use std::sync::Arc;

use common::*;
use kurbo::{Affine, Point, Rect, Shape, Vec2};
use rondo_css::Color;
use rondo_paint::Painter;
use rondo_scene::Homography;
use rondo_scene::display::*;
use rondo_text::{Font, Glyph, GlyphRun};

fn gradient(kind: GradientKind, repeat: bool, stops: &[(f32, Color)]) -> Paint {
    let stops = stops.iter().map(|(offset, color)| Stop { offset: *offset, color: *color }).collect();
    Paint::Gradient(Arc::new(Gradient { kind, stops, repeat }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap_or_else(|| "gallery.png".into());
    let (red, blue, gold) = (color(220, 38, 38, 1.0), color(37, 99, 235, 1.0), color(250, 204, 21, 1.0));
    let mut hash = 0;
    let mut at = |x: f64, y: f64, size: Rect, draws: Vec<Draw>| {
        hash += 1;
        placed(content(hash, size, draws), Homography::translate(x, y))
    };
    let tile = Rect::new(0.0, 0.0, 160.0, 120.0);
    let wide = tile.inflate(40.0, 40.0);
    let round = Outline::RoundedRect(
        tile,
        [Vec2::new(24.0, 24.0), Vec2::new(60.0, 30.0), Vec2::ZERO, Vec2::new(10.0, 10.0)],
    );
    let linear = GradientKind::Linear { start: Point::ORIGIN, end: Point::new(160.0, 120.0) };
    let radial = GradientKind::Radial { center: tile.center(), radii: Vec2::new(80.0, 60.0) };
    let conic = GradientKind::Conic { center: tile.center(), angle: PI / 4.0 };
    let shadow = |inset, sigma, spread| Draw::BoxShadow {
        outline: round.clone(),
        offset: Vec2::new(6.0, 8.0),
        sigma,
        spread,
        color: color(0, 0, 0, 0.6),
        inset,
    };
    let photo = Rect::new(0.0, 0.0, 64.0, 48.0);
    let mut layers = vec![
        at(30.0, 30.0, wide, vec![fill(round.clone(), Paint::Solid(red))]),
        at(
            230.0,
            30.0,
            wide,
            vec![fill(round.clone(), gradient(linear, false, &[(0.0, red), (0.5, gold), (1.0, blue)]))],
        ),
        at(
            430.0,
            30.0,
            wide,
            vec![fill(
                Outline::Rect(tile),
                gradient(radial, true, &[(0.0, red), (0.25, gold), (0.25, blue), (0.5, red)]),
            )],
        ),
        at(
            630.0,
            30.0,
            wide,
            vec![fill(
                Outline::Rect(tile),
                gradient(conic, false, &[(0.0, red), (0.5, blue), (0.5, gold), (1.0, red)]),
            )],
        ),
        at(
            830.0,
            30.0,
            wide,
            vec![Draw::Stroke {
                path: Arc::new(tile.inset(-10.0).to_path(0.1)),
                transform: Affine::IDENTITY,
                width: 9.0,
                paint: Paint::Solid(blue),
            }],
        ),
        at(
            30.0,
            210.0,
            wide,
            vec![shadow(false, 10.0, 4.0), fill(round.clone(), Paint::Solid(color(255, 255, 255, 1.0)))],
        ),
        at(230.0, 210.0, wide, vec![fill(round.clone(), Paint::Solid(gold)), shadow(true, 8.0, 2.0)]),
        at(
            430.0,
            210.0,
            wide,
            vec![Draw::Group {
                draws: vec![fill(round.clone(), Paint::Solid(blue))],
                filters: vec![Filter::Blur { sigma: 6.0 }],
                clip: None,
                opacity: 1.0,
            }],
        ),
        at(
            630.0,
            210.0,
            wide,
            vec![Draw::Group {
                draws: vec![fill(round.clone(), Paint::Solid(gold))],
                filters: vec![Filter::DropShadow {
                    offset: Vec2::new(8.0, 8.0),
                    sigma: 4.0,
                    color: color(0, 0, 0, 0.7),
                }],
                clip: None,
                opacity: 0.8,
            }],
        ),
        at(830.0, 210.0, tile, vec![picture(0, 0, photo, tile)]),
        at(
            30.0,
            390.0,
            Rect::new(0.0, 0.0, 32.0, 24.0),
            vec![picture(1, 0, photo, Rect::new(0.0, 0.0, 32.0, 24.0))],
        ),
    ];
    let spun = Homography::from(
        Affine::translate((330.0, 450.0)) * Affine::rotate(0.4) * Affine::translate((-80.0, -60.0)),
    );
    layers.push(placed(content(50, tile, vec![picture(0, 0, photo, tile)]), spun));
    let tilt = Homography::translate(540.0, 450.0)
        * Homography([1.0, 0.2, 0.0, 0.0, 1.0, 0.0, 0.002, 0.001, 1.0])
        * Homography::translate(-80.0, -60.0);
    layers.push(placed(
        content(
            51,
            wide,
            vec![
                shadow(false, 8.0, 0.0),
                fill(round.clone(), gradient(linear, false, &[(0.0, red), (1.0, blue)])),
            ],
        ),
        tilt,
    ));
    let mut glass = placed(
        content(52, tile, vec![rect(tile, color(255, 255, 255, 0.3))]),
        Homography::translate(760.0, 150.0),
    );
    glass.placement.backdrop =
        Some(Backdrop { outline: round.clone(), filters: vec![Filter::Blur { sigma: 8.0 }] });
    glass.placement.clips =
        vec![Clip { outline: round.clone(), transform: Homography::translate(760.0, 150.0) }];
    layers.push(glass);
    if let Some(path) = args.next() {
        let font = Font { data: std::fs::read(path)?.into(), index: 0, digest: [1; 32], key: 1 };
        let glyphs = (0..24).map(|i| Glyph { id: 36 + i, x: i as f32 * 34.0, y: 0.0 }).collect();
        let run = Arc::new(GlyphRun { font, size: 40.0, coords: vec![], glyphs });
        let line = Rect::new(0.0, 0.0, 900.0, 60.0);
        let origin = Point::new(0.0, 44.0);
        layers.push(at(
            30.0,
            560.0,
            line,
            vec![Draw::Glyphs { run: run.clone(), origin, paint: Paint::Solid(blue) }],
        ));
        let sweep = GradientKind::Linear { start: Point::ORIGIN, end: Point::new(900.0, 0.0) };
        let paint = gradient(sweep, false, &[(0.0, red), (0.5, gold), (1.0, blue)]);
        let mut moving = at(30.3, 620.5, line, vec![Draw::Glyphs { run, origin, paint }]);
        moving.placement.moving = true;
        layers.push(moving);
    }
    let frame = frame(1030, 700, layers.into_iter().map(Item::Layer).collect());
    let mut painter = Painter::new(1030, 700);
    let painted = painter.paint(&frame, &mut Gallery)?;
    let mut encoder = png::Encoder::new(std::fs::File::create(out)?, 1030, 700);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&painted.bitmap.pixels)?;
    Ok(())
}
