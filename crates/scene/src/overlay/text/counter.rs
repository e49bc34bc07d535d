//! Text that counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use kurbo::{Point, Vec2};
use rondo_composition::{CounterMode, Split};

use super::Desk;
use super::block::aligned;
use crate::display::Content;
use crate::motion::counter::{Counter, number_in};
use crate::overlay::moves::Moves;
use crate::overlay::parts::Part;
use crate::visual::Still;

/// Where a counter ends whose text holds no number.
const DEFAULT_END: f64 = 100.0;

/// A counter with every string it will show.
pub(super) struct Counting {
    counter: Counter,
    shown: BTreeMap<String, Shown>,
    moves: Option<Moves>,
}

struct Shown {
    block: Still,
    text: Arc<Content>,
    /// Of the room for text.
    center: Point,
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
        let mut shown = BTreeMap::new();
        let counting = ((counter.delay + counter.duration).max(0.0).ceil() as u32).saturating_add(1);
        for frame in 0..desk.p.duration.min(counting.saturating_add(1)) {
            shown.entry(counter.at(frame)).or_insert_with_key(|number| {
                let set = desk.like(&reserved, &desk.transformed(number));
                let mut room = set.room();
                room.width = room.width.max(reserved.room().width);
                let block = desk.block(&set, room);
                let x = aligned(desk.look.style.align, block.inside.width - set.room().width);
                let origin = block.origin + Vec2::new(x, 0.0);
                Shown {
                    text: Arc::new(block.ink.content(&[(&set.layout, origin)])),
                    center: block.origin + (block.inside / 2.0).to_vec2(),
                    block: block.empty(),
                }
            });
        }
        Self { counter, shown, moves }
    }

    pub fn parts(&self, frame: u32) -> Vec<Part> {
        let Some(shown) = self.shown.get(&self.counter.at(frame)) else { return Vec::new() };
        let text = Part::still(shown.text.clone());
        let text = match &self.moves {
            Some(moves) => text.posed(moves.at(frame, 0, shown.center)),
            None => text,
        };
        vec![shown.block.part(), text]
    }
}
