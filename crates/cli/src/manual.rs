//! `rondo completions` and `rondo man`: made from the command line itself.

use std::path::Path;
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::args::{Args, CompletionShell};
use crate::{Outcome, print, print_stderr};

pub fn completions(shell: CompletionShell) -> Outcome {
    let shell = match shell {
        CompletionShell::Bash => Shell::Bash,
        CompletionShell::Zsh => Shell::Zsh,
        CompletionShell::Fish => Shell::Fish,
    };
    // Hidden commands are for the program itself, and would be offered.
    let commands = Args::command();
    let offered = commands.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let mut offered = Command::new("rondo").version(env!("CARGO_PKG_VERSION")).subcommands(offered);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut offered, "rondo", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}

/// Writes a page for each command.
pub fn man(folder: &Path) -> Outcome {
    let failed = |error: std::io::Error| format!("Failed to write to {}: {error}.", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Args::command(), folder).map_err(failed)?;
    print_stderr(&format!("Wrote the man pages to {}.", folder.display()));
    Ok(ExitCode::SUCCESS)
}
