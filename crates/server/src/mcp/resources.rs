//! What an agent may read: the guide, the schema of a composition, and pictures of everything there is to choose from.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use rondo_render::{bundled_folder, encode_jpeg, fit_bitmap, read_bitmap};

use rondo_service::blocking::heavy;
use rondo_service::operations::registry::{self, RegistryQuery};

use crate::app::App;
use crate::guides;

const GUIDE: &str = "rondo://guide";
const SCHEMA: &str = "rondo://schema";
const GALLERY: &str = "rondo://gallery/";
const REGISTRY: &str = "rondo://registry/";

/// Pixels of a gallery picture: about what a model looks at in full.
const MOST_PIXELS: u64 = 1_200_000;

/// The sheets of the gallery, and what each shows.
const SHEETS: [(&str, &str); 10] = [
    ("animations", "Every enter animation, half-way through"),
    ("captions", "Every caption style"),
    ("during", "Every during animation, at three moments"),
    ("easings", "Every easing, as a curve"),
    ("effects", "Every effect"),
    ("filters", "Every filter preset"),
    ("layouts", "Every 3D layout"),
    ("shapes", "Every shape"),
    ("stickers", "Every sticker"),
    ("text", "Ways to write text: styles, gradients, shadows, code"),
];

pub fn list() -> Vec<Resource> {
    let guide = Resource::new(GUIDE, "guide")
        .with_title("Composition guide")
        .with_description("How to write a composition that looks good: concepts, recipes, pitfalls")
        .with_mime_type("text/markdown");
    let schema = Resource::new(SCHEMA, "schema")
        .with_title("JSON Schema of a composition")
        .with_description("Every overlay, field and style there is")
        .with_mime_type("application/schema+json");
    let sheets = SHEETS.iter().map(|(name, about)| {
        Resource::new(format!("{GALLERY}{name}"), format!("gallery-{name}"))
            .with_title(format!("Gallery: {name}"))
            .with_description(*about)
            .with_mime_type("image/jpeg")
    });
    [guide, schema].into_iter().chain(sheets).collect()
}

pub fn templates() -> Vec<ResourceTemplate> {
    let about = format!("Every name of an area: {}", registry::names().join(", "));
    vec![
        ResourceTemplate::new(format!("{REGISTRY}{{area}}"), "registry")
            .with_title("Names a composition may use")
            .with_description(about)
            .with_mime_type("application/json"),
    ]
}

/// What the place in a resource's address may be.
pub fn choices(template: &str, argument: &str) -> Vec<&'static str> {
    match (template.strip_prefix(REGISTRY), argument) {
        (Some(_), "area") => registry::names(),
        _ => Vec::new(),
    }
}

pub async fn read(app: &Arc<App>, account_id: &str, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = |text: String, mime_type: &str| ResourceContents::text(text, uri).with_mime_type(mime_type);
    let contents = if uri == GUIDE {
        text(guides::agents(&app.service.links), "text/markdown")
    } else if uri == SCHEMA {
        text(rondo_composition::schema().to_string(), "application/schema+json")
    } else if let Some(area) = uri.strip_prefix(REGISTRY) {
        let found = registry::list(&app.service, RegistryQuery { area: area.to_owned(), search: None });
        let found = found.map_err(|_| unknown(uri))?;
        text(serde_json::to_string(&found).unwrap_or_default(), "application/json")
    } else if let Some(name) = uri.strip_prefix(GALLERY)
        && SHEETS.iter().any(|(known, _)| *known == name)
    {
        let name = name.to_owned();
        let sheet = heavy(account_id, move || sheet(&name)).await;
        let sheet =
            sheet.map_err(|error| ErrorData::internal_error(error.message, None))?.ok_or_else(|| {
                ErrorData::internal_error("The picture does not come with this installation.", None)
            })?;
        ResourceContents::blob(STANDARD.encode(&*sheet), uri).with_mime_type("image/jpeg")
    } else {
        return Err(unknown(uri));
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

fn unknown(uri: &str) -> ErrorData {
    let shown: String = uri.chars().take(200).collect();
    let data = serde_json::json!({"uri": shown});
    let message = format!("There is no resource {shown}. resources/list names them all.");
    ErrorData::resource_not_found(message, Some(data))
}

/// A sheet of the gallery as a JPEG, made small enough once.
fn sheet(name: &str) -> Option<Arc<[u8]>> {
    static MADE: Mutex<Option<HashMap<String, Arc<[u8]>>>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let made = made.get_or_insert_default();
    if let Some(sheet) = made.get(name) {
        return Some(sheet.clone());
    }
    let path = bundled_folder("docs/gallery")?.join(format!("{name}.png"));
    let jpeg = read_bitmap(&path).and_then(|bitmap| encode_jpeg(&fit_bitmap(bitmap, MOST_PIXELS)));
    match jpeg {
        Ok(bytes) => Some(made.entry(name.to_owned()).or_insert(bytes.into()).clone()),
        Err(error) => {
            tracing::warn!(%error, "a picture of the gallery cannot be shown");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sheet_of_the_gallery_is_there_and_small_enough_to_send() {
        for (name, _) in SHEETS {
            let sheet = sheet(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert!((10_000..600_000).contains(&sheet.len()), "{name} has {} bytes", sheet.len());
        }
    }
}
