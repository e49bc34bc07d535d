//! Still images, and image sequences in a ZIP archive or a folder. They have no chunks: every image is independent.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crossbeam_channel::bounded;
use rondo_media::{Quality, jpeg, straight, webp};
use rondo_pixels::BitmapRef;

use crate::error::RenderError;
use crate::format::{Format, Recipe};
use crate::frame_painter::{Canvas, FRAMES_AHEAD, FramePainter};
use crate::media::io_reason;
use crate::options::Output;
use crate::partial::Partial;
use crate::png;
use crate::progress::ProgressTracker;
use crate::zip::Archive;

/// Writes the images; returns their size in bytes.
pub(crate) fn render(
    mut painter: FramePainter<'_>,
    recipe: &Recipe,
    opaque: bool,
    output: &Output,
    progress: &mut ProgressTracker<'_>,
) -> Result<u64, RenderError> {
    let encoder =
        ImageEncoder { format: recipe.format, quality: recipe.quality, alpha: recipe.keeps_alpha(opaque) };
    let mut target = match output {
        Output::Folder(path) => Target::folder(path)?,
        Output::File(path) | Output::RawFrames(path) if recipe.is_sequence() => Target::archive(path)?,
        Output::File(path) | Output::RawFrames(path) => Target::single(path),
    };
    let cancel = progress.cancel;
    let returns = painter.returns();
    let (give, painted) = bounded::<Result<(u32, Canvas), RenderError>>(FRAMES_AHEAD);
    std::thread::scope(|scope| {
        let frames = recipe.frames.clone();
        scope.spawn(move || {
            for frame in frames {
                let canvas = painter.paint(frame).map(|canvas| (frame, canvas));
                let failed = canvas.is_err() || cancel.load(std::sync::atomic::Ordering::Relaxed);
                // The receiver is gone if the render has ended.
                if give.send(canvas).is_err() || failed {
                    break;
                }
            }
        });
        for canvas in painted {
            let (frame, canvas) = canvas?;
            if let Some(picture) = canvas.rgba() {
                target
                    .add(&format!("frame-{frame:06}.{}", recipe.format.name()), &encoder.encode(&picture)?)?;
            }
            let _ = returns.try_send(canvas);
            progress.add(1)?;
        }
        Ok::<(), RenderError>(())
    })?;
    progress.add(0)?;
    target.finish()
}

/// Encodes frames as image files.
struct ImageEncoder {
    format: Format,
    quality: Quality,
    alpha: bool,
}

impl ImageEncoder {
    fn encode(&self, picture: &BitmapRef<'_>) -> Result<Vec<u8>, RenderError> {
        match self.format {
            Format::Jpg => {
                let percent = match self.quality {
                    Quality::Draft => 75,
                    Quality::Standard => 90,
                    Quality::High => 97,
                };
                Ok(jpeg(picture, percent)?)
            }
            Format::WebP => Ok(webp(picture, self.quality)?),
            _ if self.alpha => {
                let pixels = straight(picture.pixels);
                Ok(png::encode(picture.width, picture.height, &pixels, png::Alpha::Kept)?)
            }
            _ => Ok(png::encode(picture.width, picture.height, picture.pixels, png::Alpha::LeftOut)?),
        }
    }
}

/// The destination of images. Unfinished output is removed.
enum Target {
    Single { path: PathBuf, bytes: u64 },
    Archive(Archive<BufWriter<File>>, Partial),
    Folder { written: Vec<PathBuf>, path: PathBuf, bytes: u64, finished: bool },
}

impl Target {
    fn single(path: &Path) -> Self {
        Self::Single { path: path.to_owned(), bytes: 0 }
    }

    fn archive(target: &Path) -> Result<Self, RenderError> {
        let partial = Partial::new(target);
        let file = File::create(&partial.path).map_err(|e| unwritable(target, &e))?;
        Ok(Self::Archive(Archive::new(BufWriter::with_capacity(1 << 20, file)), partial))
    }

    fn folder(path: &Path) -> Result<Self, RenderError> {
        fs::create_dir_all(path).map_err(|e| unwritable(path, &e))?;
        Ok(Self::Folder { written: Vec::new(), path: path.to_owned(), bytes: 0, finished: false })
    }

    fn add(&mut self, name: &str, file: &[u8]) -> Result<(), RenderError> {
        match self {
            Self::Single { path, bytes } => {
                *bytes = file.len() as u64;
                let partial = Partial::new(path);
                fs::write(&partial.path, file)
                    .and_then(|()| partial.finish())
                    .map_err(|e| unwritable(path, &e))
            }
            Self::Archive(archive, partial) => {
                archive.add(name, file).map_err(|e| unwritable(&partial.target, &e))
            }
            Self::Folder { written, path, bytes, .. } => {
                *bytes += file.len() as u64;
                let place = path.join(name);
                written.push(place.clone());
                fs::write(&place, file).map_err(|e| unwritable(&place, &e))
            }
        }
    }

    fn finish(mut self) -> Result<u64, RenderError> {
        match &mut self {
            Self::Single { bytes, .. } => Ok(*bytes),
            Self::Folder { bytes, finished, .. } => {
                *finished = true;
                Ok(*bytes)
            }
            Self::Archive(archive, partial) => archive
                .finish()
                .and_then(|()| archive.get_mut().flush())
                .and_then(|()| partial.finish())
                .and_then(|()| fs::metadata(&partial.target))
                .map(|facts| facts.len())
                .map_err(|e| unwritable(&partial.target, &e)),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Self::Folder { written, finished: false, .. } = self {
            for path in written {
                // A failure to remove it cannot be handled.
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> RenderError {
    RenderError::Unwritable { path: path.to_owned(), reason: io_reason(error) }
}
