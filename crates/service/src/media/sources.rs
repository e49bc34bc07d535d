//! Media addresses a film may use: http and https URLs, files of this service, and small images in `data:` URLs.

use data_url::DataUrl;
use rondo_composition::{Composition, MediaRole};
use rondo_store::redact_url;

use crate::error::ServiceError;
use crate::links::{FILES, Links};
use crate::templates;

/// Bytes of a picture inside an address.
const MOST_DATA: usize = 1 << 20;

/// Where a media address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file of this service, by its name.
    File(String),
    /// Media of a shipped template, by their path below [`templates::PATH`].
    TemplateMedia(String),
    /// Inside the address itself.
    Data,
    /// Anywhere else.
    Remote,
}

/// A URL that was normalized.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// Where it is, as in `overlays[3].src`.
    pub path: String,
    pub from: String,
    pub to: String,
}

/// A media address of a composition.
#[derive(Debug)]
pub struct Source<'a> {
    /// Where it is, as in `overlays[3].styles.cellImages[2]` or `fontFaces[0].src`.
    pub path: String,
    /// The overlay whose `src` it is.
    pub of_overlay: Option<usize>,
    /// Shown as a picture, rather than played.
    pub is_picture: bool,
    pub address: &'a mut String,
}

/// Every media address of a composition, in the order of its overlays, then those of its font files.
pub fn sources(composition: &mut Composition) -> Vec<Source<'_>> {
    let overlays = composition.media_sources().map(|(overlay, source)| {
        let path = format!("overlays[{overlay}].{}", source.field);
        (path, (source.field == "src").then_some(overlay), source.role == MediaRole::Image)
    });
    let fonts = (0..composition.font_faces.len()).map(|face| (format!("fontFaces[{face}].src"), None, false));
    let described: Vec<(String, Option<usize>, bool)> = overlays.chain(fonts).collect();
    described
        .into_iter()
        .zip(composition.media_addresses_mut())
        .map(|((path, of_overlay, is_picture), address)| Source { path, of_overlay, is_picture, address })
        .collect()
}

/// Where an address leads; `None` where it is of no kind that media may have.
pub fn target(links: &Links, address: &str) -> Option<Target> {
    let address = address.trim();
    if let Some(path) = links.path(address) {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if let Some(name) = path.strip_prefix(FILES) {
            return Some(Target::File(name.to_owned()));
        }
        if let Some(path) = path.strip_prefix(templates::PATH) {
            return Some(Target::TemplateMedia(path.to_owned()));
        }
    }
    let scheme = address.split_once(':')?.0;
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => Some(Target::Remote),
        "data" => Some(Target::Data),
        _ => None,
    }
}

/// The bytes inside a `data:` address, up to the limit.
pub fn data_bytes(address: &str) -> Result<Vec<u8>, String> {
    // Base64 makes 4 characters of 3 bytes, percent escapes 3 of one.
    if address.len() > 3 * MOST_DATA + 200 {
        return Err(too_much_data());
    }
    let data =
        DataUrl::process(address.trim()).map_err(|_| "it is not a well-formed data: address".to_owned())?;
    if data.mime_type().type_ != "image" {
        return Err("only pictures may be given as data: addresses".to_owned());
    }
    let (bytes, _) = data.decode_to_vec().map_err(|_| "it is not a well-formed data: address".to_owned())?;
    if bytes.len() > MOST_DATA { Err(too_much_data()) } else { Ok(bytes) }
}

fn too_much_data() -> String {
    "a picture in a data: address may have at most 1 MB; upload it instead".to_owned()
}

/// Normalizes a URL: no surrounding whitespace, spaces escaped, scheme and host in lower case.
fn tidy(address: &str) -> String {
    let trimmed = address.trim();
    let Some((scheme, rest)) = trimmed.split_once("://") else { return trimmed.to_owned() };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return trimmed.to_owned();
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    // What stands before the host is a name and a password: their case counts.
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let (before, host) = authority.split_at(host);
    let (scheme, host) = (scheme.to_ascii_lowercase(), host.to_lowercase());
    format!("{scheme}://{before}{host}{}", path.replace(' ', "%20"))
}

/// Normalizes every URL of a composition. Empty ones are reported elsewhere.
pub fn tidy_all(composition: &mut Composition) -> Vec<Rewritten> {
    let mut rewritten: Vec<Rewritten> = Vec::new();
    for Source { path, address, .. } in sources(composition) {
        if address.trim().is_empty() || address.trim_start().starts_with("data:") {
            continue;
        }
        let to = tidy(address);
        if to != *address {
            let from = std::mem::replace(address, to.clone());
            rewritten.push(Rewritten { path, from, to });
        }
    }
    rewritten
}

/// 422 for addresses that may not be used, each with its path.
pub fn not_allowed(refused: Vec<(String, String, String)>) -> Option<ServiceError> {
    let issues: Vec<serde_json::Value> = refused
        .iter()
        .map(|(path, address, why)| {
            let message = format!("{} cannot be used: {why}.", shortened(address));
            serde_json::json!({"path": path, "code": "MEDIA_URL_NOT_ALLOWED", "message": message})
        })
        .collect();
    let (path, address, why) = refused.into_iter().next()?;
    let message = format!("`{path}`: {} cannot be used: {why}.", shortened(&address));
    Some(ServiceError::unprocessable("MEDIA_URL_NOT_ALLOWED", message).with("issues", issues))
}

/// An address as messages name it: without user name and password, and not too long.
pub fn shortened(address: &str) -> String {
    let address = redact_url(address);
    let most = if address.trim_start().starts_with("data:") { 40 } else { 200 };
    match address.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &address[..end]),
        None => address.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(address: &str) -> Option<Target> {
        super::target(&Links::new("https://video.example.com", None), address)
    }

    #[test]
    fn blanks_and_upper_case_schemes_and_hosts_are_rewritten_and_nothing_else() {
        for (from, to) in [
            (" https://a.example/b.mp4\n", "https://a.example/b.mp4"),
            ("https://a.example/my film.mp4", "https://a.example/my%20film.mp4"),
            ("HTTPS://A.Example/B.mp4?Q=X", "https://a.example/B.mp4?Q=X"),
            ("https://User:Pass@A.example/", "https://User:Pass@a.example/"),
        ] {
            assert_eq!(tidy(from), to);
        }
        for same in ["https://a.example", "https://a.example:443/../é.mp4", "ftp://X/Y", "x.mp4"] {
            assert_eq!(tidy(same), same);
        }
    }

    #[test]
    fn own_files_are_told_from_other_addresses() {
        let file = Some(Target::File("upl_1.png".to_owned()));
        assert_eq!(target("https://video.example.com/files/upl_1.png?x=1"), file);
        let media = Some(Target::TemplateMedia("news/media/a.jpg".to_owned()));
        assert_eq!(target("https://video.example.com/templates/news/media/a.jpg"), media);
        assert_eq!(target("https://video.example.com.evil.example/files/a"), Some(Target::Remote));
        assert_eq!(target("https://video.example.com/other"), Some(Target::Remote));
        assert_eq!(target("DATA:image/png;base64,AA=="), Some(Target::Data));
        for none in ["file:///etc/passwd", "ftp://a/b", "picture.png", "/etc/passwd", "//a.example/b"] {
            assert_eq!(target(none), None, "{none}");
        }
    }

    #[test]
    fn messages_name_addresses_without_credentials() {
        assert_eq!(shortened("https://me:secret word@a.example/b"), "https://***@a.example/b");
        assert_eq!(shortened("https://a.example/b@c"), "https://a.example/b@c");
    }

    #[test]
    fn data_addresses_hold_pictures_up_to_a_megabyte() {
        assert_eq!(data_bytes("data:image/png;base64,AAEC").unwrap(), [0, 1, 2]);
        assert!(data_bytes("data:audio/wav;base64,AAEC").is_err());
        assert!(data_bytes("data:image/png;base64,?").is_err());
        let large = format!("data:image/png;base64,{}", "AAAA".repeat(MOST_DATA / 3 + 1));
        assert!(data_bytes(&large).unwrap_err().contains("1 MB"));
    }
}
