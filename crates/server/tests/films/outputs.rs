//! Files of every kind through the service: their names, types and prices, and what is refused before it costs anything.

use rondo_store::Plan;
use serde_json::{Value, json};

use crate::harness::{ON_FOLDER, Service, film, media_server, middle, overlay, probe};

/// Black, then red from frame 3 on.
fn turning_red() -> Value {
    let red = json!({"type": "shape", "content": "rectangle", "from": 3, "styles": {"fill": "#ff0000"}});
    film(6, &json!([overlay(1, &red)]))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_file_has_its_name_and_type_and_can_be_read_in_parts() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::Business, 20).await;
    for (output, ending, content_type) in [
        (json!({"format": "webm"}), ".webm", "video/webm"),
        (json!({"format": "gif", "scale": 0.5}), ".gif", "image/gif"),
        (json!({"format": "png", "frame": 3}), ".png", "image/png"),
        (json!({"format": "jpg", "range": [2, 4]}), ".zip", "application/zip"),
        (json!({"format": "mp3"}), ".mp3", "audio/mpeg"),
    ] {
        let job = service.render(&ada, &json!({"inputProps": turning_red(), "output": output})).await;
        let job = service.ended(&ada, &job).await;
        assert_eq!((&job["status"], &job["creditsUsed"]), (&json!("COMPLETED"), &json!(1)), "{job}");
        assert_eq!((&job["width"], &job["durationInFrames"]), (&json!(96), &json!(6)), "as the composition");
        let url = job["outputUrl"].as_str().unwrap();
        assert!(url.ends_with(ending), "{url}");
        assert_eq!(job["format"], ending[1..], "{job}");
        let poster = job["posterUrl"].as_str();
        assert_eq!(poster.is_some(), ending != ".mp3", "{job}");
        if let Some(poster) = poster {
            // The middle of the red part, within the frames of the file.
            let path = service.download(poster, "poster.jpg").await;
            let [red, green, blue] = middle(&path, 0, 96, 64);
            assert!(red > 240 && green < 15 && blue < 15, "{output}: {red} {green} {blue}");
        }
        let part = crate::harness::client(true).get(url).header("range", "bytes=0-9").send().await.unwrap();
        assert_eq!(part.status().as_u16(), 206);
        assert_eq!(part.headers()["content-type"], content_type);
        assert_eq!(part.bytes().await.unwrap().len(), 10);
        let path = service.download(url, &format!("output{ending}")).await;
        assert_eq!(job["outputSize"], std::fs::metadata(&path).unwrap().len());
        match ending {
            ".webm" => assert_eq!(probe(&path), (96, 64, 6)),
            ".gif" => assert_eq!(probe(&path), (48, 32, 6)),
            ".png" => assert_eq!(middle(&path, 0, 96, 64), [255, 0, 0]),
            ".zip" => {
                let names =
                    std::process::Command::new("python3").args(["-m", "zipfile", "-l"]).arg(&path).output();
                let names = String::from_utf8(names.unwrap().stdout).unwrap();
                assert_eq!(names.matches(".jpg").count(), 3, "{names}");
                assert!(names.contains("frame-000002.jpg") && names.contains("frame-000004.jpg"), "{names}");
            }
            _ => {}
        }
    }
    assert_eq!(service.credits(&ada).await, 15);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_with_another_output_goes_on_after_a_restart() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let body = json!({"inputProps": crate::harness::busy(90), "output": {"format": "webm", "range": [10, 69], "scale": 0.5}});
    let job = service.render(&ada, &body).await;
    service.under_way(&job).await;
    let service = service.restart().await;
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "COMPLETED", "{job}");
    let path = service.download(job["outputUrl"].as_str().unwrap(), "film.webm").await;
    assert_eq!(probe(&path), (640, 360, 60));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_quotes_what_the_render_costs_and_both_refuse_the_same() {
    let service = Service::start(&[("role", "api")]).await;
    let ada = service.account(Plan::None, 100).await;
    // Three minutes of 1080p.
    let long = json!({"width": 1920, "height": 1080, "fps": 10, "durationInFrames": 1800, "overlays": []});
    for (output, credits) in [
        (json!(null), 3),
        (json!({"range": [0, 599]}), 1),
        (json!({"scale": 2}), 12),
        (json!({"format": "png", "frame": 1799}), 1),
        (json!({"also": [{"format": "gif", "scale": 0.5}, {"format": "png"}]}), 6),
    ] {
        let body = json!({"inputProps": long, "output": output});
        let preview = service.post(&ada, "/previews", &body).await;
        assert_eq!(preview.data()["quote"]["credits"], credits, "{output}");
        let render = service.post(&ada, "/renders", &body).await;
        assert_eq!(render.data()["creditsUsed"], credits, "{output}");
    }
    let left = service.credits(&ada).await;
    for (output, path) in [
        (json!({"range": [0, 1800]}), "output.range"),
        (json!({"range": [9, 3]}), "output.range"),
        (json!({"format": "png", "frame": 1800}), "output.frame"),
        (json!({"scale": 3}), "output.scale"),
        (json!({"codec": "prores"}), "output.codec"),
        (json!({"alpha": true}), "output.alpha"),
        (json!({"also": [{"format": "gif"}, {"format": "jpg", "frame": 1800}]}), "output.also[1].frame"),
        (json!({"also": [{"format": "mp3", "scale": 2}]}), "output.also[0].scale"),
    ] {
        let body = json!({"inputProps": long, "output": output});
        for address in ["/previews", "/renders"] {
            let answer = service.post(&ada, address, &body).await;
            assert_eq!(
                (answer.status, &answer.body["details"]["issues"][0]["path"]),
                (422, &json!(path)),
                "{output}"
            );
        }
    }
    assert_eq!(service.credits(&ada).await, left, "nothing was charged");
}

#[tokio::test(flavor = "multi_thread")]
async fn audio_is_applied_and_what_cannot_be_of_it_is_told() {
    let service = Service::start(&[("allow-private-network", "true")]).await;
    let ada = service.account(Plan::Business, 20).await;
    let tone = overlay(1, &json!({"type": "sound", "src": format!("{}/tone.wav", media_server().await)}));
    let body = |audio: Value| json!({"inputProps": film(30, &json!([tone])), "output": {"format": "wav"}, "audio": audio});
    for loudness in [-14.0, -30.0] {
        let job = service.render(&ada, &body(json!({"loudness": loudness}))).await;
        let job = service.ended(&ada, &job).await;
        let path = service.download(job["outputUrl"].as_str().expect("a file"), "sound.wav").await;
        let measured = std::process::Command::new("ffmpeg")
            .args(["-nostats", "-i", path.to_str().unwrap(), "-af", "ebur128", "-f", "null", "-"])
            .output()
            .unwrap();
        let text = String::from_utf8(measured.stderr).unwrap();
        let summary = text.split("Summary:").nth(1).unwrap().split("I:").nth(1).unwrap();
        let found: f64 = summary.split_whitespace().next().unwrap().parse().unwrap();
        assert!((found - loudness).abs() <= 0.3, "{found} instead of {loudness} LUFS");
    }
    for (audio, status, path) in [
        (json!({"loudness": "loud"}), 400, "audio.loudness"),
        (json!({"loudness": -5}), 422, "audio.loudness"),
        (json!({"ducking": {"amount": 50}}), 422, "audio.ducking.amount"),
        (json!({"ducking": {"narration": ["Nobody"]}}), 422, "audio.ducking.narration[0]"),
    ] {
        for address in ["/previews", "/renders"] {
            let answer = service.post(&ada, address, &body(audio.clone())).await;
            let found = (answer.status, &answer.body["details"]["issues"][0]["path"]);
            assert_eq!(found, (status, &json!(path)), "{audio}");
        }
    }
    let voice = json!({"type": "sound", "src": "", "isDynamic": true, "name": "voice"});
    service.template("tpl_voice", 1, true, &film(20, &json!([overlay(1, &voice)]))).await;
    let spoken =
        json!({"templateId": "tpl_voice", "voice": {"tts": {"text": "Hello"}}, "audio": {"ducking": true}});
    for (body, warned) in [(body(json!({"ducking": true})), true), (spoken, false)] {
        let preview = service.post(&ada, "/previews", &body).await;
        let warnings = preview.data()["warnings"].as_array().unwrap();
        let found = warnings.iter().any(|warning| warning["code"] == "NARRATION_MISSING");
        assert_eq!(found, warned, "{warnings:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn music_is_turned_down_under_a_text_the_request_speaks() {
    let service = Service::start(&[("allow-private-network", "true")]).await;
    let ada = service.account(Plan::Business, 20).await;
    let music = json!({"type": "sound", "src": format!("{}/tone.wav", media_server().await)});
    let voice = json!({"type": "sound", "src": "", "isDynamic": true, "name": "voice"});
    service.template("tpl", 1, true, &film(10, &json!([overlay(1, &music), overlay(2, &voice)]))).await;
    let spoken = json!({"tts": {"text": "Music goes down while somebody is talking about bread."}});
    let mut heard = Vec::new();
    for ducking in [false, true] {
        let body = json!({"templateId": "tpl", "createProject": false, "output": {"format": "wav"},
            "voice": spoken, "audio": {"ducking": ducking}});
        let job = service.render(&ada, &body).await;
        let job = service.ended(&ada, &job).await;
        let path = service.download(job["outputUrl"].as_str().expect("a file"), "sound.wav").await;
        let decode = ["-v", "error", "-i", path.to_str().unwrap(), "-f", "s16le", "-ac", "1", "-"];
        let raw = std::process::Command::new("ffmpeg").args(decode).output().unwrap().stdout;
        let samples = raw.chunks_exact(2).map(|bytes| f64::from(i16::from_le_bytes([bytes[0], bytes[1]])));
        heard.push(samples.collect::<Vec<f64>>());
    }
    // The tone has ±1000 for a second. 12 dB less is a quarter, so that three quarters are missing.
    let missing = heard[0].iter().zip(&heard[1]).map(|(plain, ducked)| plain - ducked);
    let power = missing.skip(24_000).take(19_200).map(|sample| sample * sample).sum::<f64>() / 19_200.0;
    assert!((power.sqrt() - 750.0).abs() < 40.0, "{} are missing", power.sqrt());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_opens_on_the_poster_it_names_and_both_files_are_deleted_together() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 9).await;
    let mut black = turning_red();
    black["posterFrame"] = json!(1);
    let preview = service.post(&ada, "/previews", &json!({"inputProps": black})).await;
    assert_eq!(preview.data()["resolved"]["posterFrame"], 1);
    let job = service.render(&ada, &json!({"inputProps": black})).await;
    let ended = service.ended(&ada, &job).await;
    let poster = ended["posterUrl"].as_str().unwrap();
    let path = service.download(poster, "poster.jpg").await;
    assert!(middle(&path, 0, 96, 64)[0] < 15);
    assert!(ended["expiresAt"].as_str().unwrap() > ended["completedAt"].as_str().unwrap());
    service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await.data();
    let client = crate::harness::client(true);
    for url in [poster, ended["outputUrl"].as_str().unwrap()] {
        assert_eq!(client.get(url).send().await.unwrap().status().as_u16(), 404);
        // A person who follows an old link gets a page.
        let page = client.get(url).header("accept", "text/html").send().await.unwrap();
        assert_eq!(page.status().as_u16(), 404);
        assert!(page.text().await.unwrap().contains("href=\"/dashboard\""));
    }
    let after = service.get(&ada, &format!("/renders/{job}")).await;
    assert_eq!((&after.data()["posterUrl"], &after.data()["expiresAt"]), (&Value::Null, &Value::Null));
}

/// Names of the files that the service keeps of renders.
fn kept(service: &Service) -> Vec<String> {
    let folder = std::fs::read_dir(service.folder.path().join("outputs")).unwrap();
    let mut names: Vec<String> =
        folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn one_render_makes_a_film_a_gif_a_picture_and_a_sound_and_deleting_it_deletes_all() {
    let service = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = service.account(Plan::None, 9).await;
    let body = json!({"inputProps": turning_red(), "output": {"scale": 2, "also": [
        {"format": "gif", "scale": 0.5},
        {"format": "png", "frame": 4},
        {"format": "mp3"},
        {"format": "webm", "range": [3, 5]},
    ]}});
    let job = service.render(&ada, &body).await;
    let ended = service.ended(&ada, &job).await;
    assert_eq!((&ended["status"], &ended["creditsUsed"]), (&json!("COMPLETED"), &json!(1)), "{ended}");
    let outputs = ended["outputs"].as_array().unwrap();
    let listed: Vec<Value> =
        outputs.iter().map(|file| json!([file["format"], file["width"], file["height"]])).collect();
    assert_eq!(
        json!(listed),
        json!([["mp4", 192, 128], ["gif", 48, 32], ["png", 96, 64], ["mp3", null, null], ["webm", 96, 64]])
    );
    assert_eq!((&outputs[0]["url"], &outputs[0]["size"]), (&ended["outputUrl"], &ended["outputSize"]));
    let mut paths = Vec::new();
    for file in outputs {
        let name = format!("file-{}.{}", paths.len(), file["format"].as_str().unwrap());
        let path = service.download(file["url"].as_str().unwrap(), &name).await;
        assert_eq!(file["size"], std::fs::metadata(&path).unwrap().len(), "{file}");
        paths.push(path);
    }
    assert_eq!(probe(&paths[0]), (192, 128, 6));
    assert_eq!(probe(&paths[1]), (48, 32, 6));
    assert_eq!(middle(&paths[2], 0, 96, 64), [255, 0, 0], "frame 4 is red");
    let sound = std::fs::read(&paths[3]).unwrap();
    assert!(sound.starts_with(b"ID3") || sound.starts_with(&[0xff]), "an MP3");
    assert_eq!(probe(&paths[4]), (96, 64, 3));
    let bytes: u64 = outputs.iter().map(|file| file["size"].as_u64().unwrap()).sum();
    assert_eq!(service.store.kept_bytes(&ada.id).await.unwrap(), bytes);
    assert_eq!(kept(&service).len(), 8, "five files, a poster and two segments");
    let list = service.get(&ada, "/renders?fields=outputs").await;
    assert_eq!(list.data()["renders"][0], json!({"outputs": outputs}));

    let deleted = service.send("DELETE", &format!("/renders/{job}"), &ada.key, &[], None).await;
    assert_eq!((&deleted.data()["outputs"], &deleted.data()["outputUrl"]), (&json!([]), &Value::Null));
    for file in outputs {
        let gone = crate::harness::client(true).get(file["url"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(gone.status().as_u16(), 404, "{file}");
    }
    assert_eq!(kept(&service), [] as [String; 0]);
    assert_eq!(service.store.kept_bytes(&ada.id).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_fails_as_a_whole_if_one_of_its_files_does() {
    let service = Service::start(&[("max-output-mb", "1")]).await;
    let ada = service.account(Plan::None, 9).await;
    // The film is small; its pictures, one by one, are not.
    let mut busy = crate::harness::busy(40);
    busy["overlays"][0]["styles"]["particleCount"] = json!(500);
    let body = json!({"inputProps": busy, "output": {"format": "png", "also": [{"format": "png", "range": [0, 39]}]}});
    let job = service.render(&ada, &body).await;
    let ended = service.ended(&ada, &job).await;
    assert_eq!((&ended["status"], &ended["creditsUsed"]), (&json!("FAILED"), &json!(0)), "{ended}");
    assert!(ended["errorMessage"].as_str().unwrap().contains("1 MB"), "{ended}");
    assert_eq!((&ended["outputs"], &ended["outputUrl"]), (&json!([]), &Value::Null));
    assert_eq!(kept(&service), [] as [String; 0]);
    assert_eq!(service.credits(&ada).await, 9);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_whose_files_cannot_all_be_kept_fails_and_leaves_none() {
    let service = Service::start(&[(ON_FOLDER, "")]).await;
    let ada = service.account(Plan::None, 9).await;
    let body = json!({"inputProps": crate::harness::busy(40), "output": {"scale": 0.25, "also": [{"format": "gif", "scale": 0.1}]}});
    let job = service.render(&ada, &body).await;
    // A folder stands where the second file goes.
    let blocked = service.folder.path().join("outputs").join(format!("{job}-2.gif"));
    std::fs::create_dir(&blocked).unwrap();
    std::fs::write(blocked.join("in-the-way"), "").unwrap();
    let ended = service.ended(&ada, &job).await;
    assert_eq!(
        (&ended["status"], &ended["errorMessage"], &ended["creditsUsed"]),
        (&json!("FAILED"), &json!("Failed to keep the film."), &json!(0)),
        "{ended}"
    );
    assert_eq!(service.credits(&ada).await, 9);
    let started = std::time::Instant::now();
    while kept(&service).iter().any(|name| name.ends_with(".mp4")) {
        assert!(started.elapsed().as_secs() < 10, "the first file stays: {:?}", kept(&service));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_render_makes_all_of_its_files_and_is_paid_once() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 9).await;
    let output =
        json!({"scale": 0.5, "also": [{"format": "gif", "scale": 0.25}, {"format": "jpg", "frame": 89}]});
    let job = service.render(&ada, &json!({"inputProps": crate::harness::busy(90), "output": output})).await;
    service.under_way(&job).await;
    let service = service.restart().await;
    let ended = service.ended(&ada, &job).await;
    assert_eq!((&ended["status"], &ended["creditsUsed"]), (&json!("COMPLETED"), &json!(1)), "{ended}");
    let mut sizes = Vec::new();
    for file in ended["outputs"].as_array().unwrap() {
        let path = service.download(file["url"].as_str().unwrap(), "file").await;
        sizes.push(probe(&path));
    }
    assert_eq!(sizes, [(640, 360, 90), (320, 180, 90), (1280, 720, 1)]);
    assert_eq!(service.credits(&ada).await, 8);
    assert!(service.store.audit().await.unwrap().is_empty());
}
