//! Building display lists by hand.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use kurbo::{Affine, Rect};
use rondo_css::Color;
use rondo_pixels::Picture;
use rondo_scene::display::*;
use rondo_scene::{Homography, PictureError, Pictures};

pub fn color(r: u8, g: u8, b: u8, a: f32) -> Color {
    Color { r: f32::from(r) / 255.0, g: f32::from(g) / 255.0, b: f32::from(b) / 255.0, a }
}

pub fn rect(outline: Rect, color: Color) -> Draw {
    fill(Outline::Rect(outline), Paint::Solid(color))
}

pub fn fill(outline: Outline, paint: Paint) -> Draw {
    Draw::Fill { outline, transform: Affine::IDENTITY, paint }
}

fn digest(number: u128) -> [u8; 32] {
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&number.to_be_bytes());
    digest
}

pub fn content(hash: u128, bounds: Rect, draws: Vec<Draw>) -> Arc<Content> {
    Arc::new(Content { hash: ContentHash(digest(hash)), bounds, draws })
}

pub fn placed(content: Arc<Content>, transform: Homography) -> Layer {
    Layer {
        content,
        placement: Placement {
            transform,
            moving: false,
            opacity: 1.0,
            clips: vec![],
            filters: vec![],
            backdrop: None,
        },
    }
}

pub fn frame(width: u32, height: u32, items: Vec<Item>) -> Frame {
    Frame { width, height, background: color(255, 255, 255, 1.0), items, overlays: Vec::new() }
}

/// A world of generated pictures: source 0 is a colourful opaque one, source 1 has holes; time shifts the colours.
pub struct Gallery;

impl Pictures for Gallery {
    fn picture(&mut self, r: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        if r.source > 1 {
            return Err(PictureError(format!("source {} cannot be read", r.source)));
        }
        let (width, height) = (64u32, 48u32);
        let mut pixels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let alpha = if r.source == 1 && (x / 8 + y / 8) % 2 == 0 { 0u32 } else { 255 };
                let c = [x * 4, y * 5, (x * y + r.time_us as u32) % 256];
                pixels.extend(c.map(|v| (v.min(255) * alpha / 255) as u8));
                pixels.push(alpha as u8);
            }
        }
        Ok(Arc::new(Picture { width, height, pixels: Arc::new(pixels), opaque: r.source == 0 }))
    }
}

pub fn picture(source: u32, time_us: i64, from: Rect, dest: Rect) -> Draw {
    Draw::Picture(PictureDraw {
        picture: PictureRef { source, source_key: [source as u8; 32], time_us },
        source: from,
        dest,
        key: None,
    })
}
