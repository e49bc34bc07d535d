//! The gallery: a picture and a preview film of each included template, kept in the data folder. Each is kept with a stamp of
//! what it was made from, so that those of a changed template are made again. How they are made is not told here.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use rondo_store::{Draft, Files, StoreError};
use sha2::{Digest, Sha256};

/// Longer side of a picture in pixels.
pub const PICTURE_SIDE: u32 = 640;
/// Shorter side of a film in pixels.
pub const FILM_SIDE: u32 = 480;

/// What the gallery shows of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Picture,
    Film,
}

impl Piece {
    fn extension(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Film => "mp4",
        }
    }

    /// The public name of its file.
    pub fn file(self, template_id: &str) -> String {
        format!("{template_id}.{}", self.extension())
    }
}

/// The gallery of a data folder, while no other process writes to it.
#[derive(Debug)]
pub struct Gallery {
    files: Files,
    _lock: File,
}

impl Gallery {
    /// `None` while another process has it.
    pub fn open(files: &Files) -> Result<Option<Self>, StoreError> {
        let path = files.gallery_lock()?;
        let failed = |source| StoreError::File { path: path.clone(), source };
        let lock = File::create(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { files: files.clone(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Whether a piece is there and was made from what the stamp stands for.
    pub async fn has(&self, template_id: &str, piece: Piece, stamp: &str) -> Result<bool, StoreError> {
        let file = piece.file(template_id);
        let kept = self.files.stamp(&file).await?;
        Ok(kept.is_some_and(|kept| kept == stamp) && self.files.size(&file).await?.is_some())
    }

    pub async fn keep(
        &self,
        draft: Draft,
        template_id: &str,
        piece: Piece,
        stamp: &str,
    ) -> Result<(), StoreError> {
        let file = piece.file(template_id);
        self.files.keep(&draft, &file).await?;
        self.files.set_stamp(&file, stamp).await
    }
}

/// Stands for what the pieces of a template are made from: its folder and the version of the program.
pub fn stamp(folder: &Path) -> io::Result<String> {
    let mut paths = vec![folder.join("meta.toml"), folder.join("composition.json")];
    if let Ok(media) = fs::read_dir(folder.join("media")) {
        let mut media: Vec<PathBuf> = media.flatten().map(|entry| entry.path()).collect();
        media.sort();
        paths.append(&mut media);
    }
    let mut hash = Sha256::new_with_prefix(env!("CARGO_PKG_VERSION"));
    for path in paths {
        let bytes = fs::read(&path)?;
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "tpl_quote_card";

    #[tokio::test]
    async fn a_piece_is_made_again_when_its_template_has_changed_or_its_file_is_gone() {
        let (data, template) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |name: &str, text: &str| fs::write(template.path().join(name), text).unwrap();
        write("meta.toml", "id");
        write("composition.json", "{}");
        fs::create_dir(template.path().join("media")).unwrap();
        write("media/photo.jpg", "1");
        let files = Files::open(data.path()).unwrap();
        let gallery = Gallery::open(&files).unwrap().unwrap();
        let first = stamp(template.path()).unwrap();
        let has = async |piece, stamp: &str| gallery.has(ID, piece, stamp).await.unwrap();

        assert!(!has(Piece::Picture, &first).await);
        let draft = files.draft();
        fs::write(draft.path(), "picture").unwrap();
        gallery.keep(draft, ID, Piece::Picture, &first).await.unwrap();
        assert!(has(Piece::Picture, &first).await && !has(Piece::Film, &first).await);
        write("media/photo.jpg", "2");
        assert!(!has(Piece::Picture, &stamp(template.path()).unwrap()).await);
        write("media/photo.jpg", "1");
        assert!(has(Piece::Picture, &stamp(template.path()).unwrap()).await);
        files.remove("tpl_quote_card.png").await.unwrap();
        assert!(!has(Piece::Picture, &first).await);
    }

    #[test]
    fn one_process_at_a_time_writes_to_a_gallery() {
        let data = tempfile::tempdir().unwrap();
        let files = Files::open(data.path()).unwrap();
        let first = Gallery::open(&files).unwrap();
        assert!(first.is_some() && Gallery::open(&files).unwrap().is_none());
        drop(first);
        assert!(Gallery::open(&files).unwrap().is_some());
    }
}
