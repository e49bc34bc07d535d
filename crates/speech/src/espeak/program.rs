//! Running espeak-ng, with limits on time and output.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::wav;
use crate::{Error, Sound};

/// A phrase takes milliseconds: after this time the program hangs.
const LIMIT: Duration = Duration::from_secs(20);
/// About twelve minutes of audio.
const MAX_BYTES: u64 = 32 << 20;

/// Runs the program with a text on its standard input and returns its standard output.
pub fn run(arguments: &[&str], text: &str) -> Result<Vec<u8>, Error> {
    let broken = |reason: String| Error::Engine(format!("espeak-ng failed: {reason}"));
    let mut child = Command::new("espeak-ng")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| broken(error.to_string()))?;
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
    end(&mut child);
    // Both threads end with the program, which closes its ends of the pipes.
    let joined = writer.join().is_ok() & reader.join().is_ok();
    match answer {
        Ok(Ok(bytes)) if joined && bytes.len() as u64 <= MAX_BYTES => Ok(bytes),
        Ok(Ok(_)) => Err(broken("the output is too long".to_owned())),
        Ok(Err(error)) => Err(broken(error.to_string())),
        Err(_) => Err(broken(format!("timed out after {} seconds", LIMIT.as_secs()))),
    }
}

/// Kills the program if it still runs, and waits for it.
fn end(child: &mut Child) {
    // Fails if the program has already ended.
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
