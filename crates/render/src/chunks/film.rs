//! Renders a film: workers render its chunks, and this thread joins them with the sound.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use rondo_media::{
    ChunkEncoder, Container, EncodedChunk, FilmWriter, KeepPart, PictureSettings, Streaming, encoder_sample,
    ffmpeg_version, may_repeat_frames,
};
use rondo_scene::{Digest, View};

use super::plan::Plan;
use super::pool::ChunkPool;
use super::tasks::offer_all;
use super::worker::{Event, OpenEncoder, PanicReport, WorkerContext};
use crate::audio::SoundStage;
use crate::error::RenderError;
use crate::film::{Film, even_size};
use crate::format::Recipe;
use crate::frame_painter::FramePainter;
use crate::options::RenderOptions;
use crate::progress::ProgressTracker;
use crate::stream::{SegmentFiles, SegmentStore};
use crate::watchdog::OverlayCosts;

/// Time between two looks for a chunk that another process renders.
const LOOK_FOR_NEXT: Duration = Duration::from_millis(50);

/// The part of a second by which sound is mixed ahead of the pictures. Encoders hold some samples back, so that otherwise the sound
/// at the end of a chunk would be in its segment or in the next one by chance.
const SOUND_AHEAD: u32 = 8;

/// A film that was made of chunks.
pub(crate) struct Joined {
    pub bytes: u64,
    /// See [`crate::Report`].
    pub loudness: Option<f64>,
    pub cache_problem: Option<String>,
}

/// Makes a film of chunks and joins them with the sound.
#[allow(clippy::too_many_arguments, reason = "everything that a film is made of")]
pub(crate) fn render(
    film: &Film,
    view: View<'_>,
    recipe: &Recipe,
    container: Container,
    path: &Path,
    options: &RenderOptions,
    costs: Option<&OverlayCosts>,
    progress: &mut ProgressTracker<'_>,
) -> Result<Joined, RenderError> {
    render_with(ChunkEncoder::new, film, view, recipe, container, path, options, costs, progress)
}

/// [`render`] with encoders opened by `open_encoder`.
#[allow(clippy::too_many_arguments, reason = "those of `render`, and the encoder")]
fn render_with(
    open_encoder: OpenEncoder,
    film: &Film,
    view: View<'_>,
    recipe: &Recipe,
    container: Container,
    path: &Path,
    options: &RenderOptions,
    costs: Option<&OverlayCosts>,
    progress: &mut ProgressTracker<'_>,
) -> Result<Joined, RenderError> {
    let sound = SoundStage::new(film, recipe.frames.clone(), &options.finish);
    let heard = sound.is_audible().then(|| recipe.sound_codec(container));
    let context = context(open_encoder, film, view, recipe, options, costs, progress.cancel)?;
    let settings = context.settings;
    let files = (container == Container::Segments && options.segments.is_none())
        .then(|| Arc::new(SegmentFiles::new(path, film.composition.fps)));
    let segments = files.clone().map(|files| files as Arc<dyn SegmentStore>);
    let segments = segments.or_else(|| options.segments.clone()).filter(|_| recipe.has_segments());
    let streaming = segments.map(|store| Streaming {
        frames: recipe.frames.len() as u64,
        keep: Box::new(move |segment| store.keep(segment)),
    });
    let parts = options.parts.clone();
    let parts = parts.map(|store| Box::new(move |part| store.keep(part)) as KeepPart);
    let count = context.plan.len();
    progress.chunks.total = count as u32;
    let workers = worker_count(options).min(count);
    let (give, numbers) = unbounded();
    let (tell, events) = unbounded();
    // Workers may be ahead of the film by this many chunks, so that memory does not grow with its length.
    let ahead = count.min(2 * workers + 1);
    for number in 0..ahead {
        // The receiver exists here, so sending succeeds.
        let _ = give.send(number);
    }
    let assembly = std::thread::scope(|scope| {
        for _ in 0..workers {
            let (context, numbers, tell) = (&context, numbers.clone(), tell.clone());
            let painter = FramePainter::new(view, film.library.fork(), settings.takes_planes(), costs);
            scope.spawn(move || context.work(painter, &numbers, &tell));
        }
        if let Some(tasks) = &context.tasks {
            let (context, tell) = (&context, tell.clone());
            scope.spawn(move || {
                let _report = PanicReport(&tell);
                offer_all(context, &**tasks);
            });
        }
        drop(tell);
        // Workers paint meanwhile.
        let assemble = || {
            let writer = FilmWriter::streamed(path, container, &settings, heard, streaming, parts)?;
            let mut assembly = Assembly {
                writer,
                sound,
                frames: recipe.frames.len() as u32,
                sound_ahead: film.composition.fps / SOUND_AHEAD + 1,
                ahead,
                given: ahead,
                next: 0,
                early: BTreeMap::new(),
                counted: vec![false; count],
                looked: None,
            };
            assembly.sound.level(progress.cancel)?;
            assembly.join(&context, &events, &give, progress)?;
            Ok::<_, RenderError>(assembly)
        };
        let assembled = assemble();
        match &assembled {
            Ok(_) => context.done.store(true, Ordering::Relaxed),
            Err(_) => context.stop.set(),
        }
        // Closing the channel ends the workers.
        drop(give);
        assembled
    })?;
    let bytes = assembly.writer.finish()?.bytes;
    files.map_or(Ok(()), |files| files.finish())?;
    Ok(Joined { bytes, loudness: assembly.sound.loudness(), cache_problem: context.pool.problem() })
}

/// What the workers of a film share.
pub(super) fn context<'a>(
    open_encoder: OpenEncoder,
    film: &'a Film,
    view: View<'a>,
    recipe: &Recipe,
    options: &RenderOptions,
    costs: Option<&'a OverlayCosts>,
    cancel: &'a AtomicBool,
) -> Result<WorkerContext<'a>, RenderError> {
    let (width, height) = even_size(recipe.width, recipe.height);
    let settings = PictureSettings {
        width,
        height,
        fps: film.composition.fps,
        quality: recipe.quality,
        codec: recipe.codec,
        alpha: recipe.keeps_alpha(film.scene.is_opaque()),
        repeat_frames: !options.encode_every_frame,
    };
    // Keys that are not shared need no encoder identity.
    let encoder = if options.chunks.is_some() { encoder_identity(&settings)? } else { Digest::default() };
    Ok(WorkerContext {
        plan: Plan::new(&film.composition, view, recipe, encoder, film.stop.clone()),
        pool: ChunkPool::new(options.chunks.clone()),
        tasks: options.tasks.clone().filter(|_| options.chunks.is_some()),
        helps: false,
        unread: AtomicUsize::new(0),
        done: AtomicBool::new(false),
        settings,
        open_encoder,
        cancel,
        stop: film.stop.clone(),
        costs,
    })
}

/// Chunks rendered in parallel.
pub(super) fn worker_count(options: &RenderOptions) -> usize {
    options.workers.map_or_else(default_workers, NonZeroUsize::get)
}

/// Two threads encode for each painter, and a painter needs less than half of what they do.
fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))
}

/// Everything about the encoder that decides the bytes of a chunk.
fn encoder_identity(settings: &PictureSettings) -> Result<Digest, RenderError> {
    let sample = encoder_sample(settings)?;
    let mut hash = blake3::Hasher::new();
    for number in [settings.width, settings.height, settings.fps, sample.delay, ffmpeg_version()] {
        hash.update(&number.to_le_bytes());
    }
    let repeats = may_repeat_frames(settings, &sample.header);
    let choices = [u8::from(settings.alpha), u8::from(repeats)];
    hash.update(&[settings.codec as u8, settings.quality as u8]);
    hash.update(&choices);
    hash.update(&sample.header);
    hash.update(&sample.data);
    Ok(*hash.finalize().as_bytes())
}

/// Joins chunks in film order, and mixes the sound alongside.
struct Assembly<'a> {
    writer: FilmWriter,
    sound: SoundStage<'a>,
    /// Chunks that may be in memory.
    ahead: usize,
    /// Frames of the film.
    frames: u32,
    /// Frames by which the sound is ahead of the pictures.
    sound_ahead: u32,
    /// The first chunk that no worker has been given.
    given: usize,
    /// The next chunk to append.
    next: usize,
    /// Chunks that arrived early.
    early: BTreeMap<usize, Arc<EncodedChunk>>,
    /// Those that have arrived once. One that is far ahead, or that two processes render, arrives twice.
    counted: Vec<bool>,
    /// When the next chunk was last looked for in the cache.
    looked: Option<Instant>,
}

impl Assembly<'_> {
    fn join(
        &mut self,
        context: &WorkerContext<'_>,
        events: &Receiver<Event>,
        give: &Sender<usize>,
        progress: &mut ProgressTracker<'_>,
    ) -> Result<(), RenderError> {
        let count = context.plan.len();
        while self.next < count {
            // Workers only disappear if they panic; leaving the scope propagates that.
            let event = match context.tasks {
                None => events.recv().unwrap_or(Event::Failed(RenderError::Cancelled)),
                Some(_) => self.event_anywhere(context, events, progress)?,
            };
            match event {
                Event::Frame => progress.add(1)?,
                Event::Chunk { number, chunk, rendered } => {
                    let is_known = std::mem::replace(&mut self.counted[number], true);
                    let fresh = if is_known || rendered { 0 } else { chunk.frames() };
                    progress.chunks.rendered += u32::from(!is_known && rendered);
                    progress.chunks.reused += u32::from(!is_known && !rendered);
                    // What is far ahead is in the cache.
                    if (self.next..self.next + self.ahead).contains(&number) {
                        self.early.insert(number, chunk);
                    }
                    progress.add(fresh)?;
                }
                Event::Failed(error) => return Err(error),
            }
            if context.tasks.is_none() {
                self.mix(progress.frames)?;
            }
            while let Some(chunk) = self.early.remove(&self.next) {
                // Frames far ahead may have been painted, whose sound would have to wait in memory.
                let end = context.plan.frames(self.next).end - context.plan.frames(0).start;
                self.mix(end)?;
                self.writer.append(&chunk)?;
                (self.next, self.looked) = (self.next + 1, None);
                if self.given < count && context.tasks.is_none() {
                    // Workers that ended have reported why.
                    let _ = give.send(self.given);
                    self.given += 1;
                }
            }
        }
        Ok(())
    }

    /// Mixes the sound of so many frames, and a little more.
    fn mix(&mut self, frames: u32) -> Result<(), RenderError> {
        let end = frames.saturating_add(self.sound_ahead).min(self.frames);
        while self.sound.heard() < end {
            let samples = self.sound.next_frame()?;
            self.writer.push_audio(samples)?;
        }
        Ok(())
    }

    /// The next event, or the next chunk of the film if another process has finished it.
    fn event_anywhere(
        &mut self,
        context: &WorkerContext<'_>,
        events: &Receiver<Event>,
        progress: &mut ProgressTracker<'_>,
    ) -> Result<Event, RenderError> {
        loop {
            if self.looked.is_none_or(|at| at.elapsed() >= LOOK_FOR_NEXT) {
                self.looked = Some(Instant::now());
                if let Some(chunk) = context.pool.fetch(context.plan.key(self.next)) {
                    return Ok(Event::Chunk { number: self.next, chunk, rendered: false });
                }
            }
            match events.recv_timeout(LOOK_FOR_NEXT) {
                Ok(event) => {
                    if matches!(event, Event::Chunk { .. }) {
                        context.unread.fetch_sub(1, Ordering::Relaxed);
                    }
                    return Ok(event);
                }
                Err(RecvTimeoutError::Timeout) => progress.add(0)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(Event::Failed(RenderError::Cancelled)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rondo_media::MediaError;

    use super::*;
    use crate::format::Wanted;
    use crate::{FontSettings, Locate, load_fonts};

    struct NoMedia;

    impl Locate for NoMedia {
        fn locate(&self, _: &str) -> Result<std::path::PathBuf, String> {
            Err("there is none".into())
        }
    }

    /// SPS and PPS of `x264 --ref 16 --bframes 16 --no-weightb`: slices have longer fields than Rondo's.
    const FOREIGN_PARAMETER_SETS: [u8; 40] = [
        0, 0, 0, 1, 0x67, 0x64, 0, 0x0a, 0xac, 0x72, 0x84, 0x44, 0x26, 0xc0, 0x44, 0, 0, 3, 0, 4, 0, 0, 3, 0,
        0xf0, 0x3c, 0x48, 0x96, 0x11, 0x80, 0, 0, 0, 1, 0x68, 0xe8, 0x43, 0x0f, 0x2c, 0x8b,
    ];

    /// Opens the real encoder, but reads its stream by parameter sets that do not describe it.
    fn open_misread(settings: &PictureSettings, frames: u32) -> Result<ChunkEncoder, MediaError> {
        ChunkEncoder::with_parameter_sets(settings, frames, &FOREIGN_PARAMETER_SETS)
    }

    #[test]
    fn a_film_whose_stream_cannot_contain_repeats_is_encoded_without_them() {
        // Ten slides of a second, so that chunks have several stays, with a moving second among them.
        let slide = |step: u32| {
            serde_json::json!({"id": step, "type": "shape", "from": step * 20, "durationInFrames": 20, "row": 1,
                "left": step * 4, "top": 10, "width": 30, "height": 30, "content": "rectangle",
                "styles": {"animation": if step == 4 { serde_json::json!({"during": "spin"}) } else { ().into() }}})
        };
        let value = serde_json::json!({"width": 97, "height": 64, "fps": 20, "durationInFrames": 200,
            "overlays": (0..10).map(slide).collect::<Vec<_>>()});
        let limits = rondo_composition::Limits::WIDEST;
        let read = rondo_composition::read_composition_or_request(&value, limits).unwrap();
        let film = Film::open(read.composition, &NoMedia, load_fonts(&FontSettings::default()).0);
        let recipe = Wanted::default().recipe(&film.composition).unwrap();
        let view = film.scene.view().sized(recipe.width, recipe.height);
        let folder = tempfile::tempdir().unwrap();
        let render = |name: &str, open_encoder: OpenEncoder, encode_every_frame: bool| {
            let (path, never) = (folder.path().join(name), AtomicBool::new(false));
            let workers = NonZeroUsize::new(2);
            let options = RenderOptions { encode_every_frame, workers, ..RenderOptions::default() };
            let progress = &mut |_| {};
            let mut tracker = ProgressTracker::new(recipe.frames.len() as u32, progress, &never);
            let mp4 = Container::Mp4;
            render_with(open_encoder, &film, view, &recipe, mp4, &path, &options, None, &mut tracker)
                .unwrap();
            std::fs::read(path).unwrap()
        };
        let plain = render("plain.mp4", ChunkEncoder::new, true);
        assert!(render("misread.mp4", open_misread, false) == plain);
        assert!(render("repeats.mp4", ChunkEncoder::new, false) != plain, "this film has repeats");
    }
}
