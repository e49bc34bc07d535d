//! A composition ready to be rendered: scene, media and sound together.

use std::sync::Arc;
use std::time::Instant;

use rondo_composition::Composition;
use rondo_paint::Painter;
use rondo_pixels::{BitmapRef, Stop};
use rondo_scene::{Notice, Scene, Severity};
use rondo_text::{Catalog, TextEngine};

use crate::error::RenderError;
use crate::font_faces::with_font_faces;
use crate::in_point::starts_past_end;
use crate::media::{Locate, MediaLibrary, MediaProblem};
use crate::watchdog::{self, Bounds, Deadline, OverlayCosts, watched};

/// The code of notices about media that cannot be used.
const UNREACHABLE: &str = "MEDIA_UNREACHABLE";

/// A film that can be painted frame by frame in any order, or rendered to a file.
pub struct Film {
    pub(crate) composition: Composition,
    pub(crate) scene: Scene,
    pub(crate) library: MediaLibrary,
    fonts: Arc<Catalog>,
    painter: Painter,
    pub(crate) stop: Stop,
    pub(crate) costs: OverlayCosts,
    pub(crate) deadline: Option<Deadline>,
    notices: Vec<Notice>,
    problems: Vec<MediaProblem>,
}

impl Film {
    /// Probes the media and builds the scene. Unreadable media fail when a frame is requested, not here.
    pub fn open(composition: Composition, locate: &dyn Locate, fonts: Arc<Catalog>) -> Self {
        let stop = Stop::default();
        let (library, problems) = MediaLibrary::load(&composition, locate, &stop);
        let (fonts, unread) = with_font_faces(&composition, locate, fonts);
        let mut engine = TextEngine::new(fonts.clone());
        let (scene, mut notices) = Scene::new(&composition, &mut engine, &library);
        notices.extend(unread);
        notices.extend(odd_size(&composition));
        notices.extend(starts_past_end(&composition, |source| library.seconds(source)));
        let mut painter = Painter::new(composition.width, composition.height);
        painter.stop_by(stop.clone());
        let costs = OverlayCosts::new(composition.overlays.len());
        let mut film = Self {
            composition,
            scene,
            library,
            fonts,
            painter,
            stop,
            costs,
            deadline: None,
            notices,
            problems: Vec::new(),
        };
        film.tell(problems);
        film
    }

    /// Decodes every image to find damaged ones, which otherwise fail when they are painted.
    pub fn try_pictures(&mut self) {
        let problems = self.library.try_pictures();
        self.tell(problems);
    }

    /// Adds new problems in order.
    fn tell(&mut self, mut problems: Vec<MediaProblem>) {
        problems.retain(|problem| self.problems.iter().all(|known| known.order != problem.order));
        self.problems.extend(problems);
        self.problems.sort_by_key(|problem| problem.order);
        self.notices.retain(|notice| notice.code != UNREACHABLE);
        self.notices.extend(
            self.problems
                .iter()
                .map(|problem| Notice::new(UNREACHABLE, Severity::Error, &problem.path, &problem.reason)),
        );
        self.notices.sort_by_key(|n| n.severity);
    }

    pub fn composition(&self) -> &Composition {
        &self.composition
    }

    pub(crate) fn fonts(&self) -> Arc<Catalog> {
        self.fonts.clone()
    }

    /// The notices about the composition, the most severe first.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Media known to be unusable. Nothing is painted while there are any.
    pub fn problems(&self) -> &[MediaProblem] {
        &self.problems
    }

    /// Paints one frame. Its pixels are opaque.
    pub fn still(&mut self, frame: u32) -> Result<BitmapRef<'_>, RenderError> {
        self.check_media()?;
        let duration = self.scene.duration();
        if frame >= duration {
            return Err(RenderError::NoSuchFrame { frame, duration });
        }
        self.library.open_at(frame, 0);
        let Self { painter, scene, library, stop, costs, .. } = self;
        let mut paint = || {
            let shown = scene.frame(frame);
            let painted = painter.paint(&shown, library).map(|_| ());
            for (overlay, cost) in shown.overlays.iter().zip(painter.costs()) {
                costs.add(*overlay, *cost);
            }
            painted.map_err(|error| library.explain(error))
        };
        match self.deadline {
            None => paint()?,
            deadline => {
                let bounds = Bounds { deadline, ..Bounds::default() };
                watched(bounds, stop, costs, paint)?;
            }
        }
        Ok(self.painter.bitmap().view())
    }

    /// Stills that are not finished at this time fail from now on. Renders do too.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline.map(Deadline::new);
        if deadline.is_some() {
            self.painter.measure(watchdog::clock);
        }
    }

    pub(crate) fn check_media(&self) -> Result<(), RenderError> {
        if self.problems.is_empty() { Ok(()) } else { Err(RenderError::Media(self.problems.clone())) }
    }
}

/// A notice for an odd size, which video cannot have.
pub fn odd_size(composition: &Composition) -> Option<Notice> {
    let (w, h) = even_size(composition.width, composition.height);
    ((w, h) != (composition.width, composition.height)).then(|| {
        let path = if w != composition.width { "width" } else { "height" };
        let message = format!("The film is written at {w} × {h}: video needs even sides.");
        Notice::new("ODD_DIMENSIONS", Severity::Warning, path, message)
    })
}

/// Video needs even sides: odd ones grow by one pixel.
pub(crate) fn even_size(width: u32, height: u32) -> (u32, u32) {
    (width.next_multiple_of(2), height.next_multiple_of(2))
}
