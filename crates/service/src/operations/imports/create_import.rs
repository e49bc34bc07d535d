//! Makes a composition of a film of another service or editor.

use rondo_composition::{Error, Problem};
use rondo_fields::{choices, json_value, one_of, record};
use rondo_import::{Source, Warning, import};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::blocking::heavy;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::words::{Composition, DocumentFormat, ImportSeverity, ImportWarningCode};

choices! {
    /// Where a film comes from.
    pub enum ImportSource {
        Shotstack = "shotstack",
        Creatomate = "creatomate",
        Json2video = "json2video",
        Rve = "rve",
    }
}

record! {
    /// A film of another service or editor.
    pub struct ImportBody {
        /// Format of the document: shotstack, creatomate, json2video or rve (React Video Editor). When omitted, it is
        /// recognised.
        from: optional ImportSource => "from", one_of();
        /// The document: an edit, a RenderScript, a movie, or a file of the editor.
        document: required Value => "document",
            json_value(
                |_| json!({"type": ["object", "array"], "additionalProperties": true, "items": {}}),
                "the document to import",
            );
    }
}

/// A composition made of a film of another service or editor.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportAnswer {
    /// The format of the document.
    #[schema(value_type = DocumentFormat)]
    from: &'static str,
    /// Use it as `inputProps` of a preview or render.
    #[schema(value_type = Composition)]
    composition: Value,
    /// What is not in the composition as the document says it.
    warnings: Vec<ImportWarning>,
}

/// Something that is not in the composition as the document says it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportWarning {
    #[schema(value_type = ImportWarningCode)]
    code: &'static str,
    /// `warning`: something is missing or differs. `info`: it looks or sounds similar.
    #[schema(value_type = ImportSeverity)]
    severity: &'static str,
    /// Where in the document, such as `timeline.tracks[0].clips[2].asset`.
    path: String,
    message: String,
}

impl From<Warning> for ImportWarning {
    fn from(warning: Warning) -> Self {
        let Warning { code, severity, path, message } = warning;
        Self { code, severity, path, message }
    }
}

pub struct CreateImport;

impl Operation for CreateImport {
    const ID: &'static str = "createImport";
    const ABOUT: &'static str = "Makes a composition of a film of Shotstack, Creatomate, JSON2Video or React Video Editor, \
                                 free of charge. Nothing is stored and no media are fetched.";
    const RETURNS: &'static str = "The composition and its warnings";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "The document has no known format, or not the one that `from` names"),
        (ErrorKind::Unprocessable, "The film is larger than a composition can be"),
    ];
    const READS: bool = true;

    type Request = ImportBody;
    type Response = ImportAnswer;

    async fn run(call: Call<'_>, ImportBody { from, document }: ImportBody) -> ServiceResult<ImportAnswer> {
        let source = from.and_then(|from| Source::named(from.name()));
        let imported = heavy(call.account_id(), move || import(&document, source)).await?;
        let imported = imported.map_err(in_document)?;
        Ok(ImportAnswer {
            from: imported.source.name(),
            composition: imported.composition.write(),
            warnings: imported.warnings.into_iter().map(ImportWarning::from).collect(),
        })
    }
}

/// The problems of a document, with their paths in the request.
fn in_document(error: Error) -> Error {
    match error {
        Error::Invalid(problems) => Error::Invalid(
            problems
                .into_iter()
                .map(|problem| {
                    let dot = if problem.path.is_empty() || problem.path.starts_with('[') { "" } else { "." };
                    Problem { path: format!("document{dot}{}", problem.path), ..problem }
                })
                .collect(),
        ),
        other => other,
    }
}
