//! A process that forks a child for each job.
//!
//! It has one thread, so a fork copies a consistent state. Children end with it, and it ends with its parent: its parent
//! holds the other end of its standard input.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};

use crate::channel::Channel;

/// Longest message between a fork server and its parent.
const CONTROL_BYTES: usize = 1 << 20;
/// Longest message of a child. What it makes goes through files.
const FROM_CHILD: usize = 8 << 20;
/// How long a child may take to end after it closed its connection.
const END_WITHIN: Duration = Duration::from_millis(500);

#[derive(Debug, Serialize, Deserialize)]
enum Request {
    /// With one descriptor: the child's end of its connection.
    Fork,
    Kill(u64),
    Wait(u64),
    CpuTime(u64),
}

#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Forked(u64),
    Killed,
    Ended(Exit),
    Used(Duration),
    Failed(String),
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// Processor time it used.
    pub cpu: Duration,
    /// Most memory it had, in bytes.
    pub peak_memory: u64,
}

/// Variables that the server gets: where libraries, the folders of the installation and the voices of espeak-ng are.
const KEPT: [&str; 3] = ["ESPEAK_DATA_PATH", "LD_LIBRARY_PATH", "RONDO_SHARE"];

/// A running fork server, from its parent's side.
#[derive(Debug)]
pub struct ForkServer {
    control: Mutex<Channel>,
    process: Mutex<std::process::Child>,
}

impl ForkServer {
    /// Runs `command`, which must call [`fork_children`] on its standard input, sends it a configuration and waits for its
    /// answer.
    pub fn start(mut command: Command, configuration: &[u8]) -> io::Result<(Arc<Self>, Vec<u8>)> {
        let (ours, theirs) = UnixStream::pair()?;
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .env_clear()
            .envs(KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            // An interrupt from the terminal is for the parent alone.
            .process_group(0);
        let process = command.spawn()?;
        let control = Channel::new(ours, CONTROL_BYTES);
        let server = Self { control: Mutex::new(control), process: Mutex::new(process) };
        let ready = {
            let control = server.control();
            control.send(configuration, &[])?;
            control.receive()?
        };
        match ready {
            Some(ready) => Ok((Arc::new(server), ready.bytes)),
            None => Err(io::Error::new(io::ErrorKind::BrokenPipe, "it ended at once")),
        }
    }

    /// A new child.
    pub fn fork(self: &Arc<Self>) -> io::Result<Process> {
        let (ours, theirs) = Channel::pair(FROM_CHILD)?;
        let control = self.control();
        control.send(&encoded(&Request::Fork), &[theirs.as_fd()])?;
        match reply(&control)? {
            Reply::Forked(id) => Ok(Process { server: self.clone(), id, channel: ours, ended: false }),
            other => Err(unexpected(other)),
        }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).id()
    }

    fn request(&self, request: &Request) -> io::Result<Reply> {
        let control = self.control();
        control.send(&encoded(request), &[])?;
        reply(&control)
    }

    fn control(&self) -> std::sync::MutexGuard<'_, Channel> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        // It ends when its input ends; killing it is certain, and ends its children too.
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = process.kill();
        let _ = process.wait();
    }
}

fn encoded<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn reply(control: &Channel) -> io::Result<Reply> {
    let message = control.receive()?.ok_or(io::ErrorKind::BrokenPipe)?;
    Ok(serde_json::from_slice(&message.bytes)?)
}

fn unexpected(reply: Reply) -> io::Error {
    match reply {
        Reply::Failed(reason) => io::Error::other(reason),
        other => io::Error::other(format!("unexpected reply {other:?}")),
    }
}

/// A child, from the parent's side. It is killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    server: Arc<ForkServer>,
    id: u64,
    pub channel: Channel,
    ended: bool,
}

/// Kills a child from another thread.
#[derive(Debug, Clone)]
pub struct Killer {
    server: Arc<ForkServer>,
    id: u64,
}

impl Killer {
    pub fn kill(&self) {
        // A fork server that is gone has taken its children along.
        let _ = self.server.request(&Request::Kill(self.id));
    }
}

impl Process {
    pub fn killer(&self) -> Killer {
        Killer { server: self.server.clone(), id: self.id }
    }

    /// Processor time that it has used so far.
    pub fn cpu_time(&self) -> io::Result<Duration> {
        match self.server.request(&Request::CpuTime(self.id))? {
            Reply::Used(time) => Ok(time),
            other => Err(unexpected(other)),
        }
    }

    /// Waits for the end of a child that has closed its connection or is about to. One that does not end is killed.
    pub fn wait(mut self) -> io::Result<Exit> {
        self.ended = true;
        match self.server.request(&Request::Wait(self.id))? {
            Reply::Ended(exit) => Ok(exit),
            other => Err(unexpected(other)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            let _ = self.server.request(&Request::Kill(self.id));
            let _ = self.server.request(&Request::Wait(self.id));
        }
    }
}

/// Forks children as the parent asks for them, until the parent closes the connection. `run` is what a child does.
pub fn fork_children(control: &Channel, run: &dyn Fn(Channel)) -> io::Result<()> {
    let mut children = Children::default();
    while let Some(message) = control.receive()? {
        let reply = match serde_json::from_slice(&message.bytes)? {
            Request::Fork => {
                let Some(socket) = message.descriptors.into_iter().next() else { continue };
                children.fork(socket, run)
            }
            Request::Kill(id) => {
                children.kill(id);
                Ok(Reply::Killed)
            }
            Request::Wait(id) => children.wait(id).map(Reply::Ended),
            Request::CpuTime(id) => children.cpu_time(id).map(Reply::Used),
        };
        let reply = reply.unwrap_or_else(|error| Reply::Failed(error.to_string()));
        control.send(&encoded(&reply), &[])?;
    }
    Ok(())
}

#[derive(Default)]
struct Children {
    last: u64,
    running: HashMap<u64, Pid>,
}

impl Children {
    fn fork(&mut self, socket: OwnedFd, run: &dyn Fn(Channel)) -> io::Result<Reply> {
        let parent = rustix::process::getpid();
        // SAFETY: the process has one thread, so the child may do what the parent may.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let code = match catch_unwind(AssertUnwindSafe(|| child(parent, socket, run))) {
                    Ok(Ok(())) => 0,
                    Ok(Err(_)) | Err(_) => 1,
                };
                // SAFETY: ends the process without handlers that libraries have registered for its end.
                unsafe { libc::_exit(code) }
            }
            pid => {
                let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
                self.last += 1;
                self.running.insert(self.last, pid);
                Ok(Reply::Forked(self.last))
            }
        }
    }

    fn kill(&self, id: u64) {
        if let Some(pid) = self.running.get(&id) {
            // It may have ended by itself; then it waits to be collected, and nothing happens.
            let _ = kill_process(*pid, Signal::KILL);
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    }

    fn cpu_time(&self, id: u64) -> io::Result<Duration> {
        let pid = self.running.get(&id).ok_or(io::ErrorKind::NotFound)?.as_raw_pid();
        // SAFETY: an all-zero timespec is valid, and both calls write to their last argument.
        let (found, used) = unsafe {
            let (mut clock, mut used) = (0, std::mem::zeroed::<libc::timespec>());
            let found =
                libc::clock_getcpuclockid(pid, &mut clock) == 0 && libc::clock_gettime(clock, &mut used) == 0;
            (found, used)
        };
        match found {
            true => Ok(Duration::new(used.tv_sec as u64, used.tv_nsec as u32)),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn wait(&mut self, id: u64) -> io::Result<Exit> {
        let pid = *self.running.get(&id).ok_or(io::ErrorKind::NotFound)?;
        let patience = Instant::now() + END_WITHIN;
        loop {
            let patient = Instant::now() < patience;
            if !patient {
                self.kill(id);
            }
            if let Some(exit) = collect(pid, patient)? {
                // Programs that it has left behind.
                let _ = kill_process_group(pid, Signal::KILL);
                self.running.remove(&id);
                return Ok(exit);
            }
            std::thread::sleep(Duration::from_micros(300));
        }
    }
}

/// The exit of a child, if it has ended or if this waits for it.
fn collect(pid: Pid, only_look: bool) -> io::Result<Option<Exit>> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, and the call writes to both places.
    let (found, used) = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        let options = if only_look { libc::WNOHANG } else { 0 };
        (libc::wait4(pid.as_raw_pid(), &mut status, options, &mut used), used)
    };
    match found {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        _ => {
            let time = |time: libc::timeval| {
                Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
            };
            Ok(Some(Exit {
                code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
                signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
                cpu: time(used.ru_utime) + time(used.ru_stime),
                // In kilobytes on Linux.
                peak_memory: used.ru_maxrss as u64 * 1024,
            }))
        }
    }
}

/// What every child does first: it keeps no descriptor but its own, and ends with the fork server.
fn child(parent: Pid, socket: OwnedFd, run: &dyn Fn(Channel)) -> io::Result<()> {
    /// The descriptor of the connection in every child.
    const OWN: i32 = 3;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The programs that it runs cannot leave this group.
    rustix::process::setpgid(None, None)?;
    if rustix::process::getppid() != Some(parent) {
        return Ok(());
    }
    let nothing = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    // The control socket of the fork server was standard input, which is closed by now.
    let socket = {
        use std::os::fd::{FromRawFd, IntoRawFd};
        let socket = socket.into_raw_fd();
        if socket != OWN {
            // SAFETY: whatever has this number is closed on purpose: nothing of the fork server is used here.
            if unsafe { libc::dup3(socket, OWN, libc::O_CLOEXEC) } == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        // SAFETY: as above; the descriptors belong to the copied state of the fork server.
        unsafe {
            libc::close_range(OWN as u32 + 1, u32::MAX, 0);
            UnixStream::from_raw_fd(OWN)
        }
    };
    // The parent is trusted, and compositions can be long.
    run(Channel::new(socket, usize::MAX));
    Ok(())
}
