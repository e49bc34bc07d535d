//! Keyframes spread over the cells or columns of an effect.

use kurbo::Point;
use rondo_composition::StaggeredMotion;
use rondo_css::Easing;

use crate::motion::keyframes::{Pose, Timing, Tracks};
use crate::motion::stagger::Direction;
use crate::prepare::Prepare;

/// How each child of an effect moves.
pub(super) struct Children {
    tracks: [Vec<f64>; 6],
    easing: Easing,
    timing: Timing,
    order: Vec<usize>,
}

impl Children {
    /// The author's motion of `n` children; `None` when it is off.
    pub fn staggered(motion: Option<&StaggeredMotion>, n: usize, p: &mut Prepare<'_>) -> Option<Self> {
        let m = motion.filter(|m| m.is_enabled())?;
        let easing = p.easing("styles.staggeredMotion.easing", m.easing.as_deref());
        Some(Self {
            tracks: [&m.x, &m.y, &m.scale, &m.rotate, &m.opacity, &m.blur].map(Clone::clone),
            easing,
            timing: Timing { duration: m.duration.unwrap_or(p.fps), delay: m.delay, stagger: m.stagger },
            order: Direction::named(m.stagger_direction.name()).order(n),
        })
    }

    /// Cells that grow and appear one after the other.
    pub fn growing(duration: f64, stagger: f64, order: Vec<usize>) -> Self {
        let rise = || vec![0.0, 1.0];
        Self {
            tracks: [Vec::new(), Vec::new(), rise(), Vec::new(), rise(), Vec::new()],
            easing: Easing::parse("spring").unwrap_or(Easing::Linear),
            timing: Timing { duration, delay: 0.0, stagger },
            order,
        }
    }

    fn steps(&self, child: usize) -> usize {
        self.order.get(child).copied().unwrap_or(0)
    }

    /// The pose of a child about its middle.
    pub fn at(&self, frame: u32, child: usize, middle: Point) -> Pose {
        let [x, y, scale, rotate, opacity, blur] = &self.tracks;
        let tracks = Tracks { x, y, scale, rotate, opacity, blur, glitch: &[] };
        tracks.at(self.timing.progress(frame, self.steps(child)), &self.easing, middle)
    }

    /// Whether a child is moving.
    pub fn moves(&self, frame: u32, child: usize) -> bool {
        let p = self.timing.progress(frame, self.steps(child));
        p > 0.0 && p < 1.0
    }
}
