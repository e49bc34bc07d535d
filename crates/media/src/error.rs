//! The crate's error type. Messages name the file and the reason.

use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MediaError {
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("the image {name} cannot be read: {reason}")]
    Image { name: String, reason: String },
    #[error("{} has no video track", path.display())]
    NoPicture { path: PathBuf },
    #[error("{} cannot be written: {reason}", path.display())]
    Unwritable { path: PathBuf, reason: String },
    #[error("a film of {width}×{height} at {fps} frames per second cannot be encoded: {reason}")]
    BadSettings { width: u32, height: u32, fps: u32, reason: String },
    #[error("the encoder's H.264 stream cannot contain repeated frames: {reason}")]
    RepeatsUnsupported { reason: &'static str },
    #[error("a picture of {width}×{height} cannot be encoded: {reason}")]
    Picture { width: u32, height: u32, reason: String },
}

impl MediaError {
    pub(crate) fn unreadable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn unwritable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unwritable { path: path.to_owned(), reason: reason.into() }
    }
}
