//! What a restricted child really cannot do: it tries.

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::layers::LOADERS;

/// Something a child must not be able to do, or must be able to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// `network`, `database`, `keys`, `exec`, `write`, `fork`, `namespaces`, `signals`, `memory`, `outlive`, or what a child
    /// needs: `fonts`, `program`.
    pub name: String,
    pub refused: bool,
}

impl Attempt {
    /// The name of the attempt to run the program that the child may run.
    pub const PROGRAM: &str = "program";
    /// The name of the attempt to read fonts.
    pub const FONTS: &str = "fonts";

    pub fn new(name: &str, succeeded: bool) -> Self {
        Self { name: name.to_owned(), refused: !succeeded }
    }

    /// Whether a child must be able to do it. Everything else must be refused.
    pub fn is_needed(&self) -> bool {
        [Self::PROGRAM, Self::FONTS].contains(&self.name.as_str())
    }
}

/// What the self-test tries.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SelfTest {
    /// Files that must not be readable: names and paths.
    pub secrets: Vec<(String, PathBuf)>,
    /// A folder that must not be writable.
    pub elsewhere: PathBuf,
    /// A folder that must be readable.
    pub fonts: Option<PathBuf>,
    /// The program that the child may run, and no other. Whether it runs is for the caller to try, who knows its arguments.
    pub program: Option<PathBuf>,
    /// Programs that do nothing, without arguments, of which the child may run none.
    pub other_programs: Vec<PathBuf>,
}

impl SelfTest {
    /// Programs of this machine that do nothing.
    pub fn idle_programs() -> Vec<PathBuf> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&folders).chain([PathBuf::from("/bin")]);
        folders.map(|folder| folder.join("true")).filter(|file| file.is_file()).take(1).collect()
    }
}

/// Tries everything in this process, which has one thread.
pub fn attempt_everything(test: &SelfTest) -> Vec<Attempt> {
    let mut attempts = vec![
        Attempt::new("network", has_network()),
        Attempt::new("namespaces", makes_namespaces()),
        Attempt::new("signals", has_signals_sent()),
        Attempt::new("write", writes(&test.elsewhere)),
        Attempt::new("memory", has_uncounted_memory()),
        Attempt::new("outlive", outlives()),
    ];
    match test.program {
        // Running a program begins with another process.
        Some(_) => attempts.push(Attempt::new("exec", runs_others(&test.other_programs))),
        None => attempts.extend([Attempt::new("exec", runs_any()), Attempt::new("fork", forks())]),
    }
    for (name, path) in &test.secrets {
        attempts.push(Attempt::new(name, File::open(path).is_ok()));
    }
    if let Some(fonts) = &test.fonts {
        attempts.push(Attempt::new(Attempt::FONTS, std::fs::read_dir(fonts).is_ok()));
    }
    attempts
}

fn has_network() -> bool {
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_UNIX, libc::AF_NETLINK];
    let mut pair = [0; 2];
    // Each end could send to any socket that has a path.
    // SAFETY: the call writes two numbers.
    let has_pair = unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_DGRAM, 0, pair.as_mut_ptr()) } == 0;
    has_pair
        || families.into_iter().any(|family| {
            // SAFETY: the call takes plain numbers.
            let socket = unsafe { libc::socket(family, libc::SOCK_DGRAM, 0) };
            if socket >= 0 {
                // SAFETY: the descriptor was just opened here.
                unsafe { libc::close(socket) };
            }
            socket >= 0
        })
}

/// Whether programs can be run at all.
fn runs_any() -> bool {
    // A program that is there ends this process; so a name that is not there is enough: it is refused before it is looked for.
    exec(&[Path::new("/nonexistent/program")]).raw_os_error() == Some(libc::ENOENT)
}

/// Whether other programs can be run than the one that may be: one that it writes itself, and `programs`, by themselves or by the
/// loader of their libraries, which has to be allowed.
fn runs_others(programs: &[PathBuf]) -> bool {
    let by_loader = LOADERS
        .map(Path::new)
        .into_iter()
        .flat_map(|loader| programs.iter().map(move |program| vec![loader, program.as_path()]));
    let by_themselves = programs.iter().map(|program| vec![program.as_path()]);
    runs_own(Path::new(".")) || by_themselves.chain(by_loader).any(|command| runs(&command))
}

/// Whether a program that it writes into a folder can be run.
fn runs_own(folder: &Path) -> bool {
    let path = folder.join("own-program");
    let made = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path);
    // The kernel looks for the format of a file only if it may be run, and an empty one has none. It is closed by then: files that
    // are open for writing cannot be run.
    made.map(drop).is_ok() && exec(&[&path]).raw_os_error() == Some(libc::ENOEXEC)
}

/// Whether a command that does nothing can be run.
fn runs(command: &[&Path]) -> bool {
    in_child(|| {
        // What a loader complains of is of no interest.
        // SAFETY: the call takes plain numbers.
        unsafe { libc::close(2) };
        exec(command);
        1
    }) == Some(0)
}

/// Makes this process another program, with these arguments. Returns if that fails.
fn exec(command: &[&Path]) -> io::Error {
    let texts: Result<Vec<CString>, _> =
        command.iter().map(|path| CString::new(path.as_os_str().as_bytes())).collect();
    let Ok(texts) = texts else { return io::ErrorKind::InvalidInput.into() };
    let mut pointers: Vec<*const libc::c_char> = texts.iter().map(|text| text.as_ptr()).collect();
    pointers.push(std::ptr::null());
    // SAFETY: the array has at least one pointer, ends with a null pointer, and lives until the call returns.
    unsafe { libc::execv(pointers[0], pointers.as_ptr()) };
    io::Error::last_os_error()
}

fn forks() -> bool {
    in_child(|| 0).is_some()
}

/// Does something in another process. Returns its exit code, or `None` if there is none.
fn in_child(run: impl FnOnce() -> i32) -> Option<i32> {
    // SAFETY: the process has one thread.
    let child = unsafe { libc::fork() };
    ended(child, run)
}

/// In a new child: does something and ends. In its parent: waits for it.
fn ended(child: libc::pid_t, run: impl FnOnce() -> i32) -> Option<i32> {
    match child {
        -1 => None,
        0 => {
            let code = run();
            // SAFETY: ends the process.
            unsafe { libc::_exit(code) }
        }
        child => {
            let mut status = 0;
            // SAFETY: the call writes to one place.
            let found = unsafe { libc::waitpid(child, &mut status, 0) };
            Some(if found == child && libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 })
        }
    }
}

/// Whether a process can be made whose user has all capabilities in a namespace of its own.
fn makes_namespaces() -> bool {
    let flags = libc::c_long::from(libc::CLONE_NEWUSER | libc::SIGCHLD);
    // SAFETY: without a stack of its own the child is a copy of this process, which has one thread.
    let child = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    // SAFETY: the call takes a plain number.
    ended(child as libc::pid_t, || 0).is_some() || unsafe { libc::unshare(libc::CLONE_NEWUSER) } == 0
}

/// Whether signals can be sent to other processes, or a descriptor be made to do so. Signal 0 is none.
fn has_signals_sent() -> bool {
    // SAFETY: the calls take plain numbers; standard input is open in every child.
    unsafe {
        let (own, parent) = (libc::getpid(), libc::getppid());
        libc::kill(own, 0) == 0
            || libc::syscall(libc::SYS_tgkill, parent, parent, 0) == 0
            || libc::fcntl(0, libc::F_SETOWN, own) == 0
            || libc::fcntl(0, libc::F_SETFL, libc::O_ASYNC) == 0
    }
}

/// Whether memory can be had that is not counted as private: shared with other processes, or growing like a stack.
fn has_uncounted_memory() -> bool {
    const LENGTH: usize = 1 << 16;
    [libc::MAP_SHARED, libc::MAP_PRIVATE | libc::MAP_GROWSDOWN].into_iter().any(|kind| {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: maps new memory at any address, which nothing uses before it is unmapped.
        unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), LENGTH, access, kind | libc::MAP_ANONYMOUS, -1, 0);
            memory != libc::MAP_FAILED && libc::munmap(memory, LENGTH) == 0
        }
    })
}

/// Whether this process can live on when the one that made it ends.
fn outlives() -> bool {
    let mut before = libc::SIGKILL;
    // SAFETY: the first call writes one number, the others take plain numbers.
    unsafe {
        libc::prctl(libc::PR_GET_PDEATHSIG, &raw mut before);
        let is_cleared = libc::prctl(libc::PR_SET_PDEATHSIG, 0_u64) == 0;
        is_cleared && libc::prctl(libc::PR_SET_PDEATHSIG, before as u64) == 0
    }
}

fn writes(folder: &Path) -> bool {
    let path = folder.join(format!("sandbox-test-{}", std::process::id()));
    let written = File::create(&path).is_ok();
    if written {
        let _ = std::fs::remove_file(&path);
    }
    written
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::layers::{Mode, Policy, enter_own_namespace, leave_network, restrict};
    use crate::limits::{Limits, Priority};
    use crate::seccomp::Filters;

    fn is_refused(attempts: &[Attempt], name: &str) -> bool {
        attempts.iter().find(|attempt| attempt.name == name).unwrap().refused
    }

    #[test]
    fn what_a_free_process_can_do_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "secret").unwrap();
        let test = SelfTest {
            secrets: vec![("keys".to_owned(), secret)],
            elsewhere: folder.path().to_owned(),
            fonts: Some(folder.path().to_owned()),
            ..SelfTest::default()
        };
        let attempts = attempt_everything(&test);
        for name in ["network", "signals", "write", "memory", "outlive", "exec", "fork", "keys", "fonts"] {
            assert!(!is_refused(&attempts, name), "{name}");
        }
        assert!(runs_own(folder.path()));
        let programs = SelfTest::idle_programs();
        let [program] = &programs[..] else { panic!("no program that does nothing") };
        assert!(runs(&[program]));
        assert!(LOADERS.iter().any(|loader| runs(&[Path::new(loader), program])));
        assert!(!runs(&[Path::new("/nonexistent/program")]));
    }

    /// What something in a restricted child that may run `programs` says.
    fn in_restricted_child(programs: Vec<PathBuf>, run: impl FnOnce(&SelfTest) -> String) -> String {
        in_restricted_child_of(|| {}, programs, run)
    }

    /// The same in a process that first does something else.
    fn in_restricted_child_of(
        prepare: impl FnOnce(),
        programs: Vec<PathBuf>,
        run: impl FnOnce(&SelfTest) -> String,
    ) -> String {
        let folder = tempfile::tempdir().unwrap();
        // Only another user needs the permission.
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let (scratch, report) = (File::open(folder.path()).unwrap(), folder.path().join("report"));
        std::fs::write(&report, "").unwrap();
        let mut report = OpenOptions::new().append(true).open(report).unwrap();
        let filters = Filters::compile().unwrap();
        let limits = Limits {
            memory: 1 << 30,
            cpu_seconds: 10,
            time: None,
            file_size: 1 << 20,
            open_files: 64,
            threads: 64,
            priority: Priority::Normal,
        };
        let read_only = ["/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache"].map(PathBuf::from).into();
        let policy = Policy { mode: Mode::Required, read_only, programs, keep_user: false, limits };
        let test = SelfTest {
            secrets: vec![("keys".to_owned(), PathBuf::from("/etc/passwd"))],
            elsewhere: PathBuf::from("/tmp"),
            program: policy.programs.first().cloned(),
            other_programs: SelfTest::idle_programs(),
            fonts: None,
        };
        let ended = in_child(|| {
            prepare();
            if let Err(reason) = restrict(&policy, Some(&scratch), &filters) {
                return i32::from(io::Write::write_all(&mut report, reason.as_bytes()).is_ok()) + 1;
            }
            i32::from(io::Write::write_all(&mut report, run(&test).as_bytes()).is_err())
        });
        let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
        assert_eq!(ended, Some(0), "{report}");
        report
    }

    /// What a child that may run `programs` is refused.
    fn refused(programs: Vec<PathBuf>) -> Vec<String> {
        let report = in_restricted_child(programs, |test| {
            let attempts = attempt_everything(test).into_iter().filter(|attempt| attempt.refused);
            let names: Vec<String> = attempts.map(|attempt| attempt.name).collect();
            names.join(" ")
        });
        report.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_child_may_map_files_shared_start_threads_and_end_its_programs_with_itself() {
        let report = in_restricted_child(vec![PathBuf::from("/bin/sh")], |_| {
            let file = File::options().read(true).write(true).create_new(true).open("mapped").unwrap();
            file.set_len(4096).unwrap();
            // SAFETY: maps the file at any address, reads from it, and takes plain numbers.
            let (mapped, is_tied) = unsafe {
                use std::os::fd::AsRawFd;
                let (access, null) = (libc::PROT_READ, std::ptr::null_mut());
                let memory = libc::mmap(null, 4096, access, libc::MAP_SHARED, file.as_raw_fd(), 0);
                let mapped = (memory != libc::MAP_FAILED).then(|| *memory.cast::<u8>());
                (mapped, libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0)
            };
            let thread = std::thread::spawn(|| vec![1_u8; 50 << 20].len()).join().unwrap();
            format!("{mapped:?} {is_tied} {thread}")
        });
        assert_eq!(report, "Some(0) true 52428800");
    }

    /// Becomes a user without privileges, and enters the namespaces of a fork server.
    fn become_a_service_that_is_not_root() {
        const USER: u32 = 60_999;
        if rustix::process::geteuid().is_root() {
            // SAFETY: the calls take plain numbers, and a list that is empty.
            let done = unsafe {
                libc::setgroups(0, std::ptr::null()) == 0
                    && libc::setresgid(USER, USER, USER) == 0
                    && libc::setresuid(USER, USER, USER) == 0
            };
            assert!(done, "{}", io::Error::last_os_error());
        }
        // Another user's own files under /proc belong to root until it is dumpable again.
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::Dumpable).unwrap();
        let _ = leave_network();
    }

    #[test]
    fn threads_and_processes_of_a_child_are_limited_also_where_the_service_is_not_root() {
        let counted = in_child(|| {
            become_a_service_that_is_not_root();
            i32::from(!enter_own_namespace())
        });
        if counted != Some(0) {
            println!("skipped: the kernel counts no threads apart, or refuses user namespaces.");
            return;
        }
        let report =
            in_restricted_child_of(become_a_service_that_is_not_root, vec![PathBuf::from("/bin/sh")], |_| {
                let mut processes = 0;
                while processes < 500 {
                    // SAFETY: the process has one thread, and the new ones end by themselves.
                    let child = unsafe { libc::fork() };
                    match child {
                        -1 => break,
                        0 => {
                            std::thread::sleep(std::time::Duration::from_secs(2));
                            // SAFETY: ends the process.
                            unsafe { libc::_exit(0) }
                        }
                        _ => processes += 1,
                    }
                }
                processes.to_string()
            });
        let processes: u32 = report.parse().unwrap();
        assert!((1..64).contains(&processes), "it made {processes} processes");
    }

    #[test]
    fn memory_that_is_no_longer_writable_is_bounded_by_the_address_space() {
        const PIECE: usize = 256 << 20;
        let report = in_restricted_child(Vec::new(), |_| {
            let (access, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let mut bytes = 0_u64;
            // SAFETY: maps new memory at any address, which nothing uses, and makes it read-only.
            unsafe {
                while bytes < 1 << 40 {
                    let memory = libc::mmap(std::ptr::null_mut(), PIECE, access, kind, -1, 0);
                    if memory == libc::MAP_FAILED || libc::mprotect(memory, PIECE, libc::PROT_READ) != 0 {
                        break;
                    }
                    bytes += PIECE as u64;
                }
            }
            bytes.to_string()
        });
        let gibibytes = report.parse::<u64>().unwrap() >> 30;
        // One of its own, eight for libraries and models, and at most four for the heaps of 64 threads.
        assert!(gibibytes <= 13, "it has {gibibytes} GiB");
    }

    #[test]
    fn a_child_that_may_run_one_program_is_refused_all_others_and_one_that_may_run_more_is_found_out() {
        let allowed = PathBuf::from("/bin/sh");
        let everything = ["network", "namespaces", "signals", "write", "memory", "outlive", "exec", "keys"];
        assert_eq!(refused(vec![allowed.clone()]), everything);
        let more = [allowed].into_iter().chain(SelfTest::idle_programs()).collect();
        assert_eq!(refused(more), everything.into_iter().filter(|name| *name != "exec").collect::<Vec<_>>());
        assert!(refused(Vec::new()).contains(&"fork".to_owned()));
    }
}
