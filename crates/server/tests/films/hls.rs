//! Films watched while they render, and films as HLS: playlists, segments, and when they are gone.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, Uri, header};
use rondo_store::Plan;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection};

use crate::bucket_server::{BucketServer, flags};
use crate::harness::{Account, ON_FOLDER, Service, busy, client, film, media_server, overlay};

/// A playlist as a player sees it.
struct Playlist {
    text: String,
    /// Seconds of every segment.
    seconds: Vec<f64>,
    segments: Vec<String>,
    is_finished: bool,
}

impl Playlist {
    fn read(text: &str) -> Self {
        let seconds = text.lines().filter_map(|line| line.strip_prefix("#EXTINF:"));
        let segments = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Self {
            seconds: seconds.map(|line| line.trim_end_matches(',').parse().unwrap()).collect(),
            segments: segments.map(str::to_owned).collect(),
            is_finished: text.ends_with("#EXT-X-ENDLIST\n"),
            text: text.to_owned(),
        }
    }

    async fn get(address: &str) -> Self {
        let response = client(true).get(address).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{address}");
        assert_eq!(response.headers()["content-type"], "application/vnd.apple.mpegurl");
        assert_eq!(response.headers()["access-control-allow-origin"], "*");
        let cached = response.headers()["cache-control"].to_str().unwrap().to_owned();
        let playlist = Self::read(&response.text().await.unwrap());
        assert_eq!(cached == "no-store", !playlist.is_finished);
        for line in ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-TARGETDURATION:5"] {
            assert!(playlist.text.contains(line), "{}", playlist.text);
        }
        playlist
    }

    /// The init segment and the first `count` others as one file.
    async fn joined(&self, address: &str, count: usize, path: &Path) {
        let init = self.text.split("#EXT-X-MAP:URI=\"").nth(1).unwrap().split('"').next().unwrap();
        let mut file = Vec::new();
        for name in std::iter::once(init).chain(self.segments.iter().take(count).map(String::as_str)) {
            let url = reqwest::Url::parse(address).unwrap().join(name).unwrap();
            let response = client(true).get(url).send().await.unwrap();
            assert_eq!(response.status().as_u16(), 200, "{name}");
            let expected = if name == init { "video/mp4" } else { "video/iso.segment" };
            assert_eq!(response.headers()["content-type"], expected, "{name}");
            file.extend(response.bytes().await.unwrap());
        }
        std::fs::write(path, file).unwrap();
    }
}

/// What a player shows and plays from the first moment on: the hash of all pictures or samples. Before it are samples that the
/// encoder of the sound adds.
fn hash(input: &str, track: &str) -> String {
    let from_start: &[&str] = if input.ends_with(".m3u8") { &["-live_start_index", "0"] } else { &[] };
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin"])
        .args(from_start)
        .args(["-copyts", "-i", input, "-map", track])
        .args(if track == "0:a" { ["-af", "atrim=start=0"] } else { ["-fps_mode", "passthrough"] })
        .args(["-f", "md5", "-"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    String::from_utf8(made.stdout).unwrap()
}

/// When each picture is shown, or each packet of sound is heard, in microseconds from the first moment on.
fn times(path: &Path, track: &str) -> Vec<i64> {
    let made = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", track, "-show_entries", "frame=pts_time", "-of", "csv=p=0"])
        .arg(path)
        .output()
        .unwrap();
    let text = String::from_utf8(made.stdout).unwrap();
    let seconds = text.lines().map(|line| line.trim_matches(',').trim()).filter(|line| !line.is_empty());
    let times = seconds.map(|line| (line.parse::<f64>().unwrap() * 1e6).round() as i64);
    times.filter(|time| *time >= 0).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Waits until a job can be watched.
async fn watchable(service: &Service, ada: &Account, job: &str) -> Value {
    let started = Instant::now();
    loop {
        let now = service.get(ada, &format!("/renders/{job}")).await.data().clone();
        if now["streamUrl"].is_string() {
            return now;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "the job cannot be watched: {now}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Names of the segments that the service keeps.
fn segments(service: &Service) -> Vec<String> {
    let folder = std::fs::read_dir(service.folder.path().join("outputs")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".m4s") || name.ends_with("-init.mp4")).collect()
}

/// Waits until the service has deleted all segments.
async fn no_segments(service: &Service) {
    until("the segments are deleted", || segments(service).is_empty()).await;
}

async fn until(what: &str, is: impl Fn() -> bool) {
    let started = Instant::now();
    while !is() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited until {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn status(address: &str) -> u16 {
    client(true).get(address).send().await.unwrap().status().as_u16()
}

/// Something that moves and sounds for so many frames.
async fn loud(frames: u32) -> Value {
    let mut film = busy(frames);
    let tone = json!({"type": "sound", "src": format!("{}/long.wav", media_server().await), "durationInFrames": frames});
    film["overlays"].as_array_mut().unwrap().push(overlay(2, &tone));
    film
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_is_watched_while_it_renders_and_shows_what_the_finished_one_shows() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::Business, 9).await;
    let job = service.render(&ada, &json!({"inputProps": loud(400).await})).await;
    let now = watchable(&service, &ada, &job).await;
    assert_eq!((&now["status"], &now["outputUrl"]), (&json!("PROCESSING"), &Value::Null), "{now}");
    let address = now["streamUrl"].as_str().unwrap().to_owned();
    assert!(address.ends_with(&format!("/files/{job}.m3u8")), "{address}");

    // The first seconds play while the rest is made.
    let first = Playlist::get(&address).await;
    assert!(!first.is_finished && !first.segments.is_empty(), "{}", first.text);
    let start = service.folder.path().join("start.mp4");
    first.joined(&address, 1, &start).await;
    let frames = (first.seconds[0] * 10.0).round() as u32;
    assert_eq!(crate::harness::probe(&start), (1280, 720, frames));
    let player = {
        let address = address.clone();
        std::thread::spawn(move || hash(&address, "0:v"))
    };

    let (mut known, mut grew) = (first, 0);
    let last = loop {
        let next = Playlist::get(&address).await;
        let body = known.text.trim_end_matches("#EXT-X-ENDLIST\n");
        assert!(next.text.starts_with(body), "it only grows: {} {}", known.text, next.text);
        grew += usize::from(next.segments.len() > known.segments.len());
        if next.is_finished {
            break next;
        }
        known = next;
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(grew >= 2, "{}", last.text);
    let ended = service.ended(&ada, &job).await;
    assert_eq!((&ended["status"], &ended["streamUrl"]), (&json!("COMPLETED"), &json!(address)), "{ended}");
    assert!((last.seconds.iter().sum::<f64>() - 40.0).abs() < 1e-3, "{}", last.text);

    let film = service.download(ended["outputUrl"].as_str().unwrap(), "film.mp4").await;
    let whole = service.folder.path().join("whole.mp4");
    last.joined(&address, usize::MAX, &whole).await;
    for track in ["0:v", "0:a"] {
        assert_eq!(hash(text(&whole), track), hash(text(&film), track), "{track}");
    }
    for track in ["v:0", "a:0"] {
        assert_eq!(times(&whole, track), times(&film, track), "{track}");
    }
    assert_eq!(player.join().unwrap(), hash(text(&film), "0:v"), "a player that started early saw all of it");
    assert_eq!(service.credits(&ada).await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn short_and_silent_films_can_be_watched_and_other_files_cannot() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::Business, 20).await;
    let job = service.render(&ada, &json!({"inputProps": film(6, &json!([]))})).await;
    let ended = service.ended(&ada, &job).await;
    let address = ended["streamUrl"].as_str().unwrap();
    let playlist = Playlist::get(address).await;
    assert_eq!((playlist.seconds.as_slice(), playlist.is_finished), ([0.6].as_slice(), true));
    let whole = service.folder.path().join("whole.mp4");
    playlist.joined(address, usize::MAX, &whole).await;
    let film_path = service.download(ended["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(hash(text(&whole), "0:v"), hash(text(&film_path), "0:v"));
    assert_eq!(times(&whole, "v:0"), times(&film_path, "v:0"));
    assert!(times(&whole, "a:0").is_empty());
    for output in [
        json!({"format": "webm"}),
        json!({"codec": "hevc"}),
        json!({"format": "mp3"}),
        json!({"format": "gif"}),
    ] {
        let job = service.render(&ada, &json!({"inputProps": film(6, &json!([])), "output": output})).await;
        let ended = service.ended(&ada, &job).await;
        assert_eq!((&ended["status"], &ended["streamUrl"]), (&json!("COMPLETED"), &Value::Null), "{ended}");
        assert_eq!(status(&service.url(&format!("/files/{job}.m3u8"))).await, 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_hls_output_is_a_playlist_whose_segments_are_kept_counted_and_deleted_with_it() {
    let service = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = service.account(Plan::None, 9).await;
    let body = json!({"inputProps": loud(90).await, "output": {"format": "hls", "scale": 0.25, "also": [{"scale": 0.25}]}});
    let quote = service.post(&ada, "/previews", &body).await;
    assert_eq!(quote.data()["quote"]["credits"], 1);
    let job = service.render(&ada, &body).await;
    let ended = service.ended(&ada, &job).await;
    assert_eq!((&ended["status"], &ended["format"]), (&json!("COMPLETED"), &json!("m3u8")), "{ended}");
    let address = ended["outputUrl"].as_str().unwrap();
    assert!(address.ends_with(&format!("/files/{job}.m3u8")), "{address}");
    let [main, also] = &ended["outputs"].as_array().unwrap()[..] else { panic!("{ended}") };
    assert_eq!((&main["url"], &main["format"]), (&json!(address), &json!("m3u8")));
    assert_eq!((&main["width"], &main["height"], &also["format"]), (&json!(320), &json!(180), &json!("mp4")));
    assert_eq!((&ended["outputSize"], &ended["streamUrl"]), (&main["size"], &ended["outputUrl"]));

    let playlist = Playlist::get(address).await;
    assert!(playlist.is_finished && playlist.segments.len() >= 2, "{}", playlist.text);
    let whole = service.folder.path().join("whole.mp4");
    playlist.joined(address, usize::MAX, &whole).await;
    assert_eq!(main["size"], std::fs::metadata(&whole).unwrap().len());
    let film = service.download(also["url"].as_str().unwrap(), "film.mp4").await;
    for track in ["0:v", "0:a"] {
        assert_eq!(hash(address, track), hash(text(&film), track), "{track}");
    }
    let bytes = main["size"].as_u64().unwrap() + also["size"].as_u64().unwrap();
    assert_eq!(service.store.kept_bytes(&ada.id).await.unwrap(), bytes);
    assert_eq!(segments(&service).len(), playlist.segments.len() + 1);
    assert!(!service.folder.path().join(format!("outputs/{job}.mp4")).exists());

    // It stays for as long as the output does.
    let service = age(service, &job, 2 * 3600).await;
    let address = service.url(&format!("/files/{job}.m3u8"));
    assert_eq!(status(&address).await, 200);
    let deleted = service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await;
    assert_eq!((&deleted.data()["outputUrl"], &deleted.data()["streamUrl"]), (&Value::Null, &Value::Null));
    assert_eq!(status(&address).await, 404);
    no_segments(&service).await;
    assert_eq!(service.store.kept_bytes(&ada.id).await.unwrap(), 0);

    let refused = service
        .post(&ada, "/renders", &json!({"inputProps": film_of(6), "output": {"also": [{"format": "hls"}]}}))
        .await;
    assert_eq!(
        (refused.status, &refused.body["details"]["issues"][0]["path"]),
        (422, &json!("output.also[0].format"))
    );
}

fn film_of(frames: u32) -> Value {
    film(frames, &json!([]))
}

/// Lets seconds pass since the end of a job, and starts the service again, which removes what has expired.
async fn age(service: Service, job: &str, seconds: i64) -> Service {
    sqlx::any::install_default_drivers();
    let (flags, folder) = service.stop().await;
    let url = format!("sqlite://{}", folder.path().join("rondo.db").display());
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    sqlx::query("UPDATE render SET completed_at = completed_at - $2 WHERE id = $1")
        .bind(job.to_owned())
        .bind(seconds * 1000)
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let service = Service::open(flags, folder).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    service
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_of_a_finished_film_stay_for_an_hour() {
    let service = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = service.account(Plan::None, 9).await;
    let job = service.render(&ada, &json!({"inputProps": film_of(6)})).await;
    let film = service.ended(&ada, &job).await["outputSize"].as_u64().unwrap();
    assert_eq!(
        service.store.kept_bytes(&ada.id).await.unwrap(),
        film,
        "segments that go by themselves are free"
    );
    let service = age(service, &job, 3000).await;
    assert_eq!(segments(&service).len(), 2);
    let service = age(service, &job, 700).await;
    let job = service.get(&ada, &format!("/renders/{job}")).await.data().clone();
    assert_eq!((&job["streamUrl"], segments(&service).len()), (&Value::Null, 0), "{job}");
    assert_eq!(status(&service.url(&format!("/files/{}.m3u8", job["jobId"].as_str().unwrap()))).await, 404);
    assert_eq!(status(job["outputUrl"].as_str().unwrap()).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_of_cancelled_and_deleted_jobs_are_gone() {
    let service = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = service.account(Plan::Business, 20).await;
    for method in ["POST", "DELETE"] {
        let job = service.render(&ada, &json!({"inputProps": busy(2000)})).await;
        let address = watchable(&service, &ada, &job).await["streamUrl"].as_str().unwrap().to_owned();
        let cancelled = match method {
            "POST" => service.post(&ada, &format!("/renders/{job}/cancel"), &json!({})).await,
            _ => service.send(method, &format!("/renders/{job}"), &ada.key, &[], None).await,
        };
        let cancelled = cancelled.data();
        assert_eq!((&cancelled["status"], &cancelled["streamUrl"]), (&json!("FAILED"), &Value::Null));
        assert_eq!(status(&address).await, 404);
        // A segment that was on its way goes too.
        tokio::time::sleep(Duration::from_secs(2)).await;
        no_segments(&service).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_segments_of_a_failed_job_are_removed_at_once() {
    let service = Service::start(&[(ON_FOLDER, ""), ("max-output-mb", "1")]).await;
    let ada = service.account(Plan::None, 9).await;
    // Its first seconds are small, and all of it is too large.
    let mut large = busy(300);
    (large["overlays"][0]["from"], large["overlays"][0]["durationInFrames"]) = (json!(100), json!(200));
    large["overlays"][0]["styles"]["particleCount"] = json!(500);
    let job = service.render(&ada, &json!({"inputProps": large, "output": {"quality": "high"}})).await;
    let address = watchable(&service, &ada, &job).await["streamUrl"].as_str().unwrap().to_owned();
    let ended = service.ended(&ada, &job).await;
    assert_eq!(ended["status"], "FAILED", "{ended}");
    assert_eq!(status(&address).await, 404);
    no_segments(&service).await;
    let after = service.get(&ada, &format!("/renders/{job}")).await;
    assert_eq!(after.data()["streamUrl"], Value::Null);
    assert_eq!(status(&service.url(&format!("/files/{job}.m3u8"))).await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_stream_goes_on_where_it_was() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::Business, 9).await;
    let job =
        service.render(&ada, &json!({"inputProps": loud(200).await, "output": {"format": "hls"}})).await;
    let address = watchable(&service, &ada, &job).await["streamUrl"].as_str().unwrap().to_owned();
    let before = Playlist::get(&address).await;
    let service = service.restart().await;
    let address = service.url(&format!("/files/{job}.m3u8"));
    let after = Playlist::get(&address).await;
    assert!(after.text.starts_with(before.text.trim_end_matches("#EXT-X-ENDLIST\n")), "{}", after.text);
    let ended = service.ended(&ada, &job).await;
    assert_eq!(ended["status"], "COMPLETED", "{ended}");
    let last = Playlist::get(&address).await;
    assert!(last.text.starts_with(before.text.trim_end_matches("#EXT-X-ENDLIST\n")) && last.is_finished);
    let whole = service.folder.path().join("whole.mp4");
    last.joined(&address, usize::MAX, &whole).await;
    assert_eq!(crate::harness::probe(&whole), (1280, 720, 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_in_a_bucket_are_read_at_signed_addresses_or_through_the_service() {
    for proxied in ["false", "true"] {
        let bucket = BucketServer::start().await;
        let given = bucket.flags();
        let mut flags: Vec<(&str, &str)> =
            given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        flags.push(("proxy-files", proxied));
        let service = Service::start(&flags).await;
        let ada = service.account(Plan::None, 9).await;
        let body = json!({"inputProps": loud(60).await, "output": {"format": "hls"}});
        let job = service.render(&ada, &body).await;
        let ended = service.ended(&ada, &job).await;
        let address = ended["outputUrl"].as_str().unwrap();
        let playlist = Playlist::get(address).await;
        let segment = service.url(&format!("/files/{job}-s1.m4s"));
        let asked = client(false).get(&segment).send().await.unwrap();
        assert_eq!(asked.status().as_u16(), if proxied == "true" { 200 } else { 307 });
        let whole = service.folder.path().join("whole.mp4");
        playlist.joined(address, usize::MAX, &whole).await;
        assert_eq!(crate::harness::probe(&whole), (1280, 720, 60));
        assert!(bucket.place(&format!("files/{job}-s1.m4s")).is_file());
        service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await.data();
        for name in [format!("files/{job}-s1.m4s"), format!("files/{job}-init.mp4")] {
            until("a segment is deleted", || !bucket.place(&name).exists()).await;
        }
        assert_eq!(status(address).await, 404);
        assert_eq!(std::fs::read_dir(service.folder.path().join("outputs")).unwrap().count(), 0);
    }
}

/// The address of a server before a bucket that takes its time for files with this ending, and how many of them have begun and
/// arrived.
async fn slow_for(bucket: &BucketServer, ending: &'static str) -> (SocketAddr, Arc<[AtomicUsize; 2]>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (to, forward) = (bucket.url(), client(false));
    let seen = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let counts = seen.clone();
    let pass = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        let (to, forward, counts) = (to.clone(), forward.clone(), counts.clone());
        async move {
            let is_slow = method == Method::PUT && uri.path().ends_with(ending);
            if is_slow {
                counts[0].fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
            let request = forward.request(method, format!("{to}{uri}")).headers(headers).body(body);
            let answer = request.send().await.unwrap();
            let (status, mut headers) = (answer.status(), answer.headers().clone());
            headers.remove(header::TRANSFER_ENCODING);
            let body = answer.bytes().await.unwrap();
            if is_slow {
                counts[1].fetch_add(1, Ordering::Relaxed);
            }
            (status, headers, body)
        }
    };
    let router = Router::new().fallback(pass).layer(DefaultBodyLimit::disable());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (address, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_segment_that_arrives_after_its_job_was_cancelled_is_removed() {
    let bucket = BucketServer::start().await;
    let (address, seen) = slow_for(&bucket, "-s2.m4s").await;
    let given = flags(address, "rondo");
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let service = Service::start(&given).await;
    let ada = service.account(Plan::Business, 20).await;
    let job = service.render(&ada, &json!({"inputProps": busy(2000)})).await;
    until("the second segment is sent", || seen[0].load(Ordering::Relaxed) > 0).await;
    service.post(&ada, &format!("/renders/{job}/cancel"), &json!({})).await.data();
    // The first ones are gone before it arrives.
    let place = |name: &str| bucket.place(&format!("files/{job}-{name}"));
    until("the first segment is deleted", || !place("s1.m4s").exists() && !place("init.mp4").exists()).await;
    until("the second segment has arrived", || seen[1].load(Ordering::Relaxed) > 0).await;
    until("the second segment is deleted", || !place("s2.m4s").exists()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_are_sent_several_at_a_time_and_listed_in_order() {
    let bucket = BucketServer::start().await;
    let (address, seen) = slow_for(&bucket, "-s1.m4s").await;
    let given = flags(address, "rondo");
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let service = Service::start(&given).await;
    let ada = service.account(Plan::Business, 20).await;
    let job = service.render(&ada, &json!({"inputProps": film_of(300)})).await;
    let place = |number: usize| bucket.place(&format!("files/{job}-s{number}.m4s"));
    until("the second segment is sent", || place(2).exists()).await;
    assert_eq!([0, 1].map(|n: usize| seen[n].load(Ordering::Relaxed)), [1, 0], "the first is on its way");
    let now = service.get(&ada, &format!("/renders/{job}")).await.data().clone();
    assert_eq!(now["streamUrl"], Value::Null, "nothing can be watched before the first");
    let ended = service.ended(&ada, &job).await;
    assert_eq!(ended["status"], "COMPLETED", "{ended}");
    let playlist = Playlist::get(ended["streamUrl"].as_str().unwrap()).await;
    assert!(playlist.is_finished && playlist.segments.len() > 3, "{}", playlist.text);
    assert!((playlist.seconds.iter().sum::<f64>() - 30.0).abs() < 0.01, "{}", playlist.text);
    for (number, name) in (1..).zip(&playlist.segments) {
        assert!(name.ends_with(&format!("{job}-s{number}.m4s")), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_are_on_the_host_of_files_and_playlists_are_not() {
    let service = Service::start(&[
        ("public-url", "http://video.example.com"),
        ("files-url", "http://files.example.com"),
    ])
    .await;
    let ada = service.account(Plan::None, 9).await;
    let job = service.render(&ada, &json!({"inputProps": film_of(6)})).await;
    let ended = service.ended(&ada, &job).await;
    // The host of files may be a bucket, which has no playlists.
    assert_eq!(ended["streamUrl"], format!("http://video.example.com/files/{job}.m3u8"));
    let playlist = client(false).get(service.url(&format!("/files/{job}.m3u8"))).send().await.unwrap();
    assert_eq!(playlist.status().as_u16(), 200);
    let playlist = playlist.text().await.unwrap();
    for name in [format!("{job}-init.mp4"), format!("{job}-s1.m4s")] {
        assert!(playlist.contains(&format!("http://files.example.com/files/{name}")), "{playlist}");
        let address = service.url(&format!("/files/{name}"));
        let asked = client(false).get(&address).send().await.unwrap();
        assert_eq!(asked.status().as_u16(), 307);
        assert_eq!(asked.headers()["location"], format!("http://files.example.com/files/{name}"));
        let there = client(false).get(&address).header("host", "files.example.com").send().await.unwrap();
        assert_eq!(there.status().as_u16(), 200, "{name}");
    }
}
