//! The command line: all commands and their options.

mod admin;
mod film;
mod parse;
mod project;
mod remote;
mod serve;
mod speech;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

pub use admin::{
    Account, Backup, Category, Files, Key, Plan, Restore, StoreLocation, Template, Templates, Webhook,
};
pub use film::{Check, Frame, Import, Quality, Render, Sheet, Source};
pub use project::{Dev, Init};
pub use remote::{Login, Logout, Remote, RemoteCommand, RemoteRender, ServiceChoice};
pub use serve::{Doctor, Serve};
pub use speech::{Captions, Say};

use crate::cache::Cache;

/// Render videos from JSON compositions
#[derive(Parser)]
#[command(name = "rondo", version, after_help = ENVIRONMENT)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const ENVIRONMENT: &str = "Environment:\n  \
    RONDO_FONT_DIR  Folder of ttf, otf, woff and woff2 files; takes precedence over the bundled fonts\n  \
    RONDO_SHARE     Folder of the bundled fonts, templates and speech engines, if it is not ../share/rondo\n\n\
Exit codes: 0 success, 1 invalid input or failed render, 2 invalid command line.";

#[derive(Subcommand)]
pub enum Command {
    /// Write a starter project: a composition of six seconds with its media, a README and a render script
    Init(Init),
    /// Play a composition in the browser while it is edited
    Dev(Dev),
    /// Render a composition to a video, GIF, image or audio file
    Render(Render),
    /// Draw single frames as PNG files
    Frame(Frame),
    /// Draw a contact sheet of twelve labelled frames as a PNG file
    Sheet(Sheet),
    /// Print all errors and warnings of a composition
    Check(Check),
    /// Make a composition of a film of Shotstack, Creatomate, JSON2Video or React Video Editor
    Import(Import),
    /// Inspect or clear a chunk cache
    #[command(subcommand)]
    Cache(Cache),
    /// Print the JSON Schema of a composition
    Schema,
    /// Print the completions of a shell
    Completions {
        #[arg(value_enum)]
        shell: CompletionShell,
    },
    /// Write the man pages to a folder
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// List the available font families and weights
    Fonts {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Convert text to speech
    Say(Say),
    /// Transcribe an audio or video file to captions
    Captions(Captions),
    /// List the available voices
    Voices {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Sign in to a service with an API key
    Login(Login),
    /// Forget the API key of a service
    Logout(Logout),
    /// Render on a service that you are signed in to
    Remote(Remote),
    /// Run the service: API, dashboard and render workers
    Serve(Serve),
    /// Check what this machine offers the service: sandbox, FFmpeg, fonts, speech, database, disk
    Doctor(Doctor),
    /// Make child processes for jobs; run by the service
    #[command(name = rondo_service::FORK_SERVER, hide = true)]
    ForkServer,
    /// Manage accounts, plans and credits
    #[command(subcommand)]
    Account(Account),
    /// Manage API keys
    #[command(subcommand)]
    Key(Key),
    /// Manage templates
    #[command(subcommand)]
    Template(Template),
    /// Manage the included templates
    #[command(subcommand)]
    Templates(Templates),
    /// Manage webhooks
    #[command(subcommand)]
    Webhook(Webhook),
    /// Copy the database, files and master key of a service to a new folder, also while it runs
    Backup(Backup),
    /// Copy a backup to a new data folder and check it
    Restore(Restore),
    /// Manage the files of a service
    #[command(subcommand)]
    Files(Files),
    /// List the names a composition can use: animations, shapes, stickers and others
    Registry {
        #[arg(value_enum)]
        area: Registry,
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    /// Whether the command reads or writes the data folder of a service.
    pub fn uses_data_folder(&self) -> bool {
        matches!(
            self,
            Self::Serve(_)
                | Self::Doctor(_)
                | Self::Account(_)
                | Self::Key(_)
                | Self::Template(_)
                | Self::Templates(_)
                | Self::Webhook(_)
                | Self::Backup(_)
                | Self::Restore(_)
                | Self::Files(_)
        )
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CompletionShell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Registry {
    /// Presets for `animation.enter` and `animation.exit`
    Animations,
    /// Presets for `animation.during`
    During,
    /// 3D layouts of images
    Layouts,
    Effects,
    Shapes,
    Stickers,
    /// Emoji by their CLDR short names, for stickers
    Emoji,
    /// Caption templates
    Captions,
    Easings,
    /// Filter presets
    Filters,
    /// Font families
    Fonts,
}
