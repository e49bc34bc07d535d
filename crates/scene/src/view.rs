//! A scene as an output shows it: at a size of its own, with or without its background.

use crate::display::{Clip, Filter, Frame, Group, Item, Layer};
use crate::homography::Homography;
use crate::scene::Scene;

/// What is painted for an output. At another size than the canvas, everything is drawn at that size, not resampled.
#[derive(Clone, Copy)]
pub struct View<'a> {
    scene: &'a Scene,
    width: u32,
    height: u32,
    transparent: bool,
}

impl Scene {
    /// The scene as it is, on an opaque ground.
    pub fn view(&self) -> View<'_> {
        View { scene: self, width: self.width(), height: self.height(), transparent: false }
    }
}

impl<'a> View<'a> {
    /// The same at another size. Content that fills the canvas still fills it.
    pub fn sized(self, width: u32, height: u32) -> Self {
        Self { width, height, ..self }
    }

    /// Whether a translucent background stays translucent. Otherwise it is painted on white.
    pub fn transparent(self, transparent: bool) -> Self {
        Self { transparent, ..self }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// What frame number `frame` shows.
    pub fn frame(&self, frame: u32) -> Frame {
        let mut shown = self.scene.frame(frame);
        if self.transparent {
            shown.background = self.scene.background();
        }
        if (self.width, self.height) != (shown.width, shown.height) {
            let along = |to: u32, from: u32| f64::from(to) / f64::from(from.max(1));
            let scale = Scale { x: along(self.width, shown.width), y: along(self.height, shown.height) };
            shown.items.iter_mut().for_each(|item| scale.item(item));
            (shown.width, shown.height) = (self.width, self.height);
        }
        shown
    }
}

struct Scale {
    x: f64,
    y: f64,
}

impl Scale {
    fn item(&self, item: &mut Item) {
        match item {
            Item::Layer(Layer { placement, .. }) => {
                self.transform(&mut placement.transform);
                self.clips(&mut placement.clips);
            }
            Item::Group(Group { items, clips, filters, .. }) => {
                items.iter_mut().for_each(|item| self.item(item));
                self.clips(clips);
                filters.iter_mut().for_each(|filter| self.filter(filter));
            }
        }
    }

    fn transform(&self, transform: &mut Homography) {
        *transform = Homography([self.x, 0.0, 0.0, 0.0, self.y, 0.0, 0.0, 0.0, 1.0]) * *transform;
    }

    fn clips(&self, clips: &mut [Clip]) {
        clips.iter_mut().for_each(|clip| self.transform(&mut clip.transform));
    }

    /// Filters of groups work in canvas pixels.
    fn filter(&self, filter: &mut Filter) {
        let even = (self.x * self.y).sqrt();
        match filter {
            Filter::Blur { sigma } => *sigma *= even,
            Filter::Matrix(_) => {}
            Filter::DropShadow { offset, sigma, .. } => {
                (offset.x, offset.y) = (offset.x * self.x, offset.y * self.y);
                *sigma *= even;
            }
        }
    }
}
