//! The poster of a film: one frame as a small picture, drawn beside the film.

use std::path::{Path, PathBuf};

use crossbeam_channel::bounded;
use rondo_paint::Painter;
use rondo_pixels::Stop;
use rondo_scene::Scene;

use crate::bitmap_file::encode_jpeg;
use crate::contact_sheet::shrunk_to;
use crate::error::RenderError;
use crate::film::Film;
use crate::media::MediaLibrary;
use crate::progress::Progress;

/// A frame that is written to a JPEG file. A film without one is a film all the same.
#[derive(Clone, Debug)]
pub struct Poster {
    pub frame: u32,
    /// Most pixels of the longer side.
    pub side: u32,
    pub path: PathBuf,
}

impl Film {
    /// Writes a film, and its poster on another thread. The poster is begun when half of the film is finished: at the start it
    /// would delay the first chunks, and processes that wait for their tasks; at the end, the film.
    pub(crate) fn write_with_poster<T>(
        &self,
        poster: &Poster,
        progress: &mut dyn FnMut(Progress),
        write: impl FnOnce(&mut dyn FnMut(Progress)) -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        let Self { scene, stop, .. } = self;
        let library = self.library.fork();
        std::thread::scope(|scope| {
            let (begin, begun) = bounded(1);
            scope.spawn(move || {
                // Of a film that failed before, nothing is drawn.
                if begun.recv().is_ok()
                    && let Ok(bytes) = draw(scene, library, stop, poster)
                {
                    write_whole(&poster.path, &bytes);
                }
            });
            let made = write(&mut |now| {
                if now.frame >= now.total / 2 {
                    // A full channel means that it has begun.
                    let _ = begin.try_send(());
                }
                progress(now);
            })?;
            let _ = begin.try_send(());
            Ok(made)
        })
    }
}

fn draw(
    scene: &Scene,
    mut library: MediaLibrary,
    stop: &Stop,
    poster: &Poster,
) -> Result<Vec<u8>, RenderError> {
    let view = scene.view();
    let mut painter = Painter::new(view.width(), view.height());
    painter.stop_by(stop.clone());
    library.open_at(poster.frame, 0);
    let painted = painter.paint(&scene.frame(poster.frame), &mut library);
    painted.map_err(|error| library.explain(error))?;
    encode_jpeg(&shrunk_to(painter.bitmap().view(), poster.side))
}

/// Writes a file, or leaves none.
fn write_whole(path: &Path, bytes: &[u8]) {
    if std::fs::write(path, bytes).is_err() {
        let _ = std::fs::remove_file(path);
    }
}
