//! Keyframes as authors give them to animated text and to staggered motion.

use kurbo::Point;
use rondo_composition::{AnimatedText, StaggerDirection, StaggeredMotion};
use rondo_css::Easing;

use crate::motion::keyframes::{Pose, Timing, Tracks};
use crate::motion::stagger::Direction;
use crate::prepare::Prepare;

/// The keyframes of every child of one overlay, with defaults filled in.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    x: Vec<f64>,
    y: Vec<f64>,
    scale: Vec<f64>,
    rotate: Vec<f64>,
    opacity: Vec<f64>,
    blur: Vec<f64>,
    glitch: Vec<f64>,
    timing: Timing,
    easing: Easing,
}

impl Moves {
    pub fn of_text(a: &AnimatedText, p: &mut Prepare<'_>) -> Self {
        Self {
            x: a.x.clone(),
            y: a.y.clone(),
            scale: a.scale.clone(),
            rotate: a.rotate.clone(),
            opacity: a.opacity.clone(),
            blur: a.blur.clone(),
            glitch: a.glitch.clone(),
            timing: Timing {
                duration: a.duration.unwrap_or(p.fps),
                delay: a.delay,
                stagger: a.split_stagger,
            },
            easing: p.easing("styles.animatedText.easing", a.easing.as_deref()),
        }
    }

    /// `None` when the motion is switched off.
    pub fn of_motion(s: Option<&StaggeredMotion>, p: &mut Prepare<'_>) -> Option<Self> {
        let s = s.filter(|s| s.is_enabled())?;
        Some(Self {
            x: s.x.clone(),
            y: s.y.clone(),
            scale: s.scale.clone(),
            rotate: s.rotate.clone(),
            opacity: s.opacity.clone(),
            blur: s.blur.clone(),
            glitch: Vec::new(),
            timing: Timing { duration: s.duration.unwrap_or(p.fps), delay: s.delay, stagger: s.stagger },
            easing: p.easing("styles.staggeredMotion.easing", s.easing.as_deref()),
        })
    }

    /// The lines of a code that appear one after another.
    pub fn of_code(stagger: f64) -> Self {
        Self {
            x: Vec::new(),
            y: vec![10.0, 0.0],
            scale: Vec::new(),
            rotate: Vec::new(),
            opacity: vec![0.0, 1.0],
            blur: Vec::new(),
            glitch: Vec::new(),
            timing: Timing { duration: 30.0, delay: 0.0, stagger },
            easing: Easing::parse("easeOut").unwrap_or_default(),
        }
    }

    pub fn glitches(&self) -> bool {
        self.glitch.iter().any(|&g| g > 0.0)
    }

    /// The child about `center` that waits `steps` stagger steps, and whether its place is changing.
    pub fn at(&self, frame: u32, steps: usize, center: Point) -> (Pose, bool) {
        let progress = self.timing.progress(frame, steps);
        let tracks = Tracks {
            x: &self.x,
            y: &self.y,
            scale: &self.scale,
            rotate: &self.rotate,
            opacity: &self.opacity,
            blur: &self.blur,
            glitch: &self.glitch,
        };
        let placed = [&self.x, &self.y, &self.scale, &self.rotate];
        let moving = progress > 0.0 && progress < 1.0 && placed.iter().any(|values| values.len() > 1);
        (tracks.at(progress, &self.easing, center), moving)
    }
}

pub(crate) fn direction(d: StaggerDirection) -> Direction {
    match d {
        StaggerDirection::Forward => Direction::Forward,
        StaggerDirection::Reverse => Direction::Reverse,
        StaggerDirection::Center => Direction::Center,
        StaggerDirection::Random => Direction::Random,
    }
}
