//! Animated GIF, WebP and PNG files: the timing of each frame, and its pixels in any order.
//!
//! Every frame is decoded as an image and composed onto the canvas that the frames before it leave. Only the canvases of a
//! few positions are kept, so a long animation takes no more memory than a short one.

mod container;
mod gif;
mod png;
mod webp;

use std::sync::Arc;
use std::time::Duration;

use container::{Clip, Dispose, Frame, MAX_FRAMES};
pub(super) use png::has_sound_palette;
use rondo_pixels::{Bitmap, Picture};

use super::bitmap::{self, check_size};
use super::{ImageKind, sniff_image, unusable};
use crate::ImageError;

/// Pixels the canvas of an animation may have, and how many its frames may have together.
const MAX_CANVAS: u64 = 7680 * 4320;
const MAX_DECODED: u64 = 4_000_000_000;

/// Cached canvases per animation: about as many as overlays that commonly show it at once.
const CURSORS: usize = 3;

/// An animated picture: two frames at least, and their timing.
#[derive(Debug, Clone)]
pub struct Animation {
    bytes: Arc<[u8]>,
    name: String,
    kind: ImageKind,
    clip: Arc<Clip>,
    cursors: Vec<Cursor>,
    uses: u64,
}

/// A canvas with a frame on it, from which the next ones can be composed.
#[derive(Debug, Clone, Default)]
struct Cursor {
    /// Index of the next frame.
    next: usize,
    /// Premultiplied, the whole canvas.
    canvas: Vec<u8>,
    /// Canvas before the last frame, if its disposal restores it.
    before: Option<Vec<u8>>,
    used: u64,
}

impl Animation {
    /// Reads the frame table and the first frame. `None` for a still image.
    pub fn open(bytes: &[u8], name: &str) -> Result<Option<Self>, ImageError> {
        Self::read(bytes, name, 2)
    }

    /// The first frame of a GIF, APNG or animated WebP; `None` for other files.
    pub(super) fn first_frame(bytes: &[u8], name: &str) -> Result<Option<Picture>, ImageError> {
        Self::read(bytes, name, 1)?.map(|mut animation| animation.frame(0)).transpose()
    }

    fn read(bytes: &[u8], name: &str, least: usize) -> Result<Option<Self>, ImageError> {
        let Some(kind) = sniff_image(bytes) else { return Ok(None) };
        let Some(clip) = read_clip(bytes, kind).filter(|clip| clip.frames.len() >= least) else {
            return Ok(None);
        };
        check(&clip).map_err(|reason| unusable(name, reason))?;
        let animation = Self {
            bytes: bytes.into(),
            name: name.to_owned(),
            kind,
            clip: clip.into(),
            cursors: Vec::new(),
            uses: 0,
        };
        if let Some(first) = animation.clip.frames.first() {
            animation.decode(first).map_err(|reason| unusable(name, reason))?;
        }
        Ok(Some(animation))
    }

    pub fn size(&self) -> (u32, u32) {
        (self.clip.width, self.clip.height)
    }

    /// How long each frame is shown.
    pub fn delays(&self) -> impl ExactSizeIterator<Item = Duration> {
        self.clip.frames.iter().map(|frame| frame.delay)
    }

    /// How often the animation plays before it holds its last frame; `None` for endless.
    pub fn plays(&self) -> Option<u32> {
        self.clip.plays
    }

    /// The canvas while a frame is shown. A damaged frame leaves what was there before it.
    pub fn frame(&mut self, index: usize) -> Result<Picture, ImageError> {
        if index >= self.clip.frames.len() {
            return Err(unusable(&self.name, format!("it has no frame {index}")));
        }
        self.uses += 1;
        let mut cursor = self.take_cursor(index);
        cursor.used = self.uses;
        while cursor.next <= index {
            self.advance(&mut cursor);
        }
        let (width, height) = self.size();
        let bitmap = Bitmap { width, height, pixels: cursor.canvas.clone() };
        self.cursors.push(cursor);
        let opaque = bitmap.is_opaque();
        Ok(Picture::new(bitmap, opaque))
    }

    /// The nearest cached position at or before a frame, or a new one at the last independent frame.
    fn take_cursor(&mut self, index: usize) -> Cursor {
        let from = (0..=index).rev().find(|i| self.starts_afresh(*i)).unwrap_or(0);
        let near = (0..self.cursors.len())
            .filter(|i| (from + 1..=index + 1).contains(&self.cursors[*i].next))
            .max_by_key(|i| self.cursors[*i].next);
        if let Some(near) = near {
            return self.cursors.swap_remove(near);
        }
        let oldest = (0..self.cursors.len()).min_by_key(|i| self.cursors[*i].used);
        let mut cursor = match oldest.filter(|_| self.cursors.len() >= CURSORS) {
            Some(oldest) => self.cursors.swap_remove(oldest),
            None => Cursor::default(),
        };
        cursor.before = None;
        cursor.canvas.clear();
        cursor.canvas.resize(self.clip.width as usize * self.clip.height as usize * 4, 0);
        cursor.next = from;
        cursor
    }

    /// Whether a frame does not depend on earlier frames.
    fn starts_afresh(&self, index: usize) -> bool {
        let covers = |frame: &Frame| {
            (frame.x, frame.y) == (0, 0) && frame.width >= self.clip.width && frame.height >= self.clip.height
        };
        let frames = &self.clip.frames;
        let cleared = |frame: &Frame| frame.dispose == Dispose::Clear && covers(frame);
        index == 0
            || cleared(&frames[index - 1])
            || (frames[index].replaces && frames[index].dispose != Dispose::Restore && covers(&frames[index]))
    }

    /// Disposes of the last frame and composes the next one.
    fn advance(&self, cursor: &mut Cursor) {
        let last = cursor.next.checked_sub(1).map(|last| &self.clip.frames[last]);
        match last.map_or(Dispose::Keep, |last| last.dispose) {
            Dispose::Keep => {}
            Dispose::Clear => {
                for row in last.into_iter().flat_map(|last| self.rows(last)) {
                    cursor.canvas[row].fill(0);
                }
            }
            Dispose::Restore => {
                if let Some(before) = cursor.before.take() {
                    cursor.canvas = before;
                }
            }
        }
        let frame = &self.clip.frames[cursor.next];
        cursor.next += 1;
        cursor.before = (frame.dispose == Dispose::Restore).then(|| cursor.canvas.clone());
        let Ok(picture) = self.decode(frame) else { return };
        let source = picture.pixels.rgba().chunks_exact(picture.width as usize * 4);
        for (row, source) in self.rows(frame).zip(source) {
            let row = &mut cursor.canvas[row];
            if frame.replaces || picture.opaque {
                let length = row.len();
                row.copy_from_slice(&source[..length]);
            } else {
                lay_over(row, source);
            }
        }
    }

    /// The rows of a frame on the canvas, clipped to it.
    fn rows(&self, frame: &Frame) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (width, height) = (self.clip.width, self.clip.height);
        let (left, right) = (frame.x.min(width), frame.x.saturating_add(frame.width).min(width));
        let (top, bottom) = (frame.y.min(height), frame.y.saturating_add(frame.height).min(height));
        (top..bottom).map(move |y| {
            let row = y as usize * width as usize;
            (row + left as usize) * 4..(row + right as usize) * 4
        })
    }

    fn decode(&self, frame: &Frame) -> Result<Picture, String> {
        let file = match self.kind {
            ImageKind::Gif => gif::frame_file(&self.bytes, frame),
            ImageKind::WebP => webp::frame_file(&self.bytes, frame),
            _ => png::frame_file(&self.bytes, frame),
        };
        let picture = bitmap::load(&file.ok_or("the file ends too early")?, self.kind)?;
        if (picture.width, picture.height) != (frame.width, frame.height) {
            return Err("a frame's size differs from the one in the header".to_owned());
        }
        Ok(picture)
    }
}

/// The frame table of a file that has one.
fn read_clip(bytes: &[u8], kind: ImageKind) -> Option<Clip> {
    match kind {
        ImageKind::Gif => gif::read(bytes),
        ImageKind::WebP => webp::read(bytes),
        ImageKind::Png => png::read(bytes),
        ImageKind::Jpeg | ImageKind::Bmp | ImageKind::Avif | ImageKind::Svg => None,
    }
}

/// Whether a file has several frames.
pub(super) fn is_animated(bytes: &[u8], kind: ImageKind) -> bool {
    read_clip(bytes, kind).is_some_and(|clip| clip.frames.len() > 1)
}

fn check(clip: &Clip) -> Result<(), String> {
    check_size(clip.width, clip.height)?;
    let canvas = u64::from(clip.width) * u64::from(clip.height);
    let areas = clip.frames.iter().map(|f| u64::from(f.width) * u64::from(f.height));
    let decoded = areas.fold(0, u64::saturating_add);
    if clip.frames.len() > MAX_FRAMES || canvas > MAX_CANVAS || decoded > MAX_DECODED {
        return Err(format!(
            "an animation of {} frames of {}×{} pixels is too large; use a video instead",
            clip.frames.len(),
            clip.width,
            clip.height
        ));
    }
    Ok(())
}

/// Source-over of premultiplied pixels.
fn lay_over(under: &mut [u8], over: &[u8]) {
    for (under, over) in under.chunks_exact_mut(4).zip(over.chunks_exact(4)) {
        match over[3] {
            0 => {}
            255 => under.copy_from_slice(over),
            alpha => {
                let rest = 255 - u32::from(alpha);
                for (under, over) in under.iter_mut().zip(over) {
                    *under = over.saturating_add(((u32::from(*under) * rest + 127) / 255) as u8);
                }
            }
        }
    }
}
