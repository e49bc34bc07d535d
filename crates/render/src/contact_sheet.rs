//! Thumbnails, and contact sheets of frames across the film with frame number and time.

use std::path::PathBuf;
use std::sync::Arc;

use rondo_composition::{Composition, Limits};
use rondo_paint::scale_bitmap;
use rondo_pixels::{Bitmap, BitmapRef};
use rondo_text::Catalog;
use serde_json::json;

use crate::bitmap_file::size_within;
use crate::error::RenderError;
use crate::film::Film;
use crate::media::Locate;

/// Frames on a sheet, unless others are asked for.
const CELLS: u32 = 12;
/// Pixels of such a sheet at most.
const MOST_PIXELS: u64 = 2_000_000;
const GAP: u32 = 20;
const LABEL: u32 = 34;
/// Narrowest cell: its label still fits.
const LEAST_SIDE: f64 = 150.0;

/// Paints twelve frames, the first and the last among them, with labels.
pub fn sheet(film: &mut Film) -> Result<Bitmap, RenderError> {
    let numbers = spread(film.composition().duration, CELLS);
    sheet_of(film, &numbers, MOST_PIXELS, &mut || true)
}

/// Numbers of frames spread evenly over a film, the first and the last among them.
pub fn spread(duration: u32, count: u32) -> Vec<u32> {
    let count = count.min(duration);
    let last = u64::from(duration.saturating_sub(1));
    (0..count).map(|i| (u64::from(i) * last / u64::from((count - 1).max(1))) as u32).collect()
}

/// Paints the frames of these numbers on one picture, each with its number and time. The picture has about as many pixels
/// as `most_pixels` allows, or fewer where the frames are small. `go_on` is asked before each frame.
pub fn sheet_of(
    film: &mut Film,
    numbers: &[u32],
    most_pixels: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Bitmap, RenderError> {
    let (width, height, fps) = (film.composition().width, film.composition().height, film.composition().fps);
    let grid = Grid::new((width, height), numbers.len() as u32, most_pixels);
    let cell = grid.cell;
    let labels: Vec<_> = numbers
        .iter()
        .enumerate()
        .map(|(i, number)| {
            let (x, y) = grid.place(i as u32);
            json!({
                "id": i, "type": "text", "from": 0, "durationInFrames": 1, "row": 0,
                "left": x, "top": y + cell.1, "width": cell.0, "height": LABEL,
                "content": format!("{number}  ·  {}", timecode(*number, fps)),
                "styles": {"fontSize": 18, "fontFamily": "Inter", "fontWeight": 500, "color": "#cbd5e1", "padding": 0},
            })
        })
        .collect();
    let (page_width, page_height) = grid.size();
    let page = json!({
        "width": page_width,
        "height": page_height,
        "durationInFrames": 1,
        "backgroundColor": "#0f172a",
        "overlays": labels,
    });
    let mut sheet = page_picture(&page, film.fonts())?;
    for (i, number) in numbers.iter().enumerate() {
        if !go_on() {
            return Err(RenderError::Cancelled);
        }
        let still = film.still(*number)?;
        put(scale_bitmap(still, cell.0, cell.1).view(), &mut sheet, grid.place(i as u32));
    }
    Ok(sheet)
}

/// Paints one frame, shrunk so that its longer side has at most `side` pixels.
pub fn thumbnail(film: &mut Film, frame: u32, side: u32) -> Result<Bitmap, RenderError> {
    Ok(shrunk_to(film.still(frame)?, side))
}

/// Shrinks a picture so that its longer side has at most `side` pixels.
pub(crate) fn shrunk_to(still: BitmapRef<'_>, side: u32) -> Bitmap {
    let scale = (f64::from(side) / f64::from(still.width.max(still.height))).min(1.0);
    let shrunk = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    scale_bitmap(still, shrunk(still.width), shrunk(still.height))
}

/// Paints one frame, shrunk to at most so many pixels.
pub fn picture_of(film: &mut Film, frame: u32, most_pixels: u64) -> Result<Bitmap, RenderError> {
    let still = film.still(frame)?;
    let (width, height) = size_within(still.width, still.height, most_pixels);
    Ok(scale_bitmap(still, width, height))
}

/// The layout of a contact sheet.
struct Grid {
    columns: u32,
    rows: u32,
    /// Size of a frame on the sheet.
    cell: (u32, u32),
}

impl Grid {
    fn new((width, height): (u32, u32), count: u32, most_pixels: u64) -> Self {
        let columns = if width >= height { 4 } else { 6 }.min(count).max(1);
        let rows = count.div_ceil(columns).max(1);
        let (width, height) = (f64::from(width), f64::from(height));
        let grid = |scale: f64| {
            let shrunk = |length: f64| ((length * scale).round() as u32).max(1);
            Self { columns, rows, cell: (shrunk(width), shrunk(height)) }
        };
        let least = (LEAST_SIDE / width).min(1.0);
        let mut scale = 1.0;
        while scale > least && grid(scale).pixels() > most_pixels {
            scale *= 0.98;
        }
        grid(scale.max(least))
    }

    fn place(&self, i: u32) -> (u32, u32) {
        let (width, height) = self.cell;
        (GAP + (i % self.columns) * (width + GAP), GAP + (i / self.columns) * (height + LABEL + GAP))
    }

    fn size(&self) -> (u32, u32) {
        let (width, height) = self.cell;
        (GAP + self.columns * (width + GAP), GAP + self.rows * (height + LABEL + GAP))
    }

    fn pixels(&self) -> u64 {
        let (width, height) = self.size();
        u64::from(width) * u64::from(height)
    }
}

/// The empty sheet with its labels, painted by the engine itself.
fn page_picture(page: &serde_json::Value, fonts: Arc<Catalog>) -> Result<Bitmap, RenderError> {
    let composition = match Composition::read(page, Limits::WIDEST) {
        Ok(read) => read.composition,
        // The page is within the limits of a canvas unless a cell is enormous.
        Err(_) => Composition { width: 16, height: 16, duration: 1, ..Composition::default() },
    };
    let mut film = Film::open(composition, &NoMedia, fonts);
    Ok(film.still(0)?.to_bitmap())
}

struct NoMedia;

impl Locate for NoMedia {
    fn locate(&self, _src: &str) -> Result<PathBuf, String> {
        Err("a contact sheet has no media of its own".into())
    }
}

/// Copies a picture onto the sheet.
fn put(picture: BitmapRef<'_>, sheet: &mut Bitmap, (x, y): (u32, u32)) {
    let line = picture.width as usize * 4;
    for (row, source) in picture.pixels.chunks_exact(line).enumerate() {
        let at = ((y as usize + row) * sheet.width as usize + x as usize) * 4;
        if let Some(target) = sheet.pixels.get_mut(at..at + line) {
            target.copy_from_slice(source);
        }
    }
}

/// Minutes, seconds and hundredths.
fn timecode(frame: u32, fps: u32) -> String {
    let hundredths = u64::from(frame) * 100 / u64::from(fps.max(1));
    format!("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100)
}
