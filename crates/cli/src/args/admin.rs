//! Options of the commands that administer a service: `account`, `key`, `template`, `templates`, `webhook` and `files`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// Which service a command administers.
#[derive(clap::Args)]
pub struct StoreLocation {
    /// Data folder of the service [default: rondo-data]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<String>,
    /// PostgreSQL database of the service, if it uses one
    #[arg(long, value_name = "URL", global = true)]
    pub database_url: Option<String>,
}

#[derive(Subcommand)]
pub enum Account {
    /// Create an account and its first API key, which is shown once
    Create {
        #[command(flatten)]
        location: StoreLocation,
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        #[arg(long, value_enum, default_value_t = Plan::None)]
        plan: Plan,
        /// Initial credits
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..=1_000_000_000))]
        credits: i64,
        /// Password for the dashboard. Default: none, sign-in is not possible
        #[arg(long)]
        password: Option<String>,
        /// Make the account an operator. The first account always is
        #[arg(long)]
        operator: bool,
    },
    /// List all accounts
    List {
        #[command(flatten)]
        location: StoreLocation,
    },
    /// Add credits to an account; a negative number removes credits
    Credit {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
        #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-1_000_000_000..=1_000_000_000))]
        credits: i64,
    },
    /// Change the plan of an account
    Plan {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
        #[arg(value_enum)]
        plan: Plan,
    },
    /// Make an account an operator, who manages all accounts, the queue and the workers
    Operator {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
        /// Revoke the operator role
        #[arg(long)]
        revoke: bool,
    },
    /// Suspend an account: keys, sessions and apps no longer work, and queued renders do not start
    Suspend {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
    },
    /// Let a suspended account be used again
    Resume {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
    },
    /// Set a new password and end all sessions. Default: a generated password, which is printed
    Password {
        #[command(flatten)]
        location: StoreLocation,
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
        location: StoreLocation,
        email: String,
        /// Label shown in lists
        #[arg(long)]
        name: Option<String>,
        /// Create a key that can only read
        #[arg(long)]
        read_only: bool,
        /// Create a test key: its renders are free, at most 720 pixels on the shorter side, with a watermark
        #[arg(long)]
        test: bool,
        /// Date or date-time at which the key stops working, for example 2027-01-31. Default: never
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// List the keys of an account
    List {
        #[command(flatten)]
        location: StoreLocation,
        email: String,
    },
    /// Encrypt all stored secrets under a new master key. The service must be stopped. With RONDO_MASTER_KEY set, the new
    /// key is read from RONDO_NEW_MASTER_KEY; otherwise a new master.key is written
    RotateMaster {
        #[command(flatten)]
        location: StoreLocation,
    },
    /// Revoke a key by its prefix
    Revoke {
        #[command(flatten)]
        location: StoreLocation,
        prefix: String,
    },
}

#[derive(clap::Args)]
pub struct Backup {
    #[command(flatten)]
    pub location: StoreLocation,
    /// New folder for the backup
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Leave master.key out, to keep it separately. Without it, a backup cannot be restored
    #[arg(long)]
    pub without_key: bool,
}

#[derive(clap::Args)]
pub struct Restore {
    /// The new data folder (--data) and, for PostgreSQL, the restored database
    #[command(flatten)]
    pub location: StoreLocation,
    /// Folder of the backup
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Subcommand)]
pub enum Template {
    /// Publish a project as a template
    Publish {
        #[command(flatten)]
        location: StoreLocation,
        project_id: String,
        /// Name of the template. Default: the name of the project
        #[arg(long)]
        name: Option<String>,
        /// Description of the template. Default: the description of the project
        #[arg(long)]
        description: Option<String>,
        #[arg(long, value_enum, default_value_t = Category::Branding)]
        category: Category,
        /// Price in credits per minute at 1080p
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
        credits_per_minute: u32,
        /// Restrict it to its owner and the accounts it is granted to
        #[arg(long)]
        private: bool,
    },
    /// Give an account access to a private template
    Grant {
        #[command(flatten)]
        location: StoreLocation,
        template_id: String,
        email: String,
    },
}

#[derive(Subcommand)]
pub enum Files {
    /// Copy outputs, uploads and narrations from the data folder to a bucket, each checked by its hash. Run it again to go on, and
    /// once more when the service has stopped; then start the service with `--files`
    Move {
        #[command(flatten)]
        location: StoreLocation,
        /// The bucket, as in s3://bucket/prefix; how it is reached comes from the AWS_* variables
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

#[derive(Subcommand)]
pub enum Templates {
    /// Render the thumbnail and preview video of each template into the data folder
    Build {
        #[command(flatten)]
        location: StoreLocation,
        /// Folder names of the templates. Default: all
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
    /// Reactivate a webhook that was deactivated after repeated failures
    Reactivate {
        #[command(flatten)]
        location: StoreLocation,
        id: String,
    },
}
