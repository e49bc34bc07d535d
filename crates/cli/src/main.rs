//! The `rondo` command. Exit codes: 0 success, 1 invalid input or failed render, 2 invalid command line.

mod admin;
mod args;
mod backup;
mod cache;
mod check;
mod dev;
mod doctor;
mod download;
mod files;
mod fonts;
mod import;
mod init;
mod input;
mod interrupt;
mod locate;
mod manual;
mod picture;
mod registry;
mod remote;
mod render;
mod sandboxed;
mod serve;
mod speech;
mod templates;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use rondo_render::HugePages;

#[global_allocator]
static MEMORY: HugePages = HugePages;

fn main() -> ExitCode {
    // SAFETY: the only thread is this one.
    unsafe { rondo_speech::set_passive_wait_policy() };
    let command = Args::parse().command;
    if command.uses_data_folder() {
        // SAFETY: the call takes a plain number. Only the owner can read what a service stores.
        unsafe { libc::umask(0o077) };
    }
    let done = match command {
        Command::Init(args) => init::run(&args),
        Command::Dev(args) => dev::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Frame(args) => picture::frame(&args),
        Command::Sheet(args) => picture::sheet(&args),
        Command::Check(args) => check::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Cache(command) => cache::run(&command),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { folder } => manual::man(&folder),
        Command::Schema => print(&pretty(&rondo_composition::schema())),
        Command::Fonts { json } => fonts::run(json),
        Command::Registry { area, json } => registry::run(area, json),
        Command::Say(args) => speech::say(&args),
        Command::Captions(args) => speech::captions(&args),
        Command::Voices { json } => speech::voices(json),
        Command::Login(args) => remote::login(&args),
        Command::Logout(args) => remote::logout(&args),
        Command::Remote(args) => remote::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::ForkServer => rondo_jobs::run_fork_server().map(|()| ExitCode::SUCCESS),
        Command::Account(command) => admin::account(&command),
        Command::Key(command) => admin::key(&command),
        Command::Template(command) => admin::template(&command),
        Command::Templates(command) => templates::run(&command),
        Command::Webhook(command) => admin::webhook(&command),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Files(command) => files::run(&command),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            print_stderr(&message);
            ExitCode::FAILURE
        }
    }
}

/// The result of a command: an exit code, or an error message with exit code 1.
type Outcome = Result<ExitCode, String>;

/// Prints a line to standard output. A closed pipe is not an error.
fn print(text: &str) -> Outcome {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}") {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(e) => Err(format!("Failed to write to standard output: {e}.")),
    }
}

/// Prints a line to standard error.
#[expect(clippy::print_stderr, reason = "the only function that prints to standard error")]
fn print_stderr(message: &str) {
    eprintln!("{message}");
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}
