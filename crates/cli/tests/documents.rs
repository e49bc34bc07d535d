//! Examples to copy: the composition and the commands of the README, the showcase, and which test runs each code block.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// Code blocks by file and info string, and the test that runs them. Shell examples of the guides are those of `docs.rs`.
const RUN_BY: &[(&str, &str, &str)] = &[
    ("README.md", "json", "crates/cli/tests/documents.rs"),
    ("docs/agents.md", "json composition", "crates/server/tests/endpoints/agents.rs"),
    ("docs/agents.md", "json connect", "crates/server/tests/endpoints/examples.rs"),
    ("docs/audio.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/batches.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/batches.md", "python", "packages/python/tests/test_client.py"),
    ("docs/batches.md", "ts", "packages/typescript/tests/docs.test.mjs"),
    ("docs/brand-kit.md", "python", "packages/python/tests/test_client.py"),
    ("docs/brand-kit.md", "ts", "packages/typescript/tests/docs.test.mjs"),
    ("docs/destinations.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/editor.md", "js", "web/tests/editor-core.test.mjs"),
    ("docs/errors.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/first-film.md", "python", "packages/python/tests/test_client.py"),
    ("docs/first-film.md", "ts", "packages/typescript/tests/docs.test.mjs"),
    ("docs/fonts.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/format.md", "json", "web/tests/docs.test.mjs"),
    ("docs/integrations.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/integrations.md", "python", "integrations/tests/test_langchain.py"),
    ("docs/integrations.md", "yaml", "integrations/tests/github-action.test.mjs"),
    ("docs/moving.md", "json", "web/tests/docs.test.mjs"),
    ("docs/player.md", "css", "packages/player/tests/docs.test.mjs"),
    ("docs/player.md", "html", "packages/player/tests/docs.test.mjs"),
    ("docs/player.md", "js", "packages/player/tests/docs.test.mjs"),
    ("docs/player.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/player.md", "jsx", "packages/player/tests/docs.test.mjs"),
    ("docs/player.md", "policy", "packages/player/tests/docs.test.mjs"),
    ("docs/projects.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/sdks.md", "python", "packages/python/tests/test_client.py"),
    ("docs/sdks.md", "ts", "packages/typescript/tests/docs.test.mjs"),
    ("docs/sdks.md", "ts worker", "packages/typescript/tests/runtimes.test.mjs"),
    ("docs/sign-in.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/templates.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/webhooks.md", "js verify", "crates/cli/tests/docs.rs"),
    ("docs/webhooks.md", "js verify body", "crates/cli/tests/docs.rs"),
    ("docs/webhooks.md", "json", "crates/server/tests/endpoints/examples.rs"),
    ("docs/webhooks.md", "python verify", "crates/cli/tests/docs.rs"),
    ("docs/webhooks.md", "python verify body", "crates/cli/tests/docs.rs"),
    ("docs/webhooks.md", "rust verify", "crates/server/tests/endpoints/examples.rs"),
    ("integrations/github-action/README.md", "yaml", "integrations/tests/github-action.test.mjs"),
    ("packages/player/README.md", "html", "packages/player/tests/docs.test.mjs"),
    ("packages/player/README.md", "js", "packages/player/tests/docs.test.mjs"),
    ("packages/python/README.md", "python", "packages/python/tests/test_client.py"),
    ("packages/typescript/README.md", "ts", "packages/typescript/tests/docs.test.mjs"),
];

/// Code blocks that no test runs, and why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("docs/destinations.md", "json lifecycle", "is for Amazon, which takes no requests of tests"),
    ("docs/moving.md", "jsx", "is code of Remotion, to compare with"),
    (
        "integrations/bruno/README.md",
        "sh",
        "integrations/test bruno sends these requests with the command line of Bruno",
    ),
    ("integrations/fastapi/README.md", "sh", "installs packages; integrations/test fastapi runs the service"),
    (
        "integrations/langchain/README.md",
        "sh",
        "asks a model; integrations/test langchain runs the agent with a script",
    ),
    ("integrations/n8n/README.md", "sh", "installs the node into n8n; integrations/test n8n runs it"),
    (
        "integrations/nextjs/README.md",
        "sh",
        "installs packages; integrations/test nextjs runs the app's handlers",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The guides, and the READMEs of what people install, by their paths in the repository.
fn documents() -> Vec<String> {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
        entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect::<Vec<_>>()
    };
    let guides =
        names("docs").into_iter().filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    let readmes = ["packages", "integrations"]
        .into_iter()
        .flat_map(|folder| names(folder).into_iter().map(move |name| format!("{folder}/{name}/README.md")))
        .filter(|path| root().join(path).exists());
    guides.chain(readmes).chain(["README.md".to_owned()]).collect()
}

#[test]
fn every_code_block_is_run_by_a_test_or_says_why_not() {
    let mut found = BTreeSet::new();
    for path in documents() {
        let text = std::fs::read_to_string(root().join(&path)).expect("a document");
        let (mut is_open, mut was_blank) = (false, true);
        for line in text.lines() {
            if let Some(kind) = line.trim_start().strip_prefix("```") {
                is_open = !is_open;
                if is_open && !(path.starts_with("docs/") && kind.split(' ').next() == Some("sh")) {
                    found.insert((path.clone(), kind.to_owned()));
                }
            }
            // Those of the README: `docs.rs` runs the request and this file the commands; the others install, or need an agent.
            let is_indented = line.starts_with("    ") && was_blank && !is_open && path != "README.md";
            assert!(
                !is_indented,
                "{path}: `{line}` is in an indented block, which is not run. Use a fenced one."
            );
            was_blank = line.trim().is_empty();
        }
        assert!(!is_open, "{path}: a code block has no end");
    }
    let rows = RUN_BY.iter().chain(NOT_RUN);
    let listed: BTreeSet<_> = rows.map(|(path, kind, _)| ((*path).to_owned(), (*kind).to_owned())).collect();
    assert_eq!(found, listed, "code blocks of the documents, and the rows of RUN_BY and NOT_RUN");
    assert_eq!(listed.len(), RUN_BY.len() + NOT_RUN.len(), "a code block has two rows");
    for (path, _, test) in RUN_BY {
        let program = std::fs::read_to_string(root().join(test)).expect("a test");
        let guide = Path::new(path).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        // A test that reads all guides, or the one of an operation, does not name them.
        let reads = ["filesIn(\"docs\")", guide, path];
        assert!(reads.iter().any(|name| program.contains(name)), "{test} does not read {path}");
    }
}
