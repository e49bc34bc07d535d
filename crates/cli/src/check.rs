//! `rondo check`.

use std::process::ExitCode;

use rondo_jobs::Finding;
use serde_json::{Value, json};

use crate::input::{Input, InputError, sentence};
use crate::sandboxed::SandboxedFilm;
use crate::{Outcome, args, pretty, print};

/// Prints all problems and notices. Exit code 1 if the composition cannot be rendered.
pub fn run(args: &args::Check) -> Outcome {
    let input = match Input::read(&args.source, None) {
        Ok(input) => input,
        Err(error) => return rejected(&error, args.json),
    };
    let notices: Vec<Finding> = match args.source.sandbox.mode {
        Some(mode) => SandboxedFilm::open(input, mode, &std::env::temp_dir())?.check(true)?,
        None => input.open_and_try()?.notices.iter().map(Finding::from).collect(),
    };
    let errors = notices.iter().filter(|n| n.severity == "error").count();
    if args.json {
        let warnings: Vec<Value> = notices.iter().map(as_json).collect();
        print(&pretty(&json!({"valid": errors == 0, "errors": [], "warnings": warnings})))?;
    } else {
        for notice in &notices {
            print(&sentence(notice))?;
        }
        let summary = match (errors, notices.len() - errors) {
            (0, 0) => "The composition is valid.".to_owned(),
            (0, warnings) => format!("The composition is valid, with {}.", counted(warnings, "warning")),
            (errors, _) => format!("The composition cannot be rendered: {}.", counted(errors, "error")),
        };
        print(&summary)?;
    }
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn rejected(error: &InputError, json: bool) -> Outcome {
    if !json {
        return Err(error.to_string());
    }
    let errors: Vec<Value> = problems(error)
        .iter()
        .map(|p| json!({"path": p.path, "code": p.code, "message": p.message}))
        .collect();
    print(&pretty(&json!({"valid": false, "errors": errors, "warnings": []})))?;
    Ok(ExitCode::FAILURE)
}

/// Why a composition cannot be read, one finding for each problem.
pub fn problems(error: &InputError) -> Vec<Finding> {
    let finding = |code: &str, path: &str, message: String| Finding {
        code: code.to_owned(),
        severity: "error".to_owned(),
        path: path.to_owned(),
        message,
        hint: None,
        available: Vec::new(),
        paths: Vec::new(),
    };
    match error {
        InputError::File(sentence) => vec![finding("UNREADABLE", "", sentence.clone())],
        InputError::Invalid(error) if error.problems().is_empty() => {
            vec![finding(error.reason(), "", error.to_string())]
        }
        InputError::Invalid(error) => {
            error.problems().iter().map(|p| finding(p.kind.reason(), &p.path, p.to_string())).collect()
        }
    }
}

fn as_json(notice: &Finding) -> Value {
    let mut value = json!({
        "code": notice.code,
        "severity": notice.severity,
        "path": notice.path,
        "message": notice.message,
    });
    if let Some(hint) = &notice.hint {
        value["hint"] = json!(hint);
    }
    if !notice.paths.is_empty() {
        value["paths"] = json!(notice.paths);
    }
    value
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
