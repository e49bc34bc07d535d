//! The program espeak-ng: one run each, with a limit on time and on what it may answer.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::wav;
use crate::{Error, Sound};

/// A phrase takes milliseconds; a program that takes this long hangs.
const LIMIT: Duration = Duration::from_secs(20);
/// About twelve minutes of sound.
const MOST_BYTES: u64 = 32 << 20;

/// What the program, as it is found on the path, answers to a text on its standard input.
pub fn run(arguments: &[&str], text: &str) -> Result<Vec<u8>, Error> {
    let broken = |reason: String| Error::Engine(format!("espeak-ng could not speak the text: {reason}"));
    let mut child = Command::new("espeak-ng")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| broken(error.to_string()))?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        end(&mut child);
        return Err(broken("it has no input".to_owned()));
    };
    let text = text.to_owned();
    // A program that has heard enough closes its input: that is no error.
    let writer = thread::spawn(move || input.write_all(text.as_bytes()).is_ok());
    let (sender, answer) = channel();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        // Nobody waits any more where the time has run out.
        sender.send(read.map(|_| bytes)).is_ok()
    });
    let answer = answer.recv_timeout(LIMIT);
    end(&mut child);
    // Both end once the program has: its ends of the pipes are closed.
    let joined = writer.join().is_ok() & reader.join().is_ok();
    match answer {
        Ok(Ok(bytes)) if joined && bytes.len() as u64 <= MOST_BYTES => Ok(bytes),
        Ok(Ok(_)) => Err(broken("its answer is too long".to_owned())),
        Ok(Err(error)) => Err(broken(error.to_string())),
        Err(_) => Err(broken(format!("it took more than {} seconds", LIMIT.as_secs()))),
    }
}

/// Ends the program, which may have ended, and takes note of its end.
fn end(child: &mut Child) {
    // Where it has ended already there is nothing to kill.
    let _ = child.kill();
    let _ = child.wait();
}

/// The sound of an answer, which is a WAV file.
pub fn sound_of(answer: &[u8]) -> Result<Sound, Error> {
    if answer.is_empty() {
        return Ok(Sound { samples: Vec::new(), rate: 22_050 });
    }
    wav::read(answer).map_err(|reason| Error::Engine(format!("espeak-ng could not speak the text: {reason}")))
}
