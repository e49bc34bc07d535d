//! Work on untrusted media: rendering, drawing, probing, listening and encoding. Each job runs in a sandboxed child process
//! of its own, forked from a process that has loaded fonts and FFmpeg. The parent never decodes anything.

mod child;
mod chunks;
mod facts;
mod job;
mod parent;
mod parts;
mod protocol;
mod segments;
mod stop;

pub use child::run as run_fork_server;
pub use chunks::{AccountChunks, ChunkBoard};
pub use facts::Facts;
pub use job::{
    AlignJob, Answer, CheckJob, Chunks, DrawnPicture, EncodeSoundJob, Fact, Failure, Finding, FontFact, Job,
    LayOutJob, ListenJob, Look, MediaFiles, NarrateJob, PicturesJob, ProbeFile, RenderJob, RenderReport,
    RoleName, Stretch, TimedWord, TranscribeJob,
};
pub use parent::{Done, JobError, Jobs, JobsSettings, Receivers, Request, STUCK_AFTER, StartError};
pub use parts::{PartError, PartReceiver};
pub use protocol::{JobProgress, OfferedChunk, Taken};
pub use rondo_sandbox::{Attempt, Layer, LayerReport, Limits, Mode, Priority, SelfTest};
pub use segments::{ReceivedSegment, SegmentError, SegmentLimits, SegmentReceiver};
pub use stop::Stop;
