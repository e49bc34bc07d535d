//! A minimal browser: it keeps a cookie, sends its origin, and does not follow redirects.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use crate::harness::{Answer, Service};

pub const PASSWORD: &str = "correct horse battery";
pub const CALLBACK: &str = "http://127.0.0.1/callback";

pub struct Browser<'a> {
    service: &'a Service,
    client: reqwest::Client,
    /// `name=value`, as it is sent back.
    pub cookie: Option<String>,
}

/// An answer as it is on the wire.
pub struct Page {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Page {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{} {}", self.status, self.text))
    }

    /// Where it leads.
    #[track_caller]
    pub fn location(&self) -> Url {
        assert_eq!(self.status, 303, "{}", self.text);
        Url::parse(self.header("location")).unwrap()
    }

    /// The value of a hidden field.
    pub fn hidden(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let rest = self.text.split_once(&start).unwrap_or_else(|| panic!("no {name} in {}", self.text)).1;
        rest.split('"').next().unwrap().replace("&amp;", "&").replace("&#39;", "'")
    }
}

/// A parameter of an address.
pub fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

impl<'a> Browser<'a> {
    pub fn new(service: &'a Service) -> Self {
        let client = crate::harness::client(false);
        Self { service, client, cookie: None }
    }

    /// A browser with a new account; the first one is the operator.
    pub async fn of(service: &'a Service, email: &str) -> Self {
        let mut browser = Self::new(service);
        let body = json!({"email": email, "name": "Ada", "password": PASSWORD});
        browser.post("/session/sign-up", &body).await.data();
        browser
    }

    /// Sends anything and keeps the cookie that comes back.
    pub async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Page {
        let mut request = self.client.request(method.parse().unwrap(), self.service.url(path));
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.body(body.unwrap_or_default()).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if let Some(cookie) = headers.get("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        Page { status, headers, text: response.text().await.unwrap() }
    }

    /// An operation of the dashboard, from a page of the service.
    pub async fn call(&mut self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let origin = self.service.url("");
        let mut headers = vec![("origin", origin.as_str()), ("user-agent", "Test Browser")];
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        let path = format!("/api/dashboard{path}");
        let page = self.send(method, &path, &headers, body.map(Value::to_string)).await;
        Answer { status: page.status, headers: page.headers.clone(), body: page.json() }
    }

    /// An operation of /api/v1, from a page of the service.
    pub async fn api(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let origin = self.service.url("");
        let mut all = vec![("origin", origin.as_str())];
        all.extend(headers);
        if body.is_some() {
            all.push(("content-type", "application/json"));
        }
        let page = self.send(method, &format!("/api/v1{path}"), &all, body.map(Value::to_string)).await;
        let body = if page.text.is_empty() { Value::Null } else { page.json() };
        Answer { status: page.status, headers: page.headers, body }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.call("GET", path, None).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, Some(body)).await
    }

    pub async fn page(&mut self, path: &str) -> Page {
        self.send("GET", path, &[], None).await
    }

    /// A form sent by a program or a page of the service.
    pub async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.send("POST", path, &headers, Some(body)).await
    }
}

/// An app that wants access.
pub struct Client {
    pub id: String,
    pub verifier: String,
}

impl Client {
    /// A public client from dynamic registration.
    pub async fn register(service: &Service) -> Self {
        let body = json!({"client_name": "Film <b>Bot</b>", "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "none"});
        let answer = post_json(service, "/oauth/register", &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        Self {
            id: answer.json()["client_id"].as_str().unwrap().to_owned(),
            verifier: rondo_store::id::secret(64),
        }
    }

    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.as_bytes()))
    }

    /// The address that asks a person; `changes` replace parameters, or leave them out when empty.
    pub fn asks(&self, changes: &[(&str, &str)]) -> String {
        let challenge = self.challenge();
        let mut fields = vec![
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", CALLBACK),
            ("state", "a & b"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        for (name, value) in changes {
            fields.retain(|(known, _)| known != name);
            fields.push((name, value));
        }
        fields.retain(|(_, value)| !value.is_empty());
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        format!("/oauth/authorize?{query}")
    }

    /// Has the person say yes, and gives where they are taken.
    pub async fn allowed(&self, person: &mut Browser<'_>, changes: &[(&str, &str)]) -> Url {
        let asks = self.asks(changes);
        let page = person.page(&asks).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let proof = page.hidden("proof");
        let query = asks.split_once('?').unwrap().1;
        let mut fields: Vec<(String, String)> =
            url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        fields.extend([("proof".to_owned(), proof), ("decision".to_owned(), "allow".to_owned())]);
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        person.form("/oauth/authorize", &fields).await.location()
    }

    /// Exchanges a code.
    pub async fn exchange(&self, service: &Service, code: &str) -> Page {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", &self.id),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", &self.verifier),
        ];
        Browser::new(service).form("/oauth/token", &fields).await
    }

    pub async fn refresh(&self, service: &Service, token: &str) -> Page {
        let fields = [("grant_type", "refresh_token"), ("client_id", &self.id), ("refresh_token", token)];
        Browser::new(service).form("/oauth/token", &fields).await
    }

    /// The whole way to tokens.
    pub async fn tokens(&self, service: &Service, person: &mut Browser<'_>) -> Value {
        let back = self.allowed(person, &[]).await;
        let answer = self.exchange(service, &parameter(&back, "code").unwrap()).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }
}

pub async fn post_json(service: &Service, path: &str, body: &Value) -> Page {
    let headers = [("content-type", "application/json")];
    Browser::new(service).send("POST", path, &headers, Some(body.to_string())).await
}

/// Whether a credential opens the API.
pub async fn opens(service: &Service, token: &str) -> bool {
    let answer = service.send("GET", "/account", token, &[], None).await;
    assert!(matches!(answer.status, 200 | 401), "{}", answer.body);
    answer.status == 200
}
