//! Frames made small: a thumbnail, and a contact sheet of frames across the film, each with its number and time.

use std::path::PathBuf;
use std::sync::Arc;

use rondo_composition::{Composition, Limits};
use rondo_text::Catalog;
use serde_json::json;

use crate::error::RenderError;
use crate::film::Film;
use crate::library::Locate;

/// Frames on a sheet.
const CELLS: u32 = 12;
/// Longest side of a cell's picture.
const CELL_SIDE: f64 = 460.0;
const GAP: u32 = 20;
const LABEL: u32 = 34;

/// An opaque RGBA picture.
pub struct Sheet {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

/// Paints twelve frames, the first and the last among them, with labels.
pub fn sheet(film: &mut Film) -> Result<Sheet, RenderError> {
    let (width, height) = (film.composition().width, film.composition().height);
    let (duration, fps) = (film.composition().duration, film.composition().fps);
    let scale = (CELL_SIDE / f64::from(width.max(height))).min(1.0);
    let cell = ((f64::from(width) * scale).round() as u32, (f64::from(height) * scale).round() as u32);
    let cell = (cell.0.max(1), cell.1.max(1));
    let count = CELLS.min(duration);
    let columns = if width >= height { 4 } else { 6 }.min(count);
    let rows = count.div_ceil(columns);
    let place = |i: u32| (GAP + (i % columns) * (cell.0 + GAP), GAP + (i / columns) * (cell.1 + LABEL + GAP));
    let numbers: Vec<u32> = (0..count)
        .map(|i| (u64::from(i) * u64::from(duration - 1) / u64::from((count - 1).max(1))) as u32)
        .collect();
    let labels: Vec<_> = numbers
        .iter()
        .enumerate()
        .map(|(i, number)| {
            let (x, y) = place(i as u32);
            json!({
                "id": i, "type": "text", "from": 0, "durationInFrames": 1, "row": 0,
                "left": x, "top": y + cell.1, "width": cell.0, "height": LABEL,
                "content": format!("{number}  ·  {}", timecode(*number, fps)),
                "styles": {"fontSize": 18, "fontFamily": "Inter", "fontWeight": 500, "color": "#cbd5e1", "padding": 0},
            })
        })
        .collect();
    let page = json!({
        "width": GAP + columns * (cell.0 + GAP),
        "height": GAP + rows * (cell.1 + LABEL + GAP),
        "durationInFrames": 1,
        "backgroundColor": "#0f172a",
        "overlays": labels,
    });
    let mut sheet = page_picture(&page, film.fonts())?;
    for (i, number) in numbers.iter().enumerate() {
        let (x, y) = place(i as u32);
        let still = film.still(*number)?;
        shrink_into(still.pixels, (still.width, still.height), &mut sheet, (x, y), cell);
    }
    Ok(sheet)
}

/// Paints one frame, shrunk so that its longer side has at most `side` pixels.
pub fn thumbnail(film: &mut Film, frame: u32, side: u32) -> Result<Sheet, RenderError> {
    let still = film.still(frame)?;
    let scale = (f64::from(side) / f64::from(still.width.max(still.height))).min(1.0);
    let shrunk = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let (width, height) = (shrunk(still.width), shrunk(still.height));
    let mut picture = Sheet { width, height, pixels: vec![255; width as usize * height as usize * 4] };
    shrink_into(still.pixels, (still.width, still.height), &mut picture, (0, 0), (width, height));
    Ok(picture)
}

/// The empty sheet with its labels, painted by the engine itself.
fn page_picture(page: &serde_json::Value, fonts: Arc<Catalog>) -> Result<Sheet, RenderError> {
    let composition = match Composition::read(page, Limits::WIDEST) {
        Ok(read) => read.composition,
        // The page is made of whole numbers within the limits of a canvas; only an enormous cell could break them.
        Err(_) => Composition { width: 16, height: 16, duration: 1, ..Composition::default() },
    };
    let mut film = Film::open(composition, &NoMedia, fonts);
    let still = film.still(0)?;
    Ok(Sheet { width: still.width, height: still.height, pixels: still.pixels.to_vec() })
}

struct NoMedia;

impl Locate for NoMedia {
    fn locate(&self, _src: &str) -> Result<PathBuf, String> {
        Err("a contact sheet has no media of its own".into())
    }
}

/// Averages the source over each pixel of a cell.
fn shrink_into(
    source: &[u8],
    (sw, sh): (u32, u32),
    sheet: &mut Sheet,
    (x0, y0): (u32, u32),
    (w, h): (u32, u32),
) {
    let span = |i: u32, cells: u32, pixels: u32| {
        let from = (u64::from(i) * u64::from(pixels) / u64::from(cells)) as usize;
        let to = (u64::from(i + 1) * u64::from(pixels) / u64::from(cells)) as usize;
        from..to.max(from + 1)
    };
    for y in 0..h {
        for x in 0..w {
            let (rows, columns) = (span(y, h, sh), span(x, w, sw));
            let area = (rows.len() * columns.len()) as u32;
            let mut sum = [0u32; 3];
            for row in rows {
                let line = &source[(row * sw as usize + columns.start) * 4..][..columns.len() * 4];
                for p in line.chunks_exact(4) {
                    (0..3).for_each(|c| sum[c] += u32::from(p[c]));
                }
            }
            let at = ((y0 + y) as usize * sheet.width as usize + (x0 + x) as usize) * 4;
            if let Some(pixel) = sheet.pixels.get_mut(at..at + 4) {
                (0..3).for_each(|c| pixel[c] = ((sum[c] + area / 2) / area) as u8);
                pixel[3] = 255;
            }
        }
    }
}

/// Minutes, seconds and hundredths.
fn timecode(frame: u32, fps: u32) -> String {
    let hundredths = u64::from(frame) * 100 / u64::from(fps.max(1));
    format!("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100)
}
