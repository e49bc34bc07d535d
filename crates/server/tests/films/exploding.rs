//! Small bodies that take minutes and gigabytes to lay out: they cost their own check, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{Account, Answer, Service, children_of, film, overlay};

/// Frames, and letters of each overlay.
const LETTERS: usize = 20_000;
/// A liveness check that takes longer fails in most installations.
const HEALTH: Duration = Duration::from_secs(5);
/// More than everything else in the process of these tests takes meanwhile.
const MEMORY: u64 = 1 << 30;

/// Overlays with as many letters as they may have, in the ways that multiply them.
fn exploding() -> Value {
    let letters = "The quick brown fox jumps over the lazy dog. ".repeat(LETTERS / 45);
    let ways = [
        json!({"textAlign": "center", "typeWriter": {"enabled": true, "typeSpeed": 1, "errorRate": 0.5}}),
        json!({"typeWriter": {"enabled": true, "typeSpeed": 1}}),
        json!({"animation": {"enter": "typing"}}),
        json!({"counterMode": {"enabled": true, "to": 1e9, "toFixed": 20, "duration": LETTERS, "prefix": "9".repeat(1000)}}),
        json!({"animatedText": {"enabled": true, "split": "character", "opacity": [0, 1]}}),
        json!({"animatedText": {"enabled": true, "split": "character", "glitch": [0, 1]}}),
    ];
    let overlays: Vec<Value> = (0..200)
        .map(|number| {
            let styles = &ways[number % ways.len()];
            let fields =
                json!({"type": "text", "content": letters, "durationInFrames": LETTERS, "styles": styles});
            overlay(number as u32 + 1, &fields)
        })
        .collect();
    film(LETTERS as u32, &json!(overlays))
}

/// Memory of this process, in which the service runs, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

fn codes(answer: &Answer) -> Vec<&str> {
    let warnings = answer.data()["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn films_that_explode_are_answered_while_the_service_and_other_accounts_go_on() {
    let service = Arc::new(Service::start(&[("role", "api")]).await);
    let ada = Arc::new(service.account(Plan::None, 10).await);
    let bob = service.account(Plan::None, 10).await;
    let body = Arc::new(json!({"inputProps": exploding()}));
    let before = memory();

    let is_over = Arc::new(AtomicBool::new(false));
    let watching = {
        let (service, is_over) = (service.clone(), is_over.clone());
        tokio::spawn(async move {
            let (mut slowest, mut most) = (Duration::ZERO, 0);
            while !is_over.load(Ordering::Relaxed) {
                let started = Instant::now();
                assert!(service.text("/healthz", "").await.contains("ok"));
                slowest = slowest.max(started.elapsed());
                most = most.max(memory());
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            (slowest, most)
        })
    };
    let ask = |_| {
        let (service, ada, body) = (service.clone(), ada.clone(), body.clone());
        tokio::spawn(async move { service.post(&ada, "/previews", &body).await })
    };
    let asked: Vec<_> = (0..4).map(ask).collect();
    let started = Instant::now();
    while children_of(service.fork_server()).len() < 2 {
        assert!(started.elapsed() < Duration::from_secs(60), "no child lays the films out");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let plain = preview(&service, &bob).await;
    assert!(!asked.iter().all(tokio::task::JoinHandle::is_finished), "nothing took long meanwhile");
    assert_eq!(codes(&plain), [""; 0]);
    for asking in asked {
        let answer = asking.await.unwrap();
        assert!(codes(&answer).contains(&"LAYOUT_NOT_CHECKED"), "{}", answer.body["data"]["warnings"]);
    }
    is_over.store(true, Ordering::Relaxed);
    let (slowest, most) = watching.await.unwrap();
    assert!(slowest < HEALTH, "a health check took {slowest:?}");
    assert!(most < before + MEMORY, "{} MB, {} MB before", most >> 20, before >> 20);
    assert!(children_of(service.fork_server()).is_empty(), "children go on");
    // Nothing is left that the next check of the account waits for.
    assert_eq!(codes(&preview(&service, &ada).await), [""; 0]);
}

/// A preview of a short film, which does not wait for those of others.
async fn preview(service: &Service, account: &Account) -> Answer {
    let text = overlay(1, &json!({"type": "text", "content": "Hi", "durationInFrames": 20}));
    let started = Instant::now();
    let answer = service.post(account, "/previews", &json!({"inputProps": film(20, &json!([text]))})).await;
    assert!(started.elapsed() < Duration::from_secs(8), "it took {:?}", started.elapsed());
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn checks_of_one_account_beyond_those_that_wait_are_refused_until_later() {
    let service = Arc::new(Service::start(&[("role", "api")]).await);
    let ada = Arc::new(service.account(Plan::None, 10).await);
    let bob = service.account(Plan::None, 10).await;
    let mut body = exploding();
    body["overlays"].as_array_mut().unwrap().truncate(60);
    let body = Arc::new(json!({"inputProps": body}));
    let ask = |_| {
        let (service, ada, body) = (service.clone(), ada.clone(), body.clone());
        tokio::spawn(async move { service.post(&ada, "/previews", &body).await })
    };
    // Two are laid out, eight wait.
    let mut asked: Vec<_> = (0..14).map(ask).collect();
    let started = Instant::now();
    let refused = loop {
        if let Some(place) = asked.iter().position(tokio::task::JoinHandle::is_finished) {
            let answer = asked.swap_remove(place).await.unwrap();
            if answer.status != 200 {
                break answer;
            }
        }
        assert!(started.elapsed() < Duration::from_secs(60), "all of them wait");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    refused.refused(503, "SERVER_BUSY");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(codes(&preview(&service, &bob).await), [""; 0]);
    asked.iter().for_each(tokio::task::JoinHandle::abort);
}
