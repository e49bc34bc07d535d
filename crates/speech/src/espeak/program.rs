//! Running espeak-ng, with limits on time and output.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::wav;
use crate::{Error, Sound};

const NAME: &str = "espeak-ng";
/// Folders of programs where the environment names none.
const USUAL_FOLDERS: &str = "/usr/local/bin:/usr/bin:/bin";
/// Variables that the program gets: where its libraries and its voices are.
const KEPT: [&str; 2] = ["LD_LIBRARY_PATH", "ESPEAK_DATA_PATH"];
/// A phrase takes milliseconds: after this time the program hangs.
const LIMIT: Duration = Duration::from_secs(20);
/// About twelve minutes of audio.
const MAX_BYTES: u64 = 32 << 20;

/// The file of the program.
pub fn program_file() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_else(|| USUAL_FOLDERS.into());
    std::env::split_paths(&folders).map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// Runs the program with a text on its standard input and returns its standard output. It ends with the thread that calls.
pub fn run(program: &Path, arguments: &[&str], text: &str) -> Result<Vec<u8>, Error> {
    let broken = |reason: String| Error::Engine(format!("espeak-ng failed: {reason}"));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // A confined process cannot open it, and has nothing else as its standard error.
        .stderr(File::options().write(true).open("/dev/null").map_or_else(|_| Stdio::inherit(), Stdio::from));
    // SAFETY: the call is safe between fork and exec: it is one system call on plain numbers.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
    let mut child = command.spawn().map_err(|error| broken(error.to_string()))?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        end(&mut child);
        return Err(broken("no standard input".to_owned()));
    };
    let text = text.to_owned();
    // The program may close its input early: that is not an error.
    let writer = thread::spawn(move || input.write_all(text.as_bytes()).is_ok());
    let (sender, answer) = channel();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(MAX_BYTES + 1).read_to_end(&mut bytes);
        // After a timeout there is no receiver.
        sender.send(read.map(|_| bytes)).is_ok()
    });
    let answer = answer.recv_timeout(LIMIT);
    let Ok(answer) = answer else {
        // A confined process must not kill: then the program, and the threads that wait for it, end with this process.
        if child.kill().is_ok() {
            let _ = child.wait();
        }
        return Err(broken(format!("timed out after {} seconds", LIMIT.as_secs())));
    };
    // It has closed its output, or cannot write any more.
    end(&mut child);
    // Both threads end with the program, which closes its ends of the pipes.
    let joined = writer.join().is_ok() & reader.join().is_ok();
    match answer {
        Ok(bytes) if joined && bytes.len() as u64 <= MAX_BYTES => Ok(bytes),
        Ok(_) => Err(broken("the output is too long".to_owned())),
        Err(error) => Err(broken(error.to_string())),
    }
}

/// Kills the program if it still runs, and waits for it.
fn end(child: &mut Child) {
    // Fails if the program has already ended, and where killing is refused.
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads the WAV output.
pub fn sound_of(answer: &[u8]) -> Result<Sound, Error> {
    if answer.is_empty() {
        return Ok(Sound { samples: Vec::new(), rate: 22_050 });
    }
    wav::read(answer).map_err(|reason| Error::Engine(format!("espeak-ng failed: {reason}")))
}
