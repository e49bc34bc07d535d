//! Workers: each takes chunks in order, looks them up or renders them, and delivers them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rondo_media::{ChunkEncoder, EncodedChunk, MediaError, PictureSettings};
use rondo_pixels::Stop;

use super::plan::{ChunkKey, Plan};
use super::pool::{ChunkPool, Lookup};
use super::tasks::{ChunkTasks, next_task};
use crate::error::RenderError;
use crate::frame_painter::{Canvas, FRAMES_AHEAD, FramePainter};
use crate::media::MediaLibrary;
use crate::timings::note_encoded;
use crate::watchdog::OverlayCosts;

/// Delay before a chunk that another process renders is looked up again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// An event from a worker.
pub(crate) enum Event {
    /// A frame was painted.
    Frame,
    Chunk {
        number: usize,
        chunk: Arc<EncodedChunk>,
        /// Whether it was rendered for this position in the film.
        rendered: bool,
    },
    Failed(RenderError),
}

/// Opens the encoder of a chunk with a number of frames.
pub(crate) type OpenEncoder = fn(&PictureSettings, u32) -> Result<ChunkEncoder, MediaError>;

/// What the workers of a render share.
pub(crate) struct WorkerContext<'a> {
    pub plan: Plan<'a>,
    pub pool: ChunkPool,
    /// Where chunks are taken from if other processes render some of them.
    pub tasks: Option<Arc<dyn ChunkTasks>>,
    /// Another process joins the film.
    pub helps: bool,
    /// Finished chunks that nobody has looked at yet. They are in memory.
    pub unread: AtomicUsize,
    /// Set when the film is complete: chunks that are rendered twice are no longer needed.
    pub done: AtomicBool,
    pub settings: PictureSettings,
    pub open_encoder: OpenEncoder,
    /// Set by the caller to cancel the render.
    pub cancel: &'a AtomicBool,
    /// Set when the render is to end: another worker or writing the film failed, or it takes more than it may.
    pub stop: Stop,
    /// Where painting time is counted, if it is.
    pub costs: Option<&'a OverlayCosts>,
}

/// Messages from the painter to the encoder: the start of a chunk, then each of its frames.
enum Job {
    Chunk(ChunkKey, usize),
    Frame(Canvas),
}

/// Reports a panicking worker, so that no other thread waits for its chunk. The panic itself is propagated when the render
/// ends.
pub(crate) struct PanicReport<'a>(pub &'a Sender<Event>);

impl Drop for PanicReport<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::Failed(RenderError::Cancelled));
        }
    }
}

impl WorkerContext<'_> {
    /// Works off chunks until there are no more numbers: paints them here, and encodes them on a thread beside. While the
    /// encoder finishes a chunk, the first frames of the next are painted.
    pub fn work(&self, mut painter: FramePainter<'_>, numbers: &Receiver<usize>, events: &Sender<Event>) {
        let _report = PanicReport(events);
        let (jobs, taken) = bounded(FRAMES_AHEAD);
        let (returns, library) = (painter.returns(), painter.fork_library());
        std::thread::scope(|scope| {
            scope.spawn(move || self.encode(&taken, &returns, &library, events));
            let mut later = VecDeque::new();
            while let Some(number) = self.next(numbers, &mut later) {
                match self.make(&mut painter, number, &jobs, events) {
                    Ok(elsewhere) => later.extend(elsewhere),
                    Err(error) => {
                        // The receiver is gone if the render has ended.
                        let _ = events.send(Event::Failed(error));
                        break;
                    }
                }
            }
            drop(jobs);
        });
    }

    /// The index of the next chunk: a new one, or after a delay one that another process had claimed.
    fn next(&self, numbers: &Receiver<usize>, later: &mut VecDeque<usize>) -> Option<usize> {
        if let Some(tasks) = &self.tasks {
            return next_task(self, &**tasks, numbers);
        }
        if later.is_empty() {
            return numbers.recv().ok();
        }
        match numbers.recv_timeout(LOOK_AGAIN) {
            Ok(number) => Some(number),
            Err(RecvTimeoutError::Timeout) => later.pop_front(),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Finds a chunk or paints it; returns the numbers of those that another process is making.
    fn make(
        &self,
        painter: &mut FramePainter<'_>,
        number: usize,
        jobs: &Sender<Job>,
        events: &Sender<Event>,
    ) -> Result<Vec<usize>, RenderError> {
        self.check_cancelled()?;
        // A process that cuts the film differently has a chunk that this one has not.
        if number >= self.plan.len() {
            return Err(RenderError::OtherChunks);
        }
        let key = self.plan.key(number);
        // The key of a render that is stopped is not whole.
        self.check_cancelled()?;
        match self.pool.find(key, number) {
            Lookup::Ready(chunk) => {
                if let Some(tasks) = &self.tasks {
                    tasks.found(&key.to_string());
                }
                self.deliver(key, number, chunk, false, events);
            }
            Lookup::Pending => {}
            // A task is claimed already, so it is that of another chunk.
            Lookup::Elsewhere(_) if self.tasks.is_some() => return Err(RenderError::OtherChunks),
            Lookup::Elsewhere(numbers) => return Ok(numbers),
            Lookup::Missing => {
                // An encoder that failed has reported why.
                jobs.send(Job::Chunk(key, number)).map_err(|_| RenderError::Cancelled)?;
                for frame in self.plan.frames(number) {
                    self.check_cancelled()?;
                    let picture = painter.paint(frame)?;
                    jobs.send(Job::Frame(picture)).map_err(|_| RenderError::Cancelled)?;
                    events.send(Event::Frame).map_err(|_| RenderError::Cancelled)?;
                }
            }
        }
        Ok(Vec::new())
    }

    pub fn check_cancelled(&self) -> Result<(), RenderError> {
        let over =
            self.cancel.load(Ordering::Relaxed) || self.stop.is_set() || self.done.load(Ordering::Relaxed);
        if over { Err(RenderError::Cancelled) } else { Ok(()) }
    }

    fn encode(
        &self,
        jobs: &Receiver<Job>,
        returns: &Sender<Canvas>,
        library: &MediaLibrary,
        events: &Sender<Event>,
    ) {
        while let Ok(Job::Chunk(key, number)) = jobs.recv() {
            let encoded = match self.encoded(number, jobs, returns) {
                Err(RenderError::Encode(MediaError::RepeatsUnsupported { .. })) => {
                    self.encoded_without_repeats(number, library).map(Some)
                }
                encoded => encoded,
            };
            match encoded {
                Ok(Some(chunk)) => {
                    let kept = self.pool.keep(key, &chunk);
                    // The other processes, and this one later, read it from the cache.
                    if let Some(error) = kept.err().filter(|_| self.tasks.is_some()) {
                        let _ = events.send(Event::Failed(error));
                        return;
                    }
                    self.deliver(key, number, Arc::new(chunk), true, events);
                }
                Ok(None) => return,
                Err(error) => {
                    let _ = events.send(Event::Failed(error));
                    return;
                }
            }
        }
    }

    /// `None` when not all of its frames were painted.
    fn encoded(
        &self,
        number: usize,
        jobs: &Receiver<Job>,
        returns: &Sender<Canvas>,
    ) -> Result<Option<EncodedChunk>, RenderError> {
        let frames = self.plan.frames(number).len();
        let mut encoder = (self.open_encoder)(&self.settings, frames as u32)?;
        let mut failure = None;
        for _ in 0..frames {
            let Ok(Job::Frame(picture)) = jobs.recv() else { return Ok(None) };
            // After a failure the remaining frames are received and dropped: the next job is another chunk.
            if failure.is_none() {
                failure = picture.encode(&mut encoder).err();
            }
            if encoder.has_output() {
                note_encoded();
            }
            // A full channel only means that the buffer is not reused.
            let _ = returns.try_send(picture);
        }
        let chunk = match failure {
            None => encoder.finish()?,
            Some(error) => return Err(error.into()),
        };
        note_encoded();
        Ok(Some(chunk))
    }

    /// Paints a chunk again and encodes every frame of it, because repeated frames could not be written.
    fn encoded_without_repeats(
        &self,
        number: usize,
        library: &MediaLibrary,
    ) -> Result<EncodedChunk, RenderError> {
        let settings = PictureSettings { repeat_frames: false, ..self.settings };
        let frames = self.plan.frames(number);
        let mut encoder = (self.open_encoder)(&settings, frames.len() as u32)?;
        let planes = settings.takes_planes();
        let mut painter = FramePainter::new(self.plan.view(), library.fork(), planes, self.costs);
        let returns = painter.returns();
        for frame in frames {
            self.check_cancelled()?;
            let picture = painter.paint(frame)?;
            picture.encode(&mut encoder)?;
            let _ = returns.try_send(picture);
        }
        Ok(encoder.finish()?)
    }

    /// Delivers a chunk, for its own index and for those that waited for it.
    fn deliver(
        &self,
        key: ChunkKey,
        number: usize,
        chunk: Arc<EncodedChunk>,
        rendered: bool,
        events: &Sender<Event>,
    ) {
        for waited in self.pool.put(key, &chunk) {
            self.unread.fetch_add(1, Ordering::Relaxed);
            let _ = events.send(Event::Chunk { number: waited, chunk: chunk.clone(), rendered: false });
        }
        self.unread.fetch_add(1, Ordering::Relaxed);
        let _ = events.send(Event::Chunk { number, chunk, rendered });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_panic_is_reported() {
        let (tell, events) = crossbeam_channel::unbounded();
        let worker = std::thread::spawn(move || {
            let _report = PanicReport(&tell);
            // Like a panic, without its message.
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(worker.join().is_err());
        assert!(matches!(events.try_recv(), Ok(Event::Failed(_))));
        let (tell, events) = crossbeam_channel::unbounded();
        drop(PanicReport(&tell));
        assert!(events.is_empty(), "one that ends in peace has nothing to tell");
    }
}
