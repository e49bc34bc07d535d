//! Addresses people are sent back to: which an app may name, and when one it asks for is one it named.

use url::Url;

use crate::http::session::is_loopback;

/// Schemes that do something else than going to an app.
const REFUSED: [&str; 15] = [
    "about",
    "blob",
    "chrome",
    "data",
    "file",
    "filesystem",
    "ftp",
    "intent",
    "javascript",
    "mailto",
    "sms",
    "tel",
    "vbscript",
    "view-source",
    "ws",
];
/// Longest address.
const LONGEST: usize = 2000;

/// Reads an address an app may name: https, this machine by http, or a scheme of the app's own. A sentence tells what
/// is wrong with others.
pub fn read(text: &str) -> Result<Url, String> {
    let shown: String = text.chars().take(200).collect();
    let wrong = |reason: &str| Err(format!("\"{shown}\" cannot be a redirect address: {reason}."));
    if text.len() > LONGEST {
        return wrong("it is too long");
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return wrong("it has characters addresses do not have");
    }
    let Ok(url) = Url::parse(text) else { return wrong("it is not an absolute URL") };
    if url.fragment().is_some() {
        return wrong("it has a fragment");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return wrong("it holds credentials");
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => wrong("http is for this machine (127.0.0.1, [::1], localhost) only"),
        scheme if REFUSED.contains(&scheme) => wrong("its scheme does not lead to an app"),
        _ => Ok(url),
    }
}

/// The address an app asks for, if it is one it named: the same text, or on this machine the same but for the port,
/// which a program picks when it starts (RFC 8252).
pub fn find(named: &[String], asked: &str) -> Option<Url> {
    let url = read(asked).ok()?;
    let same = |named: &String| {
        named == asked
            || read(named).is_ok_and(|named| {
                let on_this_machine = named.scheme() == "http" && url.scheme() == "http";
                on_this_machine
                    && named.host_str() == url.host_str()
                    && named.path() == url.path()
                    && named.query() == url.query()
            })
    };
    named.iter().any(same).then_some(url)
}

/// What a person sees of where they are taken.
pub fn shown_host(url: &Url) -> String {
    match url.scheme() {
        "http" | "https" if is_loopback(url) => "this computer".to_owned(),
        "http" | "https" => url.host_str().unwrap_or_default().to_owned(),
        scheme => format!("the app behind {scheme}:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_lead_to_an_app_can_be_named() {
        for good in [
            "https://app.example.com/cb",
            "http://127.0.0.1/cb",
            "http://localhost:3000/cb",
            "http://[::1]:1/",
            "cursor://anysphere.cursor/cb",
            "com.example.app:/cb",
        ] {
            assert!(read(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/cb",
            "http://app.example.com/cb",
            "http://127.0.0.1.example.com/cb",
            "http://localhost@evil.example/cb",
            "https://user@app.example.com/cb",
            "https://app.example.com/cb#x",
            "https://app.example.com/c b",
            "https://app.example.com\\@evil.example/",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_address_is_found_as_it_was_named_and_on_this_machine_with_any_port() {
        let named = ["https://app.example.com/cb".to_owned(), "http://127.0.0.1:1000/cb?x=1".to_owned()];
        for good in ["https://app.example.com/cb", "http://127.0.0.1:2000/cb?x=1", "http://127.0.0.1/cb?x=1"]
        {
            assert!(find(&named, good).is_some(), "{good}");
        }
        for bad in [
            "https://app.example.com/cb/",
            "https://app.example.com/cb?x",
            "https://app.example.com:8443/cb",
            "https://APP.example.com/cb",
            "https://app.example.com/x/../cb",
            "https://app.example.com.evil.example/cb",
            "https://evil.example/https://app.example.com/cb",
            "http://app.example.com/cb",
            "http://127.0.0.1:2000/cb",
            "http://localhost:2000/cb?x=1",
            "http://127.0.0.1:2000@evil.example/cb?x=1",
            "https://127.0.0.1:2000/cb?x=1",
        ] {
            assert!(find(&named, bad).is_none(), "{bad}");
        }
    }
}
