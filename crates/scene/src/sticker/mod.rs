//! Sticker overlays: small moving drawings looked up by name, and emoji.

mod badges;
mod easel;
mod emoji;
mod motions;
mod reviews;
mod shapes;
mod shows;

use kurbo::{Size, Vec2};
use rondo_composition::Sticker;
use rondo_css::Color;

use self::easel::{Easel, Part};
use crate::Homography;
use crate::boxes;
use crate::display::{Filter, Item};
use crate::nearest::{Lookup, look_up};
use crate::overlay::{Body, Prepare};
use crate::sprite::together;
use crate::stage::Placed;

/// Frames a second in which the numbers built into stickers are meant.
const TICKS: f64 = 30.0;

/// One row of the registry.
struct Row {
    name: &'static str,
    build: fn(&mut Easel<'_, '_>) -> Vec<Part>,
}

const fn row(name: &'static str, build: fn(&mut Easel<'_, '_>) -> Vec<Part>) -> Row {
    Row { name, build }
}

#[rustfmt::skip]
const STICKERS: &[Row] = &[
    row("discount-circle", badges::discount_circle),
    row("circular-progress", shows::circular_progress),
    row("audio-visualiser", shows::audio_visualiser),
    row("card-flip", shows::card_flip),
    row("matrix-rain", shows::matrix_rain),
    row("boom-effect", shows::boom_effect),
    row("bar-chart", shows::bar_chart),
    row("discount-badge", badges::discount_badge),
    row("discount-ribbon", badges::discount_ribbon),
    row("discount-tag", badges::discount_tag),
    row("sale-burst", badges::sale_burst),
    row("limited-offer", badges::limited_offer),
    row("five-stars", reviews::five_stars),
    row("star-rating", reviews::star_rating),
    row("review-card", reviews::review_card),
    row("quote-bubble", reviews::quote_bubble),
    row("verified-badge", reviews::verified_badge),
    row("thumbs-up", reviews::thumbs_up),
];

/// A sticker ready to be placed.
pub(crate) struct Stuck {
    parts: Vec<Part>,
    /// From the middle of the sticker to the layer box, scaled.
    place: Homography,
    filters: Vec<Filter>,
    offset: Vec2,
    ticks_per_frame: f64,
}

/// Names of all stickers.
fn names() -> impl Iterator<Item = &'static str> {
    let rows = STICKERS.iter().map(|r| r.name);
    rows.chain(shapes::SHAPES.iter().map(|s| s.name)).chain(emoji::EMOJI.iter().map(|e| e.0))
}

/// `None`, with a notice, when there is no such sticker.
pub(crate) fn prepare(sticker: &Sticker, size: Size, p: &mut Prepare<'_>) -> Option<Body> {
    let s = &sticker.styles;
    let fill = p.read("styles.fill", s.fill.as_deref(), Color::parse);
    let stroke = p.read("styles.stroke", s.stroke.as_deref(), Color::parse);
    let css = p.css;
    let filters = p
        .read("styles.filter", s.filter.as_deref(), rondo_css::parse_filters)
        .map(|f| boxes::filters(rondo_css::resolve_filters(&f, &css)))
        .unwrap_or_default();
    let ticks_per_frame = TICKS / p.fps;
    let offset = p.offset;
    let name = sticker.content.trim();
    let mut easel = Easel::new(size, fill, stroke, s.stroke_width, p);
    let row = look_up(name, STICKERS, |row, is| is(row.name)).known();
    let shape = look_up(name, shapes::SHAPES, |shape, is| is(shape.name)).known();
    let parts = if let Some(row) = row {
        (row.build)(&mut easel)
    } else if let Some(shape) = shape {
        shapes::parts(shape, &mut easel)
    } else if let Some(emoji) = emoji::find(name) {
        emoji::parts(emoji, &mut easel)
    } else {
        p.registered("UNKNOWN_STICKER", "content", name, Lookup::<()>::Unknown, names());
        return None;
    };
    let middle = size.to_rect().center();
    let place = kurbo::Affine::translate(middle.to_vec2()) * kurbo::Affine::scale(s.scale);
    Some(Body::Sticker(Box::new(Stuck { parts, place: place.into(), filters, offset, ticks_per_frame })))
}

impl Stuck {
    /// What the sticker shows at a local frame.
    pub fn items(&self, frame: u32, placed: &Placed) -> Option<Item> {
        let tick = f64::from(frame) * self.ticks_per_frame;
        let next = f64::from(frame + 1) * self.ticks_per_frame;
        let sprites = self.parts.iter().map(|part| {
            let mut sprite = part.at(tick, next);
            sprite.transform = self.place * sprite.transform;
            sprite
        });
        let mut item = together(sprites.collect(), placed, self.offset, None)?;
        if let Item::Group(group) = &mut item {
            group.filters.splice(0..0, self.filters.iter().cloned());
        }
        Some(item)
    }
}
