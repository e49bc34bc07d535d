//! The `rondo` command: arguments, progress, exit codes. 0 done, 1 the input or the render is at fault, 2 wrong usage.

mod args;
mod cache;
mod check;
mod fonts;
mod input;
mod interrupt;
mod locate;
mod picture;
mod registry;
mod render;
mod serve;
mod service;
mod speech;
mod templates;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use rondo_render::LargePages;

#[global_allocator]
static MEMORY: LargePages = LargePages;

fn main() -> ExitCode {
    // SAFETY: the only thread is this one.
    unsafe { rondo_speech::let_threads_rest() };
    let done = match Args::parse().command {
        Command::Render(args) => render::run(&args),
        Command::Frame(args) => picture::frame(&args),
        Command::Sheet(args) => picture::sheet(&args),
        Command::Check(args) => check::run(&args),
        Command::Cache(command) => cache::run(&command),
        Command::Schema => print(&pretty(&rondo_composition::schema())),
        Command::Fonts { json } => fonts::run(json),
        Command::Registry { area, json } => registry::run(area, json),
        Command::Say(args) => speech::say(&args),
        Command::Captions(args) => speech::captions(&args),
        Command::Voices { json } => speech::voices(json),
        Command::Serve(args) => serve::run(&args),
        Command::Account(command) => service::account(&command),
        Command::Key(command) => service::key(&command),
        Command::Template(command) => service::template(&command),
        Command::Templates(command) => templates::run(&command),
        Command::Webhook(command) => service::webhook(&command),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            tell(&message);
            ExitCode::FAILURE
        }
    }
}

/// What a command ends with: an exit code, or sentences for standard error and exit code 1.
type Outcome = Result<ExitCode, String>;

/// Prints to standard output; a reader that went away is no error.
fn print(text: &str) -> Outcome {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}") {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(e) => Err(format!("Standard output cannot be written: {e}.")),
    }
}

/// Says something on standard error.
#[expect(clippy::print_stderr, reason = "the one place that speaks to the person at the terminal")]
fn tell(message: &str) {
    eprintln!("{message}");
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}
