//! Finding the app behind a client id, and reading the documents some of these ids are the addresses of.

use std::time::Duration;

use rondo_store::Client;
use serde_json::Value;
use url::Url;

use super::{OAuthError, redirect};
use crate::app::App;
use crate::http::session::is_loopback;

/// A document is fetched again after this time.
const FRESH: Duration = Duration::from_secs(3600);
/// Largest document.
const MOST_BYTES: usize = 20_000;
/// How long a document may take to come.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest name that is shown.
const LONGEST_NAME: usize = 80;
/// Most redirect addresses of an app.
const MOST_REDIRECTS: usize = 20;

/// Whether a client id is the address of a document.
pub fn is_document(client_id: &str) -> bool {
    client_id.starts_with("https://") || client_id.starts_with("http://")
}

/// The app as it is known without asking anybody, if it is.
pub async fn known(app: &App, client_id: &str) -> Result<Option<Client>, OAuthError> {
    let client = app.service.store.client(client_id).await?;
    let old = app.service.store.now().minus(FRESH);
    Ok(client.filter(|client| !is_document(client_id) || client.updated_at > old))
}

/// The app behind a client id; its document is fetched where it has one.
pub async fn find(app: &App, client_id: &str) -> Result<Client, OAuthError> {
    if let Some(client) = known(app, client_id).await? {
        return Ok(client);
    }
    let unknown = |why: String| OAuthError::new("invalid_client", why);
    if !is_document(client_id) {
        return Err(unknown("The client is unknown. It may have to register again.".to_owned()));
    }
    let url = document_address(client_id, app.service.settings.allow_private_network).map_err(unknown)?;
    let text = app.service.media.fetch.read(url.as_str(), MOST_BYTES, PATIENCE).await;
    let text = text.map_err(|error| unknown(format!("The client's document cannot be read: {error}.")))?;
    let (name, redirect_uris) = read_document(client_id, &text).map_err(unknown)?;
    Ok(app.service.store.keep_client_document(client_id, &name, &redirect_uris).await?)
}

/// Documents come by https; from this machine by http too, where private addresses are allowed.
fn document_address(client_id: &str, private: bool) -> Result<Url, String> {
    let wrong = |reason: &str| Err(format!("The client_id is not a valid metadata document URL: {reason}."));
    let Ok(url) = Url::parse(client_id) else { return wrong("it cannot be read") };
    // A normalized URL has no dot segments, default ports or upper-case names.
    if url.as_str() != client_id {
        return wrong("it is not normalized");
    }
    if url.path() == "/" || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some()
    {
        return wrong("it needs a path, and no fragment or credentials");
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if private && is_loopback(&url) => Ok(url),
        _ => wrong("https is needed"),
    }
}

/// Name and redirect addresses of a document.
fn read_document(client_id: &str, text: &[u8]) -> Result<(String, Vec<String>), String> {
    let document: Value = serde_json::from_slice(text)
        .map_err(|error| format!("The client metadata document is not valid JSON: {error}."))?;
    if document["client_id"] != client_id {
        return Err("The client's document names another client_id.".to_owned());
    }
    if document.get("client_secret").is_some() {
        return Err("The client's document holds a secret, which everybody can read.".to_owned());
    }
    match document["token_endpoint_auth_method"].as_str() {
        None | Some("none") => {}
        Some(other) => {
            return Err(format!("The client wants to authenticate by {other}; only none is possible."));
        }
    }
    let redirect_uris = read_redirects(&document["redirect_uris"])?;
    Ok((read_name(&document["client_name"], &redirect_uris), redirect_uris))
}

/// Redirect addresses as an app names them.
pub fn read_redirects(value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().filter(|list| (1..=MOST_REDIRECTS).contains(&list.len()));
    let list =
        list.ok_or_else(|| format!("redirect_uris must be a list of 1 to {MOST_REDIRECTS} addresses."))?;
    let read = |item: &Value| {
        let text = item.as_str().ok_or("redirect_uris must hold texts.")?;
        redirect::read(text)?;
        Ok(text.to_owned())
    };
    list.iter().map(read).collect()
}

/// The name of an app without anything that could make it look like something else; a host where it has none.
pub fn read_name(value: &Value, redirect_uris: &[String]) -> String {
    let hidden = |c: &char| {
        c.is_control()
            || matches!(*c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let name: String = value.as_str().unwrap_or_default().chars().filter(|c| !hidden(c)).collect();
    let name: String =
        name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_NAME).collect();
    if !name.is_empty() {
        return name;
    }
    let first = redirect_uris.first().and_then(|uri| Url::parse(uri).ok());
    first.map_or_else(|| "An app".to_owned(), |url| redirect::shown_host(&url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_is_read_at_its_own_address_only() {
        for good in ["https://app.example.com/client.json", "https://app.example.com/a/b?c=d"] {
            assert!(document_address(good, false).is_ok(), "{good}");
        }
        for bad in [
            "https://app.example.com/",
            "https://app.example.com",
            "https://app.example.com/a/../b",
            "https://APP.example.com/a",
            "https://app.example.com:443/a",
            "https://u@app.example.com/a",
            "https://app.example.com/a#b",
            "http://app.example.com/a",
            "http://127.0.0.1:1234/a",
        ] {
            assert!(document_address(bad, false).is_err(), "{bad}");
        }
        assert!(document_address("http://127.0.0.1:1234/a", true).is_ok());
        assert!(document_address("http://app.example.com/a", true).is_err());
    }

    #[test]
    fn a_document_must_name_itself_and_hold_no_secret() {
        let id = "https://app.example.com/client.json";
        let good =
            json!({"client_id": id, "client_name": "App", "redirect_uris": ["https://app.example.com/cb"]});
        let read = |document: &Value| read_document(id, document.to_string().as_bytes());
        assert_eq!(read(&good).unwrap().0, "App");
        for (field, value) in [
            ("client_id", json!("https://other.example/client.json")),
            ("client_secret", json!("x")),
            ("redirect_uris", json!([])),
            ("redirect_uris", json!(["javascript:alert(1)"])),
            ("token_endpoint_auth_method", json!("client_secret_post")),
        ] {
            let mut bad = good.clone();
            bad[field] = value;
            assert!(read(&bad).is_err(), "{field}");
        }
    }

    #[test]
    fn a_name_cannot_hide_anything() {
        let name = json!("Good\u{202e}elgooG\u{0} \n  App");
        assert_eq!(read_name(&name, &[]), "GoodelgooG App");
        assert_eq!(read_name(&Value::Null, &["https://app.example.com/cb".to_owned()]), "app.example.com");
    }
}
