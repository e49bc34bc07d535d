//! Resource limits of a process.

use std::io;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
use serde::{Deserialize, Serialize};

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Private memory in bytes: what it allocates, without the program and its libraries. The kernel counts what is mapped for
    /// writing; other kinds of memory are refused, and what is no longer writable is bounded by the address space.
    pub memory: u64,
    /// Processor time in seconds, summed over its threads.
    pub cpu_seconds: u64,
    /// After this time the parent kills it, whatever it does. Without one, a child that does something goes on.
    pub time: Option<Duration>,
    /// Largest file in bytes.
    pub file_size: u64,
    pub open_files: u64,
    /// Threads and processes, where the kernel counts those of the child alone: it has a user or a user namespace of its own.
    pub threads: u64,
    pub priority: Priority,
}

/// How soon a child gets a processor that others want too. Requests are answered first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Priority {
    /// Somebody waits for it.
    #[default]
    Normal,
    /// Nobody waits for it.
    Background,
}

impl Priority {
    fn niceness(self) -> i32 {
        match self {
            Self::Normal => 10,
            Self::Background => 19,
        }
    }
}

/// Address space beyond the memory limit: the program, its libraries, and the models of speech engines.
const RESERVED: u64 = 8 << 30;
/// Address space that the C library reserves for a heap without using it, and its heaps for each processor, at most one for each
/// thread.
const HEAP: u64 = 64 << 20;
const HEAPS_OF_PROCESSOR: u64 = 8;

fn reserved(processors: u64, threads: u64) -> u64 {
    RESERVED + HEAP * (HEAPS_OF_PROCESSOR * processors).min(threads)
}

/// Processors of this machine, also those that this process may not use.
fn processors() -> u64 {
    // SAFETY: the call takes a plain number.
    let count = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) };
    u64::try_from(count).unwrap_or(1).max(1)
}

impl Limits {
    /// Sets the limits for this process.
    pub(crate) fn apply(&self, is_counted_alone: bool) -> io::Result<()> {
        let set =
            |resource, value: u64| setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
        set(Resource::Data, self.memory)?;
        set(Resource::As, self.memory.saturating_add(reserved(processors(), self.threads)))?;
        // The signal of the soft limit ends the process, and a parent can tell it from other deaths.
        let cpu =
            Rlimit { current: Some(self.cpu_seconds), maximum: Some(self.cpu_seconds.saturating_add(5)) };
        setrlimit(Resource::Cpu, cpu)?;
        set(Resource::Fsize, self.file_size)?;
        set(Resource::Nofile, self.open_files)?;
        set(Resource::Core, 0)?;
        if is_counted_alone {
            set(Resource::Nproc, self.threads)?;
        }
        // A process that is nicer already stays so.
        let _ = setpriority_process(None, self.priority.niceness());
        Ok(())
    }
}
