//! Options of the commands that use a service over HTTP: `login`, `logout` and `remote`.

use std::path::PathBuf;

use clap::Subcommand;

use super::parse::name_and_value;

#[derive(clap::Args)]
pub struct Login {
    /// Address of the service, for example https://rondo.example.com
    #[arg(value_name = "URL")]
    pub url: String,
    /// API key. Other users can see it in the list of processes. Default: asked for, or read from standard input
    #[arg(long)]
    pub key: Option<String>,
}

#[derive(clap::Args)]
pub struct Logout {
    /// Address of the service. Default: the one that was signed in to last
    #[arg(value_name = "URL")]
    pub url: Option<String>,
}

/// Which service a command uses.
#[derive(clap::Args)]
pub struct ServiceChoice {
    /// Address of the service. Default: RONDO_URL with RONDO_API_KEY, else the one that was signed in to last
    #[arg(long = "service", value_name = "URL", global = true)]
    pub url: Option<String>,
}

#[derive(clap::Args)]
pub struct Remote {
    #[command(flatten)]
    pub service: ServiceChoice,
    #[command(subcommand)]
    pub command: RemoteCommand,
}

#[derive(Subcommand)]
pub enum RemoteCommand {
    /// Render a composition, a template or a project on the service, and download the film
    Render(RemoteRender),
    /// Print the state of a render
    Status {
        /// Id of the render
        #[arg(value_name = "ID")]
        id: String,
        /// Print JSON instead of text
        #[arg(long)]
        json: bool,
    },
    /// List the templates with their variables
    Templates {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
}

/// What is rendered: one of them.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct RemoteFilm {
    /// Composition, or request body with `inputProps`. "-" reads standard input. Local media files are uploaded
    #[arg(value_name = "COMP.json")]
    pub composition: Option<PathBuf>,
    /// Id of a template
    #[arg(long, value_name = "ID")]
    pub template: Option<String>,
    /// Id of a project
    #[arg(long, value_name = "ID")]
    pub project: Option<String>,
}

#[derive(clap::Args)]
pub struct RemoteRender {
    #[command(flatten)]
    pub film: RemoteFilm,
    /// Value for a variable; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub set: Vec<(String, String)>,
    /// File for a variable, which is uploaded; repeatable
    #[arg(long = "file", value_name = "NAME=PATH", value_parser = name_and_value)]
    pub files: Vec<(String, String)>,
    /// Where to write the film. The extension selects the format. Repeat it for more files of the same render, such as a GIF
    /// and a picture. Default: only the address of the film is printed
    #[arg(short, long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
    /// Render faster, at lower quality
    #[arg(long)]
    pub draft: bool,
    /// Print the id of the render and do not wait for its end
    #[arg(long, conflicts_with = "outputs")]
    pub no_wait: bool,
    /// Print the finished render as JSON
    #[arg(long)]
    pub json: bool,
}
