//! Services that were signed in to, in a file that only the user can read; `rondo login` and `rondo logout`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::Client;
use super::prompt::ask_hidden;
use crate::{Outcome, args, print, print_stderr};

/// A service and the key to use it with.
#[derive(Debug)]
pub struct Service {
    pub url: String,
    pub key: String,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Services {
    /// The one that was signed in to last.
    current: Option<String>,
    services: BTreeMap<String, Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: String,
}

pub fn login(args: &args::Login) -> Outcome {
    let url = service_url(&args.url)?;
    warn_of_plain_http(&url);
    let key = match &args.key {
        Some(key) => key.clone(),
        None => ask_hidden(&format!("API key for {url}: "))?,
    };
    let service = Service { url, key: key.trim().to_owned() };
    if service.key.is_empty() {
        return Err("The API key is empty.".into());
    }
    let account = Client::new(&service)?.post("/auth/verify", &Value::Null)?;
    let path = file()?;
    let mut services = read(&path)?;
    services.services.insert(service.url.clone(), Entry { key: service.key });
    services.current = Some(service.url.clone());
    write(&path, &services)?;
    let text = |name: &str| account[name].as_str().unwrap_or_default().to_owned();
    print(&format!(
        "Signed in to {} as {} ({}), with {} credits. The key is in {}.",
        service.url,
        text("name"),
        text("email"),
        account["credits"],
        path.display()
    ))
}

pub fn logout(args: &args::Logout) -> Outcome {
    let path = file()?;
    let mut services = read(&path)?;
    let url = match &args.url {
        Some(url) => service_url(url)?,
        None => services.current.clone().ok_or("You are not signed in to any service.")?,
    };
    if services.services.remove(&url).is_none() {
        return Err(format!("You are not signed in to {url}.{}", known(&services)));
    }
    if services.current.as_ref() == Some(&url) {
        services.current = services.services.keys().next().cloned();
    }
    write(&path, &services)?;
    print(&format!("Signed out of {url}. The key itself is still valid; revoke it in the dashboard."))
}

/// The service that a command uses.
pub fn chosen(choice: &args::ServiceChoice) -> Result<Service, String> {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let asked = choice.url.clone().or_else(|| variable("RONDO_URL"));
    let asked = asked.map(|url| service_url(&url)).transpose()?;
    // RONDO_KEY is the earlier name.
    let key = variable("RONDO_API_KEY").or_else(|| variable("RONDO_KEY"));
    if let (Some(url), Some(key)) = (&asked, key) {
        return Ok(Service { url: url.clone(), key });
    }
    let services = read(&file()?)?;
    let url = asked
        .or_else(|| services.current.clone())
        .ok_or("Sign in to a service first: rondo login https://rondo.example.com")?;
    match services.services.get(&url) {
        Some(entry) => Ok(Service { key: entry.key.clone(), url }),
        None => Err(format!("You are not signed in to {url}. Run: rondo login {url}{}", known(&services))),
    }
}

fn known(services: &Services) -> String {
    match Vec::from_iter(services.services.keys().cloned()).join(", ") {
        names if names.is_empty() => String::new(),
        names => format!(" Services you are signed in to: {names}."),
    }
}

/// The address as it is stored: without a slash at the end.
fn service_url(text: &str) -> Result<String, String> {
    let wrong = |why: &str| {
        format!("{text} is not the address of a service: {why}. Example: https://rondo.example.com")
    };
    let url = Url::parse(text.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("it must start with https:// or http://"));
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(wrong("it must contain neither credentials nor a query"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn warn_of_plain_http(url: &str) {
    let is_local = ["http://127.0.0.1", "http://localhost", "http://[::1]"].iter().any(|start| {
        url.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    });
    if url.starts_with("http://") && !is_local {
        print_stderr(&format!("Warning: {url} is not encrypted. Everyone on the way can read the key."));
    }
}

/// `rondo/services.json` in the folder of the user's settings.
fn file() -> Result<PathBuf, String> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
    settings
        .map(|folder| folder.join("rondo/services.json"))
        .ok_or_else(|| "There is no place for the key: set HOME, or use RONDO_URL and RONDO_API_KEY.".into())
}

fn read(path: &Path) -> Result<Services, String> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| format!("{} is damaged: {error}. Remove it and sign in again.", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Services::default()),
        Err(error) => Err(format!("{} cannot be read: {error}.", path.display())),
    }
}

/// Replaces the file at once, so that a crash leaves the old one or the new one.
fn write(path: &Path, services: &Services) -> Result<(), String> {
    let written = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.as_file().set_permissions(PermissionsExt::from_mode(0o600))?;
        file.write_all(format!("{:#}\n", serde_json::to_value(services)?).as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    written().map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::service_url;

    #[test]
    fn an_address_is_stored_in_one_form() {
        assert_eq!(service_url("https://Rondo.Example.com/").as_deref(), Ok("https://rondo.example.com"));
        assert_eq!(service_url("http://127.0.0.1:8080").as_deref(), Ok("http://127.0.0.1:8080"));
        assert_eq!(service_url("https://example.com/video/").as_deref(), Ok("https://example.com/video"));
        for wrong in [
            "rondo.example.com",
            "ftp://example.com",
            "https://a:b@example.com",
            "https://example.com/?a",
            "",
        ] {
            assert!(
                service_url(wrong).is_err_and(|error| error.contains("https://rondo.example.com")),
                "{wrong}"
            );
        }
    }
}
