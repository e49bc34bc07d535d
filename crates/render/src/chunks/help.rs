//! Renders chunks of a film that another process joins.

use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Sender, unbounded};
use rondo_media::ChunkEncoder;
use rondo_scene::View;

use super::film::{context, worker_count};
use super::worker::{Event, WorkerContext};
use crate::error::RenderError;
use crate::film::Film;
use crate::format::Recipe;
use crate::frame_painter::FramePainter;
use crate::options::RenderOptions;
use crate::watchdog::OverlayCosts;

/// Renders tasks until there are none left for this process. Returns how many chunks it rendered.
pub(crate) fn help(
    film: &Film,
    view: View<'_>,
    recipe: &Recipe,
    options: &RenderOptions,
    costs: Option<&OverlayCosts>,
    cancel: &AtomicBool,
) -> Result<u32, RenderError> {
    let context = context(ChunkEncoder::new, film, view, recipe, options, costs, cancel)?;
    let context = WorkerContext { helps: true, ..context };
    let (tell, events) = unbounded();
    // Closing it ends the workers.
    let (open, film_ends): (Sender<usize>, _) = unbounded();
    std::thread::scope(|scope| {
        for _ in 0..worker_count(options).min(context.plan.len()) {
            let (context, film_ends, tell) = (&context, film_ends.clone(), tell.clone());
            let painter =
                FramePainter::new(view, film.library.fork(), context.settings.takes_planes(), costs);
            scope.spawn(move || context.work(painter, &film_ends, &tell));
        }
        drop(tell);
        let mut rendered = 0;
        let mut failed = None;
        for event in &events {
            match event {
                Event::Frame => {}
                Event::Chunk { rendered: here, .. } => {
                    context.unread.fetch_sub(1, Ordering::Relaxed);
                    rendered += u32::from(here);
                }
                Event::Failed(error) => {
                    context.stop.set();
                    failed.get_or_insert(error);
                }
            }
        }
        drop(open);
        failed.map_or(Ok(rendered), Err)
    })
}
