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
/// How long a child may take to end after it closed its connection. Then it is killed.
const END_WITHIN: Duration = Duration::from_millis(500);
/// How long a killed child is waited for. The kernel may keep one that waits for a device.
const GIVE_UP_AFTER: Duration = Duration::from_secs(10);
/// Time between two looks at whether a child has ended: it grows from the first to the last.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_micros(300), Duration::from_millis(5));

#[derive(Debug, Serialize, Deserialize)]
enum Request {
    /// With one descriptor: the child's end of its connection.
    Fork,
    Kill(u64),
    /// Whether it has ended. The fork server never waits: others ask it meanwhile.
    Look(u64),
    /// Nobody asks for it again. It is collected when it has ended.
    Leave(u64),
    CpuTime(u64),
}

#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Forked(u64),
    Killed,
    Left,
    Running,
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
        let kill_at = Instant::now() + END_WITHIN;
        // The kernel closes it after it has freed the memory, so there is little left to wait for. What cannot be waited for is
        // looked for.
        let _ = self.channel.wait_until_closed(END_WITHIN);
        self.end(kill_at)
    }

    /// Waits until it has ended, and kills it if it has not by `kill_at`.
    fn end(&self, kill_at: Instant) -> io::Result<Exit> {
        let give_up_at = kill_at + GIVE_UP_AFTER;
        let (mut pause, longest) = LOOK_AGAIN;
        let mut is_killed = false;
        loop {
            match self.server.request(&Request::Look(self.id))? {
                Reply::Ended(exit) => return Ok(exit),
                Reply::Running => {}
                other => return Err(unexpected(other)),
            }
            let now = Instant::now();
            if now >= give_up_at {
                self.server.request(&Request::Leave(self.id))?;
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the process cannot be killed"));
            }
            if now >= kill_at && !is_killed {
                self.server.request(&Request::Kill(self.id))?;
                is_killed = true;
            }
            std::thread::sleep(pause);
            pause = (pause * 3 / 2).min(longest);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            // A fork server that is gone has taken it along.
            let _ = self.end(Instant::now());
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
            Request::Look(id) => children.look(id).map(|exit| exit.map_or(Reply::Running, Reply::Ended)),
            Request::Leave(id) => {
                children.left.extend(children.running.remove(&id));
                Ok(Reply::Left)
            }
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
    /// Those that nobody asks for.
    left: Vec<Pid>,
}

impl Children {
    fn fork(&mut self, socket: OwnedFd, run: &dyn Fn(Channel)) -> io::Result<Reply> {
        self.left.retain(|pid| matches!(collect(*pid), Ok(None)));
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

    /// The exit of a child, if it has ended.
    fn look(&mut self, id: u64) -> io::Result<Option<Exit>> {
        let pid = *self.running.get(&id).ok_or(io::ErrorKind::NotFound)?;
        let exit = collect(pid)?;
        if exit.is_some() {
            self.running.remove(&id);
        }
        Ok(exit)
    }
}

impl Drop for Children {
    /// Children end with the fork server. Programs of theirs may not.
    fn drop(&mut self) {
        for pid in self.running.values() {
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    }
}

/// The exit of a child, if it has ended. The programs that it has left behind end too.
fn collect(pid: Pid) -> io::Result<Option<Exit>> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, and the call writes to both places.
    let (found, used) = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid.as_raw_pid(), &mut status, libc::WNOHANG, &mut used), used)
    };
    match found {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        _ => {
            let _ = kill_process_group(pid, Signal::KILL);
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
    // What is closed below must not be closed again.
    drop(nothing);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The fork server of the other tests, which this program is too. A child does what it is told.
    #[test]
    #[ignore = "the other tests start it"]
    fn serve() {
        let Ok(input) = io::stdin().as_fd().try_clone_to_owned() else { return };
        let control = Channel::new(UnixStream::from(input), usize::MAX);
        // Without a parent there is nothing to do.
        let Ok(Some(_)) = control.receive() else { return };
        control.send(b"ready", &[]).unwrap();
        fork_children(&control, &|channel| {
            let Ok(Some(told)) = channel.receive() else { return };
            match &told.bytes[..] {
                b"answer" => channel.send(b"here", &[]).unwrap(),
                b"close and stand still" => {
                    drop(channel);
                    // SAFETY: the call takes a plain number.
                    unsafe { libc::raise(libc::SIGSTOP) };
                }
                _ => std::process::abort(),
            }
        })
        .unwrap();
    }

    fn server() -> Arc<ForkServer> {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let name = "fork_server::tests::serve";
        command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
        let (server, ready) = ForkServer::start(command, b"hello").unwrap();
        assert_eq!(ready, b"ready");
        server
    }

    fn told(server: &Arc<ForkServer>, what: &str) -> Process {
        let child = server.fork().unwrap();
        child.channel.send(what.as_bytes(), &[]).unwrap();
        child
    }

    #[test]
    fn children_that_stand_still_are_killed_and_delay_no_other() {
        let server = server();
        let stopped: Vec<_> = (0..8).map(|_| told(&server, "close and stand still")).collect();
        std::thread::scope(|scope| {
            let waiting: Vec<_> = stopped.into_iter().map(|child| scope.spawn(|| child.wait())).collect();
            let mut beside = 0;
            while beside == 0 || waiting.iter().any(|wait| !wait.is_finished()) {
                let started = Instant::now();
                let child = told(&server, "answer");
                assert_eq!(child.channel.receive().unwrap().unwrap().bytes, b"here");
                let exit = child.wait().unwrap();
                let took = started.elapsed();
                assert_eq!(exit.code, Some(0), "child {beside} after {took:?}: {exit:?}");
                assert!(took < Duration::from_secs(1), "child {beside} beside them took {took:?}");
                beside += 1;
            }
            for wait in waiting {
                assert_eq!(wait.join().unwrap().unwrap().signal, Some(libc::SIGKILL));
            }
            assert!(beside > 1, "nothing was asked meanwhile");
        });
    }

    #[test]
    fn a_child_that_is_left_is_collected_later() {
        let server = server();
        let mut child = told(&server, "close and stand still");
        child.ended = true;
        let looked = server.request(&Request::Look(child.id)).unwrap();
        assert!(matches!(looked, Reply::Running), "{looked:?}");
        child.killer().kill();
        assert!(matches!(server.request(&Request::Leave(child.id)).unwrap(), Reply::Left));
        assert!(
            server.request(&Request::Look(child.id)).is_ok_and(|reply| matches!(reply, Reply::Failed(_)))
        );
        let children = || {
            let threads = std::fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
            let of_thread = |thread: io::Result<std::fs::DirEntry>| {
                std::fs::read_to_string(thread.unwrap().path().join("children")).unwrap()
            };
            threads.map(of_thread).map(|text| text.split_whitespace().count()).sum::<usize>()
        };
        assert_eq!(children(), 1);
        let started = Instant::now();
        while children() > 0 {
            assert!(started.elapsed() < Duration::from_secs(10), "{} children are left", children());
            told(&server, "answer").wait().unwrap();
        }
    }
}
