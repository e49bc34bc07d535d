//! `rondo import`.

use std::path::Path;
use std::process::ExitCode;

use rondo_import::{Source, Warning, import};
use serde_json::{Value, json};

use crate::input::read_file;
use crate::{Outcome, args, pretty, print, print_stderr};

/// Writes the composition and prints what is not in it as the document says it.
pub fn run(args: &args::Import) -> Outcome {
    let to_stdout = args.output == Path::new("-");
    if args.json && to_stdout {
        return Err("With --json, name a file for the composition: -o COMP.json.".into());
    }
    let (text, _) = read_file(&args.file)?;
    let document: Value =
        serde_json::from_str(&text).map_err(|e| rondo_composition::Error::from(e).to_string())?;
    let source = args.from.as_deref().and_then(Source::named);
    let imported = import(&document, source).map_err(|e| e.to_string())?;
    let composition = pretty(&imported.composition.write());
    if to_stdout {
        print(&composition)?;
    } else {
        std::fs::write(&args.output, composition + "\n")
            .map_err(|e| format!("{} cannot be written: {e}.", args.output.display()))?;
    }
    let warnings = &imported.warnings;
    if args.json {
        let warnings: Vec<Value> = warnings.iter().map(as_json).collect();
        return print(&pretty(&json!({"from": imported.source.name(), "warnings": warnings})));
    }
    for warning in warnings {
        let label = if warning.severity == "info" { "Note" } else { "Warning" };
        let place = if warning.path.is_empty() { String::new() } else { format!("{}: ", warning.path) };
        print_stderr(&format!("{label}: {place}{}", warning.message));
    }
    let (overlays, notes) = (imported.composition.overlays.len(), warnings.len());
    print_stderr(&format!(
        "Imported from {}: {overlays} overlays, {notes} warnings.",
        imported.source.name()
    ));
    Ok(ExitCode::SUCCESS)
}

fn as_json(warning: &Warning) -> Value {
    let Warning { code, severity, path, message } = warning;
    json!({"code": code, "severity": severity, "path": path, "message": message})
}
