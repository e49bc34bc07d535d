//! Options of `say` and `captions`.

use std::path::PathBuf;

use super::film::Sandbox;

#[derive(clap::Args)]
pub struct Say {
    /// Text to speak
    pub text: String,
    /// Output file: wav, mp3, m4a or aac
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Voice id or alias; `rondo voices` lists them
    #[arg(long)]
    pub voice: Option<String>,
    /// Speed, from 0.5 to 2
    #[arg(long, default_value_t = 1.0)]
    pub speed: f64,
    /// Also write captions: srt, vtt or json
    #[arg(long, value_name = "FILE")]
    pub captions: Option<PathBuf>,
    /// Use shorter captions that fit a portrait canvas
    #[arg(long)]
    pub portrait: bool,
    /// Print the time of each word as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Captions {
    /// Audio or video file
    pub file: PathBuf,
    /// Output file: srt, vtt or json. Default: SRT on standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Spoken language, for example en. Default: detected
    #[arg(long)]
    pub language: Option<String>,
    #[command(flatten)]
    pub sandbox: Sandbox,
    /// Use shorter captions that fit a portrait canvas
    #[arg(long)]
    pub portrait: bool,
}
