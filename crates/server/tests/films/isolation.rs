//! Child processes: what they cannot do, and that their end is the end of one job only.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rondo_store::Plan;
use serde_json::json;

use crate::harness::{
    FORK_SERVER, IMPATIENT, Service, busy, children_of, film, is_cluster, media_server, overlay,
};

/// Waits for the only child of the fork server.
async fn only_child(service: &Service) -> i32 {
    let started = Instant::now();
    loop {
        if let [child] = children_of(service.fork_server())[..] {
            return child;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "no child was started");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn kill(pid: i32) {
    signal(pid, libc::SIGKILL);
}

fn signal(pid: i32, signal: i32) {
    // SAFETY: the call takes plain numbers.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_is_refused_network_exec_fork_secrets_and_writing_elsewhere() {
    if is_cluster() {
        println!("skipped: it looks at the folder and the processes of one process.");
        return;
    }
    let service = Service::start(&[("sandbox", "required")]).await;
    let jobs = &service.jobs();
    let attempts: BTreeMap<&str, bool> =
        jobs.attempts.iter().map(|attempt| (attempt.name.as_str(), attempt.refused)).collect();
    let everywhere =
        ["network", "exec", "namespaces", "signals", "write", "memory", "outlive", "database", "keys"];
    for name in everywhere.into_iter().chain(["fork"]) {
        assert_eq!(attempts.get(name), Some(&true), "{name}");
    }
    // So is one that may run espeak-ng, which runs.
    let attempts: BTreeMap<&str, bool> =
        jobs.program_attempts.iter().map(|attempt| (attempt.name.as_str(), attempt.refused)).collect();
    for name in everywhere {
        assert_eq!(attempts.get(name), Some(&true), "{name} beside a program");
    }
    assert_eq!(attempts.get("program"), Some(&false), "it runs its program");
    assert!(
        jobs.program().is_some_and(|(program, runs)| program.ends_with("espeak-ng") && runs == Some(true))
    );
    assert_ne!(attempts.get("fonts"), Some(&true), "it reads fonts");
    assert_eq!(jobs.missing_layers().count(), 0);
    assert!(service.folder.path().join("rondo.db").exists(), "there is a database to be refused");
    assert!(service.folder.path().join("master.key").exists(), "there is a key to be refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_whose_child_dies_twice_fails_once_costs_nothing_and_harms_no_other() {
    if is_cluster() {
        println!("skipped: it looks at the folder and the processes of one process.");
        return;
    }
    let service = Service::start(&[("workers", "2")]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let job = service.render(&ada, &json!({"inputProps": busy(3000)})).await;
    kill(only_child(&service).await);
    // It is tried once more.
    service.under_way(&job).await;
    let second = only_child(&service).await;
    let other = service.render(&bob, &json!({"inputProps": film(5, &json!([]))})).await;
    kill(second);
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "FAILED", "{job}");
    assert!(job["errorMessage"].as_str().unwrap().contains("crashed"), "{job}");
    assert_eq!(service.credits(&ada).await, 10);
    assert_eq!(service.ended(&bob, &other).await["status"], "COMPLETED");
    assert_eq!(service.credits(&bob).await, 9);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_stands_still_is_ended_and_its_render_tried_once_more() {
    let service = Service::start(&[("workers", "1"), (IMPATIENT, "")]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(60)})).await;
    service.under_way(&job).await;
    signal(only_child(&service).await, libc::SIGSTOP);
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "COMPLETED", "{job}");
    assert_eq!(service.credits(&ada).await, 9);
    assert!(children_of(service.fork_server()).is_empty());
}

/// A text that takes a voice seconds to speak.
fn long_text(words: &str) -> String {
    words.repeat(9_900 / words.chars().count())
}

fn read(pid: i32, file: &str) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voice_speaks_in_a_child_whose_death_costs_nothing_and_harms_nobody() {
    let service = std::sync::Arc::new(Service::start(&[("role", "api")]).await);
    let ada = std::sync::Arc::new(service.account(Plan::None, 10).await);
    let text = long_text("The quick brown fox jumps over the lazy dog. ");
    let asking = {
        let (service, ada, body) = (service.clone(), ada.clone(), json!({"text": text}));
        tokio::spawn(async move { service.post(&ada, "/ai/voiceover", &body).await })
    };
    // Once may be an accident, so it is tried again.
    let mut killed = Vec::new();
    for _ in 0..2 {
        let started = Instant::now();
        let speaking = loop {
            let loaded = |pid: &i32| !killed.contains(pid) && read(*pid, "maps").contains("libflite_cmu");
            if let Some(pid) = children_of(service.fork_server()).into_iter().find(loaded) {
                break pid;
            }
            assert!(!asking.is_finished(), "it was spoken elsewhere");
            assert!(started.elapsed() < Duration::from_secs(60), "no child speaks");
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        kill(speaking);
        killed.push(speaking);
    }
    asking.await.unwrap().refused(422, "VALUE_OUT_OF_RANGE");
    assert!(service.text("/healthz", "").await.contains("ok"));
    let started = Instant::now();
    while service.credits(&ada).await != 10 {
        assert!(started.elapsed() < Duration::from_secs(10), "the hold is not released");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let spoken = service.post(&ada, "/ai/voiceover", &json!({"text": "Hello there."})).await;
    assert_eq!(spoken.data()["words"].as_array().unwrap().len(), 2);
    assert!(service.store.audit().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_that_speaks_has_no_network_no_secrets_and_the_restrictions_of_its_child() {
    let service = std::sync::Arc::new(Service::start(&[("role", "api"), ("sandbox", "required")]).await);
    let ada = service.account(Plan::None, 10).await;
    let asking = {
        let body = json!({"voice": "german", "text": long_text("Der Bäcker, der Müller, der Schmied. ")});
        let service = service.clone();
        tokio::spawn(async move { service.post(&ada, "/ai/voiceover", &body).await })
    };
    let network = |pid: &str| std::fs::read_link(format!("/proc/{pid}/ns/net"));
    let own_network = network("self").unwrap();
    let mut seen = 0;
    let mut programs = Vec::new();
    while !asking.is_finished() {
        let children = children_of(service.fork_server()).into_iter();
        for pid in children.flat_map(|child| children_of(child.unsigned_abs())) {
            let executable = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
            let (status, environment) = (read(pid, "status"), read(pid, "environ"));
            let other = network(&pid.to_string());
            // It may have ended while this looked.
            let (true, Ok(other)) = (executable.ends_with("espeak-ng") && !status.is_empty(), other) else {
                continue;
            };
            let line = |name: &str| {
                let value = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
                value.split_whitespace().next().unwrap_or_default().to_owned()
            };
            assert_eq!((line("Seccomp:"), line("NoNewPrivs:")), ("2".into(), "1".into()), "{status}");
            assert_eq!(line("CapEff:"), "0000000000000000", "{status}");
            assert_ne!(other, own_network);
            for variable in environment.split('\0').filter(|variable| !variable.is_empty()) {
                assert!(variable.starts_with("LD_LIBRARY_PATH="), "{variable}");
            }
            programs.push(pid);
            seen += 1;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let spoken = asking.await.unwrap();
    assert!(spoken.data()["durationMs"].as_u64().unwrap() > 10_000, "{}", spoken.body);
    assert!(seen > 3, "the program was seen {seen} times");
    for pid in programs {
        assert!(read(pid, "status").is_empty(), "the program {pid} is still there");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn narrations_of_one_account_that_do_not_end_leave_a_seat_for_others() {
    let service = std::sync::Arc::new(Service::start(&[("role", "api")]).await);
    let (ada, bob) = (service.account(Plan::None, 20).await, service.account(Plan::None, 10).await);
    let ada = std::sync::Arc::new(ada);
    let ask = |words: &str| {
        let (service, ada, body) = (service.clone(), ada.clone(), json!({"text": words.repeat(200)}));
        tokio::spawn(async move { service.post(&ada, "/ai/voiceover", &body).await })
    };
    let asking = [ask("One morning. "), ask("Two evenings. "), ask("Three nights. "), ask("Four days. ")];
    // They speak for as long as this test wants.
    let started = Instant::now();
    let mut stopped = Vec::new();
    while stopped.len() < 2 {
        let speaks = |pid: &i32| !stopped.contains(pid) && read(*pid, "maps").contains("libflite_cmu");
        if let Some(pid) = children_of(service.fork_server()).into_iter().find(speaks) {
            signal(pid, libc::SIGSTOP);
            stopped.push(pid);
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{} narrations began", stopped.len());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let body = json!({"text": "Hello there."});
    let other = tokio::time::timeout(Duration::from_secs(60), service.post(&bob, "/ai/voiceover", &body));
    let other = other.await.expect("it waits for the narrations of the other account");
    assert_eq!(other.data()["words"].as_array().unwrap().len(), 2);
    let mut children = children_of(service.fork_server());
    children.sort_unstable();
    stopped.sort_unstable();
    assert_eq!(children, stopped, "the account has more seats than its share");
    for pid in stopped {
        signal(pid, libc::SIGCONT);
    }
    for asking in asking {
        assert!(asking.await.unwrap().data()["durationMs"].as_u64().unwrap() > 10_000);
    }
}

/// Whether a process is stopped by a signal.
fn stands_still(pid: i32) -> bool {
    read(pid, "stat").rsplit_once(") ").is_some_and(|(_, after)| after.starts_with('T'))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_reads_media_in_three_processes_at_most_and_leaves_one_for_others() {
    if is_cluster() {
        println!("skipped: it looks at the folder and the processes of one process.");
        return;
    }
    let media = media_server().await;
    let service = std::sync::Arc::new(Service::start(&[("role", "api")]).await);
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let ada = std::sync::Arc::new(ada);
    let picture = overlay(1, &json!({"type": "image", "src": format!("{media}/red.png")}));
    let body = json!({"inputProps": film(10, &json!([picture]))});
    let downloads = service.folder.path().join("media");
    // Other children, which lay out films, have no media open.
    let reading = || {
        let children = children_of(service.fork_server()).into_iter();
        let has_media = |pid: &i32| {
            let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
            let mut files = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
            files.any(|file| file.starts_with(&downloads))
        };
        children.filter(has_media).collect::<Vec<i32>>()
    };
    let (started, mut asking, mut stopped) = (Instant::now(), Vec::new(), Vec::new());
    while stopped.len() < 3 {
        let open = asking.iter().filter(|asked: &&tokio::task::JoinHandle<u16>| !asked.is_finished()).count();
        if open < 8 {
            let (service, ada, body) = (service.clone(), ada.clone(), body.clone());
            asking.push(tokio::spawn(async move { service.post(&ada, "/previews", &body).await.status }));
        }
        for pid in reading().into_iter().filter(|pid| !stopped.contains(pid)).collect::<Vec<_>>() {
            // SAFETY: the call takes plain numbers.
            unsafe { libc::kill(pid, libc::SIGSTOP) };
            // It may have ended before.
            stopped.extend(stands_still(pid).then_some(pid));
        }
        // One that had answered before is ended.
        stopped.retain(|pid| stands_still(*pid));
        assert!(started.elapsed() < Duration::from_secs(8), "{} processes were stopped", stopped.len());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    stopped.sort_unstable();
    assert!(asking.iter().filter(|asked| !asked.is_finished()).count() > 3, "nobody else asks");
    for _ in 0..50 {
        let mut reading = reading();
        reading.sort_unstable();
        assert_eq!(reading, stopped, "the account has more processes than its share");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let other = tokio::time::timeout(Duration::from_secs(60), service.post(&bob, "/previews", &body));
    let other = other.await.expect("it waits for the previews of the other account");
    assert_eq!(other.data()["warnings"], json!([]));
    assert!(stopped.iter().all(|pid| stands_still(*pid)), "they did not wait that long");
    for pid in stopped {
        signal(pid, libc::SIGCONT);
    }
    for asked in asking {
        // Those that waited longer than for a turn are refused.
        let status = asked.await.unwrap();
        assert!(matches!(status, 200 | 503), "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_go_on_when_the_fork_server_dies() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    kill(i32::try_from(service.fork_server()).unwrap());
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_waits_while_no_process_can_be_started_and_then_completes() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("fork-server");
    let appear = || std::os::unix::fs::symlink(FORK_SERVER, &link).unwrap();
    appear();
    let service = Service::start_with(link.clone(), &[]).await;
    let ada = service.account(Plan::None, 10).await;
    std::fs::remove_file(&link).unwrap();
    kill(i32::try_from(service.fork_server()).unwrap());
    let job = service.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    // Other failures are retried three times, five seconds apart.
    tokio::time::sleep(Duration::from_secs(17)).await;
    appear();
    assert_eq!(service.ended(&ada, &job).await["status"], "COMPLETED");
    assert_eq!(service.credits(&ada).await, 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_render_leaves_no_process_and_no_file() {
    let service = Service::start(&[]).await;
    let ada = service.account(Plan::None, 10).await;
    let job = service.render(&ada, &json!({"inputProps": busy(3000)})).await;
    service.under_way(&job).await;
    service.send("POST", &format!("/renders/{job}/cancel"), &ada.key, &[], None).await.data();
    let started = Instant::now();
    let drafts = service.folder.path().join("drafts");
    while !children_of(service.fork_server()).is_empty() || drafts.read_dir().unwrap().count() > 0 {
        assert!(started.elapsed() < Duration::from_secs(10), "it goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_needs_too_much_memory_fails_with_a_sentence_and_the_service_goes_on() {
    let service = Service::start(&[("job-memory-mb", "256")]).await;
    let ada = service.account(Plan::None, 1000).await;
    let mut large = film(
        2,
        &json!([overlay(
            1,
            &json!({"type": "shape", "content": "rectangle",
        "width": 4096, "height": 2160, "styles": {"fill": "#f00"}})
        )]),
    );
    (large["width"], large["height"]) = (json!(4096), json!(2160));
    let job = service.render(&ada, &json!({"inputProps": large})).await;
    let job = service.ended(&ada, &job).await;
    assert_eq!(job["status"], "FAILED", "{job}");
    assert!(job["errorMessage"].as_str().unwrap().contains("memory"), "{job}");
    assert_eq!(service.credits(&ada).await, 1000);
    assert!(service.text("/healthz", "").await.contains("ok"));
    let small = service.render(&ada, &json!({"inputProps": film(5, &json!([]))})).await;
    assert_eq!(service.ended(&ada, &small).await["status"], "COMPLETED");
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_of_one_account_are_not_reused_for_another() {
    if is_cluster() {
        println!("skipped: it looks at the folder of one process.");
        return;
    }
    let service = Service::start(&[]).await;
    let (ada, bob) = (service.account(Plan::None, 10).await, service.account(Plan::None, 10).await);
    let chunks = || walk(&service.folder.path().join("chunks"));
    let body = json!({"inputProps": film(20, &json!([]))});
    for (account, expected) in [(&ada, 1), (&ada, 1), (&bob, 2)] {
        let job = service.render(account, &body).await;
        assert_eq!(service.ended(account, &job).await["status"], "COMPLETED");
        assert_eq!(chunks(), expected);
    }
}

/// Finished chunks below a folder.
fn walk(folder: &std::path::Path) -> usize {
    let shelves = std::fs::read_dir(folder).unwrap().flatten();
    let files = shelves.filter_map(|shelf| std::fs::read_dir(shelf.path()).ok()).flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|ending| ending == "chunk")).count()
}
