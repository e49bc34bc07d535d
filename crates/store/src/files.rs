//! Files: where they are, and writing them atomically. Outputs, uploads, narrations and pictures of templates are shared by all
//! processes of the service: they are in the data folder or in a bucket. The rest belongs to this machine.

mod arrivals;
mod media;
mod previews;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::bucket::Bucket;
use crate::file_parts::FileParts;
use crate::{Result, StoreError, id};

/// The folder of outputs, uploads, previews, voiceovers and fetched media. File names derive from ids or hashes,
/// never from user input.
#[derive(Clone, Debug)]
pub struct Files {
    root: Arc<Path>,
    /// Where shared files are, if not in the folder.
    bucket: Option<Arc<Bucket>>,
    /// Bytes of the disk that are reserved.
    min_free: u64,
}

/// Folders of shared files.
const SHARED: [&str; 4] = ["outputs", "uploads", "templates", "voiceovers"];
/// Those whose files cannot be made again.
const MOVED: [&str; 3] = ["outputs", "uploads", "voiceovers"];
/// Folders of what belongs to this machine. In `copies` are files of the bucket.
const OWN: [&str; 5] = ["parts", "previews", "media", "drafts", "copies"];

/// How long a copy may be read after it was asked for.
const IN_USE: Duration = Duration::from_secs(3600);

/// The folders of a bucket: public files, the stamps of some, and finished chunks of films.
const PUBLIC: &str = "files";
const STAMPS: &str = "stamps";
const CHUNKS: &str = "chunks";
/// The file with the id of the bucket.
const ID: &str = "folder-id";

impl Files {
    /// Opens the folder and creates missing subfolders.
    pub fn open(root: &Path) -> Result<Self> {
        for folder in SHARED.into_iter().chain(OWN) {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(|source| StoreError::File { path, source })?;
        }
        Ok(Self { root: root.into(), bucket: None, min_free: 0 })
    }

    /// Shared files are in a bucket.
    pub fn with_bucket(self, bucket: Bucket) -> Self {
        Self { bucket: Some(Arc::new(bucket)), ..self }
    }

    /// Reserves space on the disk: [`Files::has_room`] is false while less is free.
    pub fn with_min_free(self, min_free: u64) -> Self {
        Self { min_free, ..self }
    }

    /// Whether the disk has room for new files. A disk that does not tell has.
    pub fn has_room(&self) -> bool {
        self.min_free == 0 || free_disk(&self.root).map_or(true, |free| free >= self.min_free)
    }

    /// Whether the bucket is new, while uploads or outputs are in the folder.
    pub async fn leaves_files_behind(&self) -> Result<bool> {
        let Some(bucket) = &self.bucket else { return Ok(false) };
        let has_files =
            |folder: &str| fs::read_dir(self.root.join(folder)).is_ok_and(|mut files| files.next().is_some());
        Ok(MOVED.into_iter().any(has_files) && bucket.facts(ID).await?.is_none())
    }

    /// The id of the bucket, if it has one.
    pub async fn known_bucket_id(&self) -> Result<Option<String>> {
        let Some(bucket) = &self.bucket else { return Ok(None) };
        let id = bucket.head(ID, 100).await?;
        Ok(id.map(|id| String::from_utf8_lossy(&id).trim().to_owned()))
    }

    /// The id of the bucket, which becomes `new` if it has none; `new` where files are in the folder.
    pub async fn bucket_id(&self, new: &str) -> Result<String> {
        match &self.bucket {
            Some(bucket) => bucket.put_once(ID, new).await,
            None => Ok(new.to_owned()),
        }
    }

    /// Removes a file from the bucket that is no longer in the folder.
    pub async fn remove_from_bucket(&self, name: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.delete(&public(name)).await,
            None => Ok(()),
        }
    }

    /// The name of a render's poster.
    pub fn poster(render_id: &str) -> String {
        format!("{render_id}-poster.jpg")
    }

    /// A shared file as one on this machine, if it exists: a film `job_…`, an upload `upl_…`, a piece of the gallery `tpl_…` or a
    /// narration `voi_…`.
    pub async fn find(&self, name: &str) -> Result<Option<PathBuf>> {
        let Ok(place) = self.shared(name) else { return Ok(None) };
        let Some(bucket) = &self.bucket else { return Ok(place.is_file().then_some(place)) };
        let copy = self.own("copies", name)?;
        if !copy.is_file() && !self.has_room() {
            let source = io::Error::from(io::ErrorKind::StorageFull);
            return Err(StoreError::File { path: copy, source });
        }
        let draft = self.draft();
        Ok(bucket.fetch(&public(name), &copy, draft.path()).await?.then_some(copy))
    }

    /// Bytes of a shared file, if it exists.
    pub async fn size(&self, name: &str) -> Result<Option<u64>> {
        let Ok(place) = self.shared(name) else { return Ok(None) };
        match &self.bucket {
            Some(bucket) => Ok(bucket.facts(&public(name)).await?.map(|facts| facts.size)),
            None => Ok(fs::metadata(place).ok().filter(fs::Metadata::is_file).map(|facts| facts.len())),
        }
    }

    /// Makes a draft a shared file, replacing an existing one. Returns its size in bytes. If the bucket does not answer, it can be
    /// tried again.
    pub async fn keep(&self, draft: &Draft, name: &str) -> Result<u64> {
        let (place, path) = (self.shared(name)?, draft.path().to_owned());
        match &self.bucket {
            Some(bucket) => bucket.put(&public(name), &path).await,
            None => off(move || place_file(&path, &place)).await,
        }
    }

    /// Whether a large file can be sent while it is made.
    pub fn takes_parts(&self) -> bool {
        self.bucket.as_ref().is_some_and(|bucket| bucket.takes_parts())
    }

    /// Begins a shared file that is sent in parts; `None` if files are in the folder.
    pub async fn begin_parts(&self, name: &str) -> Result<Option<FileParts>> {
        self.shared(name)?;
        match &self.bucket {
            Some(bucket) => FileParts::begin(bucket.clone(), &public(name)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Removes a shared file. Succeeds if it does not exist.
    pub async fn remove(&self, name: &str) -> Result<()> {
        let place = self.shared(name)?;
        match &self.bucket {
            Some(bucket) => {
                self.remove_own(&self.own("copies", name)?)?;
                bucket.delete(&public(name)).await
            }
            None => self.remove_own(&place),
        }
    }

    /// Removes the named files of a render, and its poster.
    pub async fn remove_outputs<'a>(
        &self,
        render_id: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        for name in names {
            self.remove(name).await?;
        }
        self.remove(&Self::poster(render_id)).await
    }

    /// Keeps a text that stands for what a shared file was made from.
    pub async fn set_stamp(&self, name: &str, stamp: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.put_bytes(&format!("{STAMPS}/{name}"), stamp.as_bytes().to_vec()).await,
            None => {
                let path = self.stamp_path(name)?;
                fs::write(&path, stamp).map_err(|source| StoreError::File { path, source })
            }
        }
    }

    /// The stamp of a shared file, if it has one.
    pub async fn stamp(&self, name: &str) -> Result<Option<String>> {
        match &self.bucket {
            Some(bucket) => {
                let stamp = bucket.head(&format!("{STAMPS}/{name}"), 1000).await?;
                Ok(stamp.map(|stamp| String::from_utf8_lossy(&stamp).into_owned()))
            }
            None => Ok(fs::read_to_string(self.stamp_path(name)?).ok()),
        }
    }

    /// Whether a shared file with a stamp exists. For a bucket the answer may be some seconds old.
    pub async fn is_stamped(&self, name: &str) -> Result<bool> {
        match &self.bucket {
            Some(bucket) => Ok(bucket.names(STAMPS).await?.contains(name)),
            None => Ok(self.shared(name).is_ok_and(|place| place.is_file())),
        }
    }

    /// `stamp-tpl_…-png.txt`.
    fn stamp_path(&self, name: &str) -> Result<PathBuf> {
        self.own("templates", &format!("stamp-{}.txt", name.replace('.', "-")))
    }

    /// An address of the bucket at which anyone reads a shared file, or only its headers, for a while; `None` if it is in the
    /// folder. A disposition replaces the file's own.
    pub async fn read_url(
        &self,
        name: &str,
        lifetime: Duration,
        head: bool,
        disposition: Option<&str>,
    ) -> Result<Option<String>> {
        self.shared(name)?;
        let Some(bucket) = &self.bucket else { return Ok(None) };
        bucket.read_url(&public(name), lifetime, head, disposition).await.map(Some)
    }

    /// The scheme and authority of addresses of the bucket; `None` if files are in the folder.
    pub async fn bucket_origin(&self) -> Result<Option<String>> {
        let address = self.read_url("job_0.mp4", Duration::from_secs(60), false, None).await?;
        let origin = |address: String| Some(url::Url::parse(&address).ok()?.origin().ascii_serialization());
        Ok(address.and_then(origin))
    }

    /// Names of the outputs, uploads and narrations in the folder, in order.
    pub fn in_folder(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for folder in MOVED {
            let path = self.root.join(folder);
            let entries = fs::read_dir(&path).map_err(|source| StoreError::File { path, source })?;
            let names_of = |entry: fs::DirEntry| entry.file_name().into_string().ok();
            names.extend(entries.flatten().filter_map(names_of).filter(|name| self.shared(name).is_ok()));
        }
        names.sort();
        Ok(names)
    }

    /// Copies a shared file of the folder into the bucket, and compares what arrived there. Returns its bytes.
    pub async fn copy_to_bucket(&self, name: &str) -> Result<u64> {
        let place = self.shared(name)?;
        let Some(bucket) = &self.bucket else { return Ok(0) };
        let size = bucket.put(&public(name), &place).await?;
        let sent = off(move || hash_file(&place)).await?;
        let arrived = bucket.hash(&public(name)).await?;
        if arrived.as_ref() == Some(&sent) {
            Ok(size)
        } else {
            Err(StoreError::NotCopied { name: name.to_owned() })
        }
    }

    /// Removes copies of files of the bucket that were not used for so long, and the longest unused ones beyond so many bytes.
    /// Returns how many.
    pub fn remove_old_copies(&self, age: Duration, most: u64) -> Result<u32> {
        let folder = self.root.join("copies");
        let entries = match fs::read_dir(&folder) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries.map_err(|source| StoreError::File { path: folder, source })?,
        };
        let facts = |entry: fs::DirEntry| {
            let facts = entry.metadata().ok()?;
            Some((facts.accessed().ok()?, facts.len(), entry.path()))
        };
        let mut copies: Vec<_> = entries.flatten().filter_map(facts).collect();
        copies.sort_by_key(|(used, ..)| std::cmp::Reverse(*used));
        let (mut kept, mut removed) = (0, 0);
        for (used, size, path) in copies {
            kept += size;
            let unused = SystemTime::now().duration_since(used).unwrap_or_default();
            // One that was used lately may be in use.
            if unused > age || (kept > most && unused > IN_USE) {
                self.remove_own(&path)?;
                removed += 1;
            }
        }
        if let Some(bucket) = &self.bucket {
            bucket.forget_copies(|name| {
                let name = name.rsplit('/').next().unwrap_or(name);
                self.own("copies", name).is_ok_and(|copy| copy.is_file())
            });
        }
        Ok(removed)
    }

    /// Copies a finished chunk to the bucket.
    pub async fn keep_chunk(&self, name: &str, path: &Path) -> Result<u64> {
        match &self.bucket {
            Some(bucket) => bucket.put(&chunk(name), path).await,
            None => Ok(0),
        }
    }

    /// A finished chunk of the bucket.
    pub async fn chunk(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match &self.bucket {
            Some(bucket) => bucket.bytes(&chunk(name)).await,
            None => Ok(None),
        }
    }

    pub async fn remove_chunk(&self, name: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.delete(&chunk(name)).await,
            None => Ok(()),
        }
    }

    /// Whether shared files are in a bucket.
    pub fn uses_bucket(&self) -> bool {
        self.bucket.is_some()
    }

    /// A rendered preview, such as `prv_….mp4`.
    pub fn preview(&self, name: &str) -> Result<PathBuf> {
        self.own("previews", name)
    }

    /// The file that a process holds while it makes the gallery.
    pub fn gallery_lock(&self) -> Result<PathBuf> {
        self.own("templates", "gallery.lock")
    }

    /// A temporary file to write to, which [`Files::keep`] makes a shared file.
    pub fn draft(&self) -> Draft {
        let folder = self.root.join("drafts");
        // The folder may have been removed. If it cannot be created, writing to the draft reports why.
        let _ = fs::create_dir_all(&folder);
        Draft { path: folder.join(id::secret(24)), is_part: false }
    }

    /// The folder of temporary files.
    pub fn drafts(&self) -> PathBuf {
        self.root.join("drafts")
    }

    /// Removes a file of this machine. Succeeds if it does not exist.
    pub fn remove_own(&self, path: &Path) -> Result<()> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::File { path: path.to_owned(), source })
            }
            _ => Ok(()),
        }
    }

    /// Removes drafts of ended processes, last written more than `age` ago. Returns how many.
    pub fn remove_old_drafts(&self, age: Duration) -> Result<u32> {
        self.remove_old("drafts", age)
    }

    /// Removes previews rendered more than `age` ago. Returns how many.
    pub fn remove_old_previews(&self, age: Duration) -> Result<u32> {
        self.remove_old("previews", age)
    }

    fn remove_old(&self, folder: &str, age: Duration) -> Result<u32> {
        let folder = self.root.join(folder);
        let entries = match fs::read_dir(&folder) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries.map_err(|source| StoreError::File { path: folder, source })?,
        };
        let mut removed = 0;
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let old = modified
                .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|passed| passed > age));
            if old {
                match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    // The working folder of a child process.
                    true => drop(fs::remove_dir_all(entry.path())),
                    false => self.remove_own(&entry.path())?,
                }
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Where a shared file is if files are in the folder.
    fn shared(&self, name: &str) -> Result<PathBuf> {
        let folder = match name.split_once('_').map(|(kind, _)| kind) {
            Some("job") => "outputs",
            Some("upl") => "uploads",
            Some("tpl") => "templates",
            Some("voi") => "voiceovers",
            _ => return Err(bad_name(name)),
        };
        self.own(folder, name)
    }

    fn own(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let (stem, extension) = name.split_once('.').unwrap_or((name, "x"));
        let plain = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
        };
        if name.len() > 120 || !plain(stem) || !plain(extension) {
            return Err(bad_name(name));
        }
        Ok(self.root.join(folder).join(name))
    }
}

fn bad_name(name: &str) -> StoreError {
    StoreError::BadFileName { name: name.chars().take(60).collect() }
}

fn chunk(name: &str) -> String {
    format!("{CHUNKS}/{name}")
}

fn public(name: &str) -> String {
    format!("{PUBLIC}/{name}")
}

/// The SHA-256 of a file.
fn hash_file(path: &Path) -> Result<Vec<u8>> {
    let at = |source| StoreError::File { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(at)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).map_err(at)? {
            0 => return Ok(hash.finalize().to_vec()),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Runs what blocks on a thread of its own.
pub(crate) async fn off<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let failed = |error| StoreError::File { path: PathBuf::new(), source: io::Error::other(error) };
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

/// Bytes that the service can still write to the disk of `path`.
pub fn free_disk(path: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// A temporary file. It is removed on drop unless kept.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Stays on drop.
    is_part: bool,
}

impl Draft {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file to the disk, so that [`Draft::keep`] is quick.
    pub fn sync(&self) -> Result<()> {
        let synced = File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(|source| StoreError::File { path: self.path.clone(), source })
    }

    /// All parts of a file, which arrived one by one. They stay unless they are kept: they need not be sent again.
    pub fn of_parts(path: PathBuf) -> Self {
        Self { path, is_part: true }
    }

    /// Syncs the file and moves it to `path`, replacing an existing file. Returns its size in bytes.
    pub fn keep(self, path: &Path) -> Result<u64> {
        place_file(&self.path, path)
    }
}

/// Syncs a file and moves it, replacing an existing one. Returns its size in bytes.
fn place_file(from: &Path, to: &Path) -> Result<u64> {
    let at = |source| StoreError::File { path: to.to_owned(), source };
    let file = File::open(from).map_err(at)?;
    file.sync_all().map_err(at)?;
    let size = file.metadata().map_err(at)?.len();
    let folder = to.parent();
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(at)?;
    }
    fs::rename(from, to).map_err(at)?;
    if let Some(folder) = folder {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(at)?;
    }
    Ok(size)
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `keep` the file no longer exists under this name.
        if !self.is_part {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_kept_draft_replaces_its_target_and_a_dropped_draft_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let target = folder.path().join("outputs/job_1.mp4");

        let dropped = files.draft();
        fs::write(dropped.path(), "half").unwrap();
        let left = dropped.path().to_owned();
        drop(dropped);
        assert!(!left.exists() && !target.exists());

        let kept = files.draft();
        fs::write(kept.path(), "whole").unwrap();
        assert_eq!(files.keep(&kept, "job_1.mp4").await.unwrap(), 5);
        assert_eq!(fs::read_to_string(&target).unwrap(), "whole");
        files.remove("job_1.mp4").await.unwrap();
        files.remove("job_1.mp4").await.unwrap();
        assert!(!target.exists());
    }

    #[tokio::test]
    async fn removed_folders_are_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        for removed in SHARED.into_iter().chain(OWN) {
            fs::remove_dir(folder.path().join(removed)).unwrap();
        }
        assert_eq!(files.remove_old_drafts(Duration::ZERO).unwrap(), 0);
        let draft = files.draft();
        fs::write(draft.path(), "film").unwrap();
        files.keep(&draft, "job_1.mp4").await.unwrap();
        assert!(files.find("job_1.mp4").await.unwrap().is_some());
    }

    #[test]
    fn a_reserved_disk_has_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        assert!(files.has_room());
        assert!(files.clone().with_min_free(1).has_room());
        assert!(!files.with_min_free(u64::MAX).has_room());
    }

    #[test]
    fn names_that_could_leave_their_folder_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        for name in ["../secret", "a/b", "", ".", "..", ".mp4", "a.", "a.b.c", "A", "a\0"] {
            assert!(files.preview(name).is_err() && files.shared(name).is_err(), "{name:?}");
        }
        assert!(files.shared("upl_01h2.png").unwrap().ends_with("uploads/upl_01h2.png"));
    }

    #[tokio::test]
    async fn only_public_names_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let film = folder.path().join("outputs/job_1.mp4");
        fs::write(&film, "film").unwrap();
        fs::write(files.preview("prv_1.mp4").unwrap(), "preview").unwrap();
        assert_eq!(files.find("job_1.mp4").await.unwrap(), Some(film));
        for name in ["job_2.mp4", "upl_1.mp4", "prv_1.mp4", "job_1", "job_/../job_1.mp4", "rondo.db", ""] {
            assert_eq!(files.find(name).await.unwrap(), None, "{name}");
        }
    }

    #[test]
    fn free_disk_is_that_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free_disk(folder.path()).unwrap() > 0);
        assert!(free_disk(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn old_drafts_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        let left = files.draft();
        fs::write(left.path(), "x").unwrap();
        assert_eq!(files.remove_old_drafts(Duration::from_secs(60)).unwrap(), 0);
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(files.remove_old_drafts(Duration::ZERO).unwrap(), 1);
        assert!(!left.path().exists());
    }
}
