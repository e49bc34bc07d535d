//! The size of a text that must stay inside its box.

use unicode_segmentation::UnicodeSegmentation;

use crate::breaking::{Measure, break_lines, widest_word};
use crate::engine::TextEngine;
use crate::layout::TextLayout;
use crate::length::Length;
use crate::line_box::LineBox;
use crate::rounding::{floor64, sane};
use crate::shaping::Shaped;
use crate::style::{LineHeight, TextStyle, WrapMode};

/// A text and the box it has to fit.
#[derive(Clone, Debug)]
pub struct FitRequest<'a> {
    pub text: &'a str,
    /// `style.size` is not read.
    pub style: &'a TextStyle,
    pub width: f32,
    pub height: f32,
    /// Top, right, bottom, left.
    pub padding: [Length; 4],
    /// Width of the border across and down; `None` when no border takes room there.
    pub border: [Option<Length>; 2],
    /// The author's size; `None` sizes by the box and the length of the text.
    pub font_size: Option<f32>,
    /// Keep `font_size` whether it fits or not.
    pub fixed: bool,
    /// Applies when `font_size` is `None`.
    pub scale: f32,
}

/// The size found and the layout at that size.
#[derive(Clone, Debug)]
pub struct Fit {
    pub size: f32,
    /// Content only: padding and border lie around it.
    pub layout: TextLayout,
    /// Whether something of the block is still outside its box.
    pub overflow: bool,
}

/// The size an omitted `font_size` starts from: estimated from box and text length, before any shaping.
pub fn auto_size(request: &FitRequest<'_>) -> f32 {
    let (width, height) = (f64::from(sane(request.width)), f64::from(sane(request.height)));
    let scale = f64::from(sane(request.scale));
    let lines: Vec<&str> = request.text.split('\n').collect();
    let longest = lines.iter().map(|line| line.graphemes(true).count()).max().unwrap_or(0) as f64;
    if longest == 0.0 {
        return (f64::min(48.0, 0.6 * height) * scale) as f32;
    }
    // An em of padding counts as 16 px here, the size being unknown; a border as 2 px.
    let [top, right, bottom, left] =
        request.padding.each_ref().map(|length| f64::from(sane(length.at(16.0))));
    let border = request.border.each_ref().map(|border| if border.is_some() { 4.0 } else { 0.0 });
    let count = lines.len() as f64;
    let line_height = match &request.style.line_height {
        LineHeight::Factor(factor) if *factor > 0.0 => f64::from(*factor),
        LineHeight::Px(px) if *px > 0.0 => f64::from(*px),
        _ => 1.2,
    };
    let across = f64::max(20.0, width - left - right - border[0]);
    let down = f64::max(20.0, height - top - bottom - border[1]);
    let mut size = 0.95 * f64::min(down / count / line_height, across / (longest * 0.5));
    if longest > 40.0 {
        size *= f64::max(0.85, 1.0 - (longest - 40.0) / 200.0);
    }
    if count > 4.0 {
        size *= f64::max(0.9, 1.0 - 0.02 * (count - 4.0));
    }
    if width < 60.0 || height < 20.0 {
        size *= 0.9;
    }
    let least = (0.1 * height).clamp(8.0, 16.0);
    let most = f64::min(0.8 * height, 0.15 * width).min(200.0);
    (size.max(least).min(most) * scale) as f32
}

impl TextEngine {
    /// Finds the size of a text in its box and lays it out. A size that does not fit is shrunk in steps of 0.25 px to
    /// the largest that does; words are broken only where even half the starting size would break one.
    pub fn fit(&mut self, request: &FitRequest<'_>) -> Fit {
        let start = sane(request.font_size.unwrap_or_else(|| auto_size(request)));
        let shaped = self.shape(request.text, request.style);
        let trial = Trial { request, shaped: &shaped };
        let fixed = request.fixed && request.font_size.is_some();
        let size = if fixed { start } else { trial.search(start) };
        let style = TextStyle { size, ..request.style.clone() };
        let width = trial.content_width(size);
        let layout = self.layout(request.text, &style, Some(width), WrapMode::Wrap);
        let sticks_out = layout.lines.iter().any(|line| line.width > width + 0.02);
        let overflow = sticks_out || !trial.fits(size, false);
        Fit { size, layout, overflow }
    }
}

struct Trial<'a> {
    request: &'a FitRequest<'a>,
    shaped: &'a Shaped,
}

impl Trial<'_> {
    fn search(&self, start: f32) -> f32 {
        let whole = self.largest(start, true);
        if whole < start / 2.0 { self.largest(start, false) } else { whole }
    }

    /// The largest size that fits: `start` itself or a multiple of 0.25 px below it.
    fn largest(&self, start: f32, whole_words: bool) -> f32 {
        if self.fits(start, whole_words) {
            return start;
        }
        let (mut low, mut high) = (4, (start * 4.0).ceil() as u32);
        while high > low + 1 {
            let middle = (low + high) / 2;
            if self.fits(middle as f32 / 4.0, whole_words) {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low as f32 / 4.0).min(start)
    }

    fn fits(&self, size: f32, whole_words: bool) -> bool {
        // The slack covers what rounding to 1/64 px adds.
        let (width, height) = (self.request.width + 0.01, self.request.height + 0.01);
        let [across, down] = self.around(size);
        let style = self.request.style;
        let measure = Measure::new(self.shaped, style, size);
        let available = floor64(self.content_width(size));
        let indents = style.indent.at(size, available);
        let paragraphs = || self.shaped.paragraphs.iter().enumerate();
        let mut words = paragraphs().map(|(i, paragraph)| widest_word(paragraph, measure, indents.of(i)));
        if whole_words && words.any(|word| word + across > width) {
            return false;
        }
        let room = height - down;
        let mut used = 0.0;
        if self.request.text.is_empty() {
            return used <= room;
        }
        paragraphs().all(|(i, paragraph)| {
            break_lines(paragraph, measure, indents.of(i), Some(available), |span| {
                used += LineBox::new(&style.line_height, self.shaped, paragraph, &span, size).height;
            });
            used <= room
        })
    }

    /// Padding and border, across and down.
    fn around(&self, size: f32) -> [f32; 2] {
        let [top, right, bottom, left] =
            self.request.padding.each_ref().map(|length| floor64(sane(length.at(size))));
        // Whole pixels, but at least one.
        let whole = |width: f32| if width > 0.0 { width.floor().max(1.0) } else { 0.0 };
        let border = self.request.border.each_ref();
        let [across, down] =
            border.map(|width| 2.0 * width.as_ref().map_or(0.0, |width| whole(sane(width.at(size)))));
        [left + right + across, top + bottom + down]
    }

    /// Room for text inside padding and border.
    fn content_width(&self, size: f32) -> f32 {
        sane(self.request.width - self.around(size)[0])
    }
}
