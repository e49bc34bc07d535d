//! What a restricted child really cannot do: it tries.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Something a child must not be able to do, or must be able to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// `network`, `database`, `keys`, `exec`, `write`, `fork`, `signals` or `fonts`.
    pub name: String,
    pub refused: bool,
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
}

/// Tries everything in this process.
pub fn attempt_everything(test: &SelfTest) -> Vec<Attempt> {
    let mut attempts = vec![
        attempt("network", has_network()),
        attempt("exec", runs_program()),
        attempt("fork", forks()),
        attempt("signals", has_signals_sent()),
        attempt("write", writes(&test.elsewhere)),
    ];
    for (name, path) in &test.secrets {
        attempts.push(attempt(name, std::fs::File::open(path).is_ok()));
    }
    if let Some(fonts) = &test.fonts {
        attempts.push(attempt("fonts", std::fs::read_dir(fonts).is_ok()));
    }
    attempts
}

fn attempt(name: &str, succeeded: bool) -> Attempt {
    Attempt { name: name.to_owned(), refused: !succeeded }
}

fn has_network() -> bool {
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_UNIX, libc::AF_NETLINK];
    families.into_iter().any(|family| {
        // SAFETY: the call takes plain numbers.
        let socket = unsafe { libc::socket(family, libc::SOCK_DGRAM, 0) };
        if socket >= 0 {
            // SAFETY: the descriptor was just opened here.
            unsafe { libc::close(socket) };
        }
        socket >= 0
    })
}

fn runs_program() -> bool {
    // A program that is there ends this process; so a name that is not there is enough: it is refused before it is looked for.
    let Ok(program) = CString::new("/nonexistent/program") else { return true };
    let arguments = [program.as_ptr(), std::ptr::null()];
    // SAFETY: both arrays end with a null pointer and live until the call returns.
    unsafe { libc::execv(program.as_ptr(), arguments.as_ptr()) };
    std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOENT)
}

fn forks() -> bool {
    // SAFETY: a child, if there is one, ends at once.
    match unsafe { libc::fork() } {
        -1 => false,
        // SAFETY: ends the process.
        0 => unsafe { libc::_exit(0) },
        child => {
            let mut status = 0;
            // SAFETY: the call writes to one place.
            unsafe { libc::waitpid(child, &mut status, 0) };
            true
        }
    }
}

/// Whether a descriptor can be made to send signals, which go to any process.
fn has_signals_sent() -> bool {
    // SAFETY: the calls take plain numbers; standard input is open in every child.
    unsafe {
        let own = libc::getpid();
        libc::fcntl(0, libc::F_SETOWN, own) == 0 || libc::fcntl(0, libc::F_SETFL, libc::O_ASYNC) == 0
    }
}

fn writes(folder: &Path) -> bool {
    let path = folder.join(format!("sandbox-test-{}", std::process::id()));
    let written = std::fs::File::create(&path).is_ok();
    if written {
        let _ = std::fs::remove_file(&path);
    }
    written
}
