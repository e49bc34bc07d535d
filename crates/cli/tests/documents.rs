//! Examples to copy: the composition and the commands of the README, and the showcase.

mod common;

use std::path::Path;

use common::Sandbox;

const README: &str = include_str!("../../../README.md");

/// The text of the first fenced block in `language`.
fn block(language: &str) -> &'static str {
    let start = README.find(&format!("```{language}\n")).expect("a block") + language.len() + 4;
    &README[start..start + README[start..].find("```").expect("its end")]
}

#[test]
fn readme_example_works_with_the_readme_commands() {
    let sandbox = Sandbox::new();
    sandbox.write("hello.json", block("json"));
    let commands: Vec<&str> =
        README.lines().filter_map(|line| line.strip_prefix("    target/quick/rondo ")).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("\"$RONDO\" {command}")).env("RONDO", env!("CARGO_BIN_EXE_rondo"));
        let ran = shell.current_dir(sandbox.path(".")).output().expect("a shell");
        let printed = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && !printed.contains("Warning"), "{command}: {printed}");
    }
    assert_eq!(sandbox.files(), ["hello.json", "hello.mp4", "hello.png"]);
}

#[test]
fn showcase_has_no_warnings() {
    let showcase = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/showcase.json");
    let ran = Sandbox::new().done(&["check", showcase.to_str().expect("a path")]);
    assert_eq!(ran.out, "The composition is valid.\n", "{}", ran.err);
}
