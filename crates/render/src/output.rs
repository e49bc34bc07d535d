//! Rendering to a file: workers make the chunks of a film, and this thread joins them with the sound.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use rondo_media::audio::{CHANNELS, Mixer, frame_to_sample};
use rondo_media::{EncodedChunk, FilmWriter, PictureSettings, Quality, encoder_sample};
use xxhash_rust::xxh3::Xxh3;

use crate::cache::ChunkCache;
use crate::error::RenderError;
use crate::film::{Film, even_size};
use crate::paint::Easel;
use crate::plan::Plan;
use crate::raw::RawFile;
use crate::shelf::Shelf;
use crate::sound;
use crate::worker::{News, Workshop};

/// Where a film goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// An MP4 file.
    Film(PathBuf),
    /// Frames as raw I420, one after the other, without sound: for measuring encoders.
    RawFrames(PathBuf),
}

#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    pub quality: Quality,
    /// Where finished chunks are kept and found again, by this and other renders; a render that was interrupted goes on
    /// from what it finds. Without it nothing is kept.
    pub chunks: Option<ChunkCache>,
    /// Chunks painted and encoded at once; `None` asks the machine. Never changes the film.
    pub workers: Option<NonZeroUsize>,
    /// Most pixels of the film's shorter side: a larger composition is shrunk, as for previews.
    pub most_pixels: Option<u32>,
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
    /// Why a finished chunk could not be kept, if one could not. The film is whole all the same.
    pub cache_problem: Option<String>,
    pub elapsed: Duration,
}

impl Film {
    /// Renders the film. `progress` is called on this thread after every frame and every finished chunk; setting `cancel`
    /// ends the render within a frame. Whatever goes wrong, no partial film is left, and finished chunks stay in the cache.
    pub fn render(
        &mut self,
        output: &Output,
        options: &RenderOptions,
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Report, RenderError> {
        self.check_media()?;
        let mut tally = Tally::new(self.scene.duration(), progress, cancel);
        let (bytes, cache_problem) = match output {
            Output::Film(path) => self.render_film(path, options, &mut tally)?,
            Output::RawFrames(path) => (self.render_raw(path, &mut tally)?, None),
        };
        let (width, height) = match output {
            Output::Film(_) => self.film_size(options),
            Output::RawFrames(_) => even_size(self.scene.width(), self.scene.height()),
        };
        let Progress { total: frames, chunks, elapsed, .. } = tally.now();
        Ok(Report { width, height, frames, bytes, chunks, cache_problem, elapsed })
    }

    /// The canvas with even sides, shrunk where the options ask for it.
    fn film_size(&self, options: &RenderOptions) -> (u32, u32) {
        let (width, height) = even_size(self.scene.width(), self.scene.height());
        let (shorter, most) = (width.min(height), options.most_pixels.unwrap_or(u32::MAX).max(2));
        if shorter <= most {
            return (width, height);
        }
        let scaled = |side: u32| (u64::from(side) * u64::from(most)).div_ceil(u64::from(shorter)) as u32;
        even_size(scaled(width), scaled(height))
    }

    fn render_film(
        &self,
        path: &Path,
        options: &RenderOptions,
        tally: &mut Tally<'_>,
    ) -> Result<(u64, Option<String>), RenderError> {
        let (width, height) = self.film_size(options);
        let settings = PictureSettings { width, height, fps: self.composition.fps, quality: options.quality };
        let mixer = sound::mixer(&self.composition, &self.library);
        let writer = FilmWriter::create(path, &settings, mixer.is_some())?;
        let shop = Workshop {
            plan: Plan::new(&self.composition, &self.scene, encoder_identity(&settings)?),
            shelf: Shelf::new(options.chunks.clone()),
            settings,
            cancel: tally.cancel,
            stop: AtomicBool::new(false),
        };
        let count = shop.plan.len();
        tally.chunks.total = count as u32;
        let workers = options.workers.map_or_else(default_workers, NonZeroUsize::get).min(count);
        let (give, numbers) = unbounded();
        let (tell, news) = unbounded();
        // Workers may be ahead of the film by this many chunks, so that memory does not grow with its length.
        let ahead = count.min(2 * workers + 1);
        for number in 0..ahead {
            // The receiving end is here as well, so it takes them.
            let _ = give.send(number);
        }
        let mut assembly = Assembly {
            writer,
            mixer,
            fps: self.composition.fps,
            heard: 0,
            samples: Vec::new(),
            given: ahead,
            next: 0,
            early: BTreeMap::new(),
        };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (shop, numbers, tell) = (&shop, numbers.clone(), tell.clone());
                let easel = Easel::new(&self.scene, self.library.fork(), (width, height));
                scope.spawn(move || shop.work(easel, &numbers, &tell));
            }
            drop(tell);
            let joined = assembly.join(count, &news, &give, tally);
            shop.stop.store(joined.is_err(), Ordering::Relaxed);
            // Without numbers the workers end.
            drop(give);
            joined
        })?;
        Ok((assembly.writer.finish()?.bytes, shop.shelf.problem()))
    }

    fn render_raw(&self, path: &Path, tally: &mut Tally<'_>) -> Result<u64, RenderError> {
        let mut file = RawFile::create(path)?;
        let size = even_size(self.scene.width(), self.scene.height());
        let mut easel = Easel::new(&self.scene, self.library.fork(), size);
        let returns = easel.returns();
        for frame in 0..self.scene.duration() {
            let picture = easel.paint(frame)?;
            file.write(&picture)?;
            let _ = returns.try_send(picture);
            tally.add(1)?;
        }
        file.finish()
    }
}

/// Two threads encode for each painter, and a painter needs less than half of what they do.
fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))
}

/// Everything about the encoder that decides the bytes of a chunk.
fn encoder_identity(settings: &PictureSettings) -> Result<u128, RenderError> {
    let sample = encoder_sample(settings)?;
    let mut hash = Xxh3::new();
    for number in [settings.width, settings.height, settings.fps, sample.delay] {
        hash.update(&number.to_le_bytes());
    }
    hash.update(&sample.header);
    hash.update(&sample.data);
    Ok(hash.digest128())
}

/// Counts what is done, tells it, and notices when the render shall end.
struct Tally<'a> {
    frames: u32,
    total: u32,
    chunks: ChunkCount,
    started: Instant,
    progress: &'a mut dyn FnMut(Progress),
    cancel: &'a AtomicBool,
}

impl<'a> Tally<'a> {
    fn new(total: u32, progress: &'a mut dyn FnMut(Progress), cancel: &'a AtomicBool) -> Self {
        Self { frames: 0, total, chunks: ChunkCount::default(), started: Instant::now(), progress, cancel }
    }

    fn now(&self) -> Progress {
        let Self { frames: frame, total, chunks, .. } = *self;
        Progress { frame, total, chunks, elapsed: self.started.elapsed() }
    }

    fn add(&mut self, frames: u32) -> Result<(), RenderError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(RenderError::Cancelled);
        }
        self.frames += frames;
        let now = self.now();
        (self.progress)(now);
        if self.cancel.load(Ordering::Relaxed) { Err(RenderError::Cancelled) } else { Ok(()) }
    }
}

/// Joins chunks in the order of the film, whatever order they come in, and mixes the sound along.
struct Assembly {
    writer: FilmWriter,
    mixer: Option<Mixer>,
    fps: u32,
    /// Frames whose sound is mixed.
    heard: i64,
    samples: Vec<f32>,
    /// Number of the chunk that no worker was given yet.
    given: usize,
    /// Number of the chunk that comes next.
    next: usize,
    /// Chunks that came before their turn.
    early: BTreeMap<usize, Arc<EncodedChunk>>,
}

impl Assembly {
    fn join(
        &mut self,
        count: usize,
        news: &Receiver<News>,
        give: &Sender<usize>,
        tally: &mut Tally<'_>,
    ) -> Result<(), RenderError> {
        while self.next < count {
            // Only workers that panicked end without a word; leaving the scope passes their panic on.
            match news.recv().unwrap_or(News::Failed(RenderError::Cancelled)) {
                News::Frame => tally.add(1)?,
                News::Chunk { number, chunk, rendered } => {
                    let fresh = if rendered { 0 } else { chunk.frames() };
                    tally.chunks.rendered += u32::from(rendered);
                    tally.chunks.reused += u32::from(!rendered);
                    self.early.insert(number, chunk);
                    tally.add(fresh)?;
                }
                News::Failed(error) => return Err(error),
            }
            self.mix(i64::from(tally.frames))?;
            while let Some(chunk) = self.early.remove(&self.next) {
                self.writer.append(&chunk)?;
                self.next += 1;
                if self.given < count {
                    // Workers that are gone have told why.
                    let _ = give.send(self.given);
                    self.given += 1;
                }
            }
        }
        Ok(())
    }

    /// Mixes the sound up to a frame.
    fn mix(&mut self, frame: i64) -> Result<(), RenderError> {
        let Some(mixer) = &mut self.mixer else { return Ok(()) };
        while self.heard < frame {
            let count = frame_to_sample(self.heard + 1, self.fps) - frame_to_sample(self.heard, self.fps);
            self.samples.resize(count as usize * CHANNELS, 0.0);
            mixer.mix(&mut self.samples)?;
            self.writer.push_audio(&self.samples)?;
            self.heard += 1;
        }
        Ok(())
    }
}
