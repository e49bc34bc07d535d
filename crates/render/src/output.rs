//! Rendering to a file of any kind.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rondo_composition::Finish;

use crate::cache::ChunkCache;
use crate::error::RenderError;
use crate::film::{Film, even_size};
use crate::paint::Easel;
use crate::raw::RawFile;
use crate::recipe::{Made, Wanted};
use crate::sound::SoundStage;
use crate::tally::Tally;
use crate::{chunked, gif, pictures, sound};

/// Where a render goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A file; a sequence of pictures goes into an archive.
    File(PathBuf),
    /// The pictures of a sequence, a file each.
    Folder(PathBuf),
    /// Frames as raw I420, one after the other, without sound: for measuring encoders.
    RawFrames(PathBuf),
}

#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    /// What file is made.
    pub wanted: Wanted,
    /// How its sound is finished.
    pub finish: Finish,
    /// Where finished chunks are kept and found again, by this and other renders; a render that was interrupted goes on
    /// from what it finds. Without it nothing is kept.
    pub chunks: Option<ChunkCache>,
    /// Chunks painted and encoded at once; `None` asks the machine. Never changes the film.
    pub workers: Option<NonZeroUsize>,
}

/// How far a render has come. Nothing in it ever goes back.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Frames done, those of reused chunks included.
    pub frame: u32,
    pub total: u32,
    pub chunks: ChunkCount,
    pub elapsed: Duration,
}

/// The chunks of a film.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkCount {
    pub total: u32,
    /// Painted and encoded by this render, and kept in the cache if there is one.
    pub rendered: u32,
    /// Found in the cache, or equal to another chunk of this film.
    pub reused: u32,
}

/// A finished render.
#[derive(Clone, Debug)]
pub struct Report {
    pub width: u32,
    pub height: u32,
    pub frames: u32,
    pub bytes: u64,
    pub chunks: ChunkCount,
    /// Loudness of its sound in LUFS, before it was encoded; where one was asked for and there is more than silence.
    pub loudness: Option<f64>,
    /// Why a finished chunk could not be kept, if one could not. The film is whole all the same.
    pub cache_problem: Option<String>,
    pub elapsed: Duration,
}

impl Film {
    /// Renders what the options want. `progress` is called on this thread after every frame and every finished chunk;
    /// setting `cancel` ends the render within a frame. Whatever goes wrong, no partial file is left, and finished
    /// chunks stay in the cache.
    pub fn render(
        &mut self,
        output: &Output,
        options: &RenderOptions,
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Report, RenderError> {
        let recipe = options.wanted.recipe(&self.composition)?;
        self.check_media()?;
        let mut tally = Tally::new(recipe.frames.len() as u32, progress, cancel);
        let view = self
            .scene
            .view()
            .sized(recipe.width, recipe.height)
            .transparent(recipe.keeps_alpha(self.scene.is_opaque()));
        let easel = |planes| Easel::new(view, self.library.fork(), planes);
        let (mut width, mut height) = (recipe.width, recipe.height);
        let (mut cache_problem, mut loudness) = (None, None);
        let bytes = match (output, recipe.made()) {
            (Output::RawFrames(path), _) => {
                (width, height) = even_size(width, height);
                raw_frames(path, easel(true), recipe.frames.clone(), &mut tally)?
            }
            (Output::File(path), Made::Film(container)) => {
                (width, height) = even_size(width, height);
                let made = chunked::render(self, view, &recipe, container, path, options, &mut tally)?;
                (loudness, cache_problem) = (made.loudness, made.cache_problem);
                made.bytes
            }
            (Output::File(path), Made::Gif) => {
                gif::render(easel(false), self.composition.fps, &recipe, path, &mut tally)?
            }
            (_, Made::Picture) => {
                pictures::render(easel(false), &recipe, self.scene.is_opaque(), output, &mut tally)?
            }
            (Output::File(path), Made::Sound(container, codec)) => {
                let stage = SoundStage::new(self, recipe.frames.clone(), &options.finish);
                let made = sound::render(stage, (container, codec), path, &mut tally)?;
                loudness = made.1;
                made.0
            }
            (Output::Folder(path), _) => {
                let reason = "only pictures go into a folder; name the file to write".to_owned();
                return Err(RenderError::Unwritable { path: path.clone(), reason });
            }
        };
        let Progress { total: frames, chunks, elapsed, .. } = tally.now();
        Ok(Report { width, height, frames, bytes, chunks, loudness, cache_problem, elapsed })
    }
}

fn raw_frames(
    path: &Path,
    mut easel: Easel<'_>,
    frames: std::ops::Range<u32>,
    tally: &mut Tally<'_>,
) -> Result<u64, RenderError> {
    let mut file = RawFile::create(path)?;
    let returns = easel.returns();
    for frame in frames {
        let canvas = easel.paint(frame)?;
        if let Some(planes) = canvas.planes() {
            file.write(planes)?;
        }
        let _ = returns.try_send(canvas);
        tally.add(1)?;
    }
    file.finish()
}
