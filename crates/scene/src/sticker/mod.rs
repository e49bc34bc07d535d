//! Sticker overlays: small moving drawings looked up by name, and emoji.

mod badges;
mod easel;
pub(crate) mod emoji;
mod forms;
mod labels;
mod meters;
mod motions;
mod pointers;
mod reviews;
mod shapes;
mod shows;
mod social;

use kurbo::{Rect, Size, Vec2};
use rondo_composition::{Base, Sticker, StickerCategory, StickerCategory::*};
use rondo_css::Color;

use self::easel::{Easel, Part};
use crate::Homography;
use crate::boxes;
use crate::display::{Clip, Filter, Item, Outline};
use crate::nearest::{Lookup, look_up};
use crate::prepare::Prepare;
use crate::sprite::together;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Visual};

/// Frame rate of the built-in numbers of stickers.
const TICKS: f64 = 30.0;

/// One row of the registry.
struct Row {
    name: &'static str,
    category: StickerCategory,
    build: Build,
}

type Build = fn(&mut Easel<'_, '_>) -> Vec<Part>;

const fn row(name: &'static str, category: StickerCategory, build: Build) -> Row {
    Row { name, category, build }
}

#[rustfmt::skip]
const STICKERS: &[Row] = &[
    row("discount-circle", Discounts, badges::discount_circle),
    row("circular-progress", Default, shows::circular_progress),
    row("audio-visualiser", Default, shows::audio_visualiser),
    row("card-flip", Default, shows::card_flip),
    row("matrix-rain", Default, shows::matrix_rain),
    row("boom-effect", Default, shows::boom_effect),
    row("bar-chart", Default, shows::bar_chart),
    row("discount-badge", Discounts, badges::discount_badge),
    row("discount-ribbon", Discounts, badges::discount_ribbon),
    row("discount-tag", Discounts, badges::discount_tag),
    row("sale-burst", Discounts, badges::sale_burst),
    row("limited-offer", Discounts, badges::limited_offer),
    row("five-stars", Reviews, reviews::five_stars),
    row("star-rating", Reviews, reviews::star_rating),
    row("review-card", Reviews, reviews::review_card),
    row("quote-bubble", Reviews, reviews::quote_bubble),
    row("verified-badge", Reviews, reviews::verified_badge),
    row("thumbs-up", Reviews, reviews::thumbs_up),
    row("arrow", Default, pointers::arrow),
    row("circle-pulse", Default, pointers::circle_pulse),
    row("check-mark", Default, pointers::check_mark),
    row("lightning-bolt", Default, pointers::lightning_bolt),
    row("location-pin", Default, pointers::location_pin),
    row("swipe-up", Default, pointers::swipe_up),
    row("loading-spinner", Default, meters::loading_spinner),
    row("progress-ring", Default, meters::progress_ring),
    row("countdown-timer", Default, meters::countdown_timer),
    row("audio-bars", Default, meters::audio_bars),
    row("typing-dots", Default, social::typing_dots),
    row("chat-bubble", Default, social::chat_bubble),
    row("like-heart-burst", Default, social::like_heart_burst),
    row("subscribe-button", Default, social::subscribe_button),
    row("social-proof", Reviews, social::social_proof),
    row("quote-marks", Reviews, social::quote_marks),
    row("flash-sale", Discounts, labels::flash_sale),
    row("sale-tag", Discounts, labels::sale_tag),
    row("new-badge", Discounts, labels::new_badge),
    row("hot-badge", Discounts, labels::hot_badge),
];

/// A sticker ready to be placed.
pub(crate) struct Stuck {
    parts: Vec<Part>,
    /// From the middle of the sticker to the layer box, scaled.
    place: Homography,
    scale: f64,
    filters: Vec<Filter>,
    offset: Vec2,
    ticks_per_frame: f64,
}

/// What a sticker's name stands for.
enum Found<'a> {
    Row(&'static Row),
    Shape(&'static shapes::Shape),
    Emoji(emoji::Emoji<'a>),
}

/// Names of all stickers but the [emoji](emoji::table), each with its shelf.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, StickerCategory)> {
    let rows = STICKERS.iter().map(|r| (r.name, r.category));
    let shapes = shapes::SHAPES.iter().map(|s| (s.name, Shapes));
    rows.chain(shapes).chain(emoji::SHORT.iter().map(|e| (e.0, Emojis)))
}

/// Whether `name` stands for a sticker.
#[cfg(test)]
pub(crate) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<Found<'_>> {
    let row = look_up(name, STICKERS, |row, is| is(row.name)).known().map(Found::Row);
    row.or_else(|| look_up(name, shapes::SHAPES, |shape, is| is(shape.name)).known().map(Found::Shape))
        .or_else(|| emoji::find(name).map(Found::Emoji))
}

impl Visual for Sticker {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        Motion { blend: s.mix_blend_mode.as_deref(), stagger: s.staggered_motion.as_ref(), ..motion }
    }

    /// `None`, with a notice, for an unknown sticker.
    fn prepare(&self, base: &Base, _: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let size = Size::new(base.width, base.height);
        let s = &self.styles;
        let fill = p.read("styles.fill", s.fill.as_deref(), Color::parse);
        let stroke = p.read("styles.stroke", s.stroke.as_deref(), Color::parse);
        let css = p.css;
        let filters = p
            .read("styles.filter", s.filter.as_deref(), rondo_css::parse_filters)
            .map(|f| boxes::filters(rondo_css::resolve_filters(&f, &css)))
            .unwrap_or_default();
        let ticks_per_frame = TICKS / p.fps;
        let offset = p.offset;
        let name = self.content.trim();
        let length = f64::from(base.duration) * ticks_per_frame;
        let mut easel = Easel::new(size, length, fill, stroke, s.stroke_width, p);
        let parts = match find(name) {
            Some(Found::Row(row)) => (row.build)(&mut easel),
            Some(Found::Shape(shape)) => shapes::parts(shape, &mut easel),
            Some(Found::Emoji(emoji)) => emoji::parts(&emoji, &mut easel),
            None => {
                let names = rows().map(|(name, _)| name).chain(emoji::close_to(name));
                p.registered("UNKNOWN_STICKER", "content", name, Lookup::<()>::Unknown, names);
                return None;
            }
        };
        let middle = size.to_rect().center();
        let place = kurbo::Affine::translate(middle.to_vec2()) * kurbo::Affine::scale(s.scale);
        Some(Box::new(Stuck { parts, place: place.into(), scale: s.scale, filters, offset, ticks_per_frame }))
    }
}

impl Show for Stuck {
    fn show(&self, frame: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        let tick = f64::from(frame) * self.ticks_per_frame;
        let next = f64::from(frame + 1) * self.ticks_per_frame;
        let sprites = self.parts.iter().map(|part| {
            let mut sprite = part.at(tick, next);
            sprite.transform = self.place * sprite.transform;
            sprite
        });
        let Some(mut item) = together(sprites.collect(), &placed, self.offset, None) else { return };
        if let Item::Group(group) = &mut item {
            group.filters.splice(0..0, self.filters.iter().cloned());
        }
        items.push(item);
    }

    fn area(&self, whole: Rect, _: u32, placed: &Placed, _: &Stage) -> Vec<Clip> {
        let scaled = Rect::from_center_size(whole.center(), whole.size() * self.scale);
        vec![placed.clip(Outline::Rect(scaled))]
    }
}
