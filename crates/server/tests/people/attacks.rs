//! Those who should stay out.

use std::time::{Duration, Instant};

use serde_json::json;
use url::Url;

use crate::browser::{Browser, CALLBACK, Client, PASSWORD, Page, opens, parameter, post_json};
use crate::harness::Service;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_planted_in_a_browser_is_not_the_one_that_is_signed_in() {
    let service = Service::start(&[("sign-up", "open")]).await;
    Browser::of(&service, "ada@example.com").await;
    let mut eve = Browser::of(&service, "eve@example.com").await;
    let mut ada = Browser::new(&service);
    let sign_in = json!({"email": "ada@example.com", "password": PASSWORD});

    ada.cookie = Some("__Host-rondo=chosenbyeve".to_owned());
    ada.post("/session/sign-in", &sign_in).await.data();
    assert_ne!(ada.cookie.as_deref(), Some("__Host-rondo=chosenbyeve"));

    ada.cookie = eve.cookie.clone();
    ada.post("/session/sign-in", &sign_in).await.data();
    assert_ne!(ada.cookie, eve.cookie);
    eve.get("/keys").await.refused(401, "UNAUTHORIZED");
    assert_eq!(ada.get("/session").await.data()["account"]["email"], "ada@example.com");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_cannot_use_a_persons_session() {
    let service = Service::start(&[]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let own = service.url("");
    let json = ("content-type", "application/json");
    let foreign: [&[(&str, &str)]; 8] = [
        &[("origin", "https://evil.example"), json],
        &[("origin", "null"), json],
        &[("sec-fetch-site", "cross-site"), json],
        &[("sec-fetch-site", "same-site"), json],
        &[("sec-fetch-site", "cross-site"), ("origin", &own), json],
        &[json],
        &[("origin", &own), ("content-type", "text/plain")],
        &[("origin", &own), ("content-type", "application/x-www-form-urlencoded")],
    ];
    for path in ["/api/dashboard/keys", "/api/v1/previews", "/api/dashboard/session/sign-in"] {
        for headers in foreign {
            let page = ada.send("POST", path, headers, Some("{}".to_owned())).await;
            assert_eq!(page.status, 403, "{path} {headers:?} {}", page.text);
            assert_eq!(page.json()["details"]["reason"], "CROSS_ORIGIN");
        }
    }
    for headers in [[("origin", own.as_str()), json], [("sec-fetch-site", "same-origin"), json]] {
        assert_eq!(
            ada.send("POST", "/api/dashboard/keys", &headers, Some("{}".to_owned())).await.status,
            200
        );
    }
    // Keys are not sent by browsers on their own.
    let key = ada.post("/keys", &json!({})).await.data()["apiKey"].as_str().unwrap().to_owned();
    let answer =
        service.send("POST", "/auth/verify", &key, &[("origin", "https://evil.example")], None).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_decision_about_an_app_counts_only_from_the_page_shown_to_that_person() {
    let service = Service::start(&[("role", "api"), ("sign-up", "open")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let mut eve = Browser::of(&service, "eve@example.com").await;
    let client = Client::register(&service).await;
    let asks = client.asks(&[]);
    let query = asks.split_once('?').unwrap().1.to_owned();
    let eves = eve.page(&asks).await.hidden("proof");
    let adas = ada.page(&asks).await.hidden("proof");
    let form = ("content-type", "application/x-www-form-urlencoded");
    let body = |proof: &str| Some(format!("{query}&decision=allow&proof={proof}"));
    for (headers, body) in [
        (vec![form], body("")),
        (vec![form], body(&eves)),
        (vec![form, ("origin", "https://evil.example")], body(&adas)),
        (vec![form, ("sec-fetch-site", "cross-site")], body(&adas)),
    ] {
        let page = ada.send("POST", "/oauth/authorize", &headers, body).await;
        assert_eq!(page.status, 400, "{headers:?}");
    }
    let changed = query.replace("S256", "S256&scope=x");
    let page = ada
        .send("POST", "/oauth/authorize", &[form], Some(format!("{changed}&decision=allow&proof={adas}")))
        .await;
    assert_eq!(page.status, 400, "what was shown is what is allowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_where_the_app_did_not_say() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    for uri in [
        "https://evil.example/callback",
        "http://127.0.0.1/callback/../evil",
        "http://127.0.0.1/callback?x=1",
        "http://127.0.0.1@evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://localhost/callback",
        "https://127.0.0.1/callback",
        "//evil.example/callback",
        "javascript:alert(1)",
        "http://127.0.0.1/callback#x",
    ] {
        // Also if the request has another error that would be sent to the app.
        for method in ["S256", "plain"] {
            let asks = client.asks(&[("redirect_uri", uri), ("code_challenge_method", method)]);
            let page = ada.page(&asks).await;
            assert_eq!((page.status, page.header("location")), (400, ""), "{uri}");
        }
    }
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example", client.asks(&[]));
    assert_eq!(ada.page(&twice).await.status, 400);
    for uri in
        ["http://app.example.com/cb", "javascript:alert(1)", "https://a.example/#x", "data:text/html,x"]
    {
        let made = post_json(&service, "/oauth/register", &json!({"redirect_uris": [uri]})).await;
        assert_eq!(
            (made.status, made.json()["error"].as_str()),
            (400, Some("invalid_redirect_uri")),
            "{uri}"
        );
    }
    // The way to sign in never leaves the service.
    let sent =
        Browser::new(&service).page(&client.asks(&[("state", "https://evil.example")])).await.location();
    assert_eq!(sent.origin().ascii_serialization(), service.url(""));
    assert!(parameter(&sent, "next").unwrap().starts_with("/oauth/authorize?"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_needs_its_verifier_its_app_and_its_address_and_works_once() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    for (changes, error) in [
        (vec![("code_challenge_method", "plain")], "invalid_request"),
        (vec![("code_challenge_method", "")], "invalid_request"),
        (vec![("code_challenge", "")], "invalid_request"),
        (vec![("code_challenge", "short")], "invalid_request"),
        (vec![("response_type", "token")], "unsupported_response_type"),
        (vec![("resource", "https://other.example/api")], "invalid_target"),
    ] {
        // Nobody has verified the app: the person is told, and may go back to it with the error.
        let page = ada.page(&client.asks(&changes)).await;
        assert_eq!((page.status, page.header("location")), (400, ""), "{changes:?}");
        let back = page.text.split_once("<a href=\"").unwrap().1.split('"').next().unwrap();
        let back = Url::parse(&back.replace("&amp;", "&")).unwrap();
        assert!(back.as_str().starts_with(CALLBACK), "{back}");
        assert_eq!(parameter(&back, "error").as_deref(), Some(error), "{changes:?}");
        assert_eq!(parameter(&back, "iss"), Some(service.url("")));
    }

    let code = async |ada: &mut Browser<'_>| {
        let back = client.allowed(ada, &[]).await;
        parameter(&back, "code").unwrap()
    };
    let other = Client::register(&service).await;
    let good = code(&mut ada).await;
    for (field, value) in [
        ("code_verifier", ""),
        ("code_verifier", other.verifier.as_str()),
        ("client_id", other.id.as_str()),
        ("redirect_uri", "http://127.0.0.1:1/callback"),
        ("resource", "https://other.example/"),
    ] {
        let code = code(&mut ada).await;
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("client_id", client.id.as_str()),
            ("code", code.as_str()),
            ("code_verifier", client.verifier.as_str()),
        ];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let refused = Browser::new(&service).form("/oauth/token", &fields).await;
        assert_eq!(refused.status, 400, "{field} {value}");
    }

    let tokens = client.exchange(&service, &good).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    assert!(opens(&service, access).await);
    let again = client.exchange(&service, &good).await;
    assert_eq!(again.json()["error"], "invalid_grant");
    assert!(!opens(&service, access).await, "what a replayed code gave is void");
    assert_eq!(client.refresh(&service, tokens["refresh_token"].as_str().unwrap()).await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_used_twice_ends_everything_that_came_from_it() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    let first = client.tokens(&service, &mut ada).await;
    let apart = client.tokens(&service, &mut ada).await;
    let stolen = first["refresh_token"].as_str().unwrap();
    let other = Client::register(&service).await;
    assert_eq!(other.refresh(&service, stolen).await.json()["error"], "invalid_grant");
    let second = client.refresh(&service, stolen).await.json();
    let access = second["access_token"].as_str().unwrap();
    assert!(opens(&service, access).await);
    assert_eq!(client.refresh(&service, stolen).await.json()["error"], "invalid_grant");
    assert!(!opens(&service, access).await);
    assert!(!opens(&service, first["access_token"].as_str().unwrap()).await);
    assert_eq!(client.refresh(&service, second["refresh_token"].as_str().unwrap()).await.status, 400);
    assert!(opens(&service, apart["access_token"].as_str().unwrap()).await, "what was allowed apart stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_for_another_service_is_refused() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    let id = ada.get("/session").await.data()["account"]["id"].as_str().unwrap().to_owned();
    let challenge = client.challenge();
    for (resource, good) in [
        (service.url("/api/mcp"), true),
        (service.url("/"), true),
        ("https://other.example".to_owned(), false),
        (format!("{}.evil.example", service.url("")), false),
        (service.url("/api/other"), false),
    ] {
        let grant = rondo_store::NewGrant {
            account_id: &id,
            client_id: &client.id,
            resource: &resource,
            scopes: "account:read",
            redirect_uri: CALLBACK,
            challenge: &challenge,
        };
        let code = service.store.allow(&grant).await.unwrap();
        let tokens = client.exchange(&service, &code).await.json();
        assert_eq!(opens(&service, tokens["access_token"].as_str().unwrap()).await, good, "{resource}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_that_asks_can_neither_be_framed_nor_run_scripts() {
    let service = Service::start(&[("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let client = Client::register(&service).await;
    for asks in [client.asks(&[]), client.asks(&[("client_id", "app_unknown")])] {
        let page = ada.page(&asks).await;
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("script-src") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("referrer-policy"), "same-origin");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_who_has_an_account() {
    let service = Service::start(&[]).await;
    Browser::of(&service, "ada@example.com").await;
    let mut eve = Browser::new(&service);
    let mut times = [Duration::MAX; 2];
    let mut answers = Vec::new();
    for _ in 0..5 {
        for (i, email) in ["ada@example.com", "nobody@example.com"].into_iter().enumerate() {
            let started = Instant::now();
            let answer =
                eve.post("/session/sign-in", &json!({"email": email, "password": "a wrong guess"})).await;
            // The quickest, because others' work only ever adds to it.
            times[i] = times[i].min(started.elapsed());
            answer.refused(401, "SIGN_IN_FAILED");
            answers.push(answer.body);
        }
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    let [known, unknown] = times.map(|time| time.as_secs_f64());
    assert!(unknown > known / 2.0 && known > unknown / 2.0, "{known} s against {unknown} s");
    let forgot = async |eve: &mut Browser<'_>, email: &str| {
        eve.post("/session/forgot", &json!({"email": email})).await
    };
    let (known, unknown) =
        (forgot(&mut eve, "ada@example.com").await, forgot(&mut eve, "nobody@example.com").await);
    assert_eq!((known.status, known.body), (unknown.status, unknown.body));
}

/// Signs in from an address that a proxy names.
async fn sign_in(service: &Service, email: &str, password: &str, from: &str) -> Page {
    let own = service.url("");
    let headers = [("origin", own.as_str()), ("content-type", "application/json"), ("x-forwarded-for", from)];
    let body = json!({"email": email, "password": password}).to_string();
    Browser::new(service).send("POST", "/api/dashboard/session/sign-in", &headers, Some(body)).await
}

#[track_caller]
fn must_wait(page: &Page) {
    assert_eq!(
        (page.status, page.json()["details"]["reason"].as_str()),
        (429, Some("TOO_MANY_ATTEMPTS")),
        "{}",
        page.text
    );
    assert!((1..=60).contains(&page.header("retry-after").parse::<u32>().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_an_account_are_slowed_down_and_do_not_lock_its_owner_out() {
    let service = Service::start(&[("trusted-proxies", "1"), ("role", "api")]).await;
    let mut ada = Browser::of(&service, "ada@example.com").await;
    let home = "2001:db8:1:2::3";
    assert_eq!(sign_in(&service, "ada@example.com", PASSWORD, home).await.status, 200);
    // One account from many addresses.
    for n in 0..5 {
        let page = sign_in(&service, "ada@example.com", "a wrong guess", &format!("198.51.100.{n}")).await;
        assert_eq!(page.status, 401, "{}", page.text);
    }
    must_wait(&sign_in(&service, "Ada@Example.com", "a guess", "198.51.100.77, 198.51.100.99").await);
    // The person who is in stays in, and signs in from a network that she has used before.
    ada.get("/keys").await.data();
    assert_eq!(sign_in(&service, "ada@example.com", PASSWORD, "2001:db8:1:2:9:9:9:9").await.status, 200);
    // Others are not concerned.
    assert_eq!(sign_in(&service, "bob@example.com", "a wrong guess", "198.51.100.1").await.status, 401);
    // From elsewhere she waits as long as the answer says.
    let started = Instant::now();
    loop {
        let page = sign_in(&service, "ada@example.com", PASSWORD, "203.0.113.5").await;
        if page.status == 200 {
            break;
        }
        must_wait(&page);
        assert!(started.elapsed() < Duration::from_secs(20), "the owner is locked out");
        let seconds = page.header("retry-after").parse().unwrap();
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_from_one_network_at_many_accounts_are_slowed_down() {
    let service = Service::start(&[("trusted-proxies", "1"), ("role", "api")]).await;
    let guess = async |n: u32| {
        let from = format!("2001:db8:5:6::{n:x}");
        sign_in(&service, &format!("person{n}@example.com"), "a wrong guess", &from).await
    };
    for n in 0..20 {
        let page = guess(n).await;
        assert_eq!(page.status, 401, "{}", page.text);
    }
    must_wait(&guess(20).await);
    let elsewhere = sign_in(&service, "person21@example.com", "a wrong guess", "2001:db8:5:7::1").await;
    assert_eq!(elsewhere.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_can_register_many_apps_but_not_any_number() {
    let service = Service::start(&[("role", "api")]).await;
    let body = json!({"redirect_uris": [CALLBACK]});
    let mut made = 0;
    let refused = loop {
        let answer = post_json(&service, "/oauth/register", &body).await;
        if answer.status != 201 {
            break answer;
        }
        made += 1;
    };
    assert!(made >= 60, "{made}");
    assert_eq!(refused.status, 429);
    assert!(!refused.header("retry-after").is_empty());
}
