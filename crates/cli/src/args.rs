//! The command line.

use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Parser, Subcommand, ValueEnum};
use rondo_composition::limits::{MOST_FRAMES, RATES, SIDES};

/// Renders compositions to video, natively: no browser.
#[derive(Parser)]
#[command(name = "rondo", version, after_help = ENVIRONMENT)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const ENVIRONMENT: &str = "Environment:\n  \
    RONDO_FONT_DIR  a folder of ttf, otf, woff and woff2 files whose families win over the bundled ones\n\n\
Exit codes: 0 done, 1 the input or the render is at fault, 2 wrong usage.";

#[derive(Subcommand)]
pub enum Command {
    /// Render a composition to an MP4 film
    Render(Render),
    /// Paint single frames to PNG files
    Frame(Frame),
    /// Paint twelve labelled frames across the film on one PNG
    Sheet(Sheet),
    /// Tell what is wrong with a composition, or will not look as written
    Check(Check),
    /// Print the JSON Schema of a composition
    Schema,
    /// List the font families at hand, with their weights
    Fonts {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// List the names a composition may use: animations, shapes, stickers and so on
    Registry {
        #[arg(value_enum)]
        area: Registry,
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Registry {
    /// Presets for `animation.enter` and `animation.exit`
    Animations,
    /// Presets for `animation.during`
    During,
    /// Poses of pictures in space
    Layouts,
    Effects,
    Shapes,
    Stickers,
    /// Caption templates
    Captions,
    Easings,
    /// Filter presets
    Filters,
    /// Font families
    Fonts,
}

/// The composition and what replaces parts of it.
#[derive(clap::Args)]
pub struct Source {
    /// A composition, or the body of a render request in direct mode; "-" reads standard input. Media paths are URLs,
    /// or files relative to this file
    #[arg(value_name = "COMP.json")]
    pub composition: PathBuf,
    /// Value for a dynamic overlay, by its name; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Width in pixels, instead of the composition's
    #[arg(long, value_name = "PX", value_parser = within(SIDES))]
    pub width: Option<u32>,
    /// Height in pixels, instead of the composition's
    #[arg(long, value_name = "PX", value_parser = within(SIDES))]
    pub height: Option<u32>,
    /// Frames a second, instead of the composition's
    #[arg(long, value_parser = within(RATES))]
    pub fps: Option<u32>,
}

#[derive(clap::Args)]
pub struct Render {
    #[command(flatten)]
    pub source: Source,
    /// The film to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Length in frames, instead of the composition's
    #[arg(long, value_name = "N", value_parser = within((1, MOST_FRAMES)))]
    pub frames: Option<u32>,
    /// How much care the encoder takes
    #[arg(long, value_enum, default_value_t = Quality::Standard)]
    pub quality: Quality,
    /// Print one JSON object a line instead of a progress bar
    #[arg(long)]
    pub json: bool,
    /// Write frames as raw I420 without encoding them
    #[arg(long, hide = true)]
    pub raw: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Quality {
    /// Fast, for a first look
    Draft,
    Standard,
    /// Slow, for archives and further editing
    High,
}

#[derive(clap::Args)]
#[group(id = "which", required = true, multiple = false, args = ["frame", "frames"])]
pub struct Frame {
    #[command(flatten)]
    pub source: Source,
    /// The frame to paint, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
    /// Several frames, written as frame-N.png into the folder given by --output
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub frames: Vec<u32>,
    /// The PNG file, or the folder for --frames
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    /// Print one JSON object a frame with the milliseconds it took to paint
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Sheet {
    #[command(flatten)]
    pub source: Source,
    /// The PNG file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub source: Source,
    /// Print JSON instead of sentences
    #[arg(long)]
    pub json: bool,
}

fn within((least, most): (i64, i64)) -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(least..=most)
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    if name.is_empty() {
        return Err("the name before = is empty".into());
    }
    Ok((name.to_owned(), value.to_owned()))
}
