//! Tasks that run beside the operations: render workers, webhook deliveries, copies, retention, heartbeats, signals and the gallery.

mod arrivals;
mod copies;
mod delivery;
mod gallery;
mod helper;
mod newer;
mod parts;
mod report;
mod result;
mod retention;
mod segments;
mod signals;
mod streams;
mod watch;
mod worker;

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::service::Service;

/// Starts the tasks that the role of this process asks for.
pub fn start(service: &Arc<Service>, tasks: &mut JoinSet<()>) {
    if service.settings.role.answers() {
        tasks.spawn(delivery::run(service.clone()));
        tasks.spawn(copies::run(service.clone()));
        tasks.spawn(retention::run(service.clone()));
        if service.uploads.direct {
            tasks.spawn(arrivals::run(service.clone()));
        }
    }
    tasks.spawn(report::run(service.clone()));
    tasks.spawn(retention::tidy(service.clone()));
    tasks.spawn(streams::run(service.clone()));
    if service.store.is_server() {
        tasks.spawn(signals::send(service.clone()));
        tasks.spawn(signals::listen(service.clone()));
    }
    if service.settings.role.renders() {
        tasks.spawn(worker::run(service.clone()));
        if service.settings.builds_gallery {
            tasks.spawn(gallery::run(service.clone()));
        }
    }
}
