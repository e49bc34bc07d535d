//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, RangedI64ValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use rondo_composition::limits::{LOUDNESS, MOST_FRAMES, RATES, SIDES};
use rondo_render::{Format, codec_names};
use rondo_server::settings::SETTINGS;

use crate::cache::{Cache, Chunks};

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
    /// Render a composition to a film, a GIF, pictures or a sound file
    Render(Render),
    /// Paint single frames to PNG files
    Frame(Frame),
    /// Paint twelve labelled frames across the film on one PNG
    Sheet(Sheet),
    /// Tell what is wrong with a composition, or will not look as written
    Check(Check),
    /// Look into or empty a folder of finished chunks
    #[command(subcommand)]
    Cache(Cache),
    /// Print the JSON Schema of a composition
    Schema,
    /// List the font families at hand, with their weights
    Fonts {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Speak a text into a sound file
    Say(Say),
    /// Write down what is said in a sound or video, as captions
    Captions(Captions),
    /// List the voices texts can be spoken with
    Voices {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Run the service: the API, the pages and the render workers
    Serve(Serve),
    /// Manage accounts: people, plans, credits
    #[command(subcommand)]
    Account(Account),
    /// Manage API keys
    #[command(subcommand)]
    Key(Key),
    /// Manage templates
    #[command(subcommand)]
    Template(Template),
    /// Look after the templates that come with the service
    #[command(subcommand)]
    Templates(Templates),
    /// Manage webhooks
    #[command(subcommand)]
    Webhook(Webhook),
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
    /// The file to write; its ending says what it is: mp4, webm, mov, gif, png, jpg, webp, mp3, wav, aac or m4a, or zip
    /// for a picture of every frame. A folder takes such pictures too, with --format
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// What to write where the ending does not say it: the kind of pictures in an archive or a folder, or any file
    #[arg(long, value_parser = PossibleValuesParser::new(Format::names()))]
    pub format: Option<String>,
    /// How pictures are encoded: h264, hevc or av1 in mp4, vp9 or av1 in webm, prores, h264 or hevc in mov; the first one
    /// of each if not given
    #[arg(long, value_parser = PossibleValuesParser::new(codec_names()))]
    pub codec: Option<String>,
    /// Only these frames, both counted; as in 30-59
    #[arg(long, value_name = "FIRST-LAST", value_parser = range)]
    pub range: Option<(u32, u32)>,
    /// The frame of a single picture, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
    /// Size compared with the composition's, as in 0.5; everything is drawn at that size
    #[arg(long, value_name = "FACTOR")]
    pub scale: Option<f64>,
    /// Whether transparency is kept; if not given, where the file can and the background is not opaque
    #[arg(long, value_name = "true|false")]
    pub alpha: Option<bool>,
    /// Length in frames, instead of the composition's
    #[arg(long, value_name = "N", value_parser = within((1, MOST_FRAMES)))]
    pub frames: Option<u32>,
    /// Loudness of the whole sound, as in -14; if not given, sound is as loud as the composition makes it
    #[arg(long, value_name = "LUFS", value_parser = loudness, allow_negative_numbers = true)]
    pub loudness: Option<f64>,
    /// How much care the encoder takes
    #[arg(long, value_enum, default_value_t = Quality::Standard)]
    pub quality: Quality,
    /// The same as --quality draft
    #[arg(long, conflicts_with = "quality")]
    pub draft: bool,
    #[command(flatten)]
    pub chunks: Chunks,
    /// Chunks painted and encoded at once; the machine's cores decide if it is not given. Never changes the film
    #[arg(long, value_name = "N", value_parser = within((1, 64)))]
    pub workers: Option<u32>,
    /// Print one JSON object a line instead of a progress bar
    #[arg(long)]
    pub json: bool,
    /// With --json, tell the processor time of each stage at the end. Changes how video is decoded, but no picture
    #[arg(long, hide = true, requires = "json")]
    pub timings: bool,
    /// Write frames as raw I420 without encoding them
    #[arg(long, hide = true)]
    pub raw: bool,
}

#[derive(clap::Args)]
pub struct Say {
    /// What to say
    pub text: String,
    /// The file to write: wav, mp3, m4a or aac
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// An id of `rondo voices`, or another name it answers to
    #[arg(long)]
    pub voice: Option<String>,
    /// From 0.5 to 2
    #[arg(long, default_value_t = 1.0)]
    pub speed: f64,
    /// Also write the words as captions: srt, vtt or json
    #[arg(long, value_name = "FILE")]
    pub captions: Option<PathBuf>,
    /// Captions short enough for a picture that is higher than wide
    #[arg(long)]
    pub portrait: bool,
    /// Print when each word is spoken, as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct Captions {
    /// A sound or video
    pub file: PathBuf,
    /// The file to write: srt, vtt or json; SRT on standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The language spoken, as in en; found out if not given
    #[arg(long)]
    pub language: Option<String>,
    /// Captions short enough for a picture that is higher than wide
    #[arg(long)]
    pub portrait: bool,
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

/// The settings of the service given as flags; the table is the server's.
pub struct Serve {
    /// A file of settings instead of rondo.toml
    pub config: Option<PathBuf>,
    pub flags: Vec<(&'static str, String)>,
}

impl clap::FromArgMatches for Serve {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let flags = SETTINGS.iter().filter_map(|setting| {
            let value = matches.get_one::<String>(setting.name)?;
            Some((setting.name, value.clone()))
        });
        Ok(Self { config: matches.get_one::<PathBuf>("config").cloned(), flags: flags.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Serve {
    fn augment_args(command: clap::Command) -> clap::Command {
        let config = clap::Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("A file of settings instead of rondo.toml");
        command
            .arg(config)
            .args(SETTINGS.iter().map(|setting| {
                let help = match setting.default {
                    "" | "false" => setting.help.to_owned(),
                    default => format!("{} [default: {default}]", setting.help),
                };
                let arg = clap::Arg::new(setting.name).long(setting.name).help(help);
                match setting.value {
                    "" => arg.num_args(0..=1).require_equals(true).default_missing_value("true").value_name("true|false"),
                    value => arg.value_name(value),
                }
            }))
            .after_help(
                "Every setting may also be given as a variable, RONDO_PUBLIC_URL for --public-url, or in rondo.toml as \
                 public-url = \"…\". Flags win over variables, variables over the file.",
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// Where the service keeps what it knows.
#[derive(clap::Args)]
pub struct Place {
    /// The service's data folder [default: rondo-data]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<String>,
    /// The service's PostgreSQL database, if it uses one
    #[arg(long, value_name = "URL", global = true)]
    pub database_url: Option<String>,
}

#[derive(Subcommand)]
pub enum Account {
    /// Create an account with its first API key, which is shown once
    Create {
        #[command(flatten)]
        place: Place,
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        #[arg(long, value_enum, default_value_t = Plan::None)]
        plan: Plan,
        /// Credits to begin with
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..=1_000_000_000))]
        credits: i64,
        /// Password for signing in; without one nobody can
        #[arg(long)]
        password: Option<String>,
        /// Makes the account an operator, as the first one is in any case
        #[arg(long)]
        operator: bool,
    },
    /// List every account
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Add credits to an account, or take some when negative
    Credit {
        #[command(flatten)]
        place: Place,
        email: String,
        #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-1_000_000_000..=1_000_000_000))]
        credits: i64,
    },
    /// Change the plan of an account
    Plan {
        #[command(flatten)]
        place: Place,
        email: String,
        #[arg(value_enum)]
        plan: Plan,
    },
    /// Let an account look after everyone's accounts, the queue and the workers
    Operator {
        #[command(flatten)]
        place: Place,
        email: String,
        /// Takes it back
        #[arg(long)]
        revoke: bool,
    },
    /// Set a new password and end every session; one is made up and shown unless given
    Password {
        #[command(flatten)]
        place: Place,
        email: String,
        #[arg(long)]
        password: Option<String>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Plan {
    None,
    Creator,
    Business,
}

#[derive(Subcommand)]
pub enum Key {
    /// Create an API key, which is shown once
    Create {
        #[command(flatten)]
        place: Place,
        email: String,
    },
    /// List the keys of an account
    List {
        #[command(flatten)]
        place: Place,
        email: String,
    },
    /// Revoke a key by its prefix
    Revoke {
        #[command(flatten)]
        place: Place,
        prefix: String,
    },
}

#[derive(Subcommand)]
pub enum Template {
    /// Make a project a template
    Publish {
        #[command(flatten)]
        place: Place,
        project_id: String,
        /// Name of the template, instead of the project's
        #[arg(long)]
        name: Option<String>,
        /// Description of the template, instead of the project's
        #[arg(long)]
        description: Option<String>,
        #[arg(long, value_enum, default_value_t = Category::Branding)]
        category: Category,
        /// Price in credits for a minute at 1080p
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
        credits_per_minute: u32,
        /// Only its owner and those it is granted to can use it
        #[arg(long)]
        private: bool,
    },
    /// Let an account use a template that is not public
    Grant {
        #[command(flatten)]
        place: Place,
        template_id: String,
        email: String,
    },
}

#[derive(Subcommand)]
pub enum Templates {
    /// Render the picture and the film that show each template, into the data folder
    Build {
        #[command(flatten)]
        place: Place,
        /// Names of templates, as their folders are called; all if none is given
        only: Vec<String>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    Branding,
    RealEstate,
    SocialMedia,
    Educational,
    Ecommerce,
    Sports,
    Personalized,
    Events,
    Travel,
}

#[derive(Subcommand)]
pub enum Webhook {
    /// Activate a webhook that was deactivated after failing for days
    Reactivate {
        #[command(flatten)]
        place: Place,
        id: String,
    },
}

fn within((least, most): (i64, i64)) -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(least..=most)
}

fn loudness(text: &str) -> Result<f64, String> {
    let (least, most) = LOUDNESS;
    let lufs = text.parse().ok().filter(|lufs| (least..=most).contains(lufs));
    lufs.ok_or_else(|| format!("write a number from {least} to {most}"))
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let number = |part: &str| part.trim().parse::<u32>().ok();
    let ends = text.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
    ends.ok_or_else(|| "write the first and the last frame as FIRST-LAST".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    if name.is_empty() {
        return Err("the name before = is empty".into());
    }
    Ok((name.to_owned(), value.to_owned()))
}
