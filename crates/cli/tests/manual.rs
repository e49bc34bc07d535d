//! `rondo completions` and `rondo man`.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::process::Command;

use common::{Sandbox, finished};

#[test]
fn bash_completes_commands_and_options() {
    let sandbox = Sandbox::new();
    sandbox.write("rondo.bash", sandbox.done(&["completions", "bash"]).out);
    let script = "source rondo.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _rondo rondo \"${@: -1}\" \"${@: -2:1}\"; echo \"${COMPREPLY[*]}\"";
    let completed = |words: &[&str]| {
        let mut shell = Command::new("bash");
        shell.args(["--norc", "-c", script, "bash"]).args(words).current_dir(sandbox.path(""));
        finished(&mut shell).out
    };
    assert_eq!(completed(&["rondo", "rend"]).trim(), "render");
    assert_eq!(completed(&["rondo", "render", "--loud"]).trim(), "--loudness");
    assert_eq!(completed(&["rondo", "remote", "templ"]).trim(), "templates");
    assert!(!completed(&["rondo", ""]).contains("fork-server"), "hidden commands are not offered");
}

#[test]
fn every_shell_gets_a_script_that_names_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = sandbox.done(&["completions", shell]).out;
        assert!(script.contains("registry") && script.contains("encode-every-frame"), "{shell}");
    }
    assert_eq!(sandbox.rondo(&["completions", "tcsh"]).code, Some(2));
}

#[test]
fn every_command_has_a_man_page() {
    let sandbox = Sandbox::new();
    sandbox.done(&["man", "man/man1"]);
    let help = sandbox.done(&["--help"]).out;
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.len() > 20, "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let page = std::fs::read_to_string(sandbox.path(&format!("man/man1/rondo-{name}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(".SH DESCRIPTION"), "{name}");
    }
    assert!(
        sandbox.path("man/man1/rondo.1").is_file()
            && sandbox.path("man/man1/rondo-remote-render.1").is_file()
    );
    assert!(!sandbox.path("man/man1/rondo-fork-server.1").exists(), "hidden commands have no page");
}
