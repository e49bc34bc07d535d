//! Rendering to a file of any kind.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use rondo_scene::View;

use crate::audio::SoundStage;
use crate::error::RenderError;
use crate::film::{Film, even_size};
use crate::format::{Made, Recipe};
use crate::frame_painter::FramePainter;
use crate::options::{Output, RenderOptions, Report};
use crate::progress::{Progress, ProgressTracker};
use crate::raw_file::RawFile;
use crate::watchdog::{Bounds, watched};
use crate::{audio, chunks, gif, image_files};

impl Film {
    /// Renders what the options want. `progress` is called on this thread after every frame and every finished chunk;
    /// setting `cancel` ends the render within a fraction of a second. After any error, no partial file is left, and
    /// finished chunks stay in the cache.
    pub fn render(
        &mut self,
        output: &Output,
        options: &RenderOptions,
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Report, RenderError> {
        let bounds = Bounds { cancel: Some(cancel), deadline: self.deadline, cpu: options.cpu_budget };
        let film = &*self;
        watched(bounds, &film.stop, &film.costs, || match &options.poster {
            Some(poster) => film.write_with_poster(poster, progress, |progress| {
                film.write(output, options, progress, bounds)
            }),
            None => film.write(output, options, progress, bounds),
        })
    }

    /// Renders chunks of a film that another process joins, as long as the tasks of the options name some. Returns how many.
    pub fn help(&mut self, options: &RenderOptions, cancel: &AtomicBool) -> Result<u32, RenderError> {
        let bounds = Bounds { cancel: Some(cancel), deadline: self.deadline, cpu: options.cpu_budget };
        let film = &*self;
        watched(bounds, &film.stop, &film.costs, || {
            let recipe = options.wanted.recipe(&film.composition)?;
            film.check_media()?;
            let costs = bounds.counts_costs().then_some(&film.costs);
            chunks::help(film, film.view(&recipe), &recipe, options, costs, cancel)
        })
    }

    /// The scene as the recipe wants it.
    fn view(&self, recipe: &Recipe) -> View<'_> {
        let view = self.scene.view().sized(recipe.width, recipe.height);
        view.transparent(recipe.keeps_alpha(self.scene.is_opaque()))
    }

    fn write(
        &self,
        output: &Output,
        options: &RenderOptions,
        progress: &mut dyn FnMut(Progress),
        bounds: Bounds<'_>,
    ) -> Result<Report, RenderError> {
        let recipe = options.wanted.recipe(&self.composition)?;
        self.check_media()?;
        let never = AtomicBool::new(false);
        let cancel = bounds.cancel.unwrap_or(&never);
        let mut tracker = ProgressTracker::new(recipe.frames.len() as u32, progress, cancel);
        let view = self.view(&recipe);
        let costs = bounds.counts_costs().then_some(&self.costs);
        let painter = |planes| FramePainter::new(view, self.library.fork(), planes, costs);
        let (mut width, mut height) = (recipe.width, recipe.height);
        let (mut cache_problem, mut loudness) = (None, None);
        let bytes = match (output, recipe.made()) {
            (Output::RawFrames(path), _) => {
                (width, height) = even_size(width, height);
                raw_frames(path, painter(true), recipe.frames.clone(), &mut tracker)?
            }
            (Output::File(path), Made::Film(container)) => {
                (width, height) = even_size(width, height);
                let made =
                    chunks::render(self, view, &recipe, container, path, options, costs, &mut tracker)?;
                (loudness, cache_problem) = (made.loudness, made.cache_problem);
                made.bytes
            }
            (Output::File(path), Made::Gif) => {
                gif::render(painter(false), self.composition.fps, &recipe, path, &mut tracker)?
            }
            (_, Made::Picture) => {
                image_files::render(painter(false), &recipe, self.scene.is_opaque(), output, &mut tracker)?
            }
            (Output::File(path), Made::Sound(container, codec)) => {
                let stage = SoundStage::new(self, recipe.frames.clone(), &options.finish);
                let made = audio::render(stage, (container, codec), path, &mut tracker)?;
                loudness = made.1;
                made.0
            }
            (Output::Folder(path), _) => {
                let reason = "only image sequences can be written to a folder; name a file".to_owned();
                return Err(RenderError::Unwritable { path: path.clone(), reason });
            }
        };
        let Progress { total: frames, chunks, elapsed, .. } = tracker.now();
        Ok(Report { width, height, frames, bytes, chunks, loudness, cache_problem, elapsed })
    }
}

fn raw_frames(
    path: &Path,
    mut painter: FramePainter<'_>,
    frames: std::ops::Range<u32>,
    tracker: &mut ProgressTracker<'_>,
) -> Result<u64, RenderError> {
    let mut file = RawFile::create(path)?;
    let returns = painter.returns();
    for frame in frames {
        let canvas = painter.paint(frame)?;
        if let Some(planes) = canvas.planes() {
            file.write(planes)?;
        }
        let _ = returns.try_send(canvas);
        tracker.add(1)?;
    }
    file.finish()
}
