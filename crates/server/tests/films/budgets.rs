//! What a request may cost: processor time of a film, time of a picture, and the seats of previews. Whoever overdoes it pays
//! with their own work only.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::harness::{
    Account, BRIEF, HURRIED, Service, THRIFTY, busy, children_of, client, film, is_cluster, media_server,
    overlay,
};

/// Asks whether the service is alive until it is told to stop.
struct Pulse(JoinHandle<()>);

/// A second, and some on a machine where other tests run.
const ALIVE_WITHIN: Duration = Duration::from_secs(5);

impl Pulse {
    fn of(service: &Service) -> Self {
        let (client, url) = (client(false), service.url("/healthz"));
        Self(tokio::spawn(async move {
            loop {
                let asked = Instant::now();
                let answer = client.get(&url).send().await.unwrap();
                assert_eq!(answer.status().as_u16(), 200);
                assert!(asked.elapsed() < ALIVE_WITHIN, "it took {:?}", asked.elapsed());
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }))
    }

    async fn end(self) {
        self.0.abort();
        let ended = self.0.await;
        assert!(ended.as_ref().is_err_and(|error| error.is_cancelled()), "{ended:?}");
    }
}

/// One frame that takes minutes: large blurs, none like another.
fn hostile() -> Value {
    let blurred = |id: u32| {
        let filter = format!("blur({}px) blur(9px) blur(7px)", 5 + id);
        overlay(
            id,
            &json!({"type": "text", "content": "Slow", "width": 3800, "height": 2100,
            "styles": {"backgroundColor": "#f00", "opacity": 0.9, "filter": filter}}),
        )
    };
    let mut composition = film(20, &Value::Array((1..200).map(blurred).collect()));
    (composition["width"], composition["height"]) = (json!(3840), json!(2160));
    composition
}

/// The address of a preview's picture.
async fn preview(service: &Service, account: &Account, composition: &Value) -> String {
    let answer = service.post(account, "/previews", &json!({"inputProps": composition})).await;
    format!("{}.png", answer.data()["previewUrl"].as_str().unwrap())
}

/// The status, and what is said if there is no picture.
async fn draw(url: &str) -> (u16, String) {
    let answer = client(false).get(url).send().await.unwrap();
    let status = answer.status().as_u16();
    (status, if status == 200 { String::new() } else { answer.text().await.unwrap() })
}

/// Waits until the fork server has a child.
async fn has_child(service: &Service) {
    let started = Instant::now();
    while children_of(service.fork_server()).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(30), "nothing is drawn");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A film whose second overlay takes long.
fn greedy(media: &str) -> Value {
    let cheap = overlay(1, &json!({"type": "shape", "content": "rectangle", "styles": {"fill": "#0f0"}}));
    let costly = overlay(
        2,
        &json!({"type": "image", "src": format!("{media}/red.png"), "width": 2000, "height": 2000, "styles": {
            "filter": "blur(9px) blur(11px) blur(7px)", "opacity": 0.9, "animation": {"during": "ken-burns-in"}}}),
    );
    let mut greedy = film(200, &json!([cheap, costly]));
    (greedy["width"], greedy["height"]) = (json!(2000), json!(2000));
    greedy
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_over_its_processor_time_fails_with_its_costliest_overlays_and_delays_nobody() {
    let media = media_server().await;
    let service = Service::start(&[("workers", "2"), ("cpu-per-gigapixel", "1"), (THRIFTY, "")]).await;
    let (ada, bob) = (service.account(Plan::None, 100).await, service.account(Plan::None, 10).await);
    let pulse = Pulse::of(&service);
    let job = service.render(&ada, &json!({"inputProps": greedy(&media)})).await;
    let other = service.render(&bob, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&bob, &other).await["status"], "COMPLETED");
    let job = service.ended(&ada, &job).await;
    pulse.end().await;
    assert_eq!(job["status"], "FAILED", "{job}");
    let sentence = job["errorMessage"].as_str().unwrap();
    assert!(sentence.contains("more processor time") && sentence.contains("costliest overlay"), "{sentence}");
    let (costly, cheap) = (sentence.find("overlays[1]"), sentence.find("overlays[0]"));
    assert!(costly.is_some() && cheap.is_none_or(|cheap| costly < Some(cheap)), "{sentence}");
    assert_eq!((service.credits(&ada).await, service.credits(&bob).await), (100, 9));
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_over_its_time_fails_with_its_costliest_overlays() {
    let media = media_server().await;
    let service = Service::start(&[(BRIEF, "")]).await;
    let ada = service.account(Plan::None, 100).await;
    let job = service.render(&ada, &json!({"inputProps": greedy(&media)})).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "FAILED", "{job}");
    let sentence = job["errorMessage"].as_str().unwrap();
    assert!(sentence.contains("longer than its limit of") && sentence.contains("overlays[1]"), "{sentence}");
    assert_eq!(service.credits(&ada).await, 100);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_does_not_heed_its_time_is_ended() {
    let service = Service::start(&[(BRIEF, "")]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(3000)})).await;
    has_child(&service).await;
    for child in children_of(service.fork_server()) {
        // SAFETY: the call takes plain numbers.
        unsafe { libc::kill(child, libc::SIGSTOP) };
    }
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "FAILED", "{job}");
    assert!(job["errorMessage"].as_str().unwrap().contains("longer than its limit of"), "{job}");
    assert_eq!(service.credits(&ada).await, 10);
    // It is ended just after the render has failed.
    for _ in 0..100 {
        if children_of(service.fork_server()).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("its process goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_picture_is_that_of_all_its_overlays_and_the_next_one_is_drawn() {
    let service = Service::start(&[(HURRIED, "")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let slow = preview(&service, &ada, &hostile()).await;
    let quick = preview(&service, &bob, &film(20, &json!([]))).await;
    let pulse = Pulse::of(&service);
    let started = Instant::now();
    let drawing = tokio::spawn(async move { draw(&slow).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (status, _) = draw(&quick).await;
    assert_eq!(status, 200, "the picture of another account");
    let (status, body) = drawing.await.unwrap();
    let taken = started.elapsed();
    pulse.end().await;
    assert_eq!(status, 422, "{body}");
    assert!(body.contains("DRAWING_TOO_SLOW"), "{body}");
    // Two seconds, and some on a machine where other tests run; without a limit it takes minutes.
    assert!(taken < Duration::from_secs(30), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_hangs_up_frees_no_seat_that_still_works() {
    if is_cluster() {
        println!("skipped: it looks at the processes of one process.");
        return;
    }
    let service = Arc::new(Service::start(&[(HURRIED, "")]).await);
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let slow = preview(&service, &ada, &hostile()).await;
    let quick = preview(&service, &bob, &film(20, &json!([]))).await;
    let watched = service.clone();
    let watch = tokio::spawn(async move {
        let mut most = 0;
        loop {
            most = children_of(watched.fork_server()).len().max(most);
            tokio::time::sleep(Duration::from_millis(2)).await;
            if Arc::strong_count(&watched) == 1 {
                return most;
            }
        }
    });
    for frame in 0..6 {
        let url = format!("{slow}?frame={frame}");
        let asking = tokio::spawn(async move { draw(&url).await });
        has_child(&service).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        asking.abort();
    }
    assert_eq!(draw(&quick).await.0, 200, "the picture of another account");
    drop(service);
    assert_eq!(watch.await.unwrap(), 1, "pictures drawn at a time");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_take_turns_at_pictures() {
    let service = Service::start(&[(HURRIED, "")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let slow = preview(&service, &ada, &hostile()).await;
    let quick = preview(&service, &bob, &film(20, &json!([]))).await;
    let many: Vec<_> = (0..6)
        .map(|frame| {
            let url = format!("{slow}?frame={frame}");
            tokio::spawn(async move { draw(&url).await.0 })
        })
        .collect();
    has_child(&service).await;
    // The others wait by now.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(draw(&quick).await.0, 200);
    let ended = many.iter().filter(|drawing| drawing.is_finished()).count();
    assert!(ended <= 2, "{ended} pictures of the other account came first");
    many.iter().for_each(JoinHandle::abort);
}
