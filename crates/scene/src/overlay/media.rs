//! Image and video overlays: a container that clips, with padding, border, corners and shadows, and the picture in it.

use std::sync::Arc;

use kurbo::{Point, Rect, Size, Vec2};
use rondo_composition::{Base, Greenscreen, Image, ImageStyles, Layout3dName, ObjectFit, Video, VideoStyles};
use rondo_css::{Border, BorderRadius, ClipPath, Color, Edges, Position};

use crate::boxes::{self, BoxStyle};
use crate::display::*;
use crate::outlines;
use crate::prepare::Prepare;
use crate::segments::Segments;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Still, Visual};
use crate::world::{MediaInfo, Timetable};

/// Media that change on their own: a clip playing, or a picture drifting inside its container.
pub(crate) struct Media {
    /// Shadows, background and border, when there are any.
    container: Option<Arc<Content>>,
    picture: PictureDraw,
    filters: Vec<Filter>,
    /// The padding box, when it cuts the picture.
    frame: Option<Outline>,
    /// The padding box, when it would cut a picture that moves; nothing cuts one posed in space.
    edge: Option<Outline>,
    /// The border box.
    whole: Outline,
    /// From the middle of the layer to the middle of the content box, about which the picture drifts.
    pivot: Vec2,
    /// Cut container and picture alike.
    outer: Vec<Outline>,
    clock: Option<Clock>,
    /// The picture's content while it does not change.
    still: Option<Arc<Content>>,
}

/// The styles images and videos share.
struct Styles<'a> {
    object_fit: ObjectFit,
    object_position: Option<&'a str>,
    filter: Option<&'a str>,
    box_shadow: Option<&'a str>,
    border: Option<&'a str>,
    padding: Option<&'a str>,
    padding_background_color: Option<&'a str>,
    border_radius: Option<&'a str>,
    clip_path: Option<&'a str>,
    crop: Option<[f64; 4]>,
}

/// Reads the fields both style records name alike.
macro_rules! shared_styles {
    ($s:expr) => {
        Styles {
            object_fit: $s.object_fit,
            object_position: $s.object_position.as_deref(),
            filter: $s.filter.as_deref(),
            box_shadow: $s.box_shadow.as_deref(),
            border: $s.border.as_deref(),
            padding: $s.padding.as_deref(),
            padding_background_color: $s.padding_background_color.as_deref(),
            border_radius: $s.border_radius.as_deref(),
            clip_path: $s.clip_path.as_deref(),
            crop: $s.crop_enabled.then_some([$s.crop_x, $s.crop_y, $s.crop_width, $s.crop_height]),
        }
    };
}

impl<'a> From<&'a ImageStyles> for Styles<'a> {
    fn from(s: &'a ImageStyles) -> Self {
        shared_styles!(s)
    }
}

impl<'a> From<&'a VideoStyles> for Styles<'a> {
    fn from(s: &'a VideoStyles) -> Self {
        shared_styles!(s)
    }
}

impl Visual for Image {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let pose = s.layout_3d.as_ref().map(|l| (l.layout, l.settle));
        let pose = pose.filter(|(layout, _)| *layout != Layout3dName::None);
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        let (blend, stagger) = (s.mix_blend_mode.as_deref(), s.staggered_motion.as_ref());
        Motion { blend, pose, media: true, stagger, ..motion }
    }

    fn prepare(&self, base: &Base, stage: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let info = p.world.media(&self.src)?;
        let timetable = info.clip.as_ref().and_then(|clip| clip.timetable.clone());
        let clock = timetable.map(|timetable| Clock::Animation { timetable, fps: p.fps });
        let changes = stage.drifts() || clock.is_some();
        let size = Size::new(base.width, base.height);
        let styles = Styles::from(&self.styles);
        let posed = self.motion().pose.is_some();
        let media = Media::read(&styles, self.greenscreen.as_ref(), &info, size, posed, clock, p);
        Some(if changes { Box::new(media) } else { Box::new(media.flattened()) })
    }
}

impl Visual for Video {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        let (blend, stagger) = (s.mix_blend_mode.as_deref(), s.staggered_motion.as_ref());
        Motion { blend, media: true, stagger, ..motion }
    }

    fn prepare(&self, base: &Base, _: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let info = p.world.media(&self.src)?;
        let clock = Clock::Video {
            start: self.video_start_time,
            speed: self.speed,
            fps: p.fps,
            duration: info.clip.as_ref().map_or(0.0, |c| c.duration),
            segments: Segments::new(&self.segments, self.speed),
        };
        let size = Size::new(base.width, base.height);
        let styles = Styles::from(&self.styles);
        let media = Media::read(&styles, self.greenscreen.as_ref(), &info, size, false, Some(clock), p);
        Some(Box::new(media))
    }
}

impl Show for Media {
    fn show(&self, frame: u32, placed: Placed, stage: &Stage, items: &mut Vec<Item>) {
        items.extend(self.items(frame, &placed, stage.drift(frame)));
    }

    fn area(&self, _: Rect, frame: u32, placed: &Placed, stage: &Stage) -> Vec<Clip> {
        let mut area: Vec<Clip> = self.outer.iter().map(|cut| placed.clip(cut.clone())).collect();
        // What nothing cuts is where it drifts to.
        let drift = stage.drift(frame).filter(|_| self.edge.is_none());
        let transform = drift.map_or(placed.transform, |(drift, _)| self.drifted(placed, drift));
        area.push(Clip { outline: self.whole.clone(), transform });
        area
    }
}

impl Media {
    fn read(
        s: &Styles<'_>,
        greenscreen: Option<&Greenscreen>,
        info: &MediaInfo,
        size: Size,
        posed: bool,
        clock: Option<Clock>,
        p: &mut Prepare<'_>,
    ) -> Self {
        let css = p.css;
        let layer = Rect::from_origin_size(Point::ORIGIN, size) + p.offset;
        let rect = boxes::snapped(layer);
        let border = p.read("styles.border", s.border, Border::parse).map(|b| b.resolve(&css));
        let edge = border.as_ref().map_or(0.0, |b| b.width);
        let radius = p.read("styles.borderRadius", s.border_radius, BorderRadius::parse);
        let radii = radius.map_or([Vec2::ZERO; 4], |r| r.resolve(rect.width(), rect.height(), &css));
        let color = p
            .read("styles.paddingBackgroundColor", s.padding_background_color, Color::parse)
            .filter(|_| !posed);
        let shadows = p
            .read("styles.boxShadow", s.box_shadow, rondo_css::parse_box_shadows)
            .unwrap_or_default()
            .iter()
            .map(|s| s.resolve(&css))
            .collect();
        let style = BoxStyle { background: None, color, border, radii, shadows };
        let mut draws = Vec::new();
        style.draw_under(rect, &css, &mut draws);
        style.draw_border(rect, &mut draws);
        let reach = style.reach();
        let container = (!draws.is_empty()).then(|| Arc::new(Content::new(rect.inset(reach), draws)));

        let padding = p.read("styles.padding", s.padding, Edges::parse_padding).map_or([0.0; 4], |e| {
            let e = e.resolve(&css, size.width);
            [e.top, e.right, e.bottom, e.left]
        });
        let inside = Rect::new(
            layer.x0 + edge + padding[3],
            layer.y0 + edge + padding[0],
            (layer.x1 - edge - padding[1]).max(layer.x0 + edge + padding[3]),
            (layer.y1 - edge - padding[2]).max(layer.y0 + edge + padding[0]),
        );
        let position = p.read("styles.objectPosition", s.object_position, Position::parse);
        let natural = Size::new(f64::from(info.width), f64::from(info.height));
        let placed = object_rect(s.object_fit, natural, inside, |free| {
            position
                .as_ref()
                .map_or(Point::new(free.width / 2.0, free.height / 2.0), |p| p.resolve(free, &css))
        });
        let pivot = inside.center() - layer.center();
        let (inside, placed) = (boxes::snapped(inside), boxes::snapped(placed));
        let filters = p
            .read("styles.filter", s.filter, rondo_css::parse_filters)
            .map(|f| boxes::filters(rondo_css::resolve_filters(&f, &css)))
            .unwrap_or_default();
        // A picture that fills a square-cornered container exactly needs no clip, unless a filter bleeds out of it.
        let clips = !posed && (boxes::filters_reach(&filters) > 0.0 || radii.iter().any(|r| r.x > 0.0));
        let padding_box = outlines::inner(rect, radii, edge);
        let frame = clips.then(|| padding_box.clone());
        // Corners do not cut a picture posed in space.
        let whole = if posed { Outline::Rect(rect) } else { outlines::rounded(rect, radii) };

        let mut outer = Vec::new();
        if let Some(clip) = p.read("styles.clipPath", s.clip_path, ClipPath::parse).flatten() {
            outer.push(boxes::clip_outline(clip.resolve(size.width, size.height, &css), p.offset));
        }
        if let Some([x, y, w, h]) = s.crop {
            let at = |fraction: f64, whole: f64| fraction / 100.0 * whole;
            let crop = Rect::new(
                at(x, size.width),
                at(y, size.height),
                at(x + w, size.width),
                at(y + h, size.height),
            );
            outer.push(Outline::Rect(crop + p.offset));
        }

        let source_size = Size::new(natural.width * info.scale, natural.height * info.scale);
        let visible = placed.intersect(inside);
        let visible = if visible.width() > 0.0 && visible.height() > 0.0 { visible } else { Rect::ZERO };
        let to_source = |v: f64, from: f64, length: f64, pixels: f64| {
            if length > 0.0 { (v - from) / length * pixels } else { 0.0 }
        };
        let source = Rect::new(
            to_source(visible.x0, placed.x0, placed.width(), source_size.width),
            to_source(visible.y0, placed.y0, placed.height(), source_size.height),
            to_source(visible.x1, placed.x0, placed.width(), source_size.width),
            to_source(visible.y1, placed.y0, placed.height(), source_size.height),
        );
        let reference = PictureRef { source: info.source, source_key: info.key, time_us: 0 };
        let picture = PictureDraw {
            picture: reference,
            source,
            dest: visible,
            key: greenscreen.and_then(|g| chroma_key(g, p)),
        };
        let edge = (!posed).then_some(padding_box);
        let mut media =
            Self { container, picture, filters, frame, edge, whole, pivot, outer, clock, still: None };
        if media.clock.is_none() {
            media.still = Some(Arc::new(media.picture_content(0)));
        }
        media
    }

    fn picture_draws(&self, time_us: i64) -> Vec<Draw> {
        let reference = PictureRef { time_us, ..self.picture.picture };
        let draw = Draw::Picture(PictureDraw { picture: reference, ..self.picture.clone() });
        if self.filters.is_empty() {
            return vec![draw];
        }
        vec![Draw::Group { draws: vec![draw], filters: self.filters.clone(), clip: None, opacity: 1.0 }]
    }

    fn picture_content(&self, time_us: i64) -> Content {
        let reach = boxes::filters_reach(&self.filters);
        Content::new(self.picture.dest.inset(reach), self.picture_draws(time_us))
    }

    /// Container and picture as one content, for media that never change inside.
    fn flattened(self) -> Still {
        let mut bounds = self.picture.dest.inset(boxes::filters_reach(&self.filters));
        let mut draws = self.picture_draws(0);
        if let Some(frame) = &self.frame {
            draws = vec![clipped(draws, frame)];
        }
        if let Some(container) = &self.container {
            bounds = bounds.union(container.bounds);
            draws.splice(0..0, container.draws.iter().cloned());
        }
        for outline in &self.outer {
            draws = vec![clipped(draws, outline)];
        }
        let cuts = self.outer.into_iter().chain([self.whole]).collect();
        Still { content: Arc::new(Content::new(bounds, draws)), backdrop: None, cuts }
    }

    /// The place of the picture when it drifts.
    fn drifted(&self, placed: &Placed, drift: crate::Homography) -> crate::Homography {
        let (there, back) = (self.pivot, -self.pivot);
        let drift = crate::Homography::translate(there.x, there.y)
            * drift
            * crate::Homography::translate(back.x, back.y);
        placed.transform * placed.about_content(drift)
    }

    /// The layers at a local frame. `drift` moves the picture inside its container.
    fn items(&self, at: u32, placed: &Placed, drift: Option<(crate::Homography, bool)>) -> Vec<Item> {
        let content = match (&self.clock, &self.still) {
            (Some(clock), _) => Arc::new(self.picture_content(clock.time_us(at))),
            (None, Some(still)) => still.clone(),
            (None, None) => return Vec::new(),
        };
        let cut = |outline: &Outline| Clip { outline: outline.clone(), transform: placed.transform };
        let frame = self.frame.as_ref().or(self.edge.as_ref().filter(|_| drift.is_some()));
        // What is cut before it is filtered, or more than one layer, is filtered as one.
        let filtered = !placed.filters.is_empty();
        let composed = frame.is_some() || !self.outer.is_empty() || drift.is_some();
        let grouped = match self.container {
            Some(_) => filtered || placed.opacity < 1.0,
            None => filtered && composed,
        };
        let mut clips = if grouped { Vec::new() } else { placed.clips.clone() };
        clips.extend(self.outer.iter().map(cut));
        let opacity = if grouped { 1.0 } else { placed.opacity };
        let filters = if grouped { Vec::new() } else { placed.filters.clone() };
        let placement = |transform, moving, clips| Placement {
            transform,
            moving,
            opacity,
            clips,
            filters: filters.clone(),
            backdrop: None,
        };
        let mut items = Vec::new();
        if let Some(container) = &self.container {
            let placement = placement(placed.transform, placed.moving, clips.clone());
            items.push(Item::Layer(Layer { content: container.clone(), placement }));
        }
        let mut picture_clips = clips;
        picture_clips.extend(frame.map(cut));
        let (transform, moving) = match drift {
            Some((drift, moving)) => (self.drifted(placed, drift), moving || placed.moving),
            None => (placed.transform, placed.moving),
        };
        items.push(Item::Layer(Layer { content, placement: placement(transform, moving, picture_clips) }));
        if !grouped {
            return items;
        }
        vec![Item::Group(Group {
            items,
            opacity: placed.opacity,
            clips: placed.clips.clone(),
            filters: placed.group_filters.clone(),
            blend: BlendMode::Normal,
        })]
    }
}

fn clipped(draws: Vec<Draw>, outline: &Outline) -> Draw {
    Draw::Group { draws, filters: Vec::new(), clip: Some(outline.clone()), opacity: 1.0 }
}

/// Where CSS `object-fit` and `object-position` put a picture of natural size in a box.
fn object_rect(fit: ObjectFit, natural: Size, inside: Rect, at: impl Fn(Size) -> Point) -> Rect {
    let (sx, sy) = (inside.width() / natural.width.max(1.0), inside.height() / natural.height.max(1.0));
    let size = match fit {
        ObjectFit::Fill => inside.size(),
        ObjectFit::Cover => natural * sx.max(sy),
        ObjectFit::Contain => natural * sx.min(sy),
        ObjectFit::None => natural,
        ObjectFit::ScaleDown => natural * sx.min(sy).min(1.0),
    };
    let offset = at(inside.size() - size);
    Rect::from_origin_size(inside.origin() + offset.to_vec2(), size)
}

fn chroma_key(g: &Greenscreen, p: &mut Prepare<'_>) -> Option<ChromaKey> {
    if !g.enabled {
        return None;
    }
    let color = p.read("greenscreen.keyColor", g.key_color.as_deref(), Color::parse);
    let channel = color.map_or(1, |c| if c.b > c.g { 2 } else { 1 });
    Some(ChromaKey {
        sensitivity: g.sensitivity as f32,
        threshold: [g.threshold.red as f32, g.threshold.green as f32, g.threshold.blue as f32],
        smoothing: g.smoothing.round() as u32,
        spill: g.spill as f32,
        channel,
    })
}

/// Which source time a clip shows at a frame of its overlay.
pub(crate) enum Clock {
    Video {
        start: f64,
        speed: f64,
        fps: f64,
        duration: f64,
        segments: Segments,
    },
    /// An animated picture, from its first frame at the overlay's start.
    Animation {
        timetable: Arc<Timetable>,
        fps: f64,
    },
}

impl Clock {
    fn time_us(&self, frame: u32) -> i64 {
        let micros = |seconds: f64| (seconds * 1e6).round() as i64;
        match self {
            Self::Video { start, speed, fps, duration, segments } => {
                let seconds = match segments.source_frame(frame) {
                    Some(source) => source as f64 / fps,
                    None => start + f64::from(frame) * speed / fps,
                };
                micros(seconds.clamp(0.0, duration.max(0.0)))
            }
            Self::Animation { timetable, fps } => timetable.shown_at(micros(f64::from(frame) / fps)),
        }
    }
}
