//! Moves the files of a service from the data folder into a bucket. What was interrupted goes on where it stopped.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;

use rondo_store::{Files, Store, StoreError};
use serde::Serialize;

use crate::backup::DATABASE;
use crate::service::{OpenError, files_of, new_bucket_id, open_store};
use crate::settings::Settings;

/// The file of the data folder with the names of what was moved.
const MOVED: &str = "moved-files";

/// What was moved.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    pub files: u64,
    pub bytes: u64,
    /// Files that were moved before.
    pub before: u64,
    /// Whether the service can be started with the bucket, and only with it.
    pub finished: bool,
}

/// Copies outputs, uploads and narrations into the bucket of the settings, and compares each by its hash. Once no process of the
/// service runs, it notes in the database that the files are there. The folder keeps its files.
pub async fn move_files(settings: &Settings, mut moved: impl FnMut(&str, u64)) -> Result<Summary, OpenError> {
    if settings.database_url.is_none() && !settings.data.join(DATABASE).is_file() {
        return Err(OpenError::NoDatabase { path: settings.data.clone() });
    }
    let store = open_store(settings).await?;
    let files = files_of(settings)?;
    let summary = copy(&store, &files, settings, &mut moved).await;
    store.close().await;
    summary
}

async fn copy(
    store: &Store,
    files: &Files,
    settings: &Settings,
    moved: &mut impl FnMut(&str, u64),
) -> Result<Summary, OpenError> {
    let foreign = || OpenError::ForeignBucket { bucket: bucket_name(settings) };
    let path = settings.data.join(MOVED);
    let unwritable = |source| StoreError::File { path: path.clone(), source };
    let before = store.known_files_id().await?;
    let there = files.known_bucket_id().await?;
    if there.is_some() && there == before {
        return Ok(Summary { before: files.in_folder()?.len() as u64, finished: true, ..Summary::default() });
    }
    // The first line names the bucket and the id that it gets. What was moved to another bucket counts for nothing.
    let list = fs::read_to_string(&path).unwrap_or_default();
    let mut lines = list.lines();
    let noted =
        lines.next().and_then(|line| line.split_once(' ')).filter(|(_, name)| *name == bucket_name(settings));
    if there.is_some() && there.as_deref() != noted.map(|(id, _)| id) {
        return Err(foreign());
    }
    let known: HashSet<&str> = if noted.is_some() { lines.collect() } else { HashSet::new() };
    let id = noted.map_or_else(new_bucket_id, |(id, _)| id.to_owned());
    let mut list = OpenOptions::new().create(true).append(true).open(&path).map_err(unwritable)?;
    if noted.is_none() {
        list.set_len(0).map_err(unwritable)?;
        writeln!(list, "{id} {}", bucket_name(settings)).map_err(unwritable)?;
        list.sync_all().map_err(unwritable)?;
    }
    let mut summary = Summary::default();
    let names = files.in_folder()?;
    let is_there = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).is_ok();
    for gone in known.iter().filter(|name| !is_there(name)) {
        files.remove_from_bucket(gone).await?;
    }
    for name in names {
        if known.contains(name.as_str()) {
            summary.before += 1;
            continue;
        }
        let bytes = match files.copy_to_bucket(&name).await {
            Ok(bytes) => bytes,
            // It was deleted meanwhile.
            Err(StoreError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                files.remove_from_bucket(&name).await?;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        writeln!(list, "{name}").map_err(unwritable)?;
        summary.files += 1;
        summary.bytes += bytes;
        moved(&name, bytes);
    }
    list.sync_all().map_err(unwritable)?;
    // A service that runs goes on to write to the folder.
    if !store.workers().await?.is_empty() {
        return Ok(summary);
    }
    if files.bucket_id(&id).await? != id {
        return Err(foreign());
    }
    store.set_files_id(&id).await?;
    Ok(Summary { finished: true, ..summary })
}

fn bucket_name(settings: &Settings) -> String {
    settings.files.as_ref().map_or_else(String::new, |bucket| format!("{bucket:?}"))
}
