//! Options of the commands that read a composition: `render`, `frame`, `sheet` and `check`; and of `import`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use rondo_composition::limits::{MOST_FRAMES, RATES, SIDES};
use rondo_jobs::Mode;
use rondo_render::{Format, codec_names};

use super::parse::{loudness, name_and_value, range, sandbox, within};
use crate::cache::Chunks;

/// The composition, with replacements and overrides.
#[derive(clap::Args)]
pub struct Source {
    /// Composition, or request body with `inputProps`. "-" reads standard input. Relative media paths start at the
    /// folder of this file
    #[arg(value_name = "COMP.json")]
    pub composition: PathBuf,
    /// Replace the text or source of a dynamic overlay; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub set: Vec<(String, String)>,
    /// Override the width in pixels
    #[arg(long, value_name = "PX", value_parser = within(SIDES))]
    pub width: Option<u32>,
    /// Override the height in pixels
    #[arg(long, value_name = "PX", value_parser = within(SIDES))]
    pub height: Option<u32>,
    /// Override the frame rate
    #[arg(long, value_parser = within(RATES))]
    pub fps: Option<u32>,
    #[command(flatten)]
    pub sandbox: Sandbox,
}

#[derive(Clone, Copy, clap::Args)]
pub struct Sandbox {
    /// Read media in a sandboxed process, as `rondo serve` does. `required` fails if the kernel does not grant all of it
    #[arg(id = "sandbox", long = "sandbox", value_name = "auto|required", num_args = 0..=1, require_equals = true, default_missing_value = "auto", value_parser = sandbox)]
    pub mode: Option<Mode>,
}

#[derive(clap::Args)]
pub struct Render {
    #[command(flatten)]
    pub source: Source,
    /// Output file. The extension selects the format: mp4, m3u8 (HLS), webm, mov, gif, png, jpg, webp, mp3, wav, aac or m4a; zip
    /// writes one image per frame. With --format png, jpg or webp, a folder also receives one image per frame
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Format of the images in an archive or folder, or of a file whose extension does not specify it
    #[arg(long, value_parser = PossibleValuesParser::new(Format::names()))]
    pub format: Option<String>,
    /// Video codec: h264, hevc or av1 in mp4; vp9 or av1 in webm; prores, h264 or hevc in mov. Default: the first one of
    /// the format
    #[arg(long, value_parser = PossibleValuesParser::new(codec_names()))]
    pub codec: Option<String>,
    /// Render only these frames, inclusive, for example 30-59
    #[arg(long, value_name = "FIRST-LAST", value_parser = range)]
    pub range: Option<(u32, u32)>,
    /// Frame number of a single image, starting at 0
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
    /// Scale factor, for example 0.5. Everything is drawn at the new size
    #[arg(long, value_name = "FACTOR")]
    pub scale: Option<f64>,
    /// Keep transparency. Default: true if the format supports it and the background is not opaque
    #[arg(long, value_name = "true|false")]
    pub alpha: Option<bool>,
    /// Override the length in frames
    #[arg(long, value_name = "N", value_parser = within((1, MOST_FRAMES)))]
    pub frames: Option<u32>,
    /// Integrated loudness of the film, for example -14. Default: unchanged
    #[arg(long, value_name = "LUFS", value_parser = loudness, allow_negative_numbers = true)]
    pub loudness: Option<f64>,
    /// Encoder effort
    #[arg(long, value_enum, default_value_t = Quality::Standard)]
    pub quality: Quality,
    /// Same as --quality draft
    #[arg(long, conflicts_with = "quality")]
    pub draft: bool,
    /// Encode every H.264 frame, including frames equal to the previous one. Slower; the film looks the same
    #[arg(long)]
    pub encode_every_frame: bool,
    #[command(flatten)]
    pub chunks: Chunks,
    /// Number of chunks to render in parallel. Does not change the output. Default: half the CPU cores
    #[arg(long, value_name = "N", value_parser = within((1, 64)))]
    pub workers: Option<u32>,
    /// Print progress as JSON, one object per line
    #[arg(long)]
    pub json: bool,
    /// With --json, print the CPU time of each stage. Changes how video is decoded, but not the output
    #[arg(long, hide = true, requires = "json", conflicts_with = "sandbox")]
    pub timings: bool,
    /// Write raw I420 frames without encoding them
    #[arg(long, hide = true, conflicts_with = "sandbox")]
    pub raw: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Quality {
    /// Fast, for a first impression
    Draft,
    Standard,
    /// Slow, for archiving and further editing
    High,
}

#[derive(clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["frame", "frames"])]
pub struct Frame {
    #[command(flatten)]
    pub source: Source,
    /// Frame number, starting at 0
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
    /// Several frames, written as frame-N.png to the folder given by --output
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub frames: Vec<u32>,
    /// Output PNG file; a folder with --frames
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    /// Print one JSON object per frame, with its drawing time in milliseconds
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Sheet {
    #[command(flatten)]
    pub source: Source,
    /// Output PNG file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub source: Source,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Import {
    /// Document to import. "-" reads standard input
    pub file: PathBuf,
    /// Format of the document. Default: recognised
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(rondo_import::Source::NAMES))]
    pub from: Option<String>,
    /// Composition to write. "-" writes to standard output
    #[arg(short, long, value_name = "COMP.json", default_value = "-")]
    pub output: PathBuf,
    /// Print the warnings as JSON on standard output, also where the composition is written to a file
    #[arg(long)]
    pub json: bool,
}
