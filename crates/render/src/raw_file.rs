//! Raw I420 frames in a file, for measuring encoders.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rondo_pixels::Planes;

use crate::error::RenderError;

/// A file that is removed again unless it is finished.
pub(crate) struct RawFile {
    path: PathBuf,
    writer: Option<BufWriter<File>>,
    bytes: u64,
}

impl RawFile {
    pub fn create(path: &Path) -> Result<Self, RenderError> {
        let file = File::create(path).map_err(|e| unwritable(path, &e))?;
        Ok(Self { path: path.to_owned(), writer: Some(BufWriter::with_capacity(1 << 20, file)), bytes: 0 })
    }

    pub fn write(&mut self, picture: &Planes) -> Result<(), RenderError> {
        for plane in [&picture.y, &picture.u, &picture.v] {
            if let Some(writer) = &mut self.writer {
                writer.write_all(plane).map_err(|e| unwritable(&self.path, &e))?;
                self.bytes += plane.len() as u64;
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<u64, RenderError> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|e| unwritable(&self.path, &e))?;
        }
        Ok(self.bytes)
    }
}

impl Drop for RawFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // A failure to remove it cannot be handled.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> RenderError {
    RenderError::Unwritable { path: path.to_owned(), reason: error.to_string() }
}
