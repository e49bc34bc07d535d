//! H.264 bitstreams (ITU-T H.264): what Rondo reads and writes of them without FFmpeg. Frames that repeat the previous
//! frame are written as P pictures of skipped macroblocks instead of being encoded.

mod bits;
mod nal;
mod parameter_sets;
mod repeat;
mod skip;
mod slice;

pub(crate) use nal::{is_disposable, length_size};
pub(crate) use repeat::RepeatWriter;

/// Why a stream cannot carry repeated frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsupported(pub &'static str);

/// Reads arbitrary bytes as each kind of input this module parses: the first is the length of the header, which a packet
/// follows. For fuzzing: no input may panic.
#[doc(hidden)]
pub fn fuzz(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first() else { return };
    let (header, packet) = rest.split_at(usize::from(*length).min(rest.len()));
    if let Some(length_size) = length_size(header) {
        is_disposable(packet, length_size);
    }
    if let Ok(mut writer) = RepeatWriter::new(header) {
        writer.schedule(0, 1);
        if writer.rewrite(0, 0, packet).is_ok() {
            writer.next_before(None);
        }
    }
}
