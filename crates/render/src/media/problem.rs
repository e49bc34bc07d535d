//! Media that cannot be used: why, and which fields of the composition name them.

/// Media that cannot be used, with the overlay that asks for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct MediaProblem {
    /// JSON path of the `src`.
    pub path: String,
    pub src: String,
    /// A sentence that names the file.
    pub reason: String,
    /// Its position among all media fields of the composition.
    pub(crate) order: usize,
}

/// The JSON paths that name a file, each with its position among all.
#[derive(Clone, Default)]
pub(crate) struct Fields(pub Vec<(usize, String)>);

impl Fields {
    /// A problem for each of them.
    pub fn problems(&self, src: &str, reason: &str) -> impl Iterator<Item = MediaProblem> {
        self.0.iter().map(move |(order, path)| MediaProblem {
            path: path.clone(),
            src: src.to_owned(),
            reason: reason.to_owned(),
            order: *order,
        })
    }
}

pub(super) fn in_order(mut problems: Vec<MediaProblem>) -> Vec<MediaProblem> {
    problems.sort_by_key(|problem| problem.order);
    problems
}

pub(super) fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    if text.ends_with('.') { text } else { format!("{text}.") }
}

/// A source for error messages; `data:` URLs and very long ones are truncated.
pub(super) fn shortened(src: &str) -> String {
    let most = if src.starts_with("data:") { 40 } else { 200 };
    match src.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &src[..end]),
        None => src.to_owned(),
    }
}

/// The reason of an I/O error, without the error number.
pub(crate) fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "the file does not exist".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        std::io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => error.to_string(),
    }
}
