//! Request bodies that must arrive at a minimum rate. Only the time spent waiting for the client counts.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The minimum rate, measured over windows of waiting time.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub window: Duration,
    pub bytes_per_second: u64,
}

impl Pace {
    fn bytes_per_window(self) -> u64 {
        u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX).saturating_mul(self.bytes_per_second)
            / 1000
    }
}

/// The body arrives too slowly.
#[derive(Debug, thiserror::Error)]
#[error("the body arrives too slowly")]
pub struct TooSlow;

/// A body that fails with [`TooSlow`] when it does not keep the pace.
pub struct Paced<B> {
    body: B,
    pace: Pace,
    /// Bytes received and time waited in this window.
    bytes: u64,
    waited: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<B> Paced<B> {
    pub fn new(body: B, pace: Pace) -> Self {
        Self { body, pace, bytes: 0, waited: Duration::ZERO, waiting: None }
    }
}

impl<B> Body for Paced<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            if let Some((since, _)) = this.waiting.take() {
                this.waited += since.elapsed();
            }
            if let Some(Ok(frame)) = &frame {
                this.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        loop {
            let left = this.pace.window.saturating_sub(this.waited);
            let (_, timer) = this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(timer.as_mut().poll(context));
            if this.bytes < this.pace.bytes_per_window() {
                return Poll::Ready(Some(Err(TooSlow.into())));
            }
            (this.bytes, this.waited, this.waiting) = (0, Duration::ZERO, None);
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
