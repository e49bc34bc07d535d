//! Resource limits of a process.

use std::io;

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
use serde::{Deserialize, Serialize};

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Private memory in bytes: what it allocates, without the program and its libraries.
    pub memory: u64,
    /// Processor time in seconds, summed over its threads.
    pub cpu_seconds: u64,
    /// Largest file in bytes.
    pub file_size: u64,
    pub open_files: u64,
    /// Threads, where the child has a user of its own.
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

/// Address space beyond the memory limit: the program, its libraries, and what allocators reserve without using it.
const RESERVED: u64 = 32 << 30;

impl Limits {
    /// Sets the limits for this process.
    pub(crate) fn apply(&self, own_user: bool) -> io::Result<()> {
        let set =
            |resource, value: u64| setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) });
        set(Resource::Data, self.memory)?;
        set(Resource::As, self.memory.saturating_add(RESERVED))?;
        // The signal of the soft limit ends the process, and a parent can tell it from other deaths.
        let cpu =
            Rlimit { current: Some(self.cpu_seconds), maximum: Some(self.cpu_seconds.saturating_add(5)) };
        setrlimit(Resource::Cpu, cpu)?;
        set(Resource::Fsize, self.file_size)?;
        set(Resource::Nofile, self.open_files)?;
        set(Resource::Core, 0)?;
        if own_user {
            set(Resource::Nproc, self.threads)?;
        }
        // A process that is nicer already stays so.
        let _ = setpriority_process(None, self.priority.niceness());
        Ok(())
    }
}
