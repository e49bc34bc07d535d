//! A folder of media made with the `ffmpeg` program, films from JSON, and what came out of them: pixels and samples.
//!
//! A numbered clip carries its frame number in the picture as ten blocks, black for 0 and white for 1, the lowest bit
//! leftmost.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output as Finished};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, FontSettings, Locate, Output, RenderError, RenderOptions, Report, load_fonts};
use rondo_text::Catalog;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Frames a second of decoded sound.
pub const SAMPLE_RATE: usize = 48_000;

/// Bits of the number in a numbered clip.
const BITS: usize = 10;
const BLOCK: usize = 16;
/// Size of a numbered clip.
pub const CODE_WIDTH: usize = BITS * BLOCK;
pub const CODE_HEIGHT: usize = 32;

/// One group of pictures for the whole clip, with B-frames.
pub const LONG_GOP: &str =
    "-c:v libx264 -preset veryfast -g 600 -keyint_min 600 -sc_threshold 0 -bf 3 -crf 20";

/// A temporary folder with the media of a film.
pub struct Studio {
    folder: TempDir,
}

impl Locate for Studio {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        let path = self.path(src);
        if path.is_file() { Ok(path) } else { Err("there is no such file".into()) }
    }
}

impl Studio {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of the files in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn film(&self, composition: &Value) -> Film {
        let read = Composition::read(composition, Limits::WIDEST).expect("a valid composition");
        assert_eq!(read.remarks.unknown_fields, Vec::<String>::new());
        Film::open(read.composition, self, fonts())
    }

    pub fn try_render(&self, composition: &Value, output: &Output) -> Result<Report, RenderError> {
        let never = AtomicBool::new(false);
        self.film(composition).render(output, &RenderOptions::default(), &mut |_| {}, &never)
    }

    /// Renders an MP4 file into the folder.
    pub fn render(&self, composition: &Value, name: &str) -> PathBuf {
        let path = self.path(name);
        self.try_render(composition, &Output::File(path.clone())).expect("renders");
        path
    }

    /// Renders a film and decodes its sound.
    pub fn heard(&self, composition: &Value) -> Sound {
        Sound::decode(&self.render(composition, "heard.mp4"))
    }

    /// A numbered clip; `timing` is a filter behind the picture, `coding` the output options.
    pub fn numbered(&self, name: &str, rate: &str, frames: u32, timing: &str, coding: &str) {
        let picture = format!(
            "nullsrc=s={CODE_WIDTH}x{CODE_HEIGHT}:r={rate},format=yuv420p,\
             geq=lum='if(mod(floor(N/pow(2,floor(X/{BLOCK}))),2),235,16)':cb=128:cr=128{timing}"
        );
        let frames = frames.to_string();
        let mut arguments =
            vec!["-f", "lavfi", "-i", &picture, "-frames:v", &frames, "-fps_mode", "passthrough"];
        arguments.extend(coding.split_whitespace());
        self.ffmpeg(&arguments, name);
    }

    /// Runs `ffmpeg` in the folder to write the file `name`.
    pub fn ffmpeg(&self, arguments: &[&str], name: &str) {
        let mut command = Command::new("ffmpeg");
        command.current_dir(self.folder.path()).args(["-v", "error", "-nostdin", "-y"]);
        run(command.args(arguments).arg(name));
    }

    /// A WAV file of 16-bit samples; `sample` gives each frame's value on all channels.
    pub fn wav(&self, name: &str, rate: u32, channels: u16, frames: usize, sample: impl Fn(usize) -> f64) {
        let data = (frames * usize::from(channels) * 2) as u32;
        let mut bytes = Vec::with_capacity(44 + data as usize);
        bytes.extend_from_slice(b"RIFF");
        bytes.extend_from_slice(&(36 + data).to_le_bytes());
        bytes.extend_from_slice(b"WAVEfmt ");
        bytes.extend_from_slice(&16u32.to_le_bytes());
        bytes.extend_from_slice(&1u16.to_le_bytes());
        bytes.extend_from_slice(&channels.to_le_bytes());
        bytes.extend_from_slice(&rate.to_le_bytes());
        bytes.extend_from_slice(&(rate * u32::from(channels) * 2).to_le_bytes());
        bytes.extend_from_slice(&(channels * 2).to_le_bytes());
        bytes.extend_from_slice(&16u16.to_le_bytes());
        bytes.extend_from_slice(b"data");
        bytes.extend_from_slice(&data.to_le_bytes());
        for frame in 0..frames {
            let value = (sample(frame) * 32_767.0).round() as i16;
            (0..channels).for_each(|_| bytes.extend_from_slice(&value.to_le_bytes()));
        }
        std::fs::write(self.path(name), bytes).expect("a WAV file");
    }
}

fn fonts() -> Arc<Catalog> {
    static FONTS: OnceLock<Arc<Catalog>> = OnceLock::new();
    FONTS.get_or_init(|| load_fonts(&FontSettings::default()).0).clone()
}

/// An overlay that covers `left, top, width, height` from frame 0 for longer than any film here; `more` replaces and
/// adds fields.
pub fn overlay(id: u32, kind: &str, [left, top, width, height]: [f64; 4], more: Value) -> Value {
    let mut overlay = json!({
        "id": id, "type": kind, "from": 0, "durationInFrames": 100_000, "row": 0,
        "left": left, "top": top, "width": width, "height": height,
    });
    for (key, value) in more.as_object().expect("an object") {
        overlay[key] = value.clone();
    }
    overlay
}

pub fn composition(size: [u32; 2], fps: u32, frames: u32, overlays: &[Value]) -> Value {
    json!({"width": size[0], "height": size[1], "fps": fps, "durationInFrames": frames, "overlays": overlays})
}

/// RGB of one pixel of a film's frame.
pub fn pixel(film: &mut Film, frame: u32, x: u32, y: u32) -> [u8; 3] {
    let still = film.still(frame).expect("a still");
    let at = ((y * still.width + x) * 4) as usize;
    [still.pixels[at], still.pixels[at + 1], still.pixels[at + 2]]
}

#[track_caller]
pub fn assert_near(got: [u8; 3], want: [u8; 3], within: u8, what: &str) {
    let near = got.iter().zip(want).all(|(got, want)| got.abs_diff(want) <= within);
    assert!(near, "{what}: {got:?} instead of {want:?}");
}

/// The number of a numbered clip shown upright at its own size with its corner at `left, top`; `pixels` has `channels`
/// bytes a pixel.
pub fn number(pixels: &[u8], width: usize, channels: usize, left: usize, top: usize) -> u32 {
    (0..BITS)
        .map(|bit| {
            let (x, y) = (left + bit * BLOCK + BLOCK / 2, top + CODE_HEIGHT / 2);
            let green = pixels[(y * width + x) * channels + 1];
            assert!(!(64..192).contains(&green), "block {bit} is grey ({green})");
            u32::from(green >= 192) << bit
        })
        .sum()
}

/// The number on a painted frame.
pub fn still_number(film: &mut Film, frame: u32, left: usize, top: usize) -> u32 {
    let still = film.still(frame).expect("a still");
    number(still.pixels, still.width as usize, 4, left, top)
}

/// Every frame of a film as tight RGB, converted as a colour-managed player does.
pub fn decode_frames(path: &Path, width: usize, height: usize) -> Vec<Vec<u8>> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-i"]).arg(path).args([
        "-vf",
        "scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=accurate_rnd+full_chroma_int+bilinear",
        "-fps_mode",
        "passthrough",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-",
    ]);
    let raw = run(&mut command).stdout;
    assert_eq!(raw.len() % (width * height * 3), 0, "whole frames of {width} × {height}");
    raw.chunks_exact(width * height * 3).map(<[u8]>::to_vec).collect()
}

/// What `ffprobe` says, as JSON.
pub fn ffprobe(path: &Path, arguments: &[&str]) -> Value {
    let mut command = Command::new("ffprobe");
    let finished = run(command.args(["-v", "error", "-of", "json"]).args(arguments).arg(path));
    serde_json::from_slice(&finished.stdout).expect("JSON")
}

fn run(command: &mut Command) -> Finished {
    let finished = command.output().expect("ffmpeg and ffprobe are installed");
    assert!(finished.status.success(), "{command:?}: {}", String::from_utf8_lossy(&finished.stderr));
    finished
}

/// Decoded sound: both channels at 48 kHz.
pub struct Sound {
    pub left: Vec<f32>,
    pub right: Vec<f32>,
}

impl Sound {
    pub fn decode(path: &Path) -> Self {
        let mut command = Command::new("ffmpeg");
        command.args(["-v", "error", "-nostdin", "-i"]).arg(path);
        let raw = run(command.args(["-map", "0:a", "-f", "f32le", "-ac", "2", "-ar", "48000", "-"])).stdout;
        let channel = |offset: usize| {
            raw.chunks_exact(8)
                .map(|frame| {
                    let bytes = &frame[offset..offset + 4];
                    f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
                })
                .collect()
        };
        Self { left: channel(0), right: channel(4) }
    }

    /// Root mean square of the left channel between two times in seconds.
    pub fn level(&self, from: f64, to: f64) -> f64 {
        let span = self.span(from, to);
        let sum: f64 = span.iter().map(|v| f64::from(*v).powi(2)).sum();
        (sum / span.len() as f64).sqrt()
    }

    /// Amplitude of one frequency in the left channel between two times in seconds.
    pub fn amplitude(&self, hertz: f64, from: f64, to: f64) -> f64 {
        let span = self.span(from, to);
        let turn = std::f64::consts::TAU * hertz / SAMPLE_RATE as f64;
        let (mut re, mut im) = (0.0, 0.0);
        for (index, value) in span.iter().enumerate() {
            let angle = turn * index as f64;
            re += f64::from(*value) * angle.cos();
            im += f64::from(*value) * angle.sin();
        }
        2.0 * re.hypot(im) / span.len() as f64
    }

    /// Second of the loudest sample between two times.
    pub fn peak(&self, from: f64, to: f64) -> f64 {
        let span = self.span(from, to);
        let loudest = (0..span.len()).max_by(|a, b| span[*a].abs().total_cmp(&span[*b].abs()));
        from + loudest.expect("samples") as f64 / SAMPLE_RATE as f64
    }

    pub fn span(&self, from: f64, to: f64) -> &[f32] {
        let at = |seconds: f64| (seconds * SAMPLE_RATE as f64).round() as usize;
        &self.left[at(from)..at(to)]
    }
}

/// A sine tone's value at a time.
pub fn tone(hertz: f64, amplitude: f64, seconds: f64) -> f64 {
    amplitude * (std::f64::consts::TAU * hertz * seconds).sin()
}

/// A smooth bump 1 ms wide whose middle lies at `at`.
pub fn pulse(at: f64, seconds: f64) -> f64 {
    let distance = (seconds - at).abs() / 0.000_5;
    if distance < 1.0 { 0.3 * (1.0 + (std::f64::consts::PI * distance).cos()) } else { 0.0 }
}
