//! Streams: segments under a lease, playlists that grow, and when they expire.

use std::time::Duration;

use rondo_store::{Output, Plan, StoreError, Stream, StreamSegment};

use crate::database::{LEASE, on_both, render_for};
use crate::money::output;

const HOUR: Duration = Duration::from_secs(3600);

fn segment(number: u32, frames: u32, size: u64) -> StreamSegment {
    StreamSegment { number, frames, size }
}

on_both! {
    async fn segments_are_added_under_a_lease_and_replaced_by_the_next_one(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let job = db.store.create_render(&render_for(&account), None).await.unwrap().id;
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(db.store.stream(&job).await.unwrap(), None);
        let start = [segment(0, 0, 800), segment(1, 60, 9000)];
        db.store.add_segments(&first.lease, "job.m3u8", &start[..1]).await.unwrap();
        assert_eq!(db.store.stream(&job).await.unwrap(), None, "alone it shows nothing");
        db.store.add_segments(&first.lease, "job.m3u8", &start).await.unwrap();
        db.store.add_segments(&first.lease, "job.m3u8", &[segment(2, 90, 100)]).await.unwrap();
        let stream = db.store.stream(&job).await.unwrap().unwrap();
        let fps = db.store.render(&job).await.unwrap().unwrap().fps;
        let all = vec![start[0], start[1], segment(2, 90, 100)];
        assert_eq!(stream, Stream { fps, is_finished: false, segments: all.clone() });

        db.pass(LEASE + Duration::from_millis(1));
        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        let lost = db.store.add_segments(&first.lease, "job.m3u8", &[segment(3, 10, 1)]).await;
        assert!(matches!(lost, Err(StoreError::LostLease { .. })), "{lost:?}");
        db.store.add_segments(&second.lease, "job.m3u8", &start).await.unwrap();
        assert_eq!(db.store.segments(&job).await.unwrap(), all, "the same again");
        db.store.add_segments(&second.lease, "job.m3u8", &[segment(1, 50, 8000)]).await.unwrap();
        assert_eq!(db.store.segments(&job).await.unwrap(), [start[0], segment(1, 50, 8000)], "of another film");
        db.store.add_segments(&second.lease, "job.m3u8", &[segment(3, 50, 8000)]).await.unwrap();
        db.store.complete(&second.lease, &output("x")).await.unwrap();
        let stream = db.store.stream(&job).await.unwrap().unwrap();
        assert_eq!((stream.is_finished, stream.segments.len()), (true, 2), "it ends before a gap");
    }

    async fn streams_expire_unless_they_are_the_output(db) {
        let account = db.account("a@b.c", Plan::Business, 50).await;
        let mut jobs = Vec::new();
        for _ in 0..5 {
            jobs.push(db.store.create_render(&render_for(&account), None).await.unwrap().id);
        }
        for job in &jobs {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            let playlist = format!("{}.m3u8", claimed.render.id);
            let start = [segment(0, 0, 8), segment(1, 60, 9)];
            db.store.add_segments(&claimed.lease, &playlist, &start).await.unwrap();
            assert_eq!(&claimed.render.id, job);
            match jobs.iter().position(|known| known == job) {
                Some(0) => drop(db.store.fail(&claimed.lease, "no").await.unwrap()),
                Some(1) => drop(db.store.complete(&claimed.lease, &output("film.mp4")).await.unwrap()),
                Some(2) => {
                    let mut own = output("x");
                    own.main.made.file = playlist;
                    db.store.complete(&claimed.lease, &own).await.unwrap();
                }
                Some(3) => {
                    let incomplete = Output { has_stream: false, ..output("film.mp4") };
                    let ended = db.store.complete(&claimed.lease, &incomplete).await.unwrap();
                    assert_eq!(ended.stream_file, None);
                }
                _ => {}
            }
        }
        let old = async || db.store.old_streams(db.store.now().minus(HOUR), 10).await.unwrap();
        assert_eq!(old().await, [jobs[0].clone(), jobs[3].clone()], "of a failed one, and one that is not complete");
        assert_eq!(db.store.stream(&jobs[0]).await.unwrap(), None);
        assert_eq!(db.store.render(&jobs[0]).await.unwrap().unwrap().stream_file, None);
        db.store.forget_stream(&jobs[0]).await.unwrap();
        db.store.forget_stream(&jobs[3]).await.unwrap();
        assert_eq!(old().await, [] as [String; 0]);
        db.pass(HOUR + Duration::from_secs(1));
        assert_eq!(old().await, jobs[1..2]);
        db.store.forget_stream(&jobs[1]).await.unwrap();
        assert_eq!(db.store.stream(&jobs[1]).await.unwrap(), None);
        assert_eq!(db.store.render(&jobs[1]).await.unwrap().unwrap().stream_file, None);
        assert_eq!(old().await, [] as [String; 0]);
        db.store.forget_output(&jobs[2]).await.unwrap();
        assert_eq!(db.store.stream(&jobs[2]).await.unwrap(), None);
        assert_eq!(old().await, jobs[2..3], "together with the output");
    }
}
