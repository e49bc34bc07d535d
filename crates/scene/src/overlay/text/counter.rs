//! Text that counts.

use std::sync::Arc;

use kurbo::{Point, Vec2};
use rondo_composition::{CounterMode, Split};
use rondo_text::TextEngine;

use super::block::aligned;
use super::states::States;
use super::{Desk, Manner, Set};
use crate::display::Content;
use crate::motion::counter::{Counter, number_in};
use crate::overlay::moves::Moves;
use crate::overlay::parts::Part;
use crate::visual::Still;

/// Where a counter ends whose text holds no number.
const DEFAULT_END: f64 = 100.0;

/// A counter with the strings it will show.
pub(super) struct Counting {
    counter: Counter,
    shown: States<String, Shown>,
    moves: Option<Moves>,
    /// Draws strings that were not drawn ahead, if there are any.
    drawer: Option<Drawer>,
}

struct Shown {
    block: Still,
    text: Arc<Content>,
    /// Of the room for text.
    center: Point,
}

/// Draws the strings of a counter.
struct Drawer {
    manner: Manner,
    /// How all of them are set, and the width that is kept for them.
    measure: Set,
    width: f64,
}

impl Drawer {
    fn draw(&self, number: &str, engine: &mut TextEngine) -> Shown {
        let set = self.manner.like(&self.measure, &self.manner.transformed(number), engine);
        let mut room = set.room();
        room.width = room.width.max(self.width);
        let block = self.manner.block(&set, room);
        let x = aligned(self.manner.look.style.align, block.inside.width - set.room().width);
        let origin = block.origin + Vec2::new(x, 0.0);
        Shown {
            text: Arc::new(block.ink.content(&[(&set.layout, origin)])),
            center: block.origin + (block.inside / 2.0).to_vec2(),
            block: block.empty(),
        }
    }
}

impl Counting {
    pub fn new(mode: &CounterMode, desk: &mut Desk<'_, '_>) -> Self {
        let counter = Counter {
            from: mode.from,
            to: mode.to.or_else(|| number_in(&desk.text.content)).unwrap_or(DEFAULT_END),
            decimals: mode.to_fixed.into(),
            duration: mode.duration.unwrap_or(desk.p.fps),
            delay: mode.delay,
            easing: desk.p.easing("styles.counterMode.easing", mode.easing.as_deref()),
            prefix: mode.prefix.clone(),
            postfix: mode.postfix.clone(),
            separator: mode.separator.clone().unwrap_or_default(),
        };
        let animated = desk.text.styles.animated_text.as_ref();
        let moves =
            animated.filter(|a| a.enabled && a.split == Split::None).map(|a| Moves::of_text(a, desk.p));
        let reserved = desk.set(&desk.transformed(&counter.widest()), true);
        let drawer =
            Drawer { manner: desk.manner(), width: reserved.room().width, measure: reserved.blank() };
        let counting = ((counter.delay + counter.duration).max(0.0).ceil() as u32).saturating_add(1);
        let frames = desk.p.duration.min(counting.saturating_add(1));
        let glyphs = drawer.manner.glyphs_of_letter();
        let draw = |number: &String| (drawer.draw(number, desk.p.engine), number.len() * glyphs);
        let shown = States::ahead(frames, |frame| Some(counter.at(frame)), draw);
        let drawer = (!shown.is_complete()).then_some(drawer);
        Self { counter, shown, moves, drawer }
    }

    pub fn parts(&self, frame: u32) -> Vec<Part> {
        let number = self.counter.at(frame);
        let drawer = self.drawer.as_ref();
        let draw = || Some(drawer?.draw(&number, &mut drawer?.manner.engine()));
        let Some(shown) = self.shown.get(&number, draw) else { return Vec::new() };
        let text = Part::still(shown.text.clone());
        let text = match &self.moves {
            Some(moves) => text.posed(moves.at(frame, 0, shown.center)),
            None => text,
        };
        vec![shown.block.part(), text]
    }
}
