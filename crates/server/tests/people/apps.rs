//! Apps that get access: discovery, registration, consent, tokens, and taking it all back.

use axum::Router;
use axum::routing::get;
use serde_json::{Value, json};

use crate::browser::{Browser, CALLBACK, Client, opens, parameter, post_json};
use crate::harness::Service;

const SCOPES: &str = "account:read templates:read projects:read projects:write renders:read renders:write previews:write \
                      uploads:write ai:write webhooks:write destinations:write";

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_leads_to_the_documents_that_lead_to_everything_else() {
    let service = Service::start(&[("role", "api")]).await;
    let mut anybody = Browser::new(&service);
    let refused = anybody.page("/api/v1/account").await;
    let challenge = refused.header("www-authenticate");
    let place = service.url("/.well-known/oauth-protected-resource");
    assert_eq!(challenge, format!("Bearer realm=\"rondo\", resource_metadata=\"{place}\""));
    for path in ["", "/api/v1", "/api/mcp"] {
        let page = anybody.page(&format!("/.well-known/oauth-protected-resource{path}")).await;
        assert_eq!(page.header("access-control-allow-origin"), "*");
        let document = page.json();
        assert_eq!(document["resource"], service.url(path));
        assert_eq!(document["authorization_servers"], json!([service.url("")]));
        assert_eq!(document["scopes_supported"].as_array().unwrap().len(), 11);
    }
    let server = anybody.page("/.well-known/oauth-authorization-server").await.json();
    assert_eq!(anybody.page("/.well-known/openid-configuration").await.json(), server);
    assert_eq!(server["issuer"], service.url(""));
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(server["response_types_supported"], json!(["code"]));
    let listed: Vec<&str> =
        server["scopes_supported"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(listed.join(" "), SCOPES);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_gets_from_registration_to_tokens_that_open_the_api_like_a_key() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    let mcp = service.url("/api/mcp");
    let back = client
        .allowed(&mut ada, &[("resource", &mcp), ("redirect_uri", "http://127.0.0.1:49152/callback")])
        .await;
    assert_eq!((back.port(), back.path()), (Some(49152), "/callback"));
    assert_eq!(parameter(&back, "state").as_deref(), Some("a & b"));
    assert_eq!(parameter(&back, "iss"), Some(service.url("")));

    let tokens = client.tokens(&service, &mut ada).await;
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert_eq!(tokens["scope"], SCOPES);
    let access = tokens["access_token"].as_str().unwrap();
    let account = service.send("GET", "/account", access, &[], None).await;
    assert_eq!(account.data()["email"], "ada@example.com");
    assert_eq!(account.data()["apiKeyPrefix"], access[..12]);
    assert_eq!(service.send("GET", "/renders", access, &[], None).await.status, 200);

    let refreshed = client.refresh(&service, tokens["refresh_token"].as_str().unwrap()).await.json();
    assert!(opens(&service, refreshed["access_token"].as_str().unwrap()).await);
    assert!(
        !opens(&service, refreshed["refresh_token"].as_str().unwrap()).await,
        "a refresh token is not an access token"
    );

    let apps = ada.get("/apps").await;
    assert_eq!(
        (&apps.data()[0]["name"], &apps.data()[0]["host"]),
        (&json!("Film <b>Bot</b>"), &json!("127.0.0.1"))
    );
    ada.call("DELETE", &format!("/apps/{}", client.id), None).await.data();
    assert!(!opens(&service, access).await);
    assert_eq!(ada.get("/apps").await.data(), &json!([]));
    assert_eq!(
        client.refresh(&service, refreshed["refresh_token"].as_str().unwrap()).await.json()["error"],
        "invalid_grant"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_is_asked_in_plain_words_and_can_say_no() {
    let service = Service::start(&[("role", "api")]).await;
    let client = Client::register(&service).await;
    let asks = client.asks(&[]);
    let sent = Browser::new(&service).page(&asks).await.location();
    assert_eq!((sent.path(), parameter(&sent, "next")), ("/sign-in", Some(asks.clone())));

    let mut ada = Browser::of(&service, "ada@example.com").await;
    let page = ada.page(&asks).await;
    assert!(page.text.contains("Film &lt;b&gt;Bot&lt;/b&gt;") && page.text.contains("unverified"));
    assert!(page.text.contains("this computer") && page.text.contains("ada@example.com"));
    assert_eq!(page.text.matches("spends credits").count(), 2);
    assert_eq!(page.text.matches("<li>").count(), 11);
    assert!(!page.text.contains("<script") && !page.text.contains("{{"));
    let fields: Vec<(String, String)> =
        url::form_urlencoded::parse(asks.split_once('?').unwrap().1.as_bytes()).into_owned().collect();
    let mut fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let proof = page.hidden("proof");
    fields.extend([("proof", proof.as_str()), ("decision", "deny")]);
    let back = ada.form("/oauth/authorize", &fields).await.location();
    assert_eq!(parameter(&back, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&back, "state").as_deref(), Some("a & b"));
    assert!(parameter(&back, "code").is_none());

    // Another account may be intended: the session ends, and the request continues after sign-in.
    fields.pop();
    fields.push(("decision", "switch"));
    let cookie = ada.cookie.clone();
    let sent = ada.form("/oauth/authorize", &fields).await.location();
    assert_eq!((sent.path(), ada.cookie.as_ref()), ("/sign-in", None));
    assert!(parameter(&sent, "next").unwrap().starts_with("/oauth/authorize?"));
    ada.cookie = cookie;
    ada.get("/keys").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_with_a_secret_must_show_it() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let made = post_json(&service, "/oauth/register", &json!({"redirect_uris": [CALLBACK]})).await.json();
    assert_eq!(made["token_endpoint_auth_method"], "client_secret_basic");
    let client =
        Client { id: made["client_id"].as_str().unwrap().to_owned(), verifier: rondo_store::id::secret(50) };
    let back = client.allowed(&mut ada, &[]).await;
    let code = parameter(&back, "code").unwrap();
    let refused = client.exchange(&service, &code).await;
    assert_eq!((refused.status, refused.json()["error"].as_str()), (401, Some("invalid_client")));
    let secret = made["client_secret"].as_str().unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", client.id.as_str()),
        ("client_secret", secret),
        ("code", code.as_str()),
        ("code_verifier", client.verifier.as_str()),
    ];
    let issued = Browser::new(&service).form("/oauth/token", &fields).await;
    assert_eq!(issued.status, 200, "{}", issued.text);
    assert_eq!(issued.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_can_be_known_by_a_document_instead_of_registering() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let id = format!("{base}/client.json");
    let document = json!({"client_id": id, "client_name": "Doc App", "redirect_uris": [CALLBACK]});
    let liar = json!({"client_id": "https://other.example/c", "redirect_uris": [CALLBACK]});
    let router = Router::new()
        .route("/client.json", get(async move || document.to_string()))
        .route("/liar.json", get(async move || liar.to_string()));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });

    let service = Service::start(&[("role", "api")]).await;
    let client = Client { id, verifier: rondo_store::id::secret(50) };
    let sent = Browser::new(&service).page(&client.asks(&[])).await.location();
    assert_eq!(sent.path(), "/sign-in", "nothing is fetched for strangers");
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let tokens = client.tokens(&service, &mut ada).await;
    assert!(opens(&service, tokens["access_token"].as_str().unwrap()).await);
    for other in ["/liar.json", "/missing.json"] {
        let page = ada.page(&client.asks(&[("client_id", &format!("{base}{other}"))])).await;
        assert_eq!(page.status, 401, "{other}");
    }

    let service = Service::start(&[("role", "api"), ("allow-private-network", "false")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    assert_eq!(ada.page(&client.asks(&[])).await.status, 401, "private addresses are not fetched");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_can_be_taken_back_by_the_app_and_looked_at_by_operators() {
    let service = Service::start(&[("role", "api"), ("sign-up", "open")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    let tokens = client.tokens(&service, &mut ada).await;
    let (access, refresh) =
        (tokens["access_token"].as_str().unwrap(), tokens["refresh_token"].as_str().unwrap());

    let key = ada.post("/keys", &json!({})).await.data()["apiKey"].as_str().unwrap().to_owned();
    let mut bob = Browser::of(&service, "bob@example.com").await;
    let other = bob.post("/keys", &json!({})).await.data()["apiKey"].as_str().unwrap().to_owned();
    let look = async |key: &str, token: &str| {
        let bearer = format!("Bearer {key}");
        let headers =
            [("authorization", bearer.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let body = Some(format!("token={token}"));
        Browser::new(&service).send("POST", "/oauth/introspect", &headers, body).await
    };
    let seen: Value = look(&key, access).await.json();
    assert_eq!((&seen["active"], &seen["username"]), (&json!(true), &json!("ada@example.com")));
    assert_eq!((&seen["client_id"], &seen["aud"]), (&json!(client.id), &json!(service.url(""))));
    assert_eq!(look(&key, "rnt_unknown").await.json(), json!({"active": false}));
    assert_eq!(look(&other, access).await.status, 401);
    assert_eq!(look(access, access).await.status, 401);

    let stranger = Client::register(&service).await;
    let form = |client: &str, token: &str| {
        [("client_id".to_owned(), client.to_owned()), ("token".to_owned(), token.to_owned())]
    };
    let revoke = async |client: &str, token: &str| {
        let form = form(client, token);
        let fields: Vec<(&str, &str)> =
            form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Browser::new(&service).form("/oauth/revoke", &fields).await.status
    };
    assert_eq!(revoke(&stranger.id, access).await, 200);
    assert!(opens(&service, access).await, "another app's token stays");
    assert_eq!(revoke(&client.id, "rnt_unknown").await, 200);
    assert_eq!(revoke(&client.id, refresh).await, 200);
    assert!(!opens(&service, access).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_can_use_what_is_for_programs_and_nothing_else() {
    let service = Service::start(&[("role", "api")]).await;
    let mut anybody = Browser::new(&service);
    let headers = [("origin", "https://app.example.com"), ("access-control-request-method", "POST")];
    for path in
        ["/oauth/token", "/oauth/register", "/oauth/revoke", "/.well-known/oauth-authorization-server"]
    {
        let page = anybody.send("OPTIONS", path, &headers, None).await;
        assert_eq!((page.status, page.header("access-control-allow-origin")), (204, "*"), "{path}");
        assert!(page.header("access-control-allow-credentials").is_empty(), "{path}");
    }
    for path in ["/oauth/authorize", "/oauth/introspect", "/api/dashboard/session", "/api/dashboard/keys"] {
        let page = anybody.send("OPTIONS", path, &headers, None).await;
        assert!(page.header("access-control-allow-origin").is_empty(), "{path}");
    }
}
