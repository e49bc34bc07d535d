//! Options of `serve`, generated from the table of settings.

use std::path::PathBuf;

use rondo_service::settings::SETTINGS;

/// The settings given as flags; [`SETTINGS`] defines them.
pub struct Serve {
    /// Settings file to read instead of rondo.toml.
    pub config: Option<PathBuf>,
    pub flags: Vec<(&'static str, String)>,
}

/// Options of `doctor`.
#[derive(clap::Args)]
pub struct Doctor {
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub settings: Serve,
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
            .help("Settings file to read instead of rondo.toml");
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
                "You can also set each option with an environment variable (RONDO_PUBLIC_URL for --public-url) or in \
                 rondo.toml (public-url = \"…\"). Flags take precedence over variables, variables over the file.",
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}
