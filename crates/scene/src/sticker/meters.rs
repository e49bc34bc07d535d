//! Stickers that measure: spinners, rings, timers and levels.

use std::f64::consts::TAU;
use std::sync::Arc;

use kurbo::{Affine, Point, Rect, Vec2};
use rondo_css::{Color, rotation};

use super::TICKS;
use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    around, card, circle, clipped, downwards, fill, fill_with, line, rgb, ring, shade, shifted, tint,
    with_shadow,
};
use super::motions::{self, ease_out, ramp, wave};
use crate::display::{Content, Draw};

/// The ten digits with their middles at the origin.
struct Digits(Vec<Vec<Draw>>);

impl Digits {
    fn new(e: &mut Easel<'_, '_>, look: Lettering) -> Self {
        Self((0..10).map(|n| e.text(&n.to_string(), (0.0, 0.0), look)).collect())
    }

    fn at(&self, digit: usize, by: Vec2) -> Vec<Draw> {
        self.0.get(digit).map(|draws| shifted(draws, by)).unwrap_or_default()
    }
}

pub(super) fn loading_spinner(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const TURN: f64 = 36.0;
    let m = e.side;
    let main = e.main(0x3b82f6);
    let track = e.second(0x3b82f6);
    let (radius, width) = (0.36 * m, 0.09 * m);
    let back = e.content(vec![line(circle((0.0, 0.0), radius), width, track.faded(0.16))]);
    // The tail fades out; the round head ends before the gradient starts anew.
    let clear = main.faded(0.0);
    let paint = around(&[(0.0, clear), (0.74, main), (0.86, main), (0.86, clear), (1.0, clear)]);
    let comet = e.content(vec![fill_with(ring(radius, width, 0.76), paint)]);
    let entering = |tick: f64| Affine::scale(0.7 + 0.3 * ease_out(ramp(tick, 12.0)));
    let spinning = move |tick: f64| {
        // Faster and slower within a turn.
        let turn = tick / TURN + 0.06 * libm::sin(TAU * tick / TURN);
        Pose { opacity: ramp(tick, 8.0), ..Pose::of(entering(tick) * rotation(TAU * turn)) }
    };
    let still = move |tick: f64| Pose { opacity: ramp(tick, 8.0), ..Pose::of(entering(tick)) };
    vec![Part::new(back, still), Part::new(comet, spinning)]
}

/// Fills while its overlay lasts, and is full half a second before the end.
pub(super) fn progress_ring(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, end) = (e.main(0x6366f1), e.second(0x22d3ee));
    let (radius, width) = (0.33 * m, 0.085 * m);
    let plate = with_shadow(vec![fill(circle((0.0, 0.0), 0.45 * m), Color::WHITE)], m);
    let plate = e.content([plate, vec![line(circle((0.0, 0.0), radius), width, rgb(0xe9ebf3))]].concat());
    let size = 0.19 * m;
    let look = Lettering { family: "Inter", weight: 800, size, color: rgb(0x1f2937) };
    let digits = Digits::new(e, look);
    let look = Lettering { weight: 700, size: 0.55 * size, color: rgb(0x6b7280), ..look };
    let percent = e.text("%", (0.0, 0.0), look);
    let length = (e.length - 0.5 * TICKS).max(0.5 * e.length).max(1.0);
    let room = e.room();
    let paint = around(&[(0.0, main), (0.95, end), (1.0, main)]);
    let draw = move |tick: f64| {
        let part = ramp(tick, length);
        let value = (100.0 * part).floor() as usize;
        let mut draws = vec![fill_with(ring(radius, width, part), paint.clone())];
        let shown: Vec<usize> = value.to_string().bytes().map(|b| usize::from(b - b'0')).collect();
        // Digits of equal width, and the sign half a digit behind them.
        let (step, sign) = (0.66 * size, 0.64 * size);
        let left = -(shown.len() as f64 * step + sign) / 2.0;
        for (i, digit) in shown.iter().enumerate() {
            draws.extend(digits.at(*digit, Vec2::new(left + (i as f64 + 0.5) * step, 0.0)));
        }
        let at = Vec2::new(left + shown.len() as f64 * step + 0.55 * sign, 0.14 * size);
        draws.extend(shifted(&percent, at));
        Arc::new(Content::new(room, draws))
    };
    vec![Part::new(plate, pops), Part::played(draw, pops)]
}

fn pops(tick: f64) -> Pose {
    Pose { opacity: ramp(tick, 5.0), ..Pose::of(Affine::scale(motions::entered(tick))) }
}

/// Minutes and seconds until its overlay ends.
pub(super) fn countdown_timer(e: &mut Easel<'_, '_>) -> Vec<Part> {
    /// Ticks a digit takes to roll on.
    const ROLL: f64 = 9.0;
    let seconds = (e.length / TICKS).ceil().max(0.0) as usize;
    let minutes = if seconds >= 6000 { 3 } else { 2 };
    // In parts of the height of a card: cards with gaps between them, a colon, and the plate around it all.
    let (card_width, gap, colon, edge) = (0.68, 0.06, 0.3, 0.24);
    let group = |cards: usize| cards as f64 * (card_width + gap) - gap;
    let across = group(minutes) + colon + group(2);
    let (whole_width, whole_height) = (across + 2.0 * edge, 1.0 + 2.0 * edge + 0.26);
    let unit = (0.96 * e.size.width / whole_width).min(0.92 * e.size.height / whole_height);
    let (main, ink) = (e.main(0x1f2937), e.second(0xffffff));
    let middle = (-0.13) * unit;
    let mut plate = with_shadow(
        vec![fill(card((0.0, 0.0), (whole_width * unit, whole_height * unit), 0.2 * unit), Color::WHITE)],
        1.4 * unit,
    );
    let slots: Vec<f64> = (0..minutes + 2)
        .map(|i| {
            let behind = if i >= minutes { colon - gap } else { 0.0 };
            (-across / 2.0 + (i as f64 + 0.5) * card_width + i as f64 * gap + behind) * unit
        })
        .collect();
    let size = (card_width * unit, unit);
    let window = move |x: f64| card((x, middle), size, 0.12 * unit);
    for x in &slots {
        let paint = downwards(tint(main, 0.1), shade(main, 0.12), unit);
        plate.push(fill_with(window(*x), paint));
    }
    let small = Lettering { family: "Inter", weight: 600, size: 0.15 * unit, color: rgb(0x6b7280) };
    let half = |cards: &[f64]| (cards.first().unwrap_or(&0.0) + cards.last().unwrap_or(&0.0)) / 2.0;
    let (left, right) = slots.split_at(minutes);
    let below = middle + 0.7 * unit;
    plate.extend(e.text("MINUTES", (half(left), below), small));
    plate.extend(e.text("SECONDS", (half(right), below), small));
    let at = half(&[*left.last().unwrap_or(&0.0), *right.first().unwrap_or(&0.0)]);
    let dots = [-0.16, 0.16].map(|y| fill(circle((at, middle + y * unit), 0.05 * unit), rgb(0x9ca3af)));
    let dots = e.content(dots.to_vec());
    let blinking =
        |tick: f64| Pose { opacity: pops(tick).opacity * (1.0 - 0.7 * wave(tick, TICKS)), ..pops(tick) };
    let digits = Digits::new(e, Lettering { family: "Inter", weight: 800, size: 0.72 * unit, color: ink });
    let (length, room) = (e.length, e.room());
    let draw = move |tick: f64| {
        let left = ((length - tick).max(0.0) / TICKS).ceil() as usize;
        // Ticks since the second began.
        let since = (TICKS * left as f64 - (length - tick)).max(0.0);
        let rolled = if left >= seconds { 1.0 } else { ease_out(ramp(since, ROLL)) };
        let (now, before) = (face(left, minutes), face(left + 1, minutes));
        let mut draws = Vec::new();
        for (i, x) in slots.iter().enumerate() {
            let (now, before) = (now.get(i).copied().unwrap_or(0), before.get(i).copied().unwrap_or(0));
            let part = if now == before { 1.0 } else { rolled };
            let mut shown = digits.at(now, Vec2::new(*x, middle - (1.0 - part) * unit));
            if part < 1.0 {
                shown.extend(digits.at(before, Vec2::new(*x, middle + part * unit)));
            }
            let seam = Rect::from_center_size(Point::new(*x, middle), (size.0, 0.022 * unit));
            draws.push(clipped(shown, window(*x)));
            draws.push(fill(kurbo::Shape::to_path(&seam, 1e-3), Color::BLACK.faded(0.45)));
        }
        Arc::new(Content::new(room, draws))
    };
    let plate = e.content(plate);
    vec![Part::new(plate, pops), Part::new(dots, blinking), Part::played(draw, pops)]
}

/// The digits of minutes and seconds.
fn face(seconds: usize, minutes: usize) -> Vec<usize> {
    let whole = format!("{:0minutes$}{:02}", seconds / 60, seconds % 60);
    whole.bytes().map(|byte| usize::from(byte - b'0')).collect()
}

pub(super) fn audio_bars(e: &mut Easel<'_, '_>) -> Vec<Part> {
    /// Bars of a square box; wide boxes get more.
    const BARS: f64 = 5.0;
    let (main, end) = (e.main(0x8b5cf6), e.second(0xec4899));
    let count = (BARS * e.size.width / e.size.height.max(1.0)).round().clamp(BARS, 48.0) as usize;
    let step = 0.92 * e.size.width / count as f64;
    let (width, tall) = (0.58 * step, 0.86 * e.size.height.min(2.0 * e.size.width));
    let room = Rect::from_center_size(Point::ORIGIN, e.size * 1.1);
    let draw = move |tick: f64| {
        let bars = (0..count).map(|i| {
            let place = i as f64;
            // Waves of unrelated lengths, so that no bar repeats soon.
            let beat = 0.5 + 0.5 * libm::sin(tick * 0.27 + place * 1.9);
            let drift = 0.5 + 0.5 * libm::sin(tick * 0.113 - place * 2.7);
            let level = 0.16 + 0.84 * (0.62 * beat + 0.38 * drift);
            let height = (tall * level * ease_out(ramp(tick - place.min(8.0), 10.0))).max(width);
            let color = main.mix_srgb(end, place / (count as f64 - 1.0));
            let x = (place - (count as f64 - 1.0) / 2.0) * step;
            let bar = card((x, 0.0), (width, height), width / 2.0);
            fill_with(bar, downwards(tint(color, 0.22), color, height.max(1.0)))
        });
        Arc::new(Content::new(room, bars.collect()))
    };
    vec![Part::redrawn(draw)]
}
