//! The fonts of the service for players in browsers, read when the first one asks.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use rondo_render::ServedFonts;
use rondo_text::Catalog;
use tokio::sync::Mutex;

use crate::error::{ServiceError, ServiceResult};
use crate::fonts::Fonts;

/// Every font, under a name that follows from its content.
pub struct BrowserFonts {
    fonts: Fonts,
    /// What was read, and of which catalogue: another one follows when a family is fetched.
    read: Mutex<Option<(Arc<Catalog>, Arc<ReadFonts>)>>,
}

/// All files of the catalogue hashed, and their index.
pub struct ReadFonts {
    pub fonts: ServedFonts,
    /// The index with gzip.
    pub packed_index: Vec<u8>,
}

impl BrowserFonts {
    pub fn new(fonts: Fonts) -> Self {
        Self { fonts, read: Mutex::default() }
    }

    /// Reads all files on the first call, and after a family was fetched, on a thread of its own.
    pub async fn get(&self) -> ServiceResult<Arc<ReadFonts>> {
        let mut known = self.read.lock().await;
        let catalog = self.fonts.catalog();
        if let Some((of, read)) = &*known
            && Arc::ptr_eq(of, &catalog)
        {
            return Ok(read.clone());
        }
        let current = catalog.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let fonts = ServedFonts::new(&current);
            let packed_index = gzip(fonts.index.as_bytes())?;
            Ok::<_, std::io::Error>(Arc::new(ReadFonts { fonts, packed_index }))
        });
        let read = reading.await.map_err(ServiceError::internal)?.map_err(ServiceError::internal)?;
        *known = Some((catalog, read.clone()));
        Ok(read)
    }

    /// A file of the index with its type; `None` where there is none of that name.
    pub async fn file(&self, name: String) -> ServiceResult<Option<(Vec<u8>, &'static str)>> {
        let read = self.get().await?;
        let reading = tokio::task::spawn_blocking(move || read.fonts.file(&name));
        reading.await.map_err(ServiceError::internal)
    }
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
