//! The examples people copy: the README's composition and commands, and the showcase.

mod common;

use std::path::Path;

use common::Desk;

const README: &str = include_str!("../../../README.md");

/// The text of the first fenced block in `language`.
fn block(language: &str) -> &'static str {
    let start = README.find(&format!("```{language}\n")).expect("a block") + language.len() + 4;
    &README[start..start + README[start..].find("```").expect("its end")]
}

#[test]
fn the_readme_example_works_with_the_commands_beside_it() {
    let desk = Desk::new();
    desk.write("hello.json", block("json"));
    let commands: Vec<&str> =
        README.lines().filter_map(|line| line.strip_prefix("    target/release/rondo ")).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("\"$RONDO\" {command}")).env("RONDO", env!("CARGO_BIN_EXE_rondo"));
        let ran = shell.current_dir(desk.path(".")).output().expect("a shell");
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && !told.contains("Warning"), "{command}: {told}");
    }
    assert_eq!(desk.files(), ["hello.json", "hello.mp4", "hello.png"]);
}

#[test]
fn the_showcase_is_fine() {
    let showcase = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/showcase.json");
    let ran = Desk::new().done(&["check", showcase.to_str().expect("a path")]);
    assert_eq!(ran.out, "The composition is fine.\n", "{}", ran.err);
}
