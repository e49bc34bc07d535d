//! Rendering to a file: frames are painted on this thread and encoded, with the sound, on another.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_media::audio::{CHANNELS, Mixer, frame_to_sample};
use rondo_media::{EncodeSettings, Encoder, I420, Quality};
use rondo_paint::{Painter, Yuv420};

use crate::cache::ChunkCache;
use crate::error::RenderError;
use crate::film::{Film, even_size};
use crate::sound;

/// Painted frames that may wait for the encoder.
const FRAMES_AHEAD: usize = 4;

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

type Picture = Arc<Yuv420>;

impl Film {
    /// Renders the film. `progress` is called on this thread after every frame and every finished chunk; setting `cancel` ends the render. Whatever goes wrong,
    /// no partial file is left.
    pub fn render(
        &mut self,
        output: &Output,
        options: &RenderOptions,
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Report, RenderError> {
        self.check_media()?;
        let started = Instant::now();
        let (width, height) = even_size(self.scene.width(), self.scene.height());
        let total = self.scene.duration();
        let mixer = match output {
            Output::Film(_) => sound::mixer(&self.composition, &self.library),
            Output::RawFrames(_) => None,
        };
        let sink = Sink::create(output, width, height, self.composition.fps, options, mixer)?;
        let (frames, pictures) = bounded::<Picture>(FRAMES_AHEAD);
        let (returns, used) = bounded::<Picture>(FRAMES_AHEAD + 2);
        let result = std::thread::scope(|scope| {
            let encoder = scope.spawn(move || sink.run(&pictures, &returns));
            let painted = self.paint_all(frames, &used, cancel, &mut |frame| {
                progress(Progress {
                    frame,
                    total,
                    chunks: ChunkCount::default(),
                    elapsed: started.elapsed(),
                });
            });
            // The channel is closed now, so the encoder ends.
            let encoded = encoder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match (painted, encoded) {
                // A dead encoder is why painting stopped: its reason is the one to tell.
                (Ok(Painting::EncoderGone), Ok(_)) => Err(RenderError::Cancelled),
                (Ok(Painting::Complete), Ok(sink)) => Ok(sink),
                (Err(error), _) | (Ok(_), Err(error)) => Err(error),
            }
        });
        let bytes = result?.finish()?;
        let elapsed = started.elapsed();
        Ok(Report {
            width,
            height,
            frames: total,
            bytes,
            chunks: ChunkCount::default(),
            cache_problem: None,
            elapsed,
        })
    }

    fn paint_all(
        &mut self,
        frames: Sender<Picture>,
        used: &Receiver<Picture>,
        cancel: &AtomicBool,
        done: &mut dyn FnMut(u32),
    ) -> Result<Painting, RenderError> {
        let (width, height) = (self.scene.width(), self.scene.height());
        let mut painter = Painter::new(width, height);
        let mut canvas = Yuv420::new(width, height);
        let mut last: Option<Picture> = None;
        for number in 0..self.scene.duration() {
            if cancel.load(Ordering::Relaxed) {
                return Err(RenderError::Cancelled);
            }
            let painted = painter.paint(&self.scene.frame(number), &mut self.library)?;
            let picture = match last.take() {
                Some(same) if painted.dirty.is_empty() => same,
                _ => {
                    canvas.update(painted.bitmap, painted.dirty);
                    snapshot(&canvas, used)
                }
            };
            last = Some(picture.clone());
            if frames.send(picture).is_err() {
                return Ok(Painting::EncoderGone);
            }
            done(number + 1);
        }
        Ok(Painting::Complete)
    }
}

enum Painting {
    Complete,
    EncoderGone,
}

/// A copy of the canvas for the encoder, in a buffer it has given back where there is one.
fn snapshot(canvas: &Yuv420, used: &Receiver<Picture>) -> Picture {
    for mut old in used.try_iter() {
        if let Some(buffer) = Arc::get_mut(&mut old) {
            buffer.y.copy_from_slice(&canvas.y);
            buffer.u.copy_from_slice(&canvas.u);
            buffer.v.copy_from_slice(&canvas.v);
            return old;
        }
    }
    Arc::new(canvas.clone())
}

/// Takes pictures in order and puts them, with the sound of the same time, into the file.
struct Sink {
    file: SinkFile,
    mixer: Option<Mixer>,
    fps: u32,
    frames: i64,
    samples: Vec<f32>,
}

enum SinkFile {
    Film(Encoder),
    Raw(RawFile),
}

impl Sink {
    fn create(
        output: &Output,
        width: u32,
        height: u32,
        fps: u32,
        options: &RenderOptions,
        mixer: Option<Mixer>,
    ) -> Result<Self, RenderError> {
        let file = match output {
            Output::Film(path) => SinkFile::Film(Encoder::create(
                path,
                EncodeSettings {
                    width,
                    height,
                    fps,
                    quality: options.quality,
                    threads: 2,
                    audio: mixer.is_some(),
                },
            )?),
            Output::RawFrames(path) => SinkFile::Raw(RawFile::create(path)?),
        };
        Ok(Self { file, mixer, fps, frames: 0, samples: Vec::new() })
    }

    fn run(mut self, pictures: &Receiver<Picture>, returns: &Sender<Picture>) -> Result<Self, RenderError> {
        for picture in pictures {
            match &mut self.file {
                SinkFile::Film(encoder) => encoder.push_video(&I420 {
                    y: &picture.y,
                    u: &picture.u,
                    v: &picture.v,
                    y_stride: picture.width as usize,
                    uv_stride: picture.width as usize / 2,
                })?,
                SinkFile::Raw(file) => file.write(&picture)?,
            }
            // Whether the painter wants the buffer back does not matter here.
            let _ = returns.try_send(picture);
            self.push_sound()?;
            self.frames += 1;
        }
        Ok(self)
    }

    /// Mixes the sound of the frame just written.
    fn push_sound(&mut self) -> Result<(), RenderError> {
        let (SinkFile::Film(encoder), Some(mixer)) = (&mut self.file, &mut self.mixer) else { return Ok(()) };
        let count = frame_to_sample(self.frames + 1, self.fps) - frame_to_sample(self.frames, self.fps);
        self.samples.resize(count as usize * CHANNELS, 0.0);
        mixer.mix(&mut self.samples)?;
        encoder.push_audio(&self.samples)?;
        Ok(())
    }

    /// Size of the finished file.
    fn finish(self) -> Result<u64, RenderError> {
        match self.file {
            SinkFile::Film(encoder) => Ok(encoder.finish()?.bytes),
            SinkFile::Raw(file) => file.finish(),
        }
    }
}

/// A file that is removed again unless it is finished.
struct RawFile {
    path: PathBuf,
    writer: Option<BufWriter<File>>,
    bytes: u64,
}

impl RawFile {
    fn create(path: &Path) -> Result<Self, RenderError> {
        let file = File::create(path).map_err(|e| unwritable(path, &e))?;
        Ok(Self { path: path.to_owned(), writer: Some(BufWriter::with_capacity(1 << 20, file)), bytes: 0 })
    }

    fn write(&mut self, picture: &Yuv420) -> Result<(), RenderError> {
        for plane in [&picture.y, &picture.u, &picture.v] {
            if let Some(writer) = &mut self.writer {
                writer.write_all(plane).map_err(|e| unwritable(&self.path, &e))?;
                self.bytes += plane.len() as u64;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<u64, RenderError> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|e| unwritable(&self.path, &e))?;
        }
        Ok(self.bytes)
    }
}

impl Drop for RawFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // Nothing better can be done with a file that will not go away.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> RenderError {
    RenderError::Unwritable { path: path.to_owned(), reason: error.to_string() }
}
