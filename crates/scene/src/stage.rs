//! Where a layer is at a frame: its box, entrance, exit, motion, pose and transform multiplied into one placement.

use kurbo::{Affine, Rect, Size, Vec2};
use rondo_composition::{Animation, Base, Layout3dName, OverlayId, StaggeredMotion};
use rondo_css::{Transform, rotation_about};

use crate::Homography;
use crate::display::{Clip, Filter, Outline};
use crate::motion::{during, layout3d, presets, ramps};
use crate::overlay::moves::Moves;
use crate::prepare::Prepare;

/// Everything that places one overlay, prepared once.
pub(crate) struct Stage {
    size: Size,
    /// Layer box to canvas.
    layer: Homography,
    /// Of the content within its whole pixel.
    offset: Vec2,
    id: OverlayId,
    duration: u32,
    ramps: ramps::Ramps,
    enter: Option<&'static presets::Preset>,
    exit: Option<&'static presets::Preset>,
    during: Option<(&'static during::During, during::Subject)>,
    pose: Option<(Layout3dName, bool)>,
    transform: Option<Homography>,
    opacity: f64,
    drifts_inside: bool,
    /// Staggered motion of an overlay that is one child.
    moves: Option<Moves>,
    typing: Option<Typing>,
}

/// The `typing` entrance of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typing {
    pub ramps: ramps::Ramps,
    /// Whether the author gave its duration.
    pub duration_given: bool,
}

/// A layer's place at one frame.
pub(crate) struct Placed {
    /// Content to canvas.
    pub transform: Homography,
    pub moving: bool,
    pub opacity: f32,
    pub clips: Vec<Clip>,
    /// In content space.
    pub filters: Vec<Filter>,
    /// The same filters in canvas pixels, for several layers filtered as one.
    pub group_filters: Vec<Filter>,
    offset: Vec2,
}

impl Placed {
    /// Layer box to canvas.
    pub fn box_to_canvas(&self) -> Homography {
        self.transform * Homography::translate(self.offset.x, self.offset.y)
    }

    /// An outline in content space as a clip.
    pub fn clip(&self, outline: Outline) -> Clip {
        Clip { outline, transform: self.transform }
    }

    /// A map of the layer box as a map of the content, which is moved by the subpixel offset.
    pub fn about_content(&self, in_box: Homography) -> Homography {
        let o = self.offset;
        Homography::translate(o.x, o.y) * in_box * Homography::translate(-o.x, -o.y)
    }
}

/// What the styles of an overlay say about its place.
pub(crate) struct Motion<'a> {
    pub animation: Option<&'a Animation>,
    pub transform: Option<&'a str>,
    pub opacity: f64,
    /// How the overlay blends with what is beneath it.
    pub blend: Option<&'a str>,
    pub pose: Option<(Layout3dName, bool)>,
    /// Image or video: drift presets move the picture inside its container.
    pub media: bool,
    /// Keyframes of the whole content.
    pub stagger: Option<&'a StaggeredMotion>,
    /// Whether the type moves between entering and leaving.
    pub during: bool,
}

impl<'a> Motion<'a> {
    /// The motion of a type that also moves between entering and leaving, and is not posed or staggered.
    pub fn new(animation: Option<&'a Animation>, transform: Option<&'a str>, opacity: f64) -> Self {
        Self {
            animation,
            transform,
            opacity,
            blend: None,
            pose: None,
            media: false,
            stagger: None,
            during: true,
        }
    }
}

/// The layer's position within its whole pixel, and whether its boxes go to whole pixels.
pub(crate) fn subpixel(base: &Base, transform: Option<&str>) -> (Vec2, bool) {
    let offset = Vec2::new(base.left - base.left.floor(), base.top - base.top.floor());
    let plain = transform.is_none_or(|t| matches!(t.trim(), "" | "none"));
    (offset, base.rotation % 360.0 == 0.0 && plain)
}

impl Stage {
    pub fn prepare(base: &Base, motion: &Motion<'_>, p: &mut Prepare<'_>) -> Self {
        let size = Size::new(base.width, base.height);
        let center = size.to_rect().center();
        let layer =
            Affine::translate((base.left, base.top)) * rotation_about(base.rotation.to_radians(), center);
        let css = p.css;
        let transform = p
            .read("styles.transform", motion.transform, Transform::parse)
            .map(|t| Homography(t.matrix(size.width, size.height, &css).homography(center)));
        let none = Animation::default();
        let a = motion.animation.unwrap_or(&none);
        let mut preset = |field: &str, name: Option<&str>| {
            let name = name.unwrap_or("");
            p.registered("UNKNOWN_PRESET", field, name, presets::find(name), presets::names())
        };
        let enter = preset("styles.animation.enter", a.enter.as_deref());
        // Typing has no exit.
        let exit = preset("styles.animation.exit", a.exit.as_deref()).filter(|e| !e.typing);
        let side = |preset: bool, seconds| ramps::Side { preset, seconds };
        let ramps = ramps::Ramps::new(
            side(enter.is_some(), a.enter_duration),
            side(exit.is_some(), a.exit_duration),
            base.duration,
            p.fps,
        );
        let name = a.during.as_deref().filter(|_| motion.during).unwrap_or("");
        let found = p.registered(
            "UNKNOWN_PRESET",
            "styles.animation.during",
            name,
            during::find(name),
            during::names(),
        );
        let during = found.map(|preset| {
            let subject = during::Subject {
                size,
                center,
                media: motion.media,
                duration: base.duration,
                fps: p.fps,
                speed: a.during_speed,
                intensity: a.during_intensity,
            };
            (preset, subject)
        });
        Self {
            size,
            layer: layer.into(),
            offset: p.offset,
            id: base.id,
            duration: base.duration,
            ramps,
            enter,
            exit,
            drifts_inside: motion.media && during.as_ref().is_some_and(|(d, _)| !d.loops()),
            during,
            pose: motion.pose.filter(|(name, _)| *name != Layout3dName::None),
            transform,
            opacity: motion.opacity,
            moves: Moves::of_motion(motion.stagger, p),
            typing: enter
                .filter(|e| e.typing)
                .map(|_| Typing { ramps, duration_given: a.enter_duration.is_some() }),
        }
    }

    /// The `typing` entrance, when the author chose it.
    pub fn typing(&self) -> Option<Typing> {
        self.typing
    }

    /// Whether a drift preset moves the picture inside its container.
    pub fn drifts(&self) -> bool {
        self.drifts_inside
    }

    /// The drift of the picture inside its container, in box coordinates, and whether it is still going on.
    pub fn drift(&self, frame: u32) -> Option<(Homography, bool)> {
        let (preset, subject) = self.during.as_ref().filter(|_| self.drifts_inside)?;
        let moved = preset.at(frame, subject);
        Some((moved.transform, moved.moving))
    }

    /// The size of the layer box.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Of the content within its whole pixel.
    pub fn offset(&self) -> Vec2 {
        self.offset
    }

    pub fn id(&self) -> OverlayId {
        self.id
    }

    /// The place at a local frame; `None` when nothing can be seen.
    pub fn at(&self, frame: u32) -> Option<Placed> {
        Some(self.place(frame)).filter(|placed| placed.opacity > 0.0)
    }

    /// The place at a local frame, whether or not anything can be seen.
    pub fn place(&self, frame: u32) -> Placed {
        let mut transform = self.layer;
        let (mut moving, mut opacity) = (false, self.opacity);
        let center = self.size.to_rect().center();
        // A blur grows with the stages around it, and not with those inside.
        let blurred = |sigma: f64, around: &Homography| {
            (sigma > 0.0).then(|| sigma * around.scale_at(center)).filter(|sigma| *sigma > 0.0)
        };
        let mut blurs = Vec::new();
        let mut clips = Vec::new();
        let subject = presets::Subject { size: self.size, id: self.id, frame, duration: self.duration };
        let entered = self.ramps.entered(frame);
        let stages = [
            self.enter.and_then(|p| p.enter(entered, &subject)),
            self.exit.and_then(|p| p.exit(self.ramps.left(frame), &subject)),
        ];
        for stage in stages.into_iter().flatten() {
            transform = transform * stage.transform;
            moving |= stage.moving;
            opacity *= stage.opacity;
            blurs.extend(blurred(stage.blur, &transform));
            clips.extend(stage.clip.map(|rect: Rect| Clip { outline: Outline::Rect(rect), transform }));
        }
        if let Some((preset, subject)) = self.during.as_ref().filter(|_| !self.drifts_inside) {
            let moved = preset.at(frame, subject);
            transform = transform * moved.transform;
            moving |= moved.moving;
            opacity *= moved.opacity;
        }
        if let Some(moves) = &self.moves {
            let (pose, changing) = moves.at(frame, 0, center);
            transform = transform * pose.transform;
            moving |= changing;
            opacity *= pose.opacity;
            blurs.extend(blurred(pose.blur, &transform));
        }
        if let Some((pose, settles)) = self.pose {
            let settled = if settles { entered } else { 0.0 };
            if let Some(posed) = layout3d::layout(pose.name(), settled, self.size) {
                transform = transform * posed;
                moving |= settles && settled < 1.0;
            }
        }
        if let Some(own) = self.transform {
            transform = transform * own;
        }
        let whole = transform.scale_at(center);
        let blur = |sigma: f64| Filter::Blur { sigma };
        Placed {
            transform: transform * Homography::translate(-self.offset.x, -self.offset.y),
            moving,
            opacity: opacity.clamp(0.0, 1.0) as f32,
            clips,
            filters: blurs.iter().filter(|_| whole > 0.0).map(|sigma| blur(sigma / whole)).collect(),
            group_filters: blurs.iter().copied().map(blur).collect(),
            offset: self.offset,
        }
    }
}
