//! Bundled templates: folders with a composition, its metadata and its media.

use std::path::{Path, PathBuf};

use rondo_composition::{Composition, Limits};
use rondo_render::bundled_folder;
use rondo_store::{NewTemplate, Store, StoreError};
use serde::Deserialize;
use serde_json::Value;

use crate::links::Links;

/// The path prefix of bundled template media: `/templates/NAME/media/FILE`.
pub const PATH: &str = "/templates/";

/// `meta.toml`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meta {
    pub id: String,
    name: String,
    description: String,
    category: String,
    credits_per_minute: u32,
    /// The frame that shows it best. Default: the one with most of the text.
    #[serde(default)]
    poster_frame: Option<u32>,
}

/// Writes the shipped templates to the store, where they are new or have changed.
pub async fn load(store: &Store, links: &Links) -> Result<(), StoreError> {
    let folders = folders().unwrap_or_else(|error| {
        tracing::error!(%error, "failed to list the bundled templates");
        Vec::new()
    });
    for path in folders {
        match read(&path, links.public_url()) {
            Ok(shipped) => {
                store.ship_template(&shipped.id, &shipped.template).await?;
            }
            Err(reason) => tracing::error!(template = %path.display(), reason, "a template cannot be used"),
        }
    }
    Ok(())
}

/// The folders of the shipped templates, in the order of their names.
pub fn folders() -> std::io::Result<Vec<PathBuf>> {
    let Some(folder) = bundled_folder("templates") else { return Ok(Vec::new()) };
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.join("meta.toml").is_file());
    folders.sort();
    Ok(folders)
}

impl Meta {
    /// The frame that stands for the template.
    pub fn poster(&self, composition: &Composition) -> u32 {
        let last = composition.duration.saturating_sub(1);
        self.poster_frame.unwrap_or_else(|| composition.poster()).min(last)
    }
}

/// What a template's folder says about it.
pub fn meta(folder: &Path) -> Result<Meta, String> {
    let text = std::fs::read_to_string(folder.join("meta.toml")).map_err(|e| format!("meta.toml: {e}"))?;
    toml::from_str(&text).map_err(|e| format!("meta.toml: {e}"))
}

/// A shipped template with the addresses of its media.
pub(crate) struct Shipped {
    pub id: String,
    pub composition: Composition,
    /// The frame that stands for it.
    pub poster: u32,
    template: NewTemplate,
}

pub(crate) fn read(folder: &Path, public_url: &str) -> Result<Shipped, String> {
    let meta = meta(folder)?;
    let text = std::fs::read_to_string(folder.join("composition.json"))
        .map_err(|e| format!("composition.json: {e}"))?;
    let mut composition: Value = serde_json::from_str(&text).map_err(|e| format!("composition.json: {e}"))?;
    if let (Some(frame), Value::Object(fields)) = (meta.poster_frame, &mut composition) {
        fields.insert("posterFrame".to_owned(), frame.into());
    }
    let name = folder.file_name().and_then(|name| name.to_str()).ok_or("the folder's name is not text")?;
    name_media(&mut composition, &format!("{public_url}{PATH}{name}/"));
    let read =
        Composition::read(&composition, Limits::WIDEST).map_err(|e| format!("composition.json: {e}"))?;
    Ok(Shipped {
        poster: meta.poster(&read.composition),
        id: meta.id,
        composition: read.composition,
        template: NewTemplate {
            name: meta.name,
            description: meta.description,
            category: meta.category,
            credits_per_minute: meta.credits_per_minute,
            composition,
            is_public: true,
        },
    })
}

/// Media of the folder, written `media/FILE`, become addresses.
fn name_media(value: &mut Value, base: &str) {
    match value {
        Value::String(text) if text.starts_with("media/") => text.insert_str(0, base),
        Value::Array(items) => items.iter_mut().for_each(|item| name_media(item, base)),
        Value::Object(fields) => fields.values_mut().for_each(|field| name_media(field, base)),
        _ => {}
    }
}

/// The file behind `NAME/media/FILE`, if it is one of a shipped template.
pub fn media_file(path: &str) -> Option<PathBuf> {
    let mut parts = path.split('/');
    let (name, media, file) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    if media != "media" || parts.next().is_some() || !plain(name) || !plain(file) {
        return None;
    }
    let path = bundled_folder("templates")?.join(name).join(media).join(file);
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn media_of_a_template_become_addresses() {
        let mut value =
            json!({"overlays": [{"src": "media/a.png", "content": "text", "images": ["media/b.png"]}]});
        name_media(&mut value, "https://x/templates/t/");
        assert_eq!(
            value,
            json!({"overlays": [{
                "src": "https://x/templates/t/media/a.png",
                "content": "text",
                "images": ["https://x/templates/t/media/b.png"],
            }]})
        );
    }

    #[test]
    fn only_files_in_the_media_folder_are_served() {
        for path in
            ["../../Cargo.toml", "a/media/../meta.toml", "a/meta.toml", "a/media/.hidden", "a/media/b/c"]
        {
            assert_eq!(media_file(path), None, "{path}");
        }
    }
}
