//! Clips made with the `ffmpeg` program. A numbered clip carries its frame number in the picture as ten blocks, black
//! for 0 and white for 1, the lowest bit leftmost.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use rondo_media::DecodedFrame;

pub const BITS: usize = 10;
const BLOCK: usize = 16;

pub fn ffmpeg(arguments: &[&str]) {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(arguments)
        .output()
        .expect("the ffmpeg program is installed");
    assert!(output.status.success(), "ffmpeg {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Lines `key=value` of ffprobe.
pub fn ffprobe(path: &Path, entries: &str, stream: &str) -> Vec<String> {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "default=nw=1", "-show_entries", entries])
        .args(if stream.is_empty() { vec![] } else { vec!["-select_streams", stream] })
        .arg(path)
        .output()
        .expect("the ffprobe program is installed");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// A numbered clip; `timing` is a filter behind the picture, `coding` the output options.
pub fn numbered(path: &Path, rate: &str, frames: u32, timing: &str, coding: &str) -> PathBuf {
    let width = BITS * BLOCK;
    let picture = format!(
        "nullsrc=s={width}x64:r={rate},format=yuv420p,geq=lum='if(mod(floor(N/pow(2,floor(X/{BLOCK}))),2),235,16)':\
         cb=128:cr=128{timing}"
    );
    let frames = frames.to_string();
    let mut arguments = vec!["-f", "lavfi", "-i", &picture, "-frames:v", &frames, "-fps_mode", "passthrough"];
    arguments.extend(coding.split_whitespace());
    let name = path.to_str().expect("a plain path");
    arguments.push(name);
    ffmpeg(&arguments);
    path.to_owned()
}

/// One group of pictures for the whole clip, with B-frames.
pub const LONG_GOP: &str =
    "-c:v libx264 -preset veryfast -g 600 -keyint_min 600 -sc_threshold 0 -bf 3 -crf 20";

/// The number in an upright numbered clip's picture.
pub fn number(frame: &DecodedFrame) -> u32 {
    number_at(frame, |block| (block * BLOCK + BLOCK / 2, frame.height as usize / 2))
}

pub fn number_at(frame: &DecodedFrame, centre: impl Fn(usize) -> (usize, usize)) -> u32 {
    (0..BITS)
        .map(|bit| {
            let (x, y) = centre(bit);
            let luma = frame.rgba()[(y * frame.width as usize + x) * 4 + 1];
            assert!(!(64..192).contains(&luma), "block {bit} is grey ({luma})");
            u32::from(luma >= 192) << bit
        })
        .sum()
}
