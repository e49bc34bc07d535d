//! Local media of a film: found in the composition, sent to the service, and replaced by their addresses there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rondo_composition::{Composition, Limits, read_composition_or_request};
use rondo_service::file_type::UPLOAD_TYPES;
use serde_json::{Map, Value};

use super::client::Client;
use crate::input::read_file;
use crate::locate::MediaFiles;
use crate::print_stderr;

/// A composition or request body as it was read, and the film in it.
pub struct LocalFilm {
    pub body: Value,
    composition: Composition,
    files: MediaFiles,
}

impl LocalFilm {
    pub fn read(path: &Path) -> Result<Self, String> {
        let (text, base) = read_file(path)?;
        let value: Value =
            serde_json::from_str(&text).map_err(|e| rondo_composition::Error::from(e).to_string())?;
        let read = read_composition_or_request(&value, Limits::WIDEST).map_err(|e| e.to_string())?;
        let body =
            if value.get("inputProps").is_some() { value } else { serde_json::json!({"inputProps": value}) };
        Ok(Self { body, composition: read.composition, files: MediaFiles::new(base)? })
    }

    /// Gives variables their values. The service does that for templates and projects only.
    pub fn replace(&mut self, values: &Map<String, Value>) -> Result<(), String> {
        if values.is_empty() {
            return Ok(());
        }
        let report = self.composition.apply_replacements(values).map_err(|e| e.to_string())?;
        for unknown in report.unknown {
            let hint = unknown.nearest.map(|name| format!(" Did you mean \"{name}\"?")).unwrap_or_default();
            print_stderr(&format!("Warning: No dynamic overlay is named \"{}\".{hint}", unknown.key));
        }
        self.body["inputProps"] = self.composition.write();
        Ok(())
    }

    /// Uploads the local files that the film names, and names their new addresses. Fields that this version does not know
    /// stay as they are.
    pub fn upload_media(&mut self, uploads: &mut Uploads) -> Result<(), String> {
        let mut addresses: Vec<(usize, String, String)> = Vec::new();
        for (index, source) in self.composition.media_sources() {
            let Some(path) = self.files.local(source.address).filter(|_| !source.address.trim().is_empty())
            else {
                continue;
            };
            let found = uploads
                .address(&path)
                .map_err(|error| format!("overlays[{index}].{}: {error}", source.field))?;
            addresses.push((index, source.address.to_owned(), found));
        }
        for (index, face) in self.composition.font_faces.iter().enumerate() {
            if let Some(path) = self.files.local(&face.src) {
                let found =
                    uploads.address(&path).map_err(|error| format!("fontFaces[{index}].src: {error}"))?;
                self.body["inputProps"]["fontFaces"][index]["src"] = found.into();
            }
        }
        let overlays = self.body["inputProps"]["overlays"].as_array_mut();
        let overlays = overlays.map(Vec::as_mut_slice).unwrap_or_default();
        for (index, before, after) in addresses {
            if let Some(overlay) = overlays.get_mut(index) {
                replace(overlay, &before, &after);
            }
        }
        Ok(())
    }
}

/// Replaces an address wherever an overlay has it, except in its name.
fn replace(value: &mut Value, before: &str, after: &str) {
    match value {
        Value::String(text) if text == before => after.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, before, after)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(name, _)| *name != "name")
                .for_each(|(_, item)| replace(item, before, after));
        }
        _ => {}
    }
}

/// Files that were sent, each once.
pub struct Uploads<'a> {
    client: &'a Client,
    sent: HashMap<PathBuf, String>,
}

impl<'a> Uploads<'a> {
    pub fn new(client: &'a Client) -> Self {
        Self { client, sent: HashMap::new() }
    }

    /// The address of a file on the service.
    pub fn address(&mut self, path: &Path) -> Result<String, String> {
        if let Some(address) = self.sent.get(path) {
            return Ok(address.clone());
        }
        let facts = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("{} was not found.", path.display()),
            _ => format!("{} cannot be read: {error}.", path.display()),
        })?;
        if !facts.is_file() {
            return Err(format!("{} is not a file.", path.display()));
        }
        let content_type = content_type(path).ok_or_else(|| {
            let known: Vec<&str> = UPLOAD_TYPES.iter().map(|(_, ending)| *ending).collect();
            format!("{} cannot be uploaded. Services take these files: {}.", path.display(), known.join(", "))
        })?;
        print_stderr(&format!("Uploading {} ({})…", path.display(), indicatif::HumanBytes(facts.len())));
        let address = self.client.upload(path, content_type)?;
        self.sent.insert(path.to_owned(), address.clone());
        Ok(address)
    }
}

fn content_type(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let ending = match ending.as_str() {
        "jpeg" => "jpg",
        "m4v" => "mp4",
        "oga" | "opus" => "ogg",
        other => other,
    };
    UPLOAD_TYPES.iter().find(|(_, known)| *known == ending).map(|(content_type, _)| *content_type)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_replaced_everywhere_but_in_names_and_texts_around_it() {
        let mut overlay = json!({"name": "a.jpg", "src": "a.jpg", "styles": {"cellImages": ["a.jpg", "b.jpg"]}, "alt": "see a.jpg"});
        replace(&mut overlay, "a.jpg", "https://x/1.jpg");
        assert_eq!(
            overlay,
            json!({"name": "a.jpg", "src": "https://x/1.jpg", "styles": {"cellImages": ["https://x/1.jpg", "b.jpg"]}, "alt": "see a.jpg"})
        );
    }

    #[test]
    fn endings_of_files_name_their_types() {
        let of = |name: &str| content_type(Path::new(name));
        assert_eq!(
            (of("a.JPEG"), of("b.m4v"), of("c.svg")),
            (Some("image/jpeg"), Some("video/mp4"), Some("image/svg+xml"))
        );
        assert_eq!((of("a.bmp"), of("photo"), of(".png")), (None, None, None));
    }
}
