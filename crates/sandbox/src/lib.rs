//! Child processes for untrusted input: no network, no files but their own, no privileges, limited memory and time.
//!
//! A [`ForkServer`] is a process that has loaded what every job needs and forks a child for each job, which takes a few
//! milliseconds. A child receives its input as open descriptors, restricts itself ([`Policy`]), and then reads the job.

mod channel;
mod fork_server;
mod layers;
mod limits;
mod seccomp;
mod self_test;

pub use channel::MOST_DESCRIPTORS;
pub use channel::{Channel, Message};
pub use fork_server::{Exit, ForkServer, Killer, Process, fork_children};
pub use layers::{Layer, LayerReport, Mode, Policy, leave_network, restrict};
pub use limits::{Limits, Priority};
pub use seccomp::Filters;
pub use self_test::{Attempt, SelfTest, attempt_everything};
