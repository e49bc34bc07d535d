//! The documentation: the guides of this repository and the API reference, at /docs.

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use serde_json::Value;

use super::{error_page, escape, fill, page};
use crate::app::App;
use crate::guides::{self, EXAMPLE_URL, GUIDES};
use crate::http::error::ApiError;
use crate::http::openapi;
use crate::mcp;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/llms.txt", get(for_models))
        .route(
            "/docs",
            get(async |state: State<Arc<App>>| guide(state, Path("quick-start".to_owned())).await),
        )
        .route("/docs/reference", get(reference))
        .route("/docs/{name}", get(guide))
}

/// What a language model needs to know of this installation: where everything is, and the guide for agents.
async fn for_models(State(app): State<Arc<App>>) -> Response {
    let mut text = format!(
        "# Rondo\n\n> Rondo makes videos from JSON compositions, templates and projects. Agents connect over MCP at {0}{1} \
         with an API key as bearer token; programs use the HTTP API at {0}/api/v1.\n\n## Documentation\n\n",
        app.service.links.public_url(),
        mcp::PATH,
    );
    for (name, title, _) in GUIDES {
        let _ = writeln!(text, "- [{title}]({}/docs/{name})", app.service.links.public_url());
    }
    let _ = writeln!(text, "- [API reference]({}/docs/reference)", app.service.links.public_url());
    let _ = writeln!(text, "- [OpenAPI document]({}/api/v1/openapi.json)\n", app.service.links.public_url());
    text.push_str(&guides::agents(&app.service.links));
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, text).into_response()
}

async fn guide(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    let Some((name, title, text)) = GUIDES.into_iter().find(|(known, ..)| *known == name) else {
        return error_page(&ApiError::not_found("page"));
    };
    let text = text.replace(EXAMPLE_URL, app.service.links.public_url());
    show(name, title, &to_html(&text))
}

/// Markdown as HTML; links between guides become links between pages, and headings can be linked to.
fn to_html(text: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let events = events.into_iter().map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let (file, section) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
            let page = file.strip_suffix(".md").unwrap_or(file);
            let section = if section.is_empty() { String::new() } else { format!("#{section}") };
            let dest_url = match page {
                "" => CowStr::from(section),
                page if page.contains(':') => CowStr::from(format!("{page}{section}")),
                page => CowStr::from(format!("/docs/{page}{section}")),
            };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        event => event,
    });
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events);
    out
}

/// Gives every heading an id made of its words.
fn name_headings(events: &mut [Event<'_>]) {
    let mut heading = None;
    let mut words = String::new();
    for index in 0..events.len() {
        match &events[index] {
            Event::Start(Tag::Heading { .. }) => {
                heading = Some(index);
                words.clear();
            }
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            Event::End(TagEnd::Heading(_)) => {
                if let Some(Event::Start(Tag::Heading { id, .. })) =
                    heading.take().and_then(|start| events.get_mut(start))
                {
                    *id = Some(CowStr::from(slug(&words)));
                }
            }
            _ => {}
        }
    }
}

/// `Limits and prices` is `limits-and-prices`.
fn slug(words: &str) -> String {
    let parts = words.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

fn show(name: &str, title: &str, body: &str) -> Response {
    let entry = |known: &str, title: &str| {
        let current = if known == name { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"/docs/{known}\"{current}>{}</a>", escape(title))
    };
    let mut menu: String = GUIDES.iter().map(|(known, title, _)| entry(known, title)).collect();
    menu.push_str(&entry("reference", "API reference"));
    let html = fill(include_str!("docs.html"), &[("title", &escape(title)), ("menu", &menu), ("body", body)]);
    page(StatusCode::OK, html)
}

/// Every operation, from the API's own description.
async fn reference(State(app): State<Arc<App>>) -> Response {
    let document = openapi::describe(app.service.links.public_url());
    let mut body = String::from(
        "<h1>API reference</h1><p>As a document for programs: <a href=\"/api/v1/openapi.json\">openapi.json</a>.</p>",
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = tag["name"].as_str().unwrap_or_default();
        let about = tag["description"].as_str().unwrap_or_default();
        let _ = write!(body, "<h2 id=\"{}\">{}</h2><p>{}.</p>", slug(name), escape(name), escape(about));
        for (path, operations) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in operations.as_object().into_iter().flatten() {
                if operation["tags"][0] == name {
                    let sent = operation.pointer("/requestBody/content/application~1json/schema/$ref");
                    let sent = sent.and_then(Value::as_str).and_then(|name| document.pointer(&name[1..]));
                    describe(&mut body, method, path, operation, sent);
                }
            }
        }
    }
    show("reference", "API reference", &body)
}

/// One operation; `sent` is the schema of its body.
fn describe(body: &mut String, method: &str, path: &str, operation: &Value, sent: Option<&Value>) {
    let about = [operation["summary"].as_str(), operation["description"].as_str()];
    let about: Vec<_> = about.into_iter().flatten().map(escape).collect();
    let _ = write!(
        body,
        "<section class=\"operation\"><h3 id=\"{}\"><code class=\"method {method}\">{}</code> <code>{}</code></h3><p>{}</p>",
        slug(operation["operationId"].as_str().unwrap_or_default()),
        method.to_uppercase(),
        escape(path),
        about.join(" ")
    );
    let parameters: Vec<_> = operation["parameters"].as_array().into_iter().flatten().collect();
    if !parameters.is_empty() {
        body.push_str("<table><thead><tr><th>parameter</th><th>in</th><th>meaning</th></tr></thead><tbody>");
        for parameter in parameters {
            let field = |name: &str| escape(parameter[name].as_str().unwrap_or_default());
            let _ = write!(
                body,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                field("name"),
                field("in"),
                field("description")
            );
        }
        body.push_str("</tbody></table>");
    }
    if let Some(sent) = sent {
        body.push_str("<table><thead><tr><th>body field</th><th>meaning</th></tr></thead><tbody>");
        // A body that builds on another one lists the parts in order.
        let parts = sent["allOf"].as_array().map_or_else(|| vec![sent], |parts| parts.iter().collect());
        for (name, field) in parts.iter().flat_map(|part| part["properties"].as_object()).flatten() {
            let about = escape(field["description"].as_str().unwrap_or_default());
            let _ = write!(body, "<tr><td><code>{}</code></td><td>{about}</td></tr>", escape(name));
        }
        body.push_str("</tbody></table>");
    }
    body.push_str("<table><thead><tr><th>status</th><th>when</th></tr></thead><tbody>");
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let when = escape(answer["description"].as_str().unwrap_or_default());
        let _ = write!(body, "<tr><td>{status}</td><td>{when}</td></tr>");
    }
    body.push_str("</tbody></table></section>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use rondo_service::settings::SETTINGS;

    #[test]
    fn every_setting_is_documented() {
        let guide = GUIDES.iter().find(|(name, ..)| *name == "self-hosting").unwrap().2;
        for setting in SETTINGS {
            assert!(guide.contains(&format!("| `{}` |", setting.name)), "{} is missing", setting.name);
        }
    }

    #[test]
    fn links_between_guides_lead_to_pages() {
        assert!(to_html("[x](webhooks.md)").contains("href=\"/docs/webhooks\""));
        assert!(to_html("[x](https://example.com)").contains("href=\"https://example.com\""));
        assert!(to_html("[x](limits.md#prices)").contains("href=\"/docs/limits#prices\""));
        assert!(to_html("[x](#prices)").contains("href=\"#prices\""));
    }

    #[test]
    fn headings_have_ids() {
        assert!(to_html("## Limits and `prices`").contains("<h2 id=\"limits-and-prices\">"));
    }
}
