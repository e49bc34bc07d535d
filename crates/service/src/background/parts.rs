//! Sends a large film to the bucket in parts while it is made, so that it is never whole on this machine.

use rondo_jobs::PartError;
use rondo_store::{FileParts, StoreError};
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;

use super::result::{FILES_PATIENCE, wait_for_files};
use super::segments::{Film, not_kept};
use crate::film::{ArrivedPart, FilmError, not_written, too_large};
use crate::service::Service;

/// Parts that wait to be sent.
pub const WAITING: usize = 2;

/// Sends the parts of a film while it is made. The film has the parts, if there are any; nobody sees them before they are finished.
pub async fn in_parts(
    service: &Service,
    file: &str,
    arriving: Receiver<ArrivedPart>,
    making: impl Future<Output = Result<Film, FilmError>>,
) -> Result<Film, FilmError> {
    let mut parts = None;
    let made = while_sent(send(service, file, arriving, &mut parts), making).await;
    match made {
        Ok(film) => Ok(Film { parts, ..film }),
        Err(error) => {
            if let Some(parts) = parts {
                parts.abort().await;
            }
            Err(error)
        }
    }
}

/// Makes a film while its parts are sent, until both are done or one has failed.
async fn while_sent(
    sending: impl Future<Output = Result<(), FilmError>>,
    making: impl Future<Output = Result<Film, FilmError>>,
) -> Result<Film, FilmError> {
    tokio::pin!(sending, making);
    let mut is_sent = false;
    let film = loop {
        tokio::select! {
            made = &mut making => break made?,
            sent = &mut sending, if !is_sent => {
                sent?;
                is_sent = true;
            }
        }
    };
    if !is_sent {
        sending.await?;
    }
    Ok(film)
}

/// Sends parts until no more come.
async fn send(
    service: &Service,
    file: &str,
    mut arriving: Receiver<ArrivedPart>,
    sent: &mut Option<FileParts>,
) -> Result<(), FilmError> {
    while let Some(part) = arriving.recv().await {
        let part = part.map_err(|error| match error {
            PartError::TooLarge => too_large(&service.media.isolation),
            error => not_written(&error),
        })?;
        let bytes = bytes::Bytes::from(part.bytes);
        let end = Instant::now() + FILES_PATIENCE;
        while let Err(error) = send_part(service, file, sent, part.number, bytes.clone()).await {
            wait_for_files(file, error, end).await.map_err(not_kept)?;
        }
    }
    Ok(())
}

async fn send_part(
    service: &Service,
    file: &str,
    sent: &mut Option<FileParts>,
    number: u32,
    bytes: bytes::Bytes,
) -> Result<(), StoreError> {
    if sent.is_none() {
        *sent = service.media.files.begin_parts(file).await?;
    }
    match sent {
        Some(parts) => parts.put(number, bytes).await,
        None => Ok(()),
    }
}
