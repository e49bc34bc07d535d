//! Narration and captions inside films, previews and separate requests, with the real engines: what is made, when words are
//! spoken, and every rule of what it costs.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use rondo_store::{Credits, Plan};
use serde_json::{Value, json};

use super::harness::{Account, Service, film, media_server, overlay, probe, wav};
use super::hostile_media::{Flow, Origin};

const SENTENCE: &str = "Every morning the baker opens the little shop. Fresh bread is waiting for you.";

/// Two seconds with a voice, captions, and music that ends with the film.
fn spoken_film() -> Value {
    let music =
        json!({"type": "shape", "content": "rectangle", "durationInFrames": 20, "styles": {"fill": "#0a0"}});
    let voice = json!({"type": "sound", "src": "", "from": 5, "durationInFrames": 10, "isDynamic": true, "name": "voice"});
    let words = json!({"type": "caption", "captions": [], "durationInFrames": 20, "isDynamic": true, "name": "words"});
    film(20, &json!([overlay(1, &music), overlay(2, &voice), overlay(3, &words)]))
}

async fn service() -> Service {
    let service = Service::start(&[]).await;
    service.template("tpl_spoken", 1, true, &spoken_film()).await;
    service
}

fn narrated(text: &str) -> Value {
    json!({"templateId": "tpl_spoken", "createProject": false,
        "replacements": {"voice": {"tts": {"text": text}}, "words": {"transcribe": {"source": "voice"}}}})
}

async fn thousandths(service: &Service, account: &Account) -> i64 {
    service.store.account(&account.id).await.unwrap().unwrap().credits.thousandths()
}

/// The words of a caption overlay with their times.
fn words(overlay: &Value) -> Vec<(String, f64, f64)> {
    let captions = overlay["captions"].as_array().unwrap();
    let words = captions.iter().flat_map(|caption| caption["words"].as_array().unwrap());
    let read = |word: &Value| {
        let text = word["word"].as_str().unwrap().to_owned();
        (text, word["startMs"].as_f64().unwrap(), word["endMs"].as_f64().unwrap())
    };
    words.map(read).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_makes_a_narrated_and_captioned_film_as_long_as_its_narration() {
    let service = service().await;
    let ada = service.account(Plan::None, 10).await;
    let created = service.post(&ada, "/renders", &narrated(SENTENCE)).await;
    assert_eq!((&created.data()["status"], &created.data()["creditsUsed"]), (&json!("PENDING"), &json!(2)));
    let job = created.data()["jobId"].as_str().unwrap().to_owned();
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("COMPLETED"), &json!(2)), "{job}");
    assert_eq!(service.credits(&ada).await, 8);
    assert!(service.store.audit().await.unwrap().is_empty());

    let props = &job["inputProps"];
    let [shape, voice, captions] = [&props["overlays"][0], &props["overlays"][1], &props["overlays"][2]];
    let frames = props["durationInFrames"].as_u64().unwrap();
    assert_eq!(frames, 5 + voice["durationInFrames"].as_u64().unwrap());
    assert!(frames > 30 && job["durationInFrames"].as_u64().is_none_or(|length| length == frames));
    assert_eq!((&shape["durationInFrames"], &captions["durationInFrames"]), (&json!(frames), &json!(frames)));

    let words = words(captions);
    let text: Vec<&str> = words.iter().map(|(word, ..)| word.as_str()).collect();
    assert_eq!(text.join(" "), SENTENCE);
    // The voice begins half a second into the film, and so do its captions.
    assert!(words[0].1 >= 500.0 && words[0].1 < 900.0, "{words:?}");
    assert!(words.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].2 <= pair[1].1 + 1.0), "{words:?}");
    assert!(words.last().unwrap().2 <= frames as f64 * 100.0);

    let film = service.download(job["outputUrl"].as_str().unwrap(), "film.mp4").await;
    assert_eq!(probe(&film), (96, 64, frames as u32));
    let sound = service.download(voice["src"].as_str().unwrap(), "voice.wav").await;
    let heard = std::fs::read(sound).unwrap();
    assert!(heard.starts_with(b"RIFF"));
    // The last tenth of a second the narration needs, and no more.
    let ms =
        (heard.len() - 44) as f64 / 2.0 / f64::from(u32::from_le_bytes(heard[24..28].try_into().unwrap()))
            * 1000.0;
    assert_eq!(voice["durationInFrames"].as_f64().unwrap(), (ms.ceil() / 100.0).ceil());

    let usage = service.get(&ada, "/account/usage").await;
    assert_eq!(usage.data()["ai"]["ttsCharacters"], json!(SENTENCE.chars().count()));
    assert_eq!(usage.data()["ai"]["transcribedSeconds"], json!(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn narration_costs_half_a_credit_for_every_started_thousand_characters_added_before_rounding() {
    let service = service().await;
    // Nothing is rendered: what is held is what it costs.
    for (characters, credits) in [(1, 2), (1000, 2), (1001, 2), (2001, 3)] {
        let ada = service.account(Plan::None, 10).await;
        let text: String =
            "word ".repeat(characters / 5 + 1).chars().take(characters - 1).chain(['a']).collect();
        let created = service.post(&ada, "/renders", &narrated(&text)).await;
        assert_eq!(created.data()["creditsUsed"], json!(credits), "{characters} characters");
        service
            .post(&ada, &format!("/renders/{}/cancel", created.data()["jobId"].as_str().unwrap()), &json!({}))
            .await;
        assert_eq!(service.credits(&ada).await, 10);
    }
    let poor = service.account(Plan::None, 1).await;
    service.post(&poor, "/renders", &narrated("Hello.")).await.refused(402, "INSUFFICIENT_CREDITS");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_that_its_narration_makes_too_dear_fails_and_costs_nothing() {
    let service = Service::start(&[]).await;
    // 30 credits a minute: two seconds cost one, ten seconds five.
    service.template("tpl_dear", 30, true, &spoken_film()).await;
    let ada = service.account(Plan::None, 2).await;
    let mut body = narrated(&SENTENCE.repeat(3));
    body["templateId"] = json!("tpl_dear");
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("FAILED"), &json!(0)));
    assert!(job["errorMessage"].as_str().unwrap().starts_with("Insufficient credits"), "{job}");
    assert_eq!(service.credits(&ada).await, 2);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_films_whose_narration_leaves_credits_for_one_only_one_is_made() {
    let service = Service::start(&[("workers", "2")]).await;
    // 30 credits a minute: each film holds two at first, and more once it is known how long its narration is.
    service.template("tpl_dear", 30, true, &spoken_film()).await;
    let ada = service.account(Plan::None, 10).await;
    let body = |text: String| {
        let mut body = narrated(&text);
        body["templateId"] = json!("tpl_dear");
        body
    };
    let first = service.render(&ada, &body(SENTENCE.repeat(3))).await;
    let second = service.render(&ada, &body(SENTENCE.repeat(3).replace("bread", "coffee"))).await;
    let jobs = [service.ended(&ada, &first).await, service.ended(&ada, &second).await];
    let of =
        |status: &str| jobs.iter().find(|job| job["status"] == status).unwrap_or_else(|| panic!("{jobs:?}"));
    let (made, failed) = (of("COMPLETED"), of("FAILED"));
    let price = made["creditsUsed"].as_i64().unwrap();
    assert!((6..=10).contains(&price), "{made}");
    assert_eq!(failed["creditsUsed"], json!(0));
    assert!(failed["errorMessage"].as_str().unwrap().starts_with("Insufficient credits"), "{failed}");
    assert_eq!(service.credits(&ada).await, 10 - price);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_voiceover_is_known_by_its_address_and_captioned_free_of_charge() {
    let service = service().await;
    let ada = service.account(Plan::None, 2).await;
    let spoken = service.post(&ada, "/ai/voiceover", &json!({"text": SENTENCE, "voice": "NOVA"})).await;
    let spoken = spoken.data();
    assert_eq!((&spoken["creditsUsed"], thousandths(&service, &ada).await), (&json!(0.5), 1500));
    let count = SENTENCE.split_whitespace().count();
    assert_eq!(spoken["words"].as_array().unwrap().len(), count);
    assert_eq!(
        spoken["captions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["words"].as_array().unwrap().len())
            .sum::<usize>(),
        count
    );

    for recording in [json!({"url": spoken["audioUrl"]}), json!({"voiceoverId": spoken["id"]})] {
        let captions = service.post(&ada, "/ai/captions", &recording).await;
        assert_eq!(captions.data()["creditsUsed"], json!(0.0));
        assert_eq!(captions.data()["captions"], spoken["captions"]);
    }
    // Whole balances are shown: one credit is left for a film that costs one.
    let body = json!({"templateId": "tpl_spoken", "createProject": false, "replacements": {
        "voice": spoken["audioUrl"], "words": {"transcribe": {"source": "voice"}}}});
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("COMPLETED"), &json!(1)), "{job}");
    // Only the second that is played is captioned.
    let heard = words(&job["inputProps"]["overlays"][2]);
    assert!(
        !heard.is_empty() && heard.len() < count && heard.iter().all(|(_, start, _)| *start < 1500.0),
        "{heard:?}"
    );

    let eve = service.account(Plan::None, 2).await;
    service.post(&eve, "/ai/captions", &json!({"voiceoverId": spoken["id"]})).await.refused(404, "NOT_FOUND");
    assert_eq!(service.credits(&eve).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_are_spoken_once_and_charged_each_time() {
    let service = service().await;
    let ada = service.account(Plan::None, 3).await;
    let ask = json!({"text": "Once upon a time.", "voice": "onyx", "speed": 1.25});
    let first = service.post(&ada, "/ai/voiceover", &ask).await;
    let second = service.post(&ada, "/ai/voiceover", &ask).await;
    assert_eq!(first.data(), second.data());
    assert_eq!(thousandths(&service, &ada).await, 2000);
    let slower =
        service.post(&ada, "/ai/voiceover", &json!({"text": "Once upon a time.", "voice": "onyx"})).await;
    assert_ne!(first.data()["audioUrl"], slower.data()["audioUrl"]);
    assert!(slower.data()["durationMs"].as_f64() > first.data()["durationMs"].as_f64());
    let packed = json!({"text": "Once upon a time.", "format": "mp3"});
    let packed = service.post(&ada, "/ai/voiceover", &packed).await;
    let path = service.download(packed.data()["audioUrl"].as_str().unwrap(), "voice.mp3").await;
    assert!(std::fs::metadata(path).unwrap().len() > 4000);
    service.post(&ada, "/ai/voiceover", &json!({"text": "x".repeat(1001)})).await.data();
    service.post(&ada, "/ai/voiceover", &ask).await.refused(402, "INSUFFICIENT_CREDITS");
    assert_eq!(thousandths(&service, &ada).await, 0);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmed_preview_speaks_before_it_answers_and_is_charged_whole_credits() {
    let service = service().await;
    let ada = service.account(Plan::None, 1).await;
    let mut body = narrated(SENTENCE);
    let skipped = service.post(&ada, "/previews", &body).await;
    let skipped = skipped.data();
    assert_eq!(skipped["aiSkipped"]["keys"], json!(["voice", "words"]));
    assert_eq!(skipped["aiSkipped"]["estimatedCredits"], json!(0.5));
    assert_eq!((&skipped["resolved"]["durationInFrames"], service.credits(&ada).await), (&json!(20), 1));

    body["confirmAiCost"] = json!(true);
    let spoken = service.post(&ada, "/previews", &body).await;
    let spoken = spoken.data();
    assert!(spoken["aiSkipped"].is_null());
    assert!(spoken["resolved"]["durationInFrames"].as_u64().unwrap() > 30, "{}", spoken["resolved"]);
    let voice = &spoken["resolved"]["variables"][0];
    assert_eq!((&voice["name"], &voice["source"]), (&json!("voice"), &json!("ai")));
    assert!(voice["value"].as_str().unwrap().contains("/files/voi_"), "{voice}");
    assert_eq!((service.credits(&ada).await, &spoken["quote"]["creditsAvailable"]), (0, &json!(0)));
    let broke = service.post(&ada, "/previews", &body).await;
    assert_eq!(broke.refused(402, "INSUFFICIENT_CREDITS")["creditsNeeded"], json!(1));
    assert!(service.store.audit().await.unwrap().is_empty());

    // The render that follows uses the same sound and is charged by the same rules.
    service
        .store
        .add_credits(&ada.id, Credits::from_whole(2), rondo_store::TransactionType::AdditionalCredits)
        .await
        .unwrap();
    let job = service.render(&ada, &narrated(SENTENCE)).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["inputProps"]["overlays"][1]["src"], voice["value"]);
    assert_eq!((&job["creditsUsed"], service.credits(&ada).await), (&json!(2), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_clip_plays_of_a_recording_is_written_down_at_the_times_of_the_film() {
    let service = service().await;
    let ada = service.account(Plan::None, 10).await;
    // An external recording whose words are not known in advance.
    let made = service.post(&ada, "/ai/voiceover", &json!({"text": SENTENCE})).await;
    let (known, length) =
        (made.data()["words"].clone(), made.data()["durationMs"].as_f64().unwrap() / 1000.0);
    let file = service.download(made.data()["audioUrl"].as_str().unwrap(), "said.wav").await;
    let bytes = std::fs::read(file).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/said.wav", get(move || async move { bytes }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let url = format!("{base}/said.wav");

    // An end beyond the recording is its end.
    let whole = json!({"url": url, "format": "srt", "endTime": 9999});
    let whole = service.post(&ada, "/ai/captions", &whole).await;
    let whole = whole.data();
    assert_eq!((&whole["creditsUsed"], &whole["language"]), (&json!(0.25), &json!("en")));
    let heard = words(whole);
    assert!(heard.len().abs_diff(known.as_array().unwrap().len()) <= 1, "{heard:?}");
    assert!(whole["subtitles"].as_str().unwrap().starts_with("1\n00:00:00"));

    // The second sentence, at double speed, from the middle of the film.
    let second = known.as_array().unwrap().iter().find(|word| word["word"] == "Fresh").unwrap();
    let cut = second["startMs"].as_f64().unwrap() / 1000.0 - 0.1;
    let frames = ((length - cut) * 5.0).ceil();
    let clip = json!({"type": "sound", "src": url, "from": 10, "durationInFrames": frames, "startFromSound": cut,
        "speed": 2, "name": "clip", "content": "clip"});
    let captions = json!({"type": "caption", "captions": [], "isDynamic": true, "name": "words"});
    service
        .template("tpl_clip", 1, true, &film(40, &json!([overlay(1, &clip), overlay(2, &captions)])))
        .await;
    let before = service.credits(&ada).await;
    let body = json!({"templateId": "tpl_clip", "createProject": false, "replacements": {"words": {"transcribe": {"source": "clip"}}}});
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("COMPLETED"), &json!(2)), "{job}");
    assert_eq!(service.credits(&ada).await, before - 2);
    let heard = words(&job["inputProps"]["overlays"][1]);
    assert!(heard.iter().all(|(word, ..)| !word.to_lowercase().contains("baker")), "{heard:?}");
    let (_, start, _) = heard.iter().find(|(word, ..)| word.to_lowercase().starts_with("bread")).unwrap();
    let bread = known.as_array().unwrap().iter().find(|word| word["word"] == "bread").unwrap();
    let expected = 1000.0 + (bread["startMs"].as_f64().unwrap() / 1000.0 - cut) * 1000.0 / 2.0;
    assert!((start - expected).abs() < 80.0, "bread at {start}, expected at {expected}");
}

#[tokio::test(flavor = "multi_thread")]
async fn recordings_that_cannot_be_heard_are_told_and_cost_nothing() {
    let service = service().await;
    let ada = service.account(Plan::None, 5).await;
    let media = media_server().await;
    for (name, reason) in [
        ("red.png", "MEDIA_UNREADABLE"),
        ("broken.png", "MEDIA_UNREADABLE"),
        ("none.wav", "MEDIA_UNREACHABLE"),
    ] {
        let answer = service.post(&ada, "/ai/captions", &json!({"url": format!("{media}/{name}")})).await;
        assert_eq!(answer.refused(422, reason)["issues"][0]["path"], "url");
    }
    service
        .post(&ada, "/ai/captions", &json!({"url": "file:///etc/passwd"}))
        .await
        .refused(422, "MEDIA_URL_NOT_ALLOWED");
    service.post(&ada, "/ai/captions", &json!({})).await.refused(400, "INVALID_REQUEST");
    let both = json!({"url": format!("{media}/tone.wav"), "uploadId": "upl_1"});
    service.post(&ada, "/ai/captions", &both).await.refused(400, "INVALID_REQUEST");
    service.post(&ada, "/ai/captions", &json!({"uploadId": "upl_1"})).await.refused(404, "NOT_FOUND");
    let backwards = json!({"url": format!("{media}/tone.wav"), "startTime": 2, "endTime": 1});
    service.post(&ada, "/ai/captions", &backwards).await.refused(422, "VALUE_OUT_OF_RANGE");
    assert_eq!(thousandths(&service, &ada).await, 5000);

    // Malformed fields are reported before unsupported values.
    service
        .post(&ada, "/ai/captions", &json!({"startTime": 2, "endTime": 1}))
        .await
        .refused(400, "INVALID_REQUEST");
    let foreign = json!({"uploadId": "upl_1", "language": "tlh"});
    service.post(&ada, "/ai/captions", &foreign).await.refused(422, "UNSUPPORTED_LANGUAGE");

    let mut body = narrated("Hello.");
    body["replacements"]["words"] = json!({"transcribe": {"url": format!("{media}/none.wav")}});
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("FAILED"), &json!(0)));
    assert!(job["errorMessage"].as_str().unwrap().contains("none.wav"), "{job}");
    assert_eq!(thousandths(&service, &ada).await, 5000);

    // A recording without speech is not an error.
    let tone = service.post(&ada, "/ai/captions", &json!({"url": format!("{media}/tone.wav")})).await;
    assert_eq!(tone.data()["captions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn speech_is_not_made_for_a_film_whose_other_media_are_missing() {
    let service = service().await;
    let media = media_server().await;
    let picture = json!({"type": "image", "src": format!("{media}/none.png")});
    let mut broken = spoken_film();
    broken["overlays"].as_array_mut().unwrap().push(overlay(4, &picture));
    service.template("tpl_broken", 1, true, &broken).await;
    let ada = service.account(Plan::None, 5).await;
    let mut body = narrated("This is never said.");
    body["templateId"] = json!("tpl_broken");
    let job = service.render(&ada, &body).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("FAILED"), &json!(0)));
    assert!(job["errorMessage"].as_str().unwrap().contains("none.png"), "{job}");
    assert_eq!(job["inputProps"]["overlays"][1]["src"], json!(""));
    assert_eq!(service.credits(&ada).await, 5);
    assert_eq!(service.get(&ada, "/account/usage").await.data()["ai"]["ttsCharacters"], json!(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_gets_the_first_answer_and_is_charged_once() {
    let service = service().await;
    let ada = service.account(Plan::None, 5).await;
    let mut confirmed = narrated("Only once.");
    confirmed["confirmAiCost"] = json!(true);
    for (path, body) in [("/ai/voiceover", json!({"text": "Only once."})), ("/previews", confirmed)] {
        let before = thousandths(&service, &ada).await;
        let key = [("idempotency-key", path)];
        let first = service.send("POST", path, &ada.key, &key, Some(&body)).await;
        let charged = before - thousandths(&service, &ada).await;
        let second = service.send("POST", path, &ada.key, &key, Some(&body)).await;
        assert_eq!(first.data(), second.data());
        assert!(charged > 0 && before - thousandths(&service, &ada).await == charged);
    }
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn recordings_are_fetched_two_at_a_time_for_an_account_and_not_onto_a_full_disk() {
    let flow = Flow { length: 1_000_000, bytes: 1, pause: Duration::from_millis(200) };
    let origin = Origin::start(usize::MAX, flow).await;
    let service = Arc::new(service().await);
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let (ada, bob) = (Arc::new(ada), Arc::new(bob));
    let ask = |account: &Arc<Account>, number: u32| {
        let (service, account) = (service.clone(), account.clone());
        let body = json!({"url": format!("{}?{number}", origin.url)});
        tokio::spawn(async move { service.post(&account, "/ai/captions", &body).await.status })
    };
    let asking: Vec<_> = (0..4).map(|number| ask(&ada, number)).collect();
    let fetched = async |wanted: usize| {
        let started = Instant::now();
        while origin.asked.load(Ordering::SeqCst) < wanted {
            assert!(started.elapsed() < Duration::from_secs(20), "{wanted} recordings are not asked for");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(origin.asked.load(Ordering::SeqCst), wanted);
    };
    fetched(2).await;
    let other = ask(&bob, 9);
    fetched(3).await;
    asking.iter().chain([&other]).for_each(tokio::task::JoinHandle::abort);

    let full = Service::start(&[("min-free-disk-mb", "4000000000")]).await;
    let ada = full.account(Plan::None, 10).await;
    let origin = Origin::start(0, flow).await;
    full.post(&ada, "/ai/captions", &json!({"url": origin.url})).await.refused(503, "DISK_FULL");
    assert_eq!(origin.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_longer_than_an_hour_is_refused_before_it_is_heard() {
    let service = service().await;
    let ada = service.account(Plan::None, 100).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/long.wav", get(|| async { wav(3 * 3600) }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let long = json!({"url": format!("{base}/long.wav")});
    let answer = service.post(&ada, "/ai/captions", &long).await;
    answer.refused(422, "RECORDING_TOO_LONG");
    assert_eq!(thousandths(&service, &ada).await, 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn ai_values_that_cannot_be_carried_out_are_refused_with_their_path() {
    let service = Service::start(&[("role", "api")]).await;
    service.template("tpl_spoken", 1, true, &spoken_film()).await;
    let ada = service.account(Plan::None, 10).await;
    let with = |voice: Value, words: Value| json!({"templateId": "tpl_spoken", "replacements": {"voice": voice, "words": words}});
    let heard = json!({"transcribe": {"source": "voice"}});
    for path in ["/renders", "/previews"] {
        let unknown = service
            .post(&ada, path, &with(json!({"tts": {"text": "Hi", "voice": "nobody"}}), heard.clone()))
            .await;
        let details = unknown.refused(422, "UNKNOWN_VOICE");
        assert_eq!(details["issues"][0]["path"], "replacements.voice.tts.voice");
        assert!(details["voices"].as_array().unwrap().len() >= 3);
        let foreign = with(
            json!({"tts": {"text": "Hi"}}),
            json!({"transcribe": {"source": "voice", "language": "tlh"}}),
        );
        let details = service.post(&ada, path, &foreign).await;
        assert_eq!(
            details.refused(422, "UNSUPPORTED_LANGUAGE")["issues"][0]["path"],
            "replacements.words.transcribe.language"
        );
        for text in ["", "  ", "🎉🎉", "…!?", &"long ".repeat(2001)] {
            let answer = service.post(&ada, path, &with(json!({"tts": {"text": text}}), heard.clone())).await;
            answer.refused(422, "VALUE_OUT_OF_RANGE");
        }
        let nowhere = with(json!({"tts": {"text": "Hi"}}), json!({"transcribe": {"source": "nothing"}}));
        service.post(&ada, path, &nowhere).await.refused(422, "AI_SOURCE_NOT_FOUND");
        let wrong = with(heard.clone(), heard.clone());
        service.post(&ada, path, &wrong).await.refused(422, "AI_VALUE_NOT_ALLOWED");
    }
    for (body, status, reason) in [
        (json!({"text": "🎉"}), 422, "VALUE_OUT_OF_RANGE"),
        (json!({"text": "a".repeat(10_001)}), 422, "VALUE_OUT_OF_RANGE"),
        (json!({"text": "Hi", "speed": 3}), 422, "VALUE_OUT_OF_RANGE"),
        (json!({"text": "Hi", "speed": "fast"}), 400, "INVALID_REQUEST"),
        (json!({"text": "Hi", "voice": "nobody"}), 422, "UNKNOWN_VOICE"),
        (json!({"text": "Hi", "format": "ogg"}), 422, "INVALID_ENUM_VALUE"),
        (json!({}), 400, "INVALID_REQUEST"),
    ] {
        service.post(&ada, "/ai/voiceover", &body).await.refused(status, reason);
    }
    for (body, status, reason) in [
        (json!({}), 400, "INVALID_REQUEST"),
        (json!({"url": "https://example.com/a.mp3", "uploadId": "upl_1"}), 400, "INVALID_REQUEST"),
        (json!({"url": "https://example.com/a.mp3", "startTime": -1}), 422, "VALUE_OUT_OF_RANGE"),
        (
            json!({"url": "https://example.com/a.mp3", "startTime": 5, "endTime": 5}),
            422,
            "VALUE_OUT_OF_RANGE",
        ),
        (json!({"url": "https://example.com/a.mp3", "startTime": "soon"}), 400, "INVALID_REQUEST"),
        (json!({"url": "https://example.com/a.mp3", "format": "ass"}), 422, "INVALID_ENUM_VALUE"),
    ] {
        service.post(&ada, "/ai/captions", &body).await.refused(status, reason);
    }
    assert_eq!(service.credits(&ada).await, 10);
    let voices = service.get(&ada, "/ai/voices").await;
    let listed = voices.data()["voices"].as_array().unwrap();
    assert!(listed[0]["aliases"].as_array().unwrap().contains(&json!("alloy")), "{}", listed[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_texts_are_spoken_or_refused_and_never_break_anything() {
    let service = service().await;
    let ada = service.account(Plan::None, 100).await;
    let long = "The quick brown fox jumps over the lazy dog. ".repeat(222);
    let texts = [
        "Null \u{0} and \u{7} bell \u{1b}[31m",
        "<speak>Hello <break time=\"2s\"/> <emphasis>you</emphasis></speak> & <script>",
        "\u{202e}right to left\u{202c} \u{200b}\u{feff}zero",
        "%s %n %d {} $(reboot) `id` ../../etc/passwd",
        &"a".repeat(5000),
        &long,
    ];
    for text in texts {
        let answer = service.post(&ada, "/ai/voiceover", &json!({"text": text})).await;
        let data = answer.data();
        assert!(data["durationMs"].as_u64().unwrap() > 100, "{text:.40}");
        let words = data["words"].as_array().unwrap();
        assert!(words.iter().all(|word| word["endMs"].as_f64() <= data["durationMs"].as_f64()), "{text:.40}");
    }
}

/// Seconds of sound that comes and goes as speech does.
fn humming(seconds: u32) -> Vec<u8> {
    let mut wav = wav(seconds);
    for (i, sample) in wav[44..].chunks_exact_mut(2).enumerate() {
        let loudness = if i / 1200 % 2 == 0 { 12_000.0 } else { 300.0 };
        let level = (f64::sin(i as f64 * 0.15) * loudness) as i16;
        sample.copy_from_slice(&level.to_le_bytes());
    }
    wav
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hosted_provider_speaks_and_listens_where_the_operator_set_one() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let speak = async |headers: HeaderMap, body: Json<Value>| {
        assert_eq!(headers["authorization"], "Bearer sesame");
        match body["input"].as_str().unwrap() {
            "Too much." => (StatusCode::PAYMENT_REQUIRED, b"{\"error\": {\"message\": \"quota\"}}".to_vec()),
            _ => (StatusCode::OK, wav(2)),
        }
    };
    let listen = async |headers: HeaderMap, body: Bytes| {
        assert_eq!(headers["authorization"], "Bearer sesame");
        let form = String::from_utf8_lossy(&body).into_owned();
        assert!(form.contains("verbose_json") && form.contains("RIFF"));
        Json(json!({"language": "english", "duration": 1.0, "text": "Bonjour tout", "words": [
            {"word": "Bonjour", "start": 0.1, "end": 0.5}, {"word": "tout", "start": 0.5, "end": 0.9}]}))
    };
    let router = Router::new()
        .route("/v1/audio/speech", post(speak))
        .route("/v1/audio/transcriptions", post(listen))
        .route("/talk.wav", get(|| async { humming(1) }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let service = Service::start(&[
        ("narrator", "openai"),
        ("narrator-url", &base),
        ("narrator-key", "sesame"),
        ("transcriber", "openai"),
        ("transcriber-url", &base),
        ("transcriber-key", "sesame"),
    ])
    .await;
    let ada = service.account(Plan::None, 5).await;
    let spoken =
        service.post(&ada, "/ai/voiceover", &json!({"text": "Hello there.", "voice": "alloy"})).await;
    assert_eq!(spoken.data()["durationMs"], json!(2000));
    assert_eq!(spoken.data()["words"].as_array().unwrap().len(), 2);
    let refused = service.post(&ada, "/ai/voiceover", &json!({"text": "Too much.", "voice": "alloy"})).await;
    refused.refused(503, "SPEECH_UNAVAILABLE");
    assert!(!refused.body.to_string().contains("sesame"));
    let heard = service.post(&ada, "/ai/captions", &json!({"url": format!("{base}/talk.wav")})).await;
    let heard_words = words(heard.data());
    assert_eq!(heard_words, [("Bonjour".to_owned(), 100.0, 500.0), ("tout".to_owned(), 500.0, 900.0)]);
    // Half a credit for the text, a quarter for the minute, and nothing for what was refused.
    assert_eq!(thousandths(&service, &ada).await, 4250);
}

/// A provider that takes its time and counts what it is asked: texts that begin with a word, and recordings.
async fn slow_provider() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (spoken, heard) = (asked.clone(), asked.clone());
    let speak = async move |body: Json<Value>| {
        let text = body["input"].as_str().unwrap().to_owned();
        spoken.lock().unwrap().push(text.clone());
        tokio::time::sleep(Duration::from_millis(700)).await;
        match text.starts_with("Broken") {
            true => (StatusCode::BAD_GATEWAY, Vec::new()),
            false => (StatusCode::OK, wav(2)),
        }
    };
    let listen = async move |_: Bytes| {
        heard.lock().unwrap().push("recording".to_owned());
        tokio::time::sleep(Duration::from_millis(700)).await;
        Json(json!({"language": "english", "duration": 1.0, "text": "One",
            "words": [{"word": "One", "start": 0.1, "end": 0.5}]}))
    };
    let router = Router::new()
        .route("/v1/audio/speech", post(speak))
        .route("/v1/audio/transcriptions", post(listen))
        .route("/long.wav", get(|| async { humming(290) }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (base, asked)
}

async fn hosted(base: &str, workers: &str) -> Service {
    Service::start(&[
        ("workers", workers),
        ("narrator", "openai"),
        ("narrator-url", base),
        ("narrator-key", "sesame"),
        ("transcriber", "openai"),
        ("transcriber-url", base),
        ("transcriber-key", "sesame"),
    ])
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_requests_with_credits_for_one_only_one_reaches_the_provider() {
    let (base, asked) = slow_provider().await;
    let service = hosted(&base, "1").await;
    // 1001 characters or more cost a credit.
    let text = |word: &str| json!({"voice": "alloy", "text": format!("{word} {}", "and so on ".repeat(110))});
    let ada = service.account(Plan::None, 1).await;
    let (alpha, beta) = (text("Alpha"), text("Beta"));
    let (one, other) =
        tokio::join!(service.post(&ada, "/ai/voiceover", &alpha), service.post(&ada, "/ai/voiceover", &beta));
    let (made, refused, word) = if one.status == 200 { (one, other, "Beta") } else { (other, one, "Alpha") };
    assert_eq!(made.data()["creditsUsed"], json!(1.0));
    refused.refused(402, "INSUFFICIENT_CREDITS");
    assert!(asked.lock().unwrap().iter().all(|text| !text.starts_with(word)), "{word} was spoken");
    assert_eq!(thousandths(&service, &ada).await, 0);

    let bea = service.account(Plan::None, 1).await;
    service.post(&bea, "/ai/voiceover", &text("Broken")).await.refused(503, "SPEECH_UNAVAILABLE");
    let started = Instant::now();
    while thousandths(&service, &bea).await != 1000 {
        assert!(started.elapsed() < Duration::from_secs(10), "the hold is not released");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // A caller that hangs up pays nothing either.
    let request = service.post(&bea, "/ai/voiceover", &alpha);
    let hung_up = tokio::time::timeout(Duration::from_millis(300), request).await;
    if hung_up.is_err() {
        let started = Instant::now();
        while thousandths(&service, &bea).await != 1000 {
            assert!(started.elapsed() < Duration::from_secs(10), "the hold is not released");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn whisper_writes_down_other_languages_and_a_broken_model_hinders_nothing_else() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let service =
        Service::start(&[("whisper-model", &format!("{folder}/assets/whisper/ggml-tiny.bin"))]).await;
    let (ada, eve) = (service.account(Plan::None, 1).await, service.account(Plan::None, 1).await);
    let text = "Buenos días a todos. Hoy vamos a hablar de la historia de España.";
    let spoken = service.post(&ada, "/ai/voiceover", &json!({"text": text, "voice": "spanish"})).await;
    let heard = service.post(&eve, "/ai/captions", &json!({"url": spoken.data()["audioUrl"]})).await;
    assert_eq!((&heard.data()["language"], &heard.data()["creditsUsed"]), (&json!("es"), &json!(0.25)));
    let heard = words(heard.data());
    assert!(heard.iter().any(|(word, ..)| word == "historia"), "{heard:?}");

    let broken = Service::start(&[("whisper-model", &format!("{folder}/README.md"))]).await;
    let ada = broken.account(Plan::None, 1).await;
    let spoken = broken.post(&ada, "/ai/voiceover", &json!({"text": "Hello there."})).await;
    let again = json!({"url": spoken.data()["audioUrl"]});
    assert_eq!(broken.post(&ada, "/ai/captions", &again).await.data()["creditsUsed"], json!(0.0));
    let eve = broken.account(Plan::None, 1).await;
    let refused = broken.post(&eve, "/ai/captions", &again).await;
    refused.refused(422, "AI_NOT_AVAILABLE");
    assert!(!refused.body.to_string().contains("README.md"));
    assert_eq!(thousandths(&broken, &eve).await, 1000);
}
