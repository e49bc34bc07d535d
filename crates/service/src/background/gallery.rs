//! Makes the pictures and then the preview films of the included templates, where they are missing or out of date: one at a
//! time, in child processes of the lowest priority, after what users ask for.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rondo_composition::Composition;
use rondo_jobs::{DrawnPicture, Job, Limits, Look, PicturesJob, Priority, Request};
use rondo_store::{Draft, Files};
use tokio::time::{Instant, sleep};

use crate::film::{Control, FilmOrder, make};
use crate::gallery::{FILM_SIDE, Gallery, PICTURE_SIDE, Piece, stamp};
use crate::service::Service;
use crate::templates::{self, Shipped};

/// Time between two looks at whether another process is still at it.
const OTHERS: Duration = Duration::from_secs(30);
/// Time between two looks at what users wait for, and how long the gallery waits for them: a service that is always busy gets
/// one too.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest time for a picture in seconds.
const PICTURE_SECONDS: u64 = 120;

/// Runs until the gallery is complete, or the service ends.
pub async fn run(service: Arc<Service>) {
    tokio::select! {
        () = build(&service) => {}
        () = service.queue.stopping.cancelled() => {}
    }
}

async fn build(service: &Service) {
    let gallery = open(&service.media.files).await;
    let public_url = service.links.public_url().to_owned();
    let reading = tokio::task::spawn_blocking(move || read_all(&public_url));
    let wanted = reading.await.unwrap_or_default();
    let mut made = 0;
    for piece in [Piece::Picture, Piece::Film] {
        for template in &wanted {
            match gallery.has(&template.id, piece, &template.stamp).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "failed to look for a piece of the gallery"),
            }
            wait_for_users(service).await;
            let kept = match draw(service, template, piece).await {
                Ok(draft) => {
                    let kept = gallery.keep(draft, &template.id, piece, &template.stamp).await;
                    kept.map_err(|error| error.to_string())
                }
                Err(reason) => Err(reason),
            };
            match kept {
                Ok(()) => made += 1,
                // It is tried again at the next start.
                Err(reason) => {
                    tracing::error!(
                        template = template.id,
                        ?piece,
                        reason,
                        "failed to make a piece of the gallery"
                    )
                }
            }
        }
    }
    if made > 0 {
        tracing::info!(made, "the gallery of templates is complete");
    }
}

/// The gallery, as soon as no other process has it.
async fn open(files: &Files) -> Gallery {
    loop {
        match Gallery::open(files) {
            Ok(Some(gallery)) => return gallery,
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "failed to open the gallery of templates"),
        }
        sleep(OTHERS).await;
    }
}

/// An included template, and what its pieces are made from.
struct Wanted {
    id: String,
    composition: Composition,
    poster: u32,
    stamp: String,
}

fn read_all(public_url: &str) -> Vec<Wanted> {
    let read = |folder: &Path| -> Result<Wanted, String> {
        let Shipped { id, composition, poster, .. } = templates::read(folder, public_url)?;
        Ok(Wanted { id, composition, poster, stamp: stamp(folder).map_err(|error| error.to_string())? })
    };
    // Those that cannot be read were reported when the service started.
    templates::folders().unwrap_or_default().iter().filter_map(|folder| read(folder).ok()).collect()
}

/// Waits while renders run or wait, for a while, and while the disk is full.
async fn wait_for_users(service: &Service) {
    let end = Instant::now() + PATIENCE;
    loop {
        let running = service.metrics.renders_running.load(Ordering::Relaxed) > 0;
        let busy = running || service.store.renders_waiting().await.is_ok_and(|waiting| waiting > 0);
        if (!busy || Instant::now() > end) && service.media.files.has_room() {
            return;
        }
        sleep(LOOK_AGAIN).await;
    }
}

async fn draw(service: &Service, template: &Wanted, piece: Piece) -> Result<Draft, String> {
    let draft = service.media.files.draft();
    match piece {
        Piece::Picture => draw_picture(service, template, draft.path()).await?,
        Piece::Film => {
            let order = FilmOrder {
                composition: template.composition.clone(),
                shorter_side: Some(FILM_SIDE),
                workers: NonZeroUsize::new(1),
                priority: Priority::Background,
                ..FilmOrder::default()
            };
            let made = make(&service.media, order, draft.path(), &Control::default()).await;
            made.map_err(|error| error.to_string())?;
        }
    }
    Ok(draft)
}

async fn draw_picture(service: &Service, template: &Wanted, to: &Path) -> Result<(), String> {
    let Wanted { composition, poster, .. } = template;
    let gathered = service.media.gather(composition, &service.queue.stopping).await;
    let (width, height) = (u64::from(composition.width), u64::from(composition.height));
    let (side, longer) = (u64::from(PICTURE_SIDE), width.max(height).max(1));
    let job = PicturesJob {
        composition: composition.write(),
        media: gathered.media_files(),
        frames: vec![*poster],
        look: Look::Fitted {
            sheet: false,
            pixels: width * height * side * side / (longer * longer),
            png: true,
        },
        leave_out: false,
        seconds: PICTURE_SECONDS,
    };
    let isolation = &service.media.isolation;
    let request = Request {
        files: gathered.open_files(),
        job: Job::Pictures(Box::new(job)),
        limits: Limits { priority: Priority::Background, ..isolation.limits(PICTURE_SECONDS) },
        chunks: None,
    };
    let done = isolation.run(request, |_| {}, ()).await.map_err(|error| error.to_string())?;
    done.take_file(&DrawnPicture::file(0), to).map_err(|error| error.to_string())
}
