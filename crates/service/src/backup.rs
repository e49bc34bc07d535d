//! Backups: a copy of the database and of the files that cannot be made again, with a manifest of their hashes. A backup
//! can be taken while the service runs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use rondo_store::permissions::{create_private_folder, make_private};
use rondo_store::{Mismatch, Store, StoreError, Time, master_key};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::service::{FOLDER_ID, OpenError, open_store, store_settings};
use crate::settings::Settings;

const MANIFEST: &str = "manifest.json";
/// The file of the database in the data folder.
pub(crate) const DATABASE: &str = "rondo.db";
/// The folders of the data folder that are copied. The others are caches, previews and unfinished files.
const FOLDERS: [&str; 4] = ["outputs", "uploads", "templates", "voiceovers"];
/// Version of the manifest.
const FORMAT: u32 = 1;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{path} is not empty. Choose a new folder.")]
    NotEmpty { path: PathBuf },
    #[error("There is no database in {path}. Name the data folder of the service with --data.")]
    NoDatabase { path: PathBuf },
    #[error("{path} is not a complete backup: {reason}.")]
    NotABackup { path: PathBuf, reason: String },
    #[error("{path} differs from the manifest: the backup is damaged. Nothing was restored.")]
    Damaged { path: PathBuf },
    #[error(
        "The backup contains no database, because the service uses PostgreSQL. Restore the database with pg_restore and \
         name it with --database-url."
    )]
    NeedsPostgres,
    #[error(
        "The backup contains a SQLite database. Restore it without --database-url and RONDO_DATABASE_URL."
    )]
    NeedsSqlite,
    #[error("The ledger does not add up for {}. Do not use this copy.", subjects(.0))]
    Ledger(Vec<Mismatch>),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn subjects(mismatches: &[Mismatch]) -> String {
    let names: Vec<&str> = mismatches.iter().map(|mismatch| mismatch.subject.as_str()).collect();
    names.join(", ")
}

/// What a backup contains.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: u32,
    /// Version of the service.
    version: String,
    created_at: String,
    /// Whether the database is part of the backup. A PostgreSQL database is not.
    database: bool,
    /// Whether the key that decrypts the secrets in the database is part of the backup.
    master_key: bool,
    files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// Relative to the backup, and to the data folder.
    path: String,
    size: u64,
    sha256: String,
}

/// What was copied.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    files: usize,
    bytes: u64,
    database: bool,
    master_key: bool,
    /// What is left to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl Manifest {
    fn summary(&self, note: Option<&'static str>) -> Summary {
        Summary {
            files: self.files.len(),
            bytes: self.files.iter().map(|entry| entry.size).sum(),
            database: self.database,
            master_key: self.master_key,
            note,
        }
    }
}

/// Copies the data of the service to a new folder, and checks that the ledger of the copy adds up.
pub async fn backup(settings: &Settings, to: &Path, with_key: bool) -> Result<Summary, BackupError> {
    let sqlite = settings.database_url.is_none();
    if sqlite && !settings.data.join(DATABASE).is_file() {
        return Err(BackupError::NoDatabase { path: settings.data.clone() });
    }
    new_folder(to, &[])?;
    let store = open_store(settings).await?;
    // The database first: the files of its rows are then there to be copied.
    if sqlite {
        store.copy_to(&to.join(DATABASE)).await?;
        store.close().await;
        check_ledger(Store::open_folder(to, store_settings(settings)).await?).await?;
    } else {
        check_ledger(store).await?;
    }
    let mut manifest = Manifest {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: Time::now().rfc3339(),
        database: sqlite,
        master_key: with_key && settings.master_key.is_none(),
        files: Vec::new(),
    };
    let from = &settings.data;
    if manifest.database {
        manifest.files.push(describe(to, DATABASE)?);
    }
    if manifest.master_key {
        manifest.files.extend(copy(from, to, master_key::FILE)?);
    }
    for folder in FOLDERS {
        for name in names(&from.join(folder))? {
            manifest.files.extend(copy(from, to, &format!("{folder}/{name}"))?);
        }
    }
    // Processes on one database know the folder by it.
    if from.join(FOLDER_ID).is_file() {
        manifest.files.extend(copy(from, to, FOLDER_ID)?);
    }
    write_synced(&to.join(MANIFEST), &serde_json::to_vec_pretty(&manifest).map_err(StoreError::from)?)?;
    make_private(to).map_err(at(to))?;
    let note = match (sqlite, manifest.master_key) {
        (false, _) => Some("The database is not part of this backup. Back it up with pg_dump."),
        (true, false) => Some("The master key is not part of this backup. Keep it separately."),
        (true, true) => None,
    };
    Ok(manifest.summary(note))
}

/// Copies a backup to a new data folder, and checks hashes and ledger.
pub async fn restore(settings: &Settings, from: &Path) -> Result<Summary, BackupError> {
    let manifest = read_manifest(from)?;
    match (manifest.database, settings.database_url.is_some()) {
        (false, false) => return Err(BackupError::NeedsPostgres),
        (true, true) => return Err(BackupError::NeedsSqlite),
        _ => {}
    }
    let to = &settings.data;
    let existed = to.exists();
    // A key that is not part of the backup may already be there.
    new_folder(to, if manifest.master_key { &[] } else { &[master_key::FILE] })?;
    let restored = copy_back(settings, &manifest, from).await;
    if restored.is_err() {
        remove_copies(to, &manifest, existed);
    }
    restored.map(|()| manifest.summary(None))
}

async fn copy_back(settings: &Settings, manifest: &Manifest, from: &Path) -> Result<(), BackupError> {
    let to = &settings.data;
    for entry in &manifest.files {
        let copied = copy(from, to, &entry.path)?;
        if !copied.is_some_and(|copied| copied.size == entry.size && copied.sha256 == entry.sha256) {
            return Err(BackupError::Damaged { path: from.join(&entry.path) });
        }
    }
    make_private(to).map_err(at(to))?;
    check_ledger(open_store(settings).await?).await
}

/// Removes what a failed restore has copied, so that it can be tried again.
fn remove_copies(to: &Path, manifest: &Manifest, existed: bool) {
    let with_database = ["rondo.db-wal", "rondo.db-shm"].map(str::to_owned);
    for path in manifest.files.iter().map(|entry| entry.path.clone()).chain(with_database) {
        // A file that was not copied yet does not exist.
        let _ = fs::remove_file(to.join(path));
    }
    for folder in FOLDERS {
        let _ = fs::remove_dir(to.join(folder));
    }
    if !existed {
        let _ = fs::remove_dir(to);
    }
}

async fn check_ledger(store: Store) -> Result<(), BackupError> {
    let mismatches = store.audit().await;
    store.close().await;
    match mismatches? {
        none if none.is_empty() => Ok(()),
        some => Err(BackupError::Ledger(some)),
    }
}

fn read_manifest(from: &Path) -> Result<Manifest, BackupError> {
    let refused = |reason: String| BackupError::NotABackup { path: from.to_owned(), reason };
    let bytes = fs::read(from.join(MANIFEST)).map_err(|error| refused(format!("{MANIFEST}: {error}")))?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|error| refused(format!("{MANIFEST}: {error}")))?;
    if manifest.format != FORMAT {
        return Err(refused(format!("its format is {}, this version reads {FORMAT}", manifest.format)));
    }
    let stays_inside = |path: &str| {
        Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) && !path.is_empty()
    };
    match manifest.files.iter().find(|entry| !stays_inside(&entry.path)) {
        Some(entry) => Err(refused(format!("{MANIFEST} names the path {:?}", entry.path))),
        None => Ok(manifest),
    }
}

/// Creates a folder, or accepts one that contains nothing but `allowed` files.
fn new_folder(folder: &Path, allowed: &[&str]) -> Result<(), BackupError> {
    create_private_folder(folder).map_err(at(folder))?;
    match names(folder)?.iter().all(|name| allowed.contains(&name.as_str())) {
        true => Ok(()),
        false => Err(BackupError::NotEmpty { path: folder.to_owned() }),
    }
}

/// The names in a folder, sorted; none if it does not exist.
fn names(folder: &Path) -> Result<Vec<String>, BackupError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(at(folder))?,
    };
    let names: io::Result<Vec<String>> =
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect();
    let mut names = names.map_err(at(folder))?;
    names.sort();
    Ok(names)
}

/// Copies a file. `None` if it is no longer there, for example because its retention ended.
fn copy(from: &Path, to: &Path, path: &str) -> Result<Option<Entry>, BackupError> {
    let (source, target) = (from.join(path), to.join(path));
    let mut input = match File::open(&source) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        input => input.map_err(at(&source))?,
    };
    if let Some(folder) = target.parent() {
        create_private_folder(folder).map_err(at(folder))?;
    }
    let mut output = File::create(&target).map_err(at(&target))?;
    let (size, sha256) = pump(&mut input, &mut output).map_err(at(&target))?;
    output.sync_all().map_err(at(&target))?;
    Ok(Some(Entry { path: path.to_owned(), size, sha256 }))
}

fn describe(folder: &Path, path: &str) -> Result<Entry, BackupError> {
    let file = folder.join(path);
    let mut input = File::open(&file).map_err(at(&file))?;
    let (size, sha256) = pump(&mut input, &mut io::sink()).map_err(at(&file))?;
    Ok(Entry { path: path.to_owned(), size, sha256 })
}

/// Copies everything. Returns the number of bytes and their hash.
fn pump(input: &mut impl Read, output: &mut impl Write) -> io::Result<(u64, String)> {
    let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let read = input.read(&mut buffer)?;
        if read == 0 {
            let digest = hash.finalize();
            return Ok((size, digest.iter().map(|byte| format!("{byte:02x}")).collect()));
        }
        hash.update(&buffer[..read]);
        output.write_all(&buffer[..read])?;
        size += read as u64;
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), BackupError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(at(path))
}

fn at(path: &Path) -> impl Fn(io::Error) -> BackupError + '_ {
    |source| BackupError::File { path: path.to_owned(), source }
}
