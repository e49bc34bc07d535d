//! The processes beside the one of a test: the fork servers of its services, and workers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::{Read, Write};
use std::path::PathBuf;

use rondo_render::HugePages;
use rondo_server::start;
use settings::{Flags, read_settings};

mod settings;

#[global_allocator]
static MEMORY: HugePages = HugePages;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (Some("worker"), Some(fork_server), Some(flags)) => {
            work(fork_server.into(), &serde_json::from_str(&flags).unwrap());
            Ok(())
        }
        _ => rondo_jobs::run_fork_server(),
    }
}

/// Runs a service until its input ends. It writes a line when it has started.
#[tokio::main]
async fn work(fork_server: PathBuf, flags: &Flags) {
    let running = start(read_settings(&fork_server, flags)).await.unwrap();
    std::io::stdout().write_all(b"ready\n").unwrap();
    let waiting = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
    waiting.await.unwrap().unwrap();
    running.stop().await;
}
