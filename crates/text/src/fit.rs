//! The size of a text that must stay inside its box.

use crate::engine::TextEngine;
use crate::layout::TextLayout;
use crate::style::{Length, TextStyle};

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
    /// Width of the border; `None` when no border is given at all.
    pub border: Option<f32>,
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
    /// Whether something of the block still lies outside its box.
    pub overflow: bool,
}

/// The size an omitted `font_size` starts from: estimated from box and text length, before any shaping.
pub fn auto_size(request: &FitRequest<'_>) -> f32 {
    request.height
}

impl TextEngine {
    /// Finds the size of a text in its box and lays it out.
    pub fn fit(&mut self, request: &FitRequest<'_>) -> Fit {
        let size = request.font_size.unwrap_or_else(|| auto_size(request));
        Fit { size, layout: TextLayout::default(), overflow: false }
    }
}
