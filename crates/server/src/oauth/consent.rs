//! The consent page and the error page of authorization requests. They run no scripts.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rondo_store::SignedIn;
use url::Url;

use super::asked::Asked;
use super::{OAuthError, clients, redirect};
use crate::app::App;
use crate::pages::fill;
use crate::scopes::SCOPES;

/// Text of others, which can neither be markup nor a place to fill in.
fn escape(text: &str) -> String {
    crate::pages::escape(text).replace('{', "&#123;")
}

/// Asks the person.
pub fn page(app: &App, asked: &Asked, person: &SignedIn, proof: &str) -> Response {
    let mut hidden = String::new();
    for (name, value) in asked.fields.iter().chain([("proof", proof)]) {
        let _ =
            write!(hidden, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", escape(name), escape(value));
    }
    let mut scopes = String::new();
    for scope in &SCOPES {
        let spends = if scope.spends { " <span class=\"spends\">spends credits</span>" } else { "" };
        let _ = write!(scopes, "<li>{}{spends}</li>", escape(scope.words));
    }
    let identified = match clients::is_document(&asked.client.id) {
        true => format!("Described by <code>{}</code>", escape(&asked.client.id)),
        false => "The app chose this name itself; nobody has checked it".to_owned(),
    };
    let html = fill(
        include_str!("consent.html"),
        &[
            ("identified", &identified),
            ("host", &escape(&redirect::shown_host(&asked.redirect))),
            ("email", &escape(&person.account.email)),
            ("credits", &person.account.credits.whole().to_string()),
            (
                "service",
                &escape(app.service.links.public_url().split_once("://").map_or("", |(_, host)| host)),
            ),
            ("scopes", &scopes),
            ("hidden", &hidden),
            ("name", &escape(&asked.client.name)),
        ],
    );
    show(StatusCode::OK, html, Some(&asked.redirect))
}

/// The error page for an invalid authorization request, with a link to the app if its redirect URI is valid.
pub fn problem(error: &OAuthError, back: Option<&Url>) -> Response {
    let back = back.map_or_else(String::new, |url| {
        let (address, host) = (escape(url.as_str()), escape(&redirect::shown_host(url)));
        format!("<p><a href=\"{address}\" rel=\"noreferrer\">Return to {host}</a></p>")
    });
    let html = fill(
        include_str!("problem.html"),
        &[("code", error.code), ("back", &back), ("description", &escape(&error.description))],
    );
    show(error.status, html, None)
}

/// These pages cannot be framed, and their forms lead only here or back to the app.
fn show(status: StatusCode, html: String, target: Option<&Url>) -> Response {
    // Browsers hold the redirect after a form to the same rule; some apps forward people once more, by https.
    let target = match target {
        Some(url) if url.scheme() == "http" => format!(" https: {}", url.origin().ascii_serialization()),
        Some(url) if url.scheme() == "https" => " https:".to_owned(),
        Some(url) => format!(" https: {}:", url.scheme()),
        None => String::new(),
    };
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{target}; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    let fields = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With no referrer at all browsers would hide the origin of the form too.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    let headers: HeaderMap = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, HeaderValue::from_str(value).ok()?)))
        .collect();
    (status, headers, html).into_response()
}
