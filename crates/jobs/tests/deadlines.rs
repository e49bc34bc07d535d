//! Jobs with a time end when it is over, whatever their children do.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::time::{Duration, Instant};

use rondo_jobs::{
    Done, Failure, Job, JobError, JobProgress, Jobs, JobsSettings, Limits, Mode, Priority, RenderJob,
    Request, STUCK_AFTER, Stop,
};
use rondo_sandbox::SelfTest;
use serde_json::json;

/// The fork server of the other tests, which this program is too.
#[test]
#[ignore = "the other tests start it"]
fn fork_server() {
    // Without a parent it ends at once.
    let _ = rondo_jobs::run_fork_server();
}

fn jobs(scratch: &Path) -> Jobs {
    let arguments = ["--exact", "fork_server", "--ignored", "--nocapture", "--test-threads=1"];
    let settings = JobsSettings {
        program: std::env::current_exe().unwrap(),
        arguments: arguments.map(str::to_owned).into(),
        mode: Mode::Off,
        font_folder: None,
        fetched_fonts: None,
        read_only: Vec::new(),
        scratch: scratch.to_owned(),
        self_test: SelfTest::default(),
        stuck_after: STUCK_AFTER,
    };
    Jobs::start(settings).unwrap()
}

/// Renders a film for much longer than a test runs.
fn render(jobs: &Jobs, time: Duration, progress: &mut dyn FnMut(JobProgress)) -> Result<Done, JobError> {
    let composition = json!({"width": 320, "height": 180, "fps": 30, "durationInFrames": 100_000, "overlays": [
        {"id": 1, "type": "shape", "content": "star", "row": 0, "from": 0, "durationInFrames": 100_000,
            "left": 100, "top": 30, "width": 120, "height": 120, "styles": {"animation": {"during": "spin"}}}]});
    let limits = Limits {
        memory: 1 << 30,
        cpu_seconds: 600,
        time: Some(time),
        file_size: 1 << 30,
        open_files: 256,
        threads: 512,
        priority: Priority::Normal,
    };
    let job = RenderJob { composition, cpu_seconds: 600, workers: Some(1), ..RenderJob::default() };
    let job = Job::Render(Box::new(job));
    let request = Request { job, files: Vec::new(), limits, chunks: None };
    jobs.run(request, &Stop::default(), progress)
}

fn children(jobs: &Jobs) -> Vec<i32> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", jobs.process_id())).unwrap().flatten();
    let texts = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap());
    let texts: Vec<String> = texts.collect();
    texts.iter().flat_map(|text| text.split_whitespace()).map(|pid| pid.parse().unwrap()).collect()
}

#[test]
fn a_child_that_keeps_reporting_is_ended_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(folder.path());
    let (started, mut reports, mut last) = (Instant::now(), 0, Duration::ZERO);
    let rendered = render(&jobs, Duration::from_secs(6), &mut |_| {
        (reports, last) = (reports + 1, started.elapsed());
    });
    assert!(matches!(rendered, Err(JobError::Failed(Failure::TooSlow))), "{rendered:?}");
    let took = started.elapsed();
    assert!((6..12).contains(&took.as_secs()), "it took {took:?}");
    assert!(reports > 5 && last > Duration::from_secs(3), "{reports} reports, the last after {last:?}");
    assert!(children(&jobs).is_empty(), "it is still there");
}

#[test]
fn a_child_that_stands_still_is_ended_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(folder.path());
    let started = Instant::now();
    let rendered = std::thread::scope(|scope| {
        let rendering = scope.spawn(|| render(&jobs, Duration::from_secs(4), &mut |_| {}));
        let child = loop {
            if let [child] = children(&jobs)[..] {
                break child;
            }
            assert!(started.elapsed() < Duration::from_secs(4), "no child was started");
            std::thread::sleep(Duration::from_millis(5));
        };
        // SAFETY: the call takes plain numbers.
        assert_eq!(unsafe { libc::kill(child, libc::SIGSTOP) }, 0);
        rendering.join().unwrap()
    });
    assert!(matches!(rendered, Err(JobError::Failed(Failure::TooSlow))), "{rendered:?}");
    let took = started.elapsed();
    assert!((4..10).contains(&took.as_secs()), "it took {took:?}");
    assert!(children(&jobs).is_empty(), "it is still there");
}
