//! Asks for a secret on the terminal without showing it.

use std::io::{self, IsTerminal, Write};
use std::mem::MaybeUninit;

/// Longest secret in bytes.
const MOST_BYTES: u64 = 4096;

/// Reads one line. From a pipe it is read without a question.
pub fn ask_hidden(question: &str) -> Result<String, String> {
    let failed = |error: io::Error| format!("Failed to read the API key: {error}.");
    let _hidden = if io::stdin().is_terminal() {
        let mut out = io::stderr().lock();
        out.write_all(question.as_bytes()).and_then(|()| out.flush()).map_err(failed)?;
        Some(Hidden::start().map_err(failed)?)
    } else {
        None
    };
    let mut line = String::new();
    io::BufRead::read_line(&mut io::Read::take(io::stdin().lock(), MOST_BYTES), &mut line).map_err(failed)?;
    Ok(line.trim().to_owned())
}

/// The terminal does not show what is typed until this is dropped.
struct Hidden {
    before: libc::termios,
}

impl Hidden {
    fn start() -> io::Result<Self> {
        let mut state = MaybeUninit::<libc::termios>::uninit();
        // SAFETY: the pointer is valid for writes of a `termios`.
        if unsafe { libc::tcgetattr(libc::STDIN_FILENO, state.as_mut_ptr()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call has succeeded, so it has written the state.
        let before = unsafe { state.assume_init() };
        let mut quiet = before;
        quiet.c_lflag &= !libc::ECHO;
        // SAFETY: the pointer is valid for reads of a `termios`.
        match unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSAFLUSH, &quiet) } {
            0 => Ok(Self { before }),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // SAFETY: the pointer is valid for reads of a `termios`.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSAFLUSH, &self.before) };
        // The line break that was typed was not shown either.
        let _ = writeln!(io::stderr());
    }
}
