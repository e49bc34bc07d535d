//! Whose render is next, and which chunk.

use std::collections::HashSet;
use std::time::Duration;

use rondo_store::{ChunkTask, Hand, Plan, Taken};

use crate::database::{LEASE, on_both, render_for};
use crate::money::output;

on_both! {
    async fn an_account_that_is_new_comes_before_a_long_queue(db) {
        let many = db.account("many@b.c", Plan::Business, 600).await;
        for _ in 0..50 {
            db.store.create_render(&render_for(&many), None).await.unwrap();
        }
        db.store.claim(LEASE).await.unwrap().unwrap();
        let fresh = db.account("fresh@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&fresh), None).await.unwrap();
        assert_eq!(db.store.claim(LEASE).await.unwrap().unwrap().render.account_id, fresh.id);
    }

    async fn a_render_is_found_though_nobody_marked_its_account(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        // As a process of an earlier version leaves it.
        db.sql("DELETE FROM turn".into()).await;
        assert!(db.store.claim(LEASE).await.unwrap().is_some());
    }

    async fn beside_a_long_queue_an_account_that_nobody_marked_waits_ten_seconds_at_most(db) {
        let many = db.account("many@b.c", Plan::Business, 600).await;
        for _ in 0..20 {
            db.store.create_render(&render_for(&many), None).await.unwrap();
        }
        let forgotten = db.account("forgotten@b.c", Plan::None, 10).await;
        for store in [db.store.clone(), db.again().await] {
            let turn = async || {
                let claimed = store.claim(LEASE).await.unwrap().unwrap();
                store.complete(&claimed.lease, &output("x")).await.unwrap();
                claimed.render.account_id
            };
            assert_eq!(turn().await, many.id);
            db.store.create_render(&render_for(&forgotten), None).await.unwrap();
            db.sql(format!("UPDATE turn SET is_waiting = 0 WHERE account_id = '{}'", forgotten.id)).await;
            assert_eq!(turn().await, many.id);
            // Whichever process looked last.
            db.pass(Duration::from_millis(10_001));
            assert_eq!(turn().await, forgotten.id);
        }
    }

    async fn a_render_that_is_returned_or_retried_is_claimed_again(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        db.store.hand_back(&first.lease).await.unwrap();
        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        db.store.retry(&second.lease, "Failed.", LEASE).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none(), "it is not due");
        db.pass(LEASE * 2);
        let third = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!([&second.render.id, &third.render.id], [&first.render.id, &first.render.id]);
    }

    async fn renders_of_a_suspended_account_wait_until_it_is_resumed(db) {
        db.account("operator@b.c", Plan::None, 0).await;
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.store.set_suspended(&account.id, true).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        db.store.set_suspended(&account.id, false).await.unwrap();
        assert_eq!(db.store.claim(LEASE).await.unwrap().unwrap().render.id, render.id);
    }

    async fn two_processes_claim_every_render_once(db) {
        let mut expected = HashSet::new();
        for name in ["a@b.c", "b@b.c", "c@b.c"] {
            let account = db.account(name, Plan::Business, 100).await;
            for _ in 0..12 {
                expected.insert(db.store.create_render(&render_for(&account), None).await.unwrap().id);
            }
        }
        let mut claiming = tokio::task::JoinSet::new();
        for store in [db.store.clone(), db.again().await] {
            claiming.spawn(async move {
                let mut claimed = Vec::new();
                while let Some(next) = store.claim(LEASE).await.unwrap() {
                    claimed.push(next.render.id.clone());
                    store.complete(&next.lease, &output("x")).await.unwrap();
                }
                claimed
            });
        }
        let claimed: Vec<String> = claiming.join_all().await.into_iter().flatten().collect();
        assert_eq!(claimed.len(), expected.len());
        assert_eq!(claimed.into_iter().collect::<HashSet<_>>(), expected);
    }

    async fn chunks_are_taken_in_order_and_towards_the_end_the_costliest_first(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        let task = |(number, changes)| ChunkTask { file: 0, number, changes, name: format!("chunk-{number}") };
        let tasks: Vec<ChunkTask> = (0..).zip([10, 10, 90, 20, 80, 30, 40]).map(task).collect();
        db.store.offer_chunks(&lease, &tasks, &HashSet::new()).await.unwrap();
        db.store.finish_chunk(&lease.render_id, "chunk-0", None).await.unwrap();
        let mut taken = Vec::new();
        while let Taken::Task(task) = db.store.take_chunk(&lease.render_id, 0, Hand::Lead, LEASE).await.unwrap() {
            taken.push(task.number);
        }
        // Two workers take four more.
        assert_eq!(taken, [1, 2, 4, 6, 5, 3]);
    }

    async fn finished_chunks_are_listed_in_film_order_from_a_place_on(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        let task = |file, number| ChunkTask { file, number, changes: 7, name: format!("chunk-{file}-{number}") };
        let tasks: Vec<ChunkTask> = (0..12).map(|number| task(0, number)).chain([task(1, 3)]).collect();
        let kept = HashSet::from(["chunk-0-10".to_owned()]);
        db.store.offer_chunks(&lease, &tasks, &kept).await.unwrap();
        for name in ["chunk-0-9", "chunk-1-3", "chunk-0-4", "chunk-0-1"] {
            db.store.finish_chunk(&lease.render_id, name, None).await.unwrap();
        }
        let finished = async |file, from, most| {
            db.store.finished_chunks(&lease.render_id, (file, from), most).await.unwrap()
        };
        assert_eq!(finished(0, 0, 100).await, [1, 4, 9, 10].map(|number| task(0, number)));
        assert_eq!(finished(0, 2, 2).await, [4, 9].map(|number| task(0, number)));
        assert_eq!(finished(1, 0, 100).await, [task(1, 3)]);
        assert_eq!(finished(1, 4, 100).await, []);
    }

    async fn a_slow_chunk_is_given_to_another_worker_too_and_may_be_finished_by_either(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE * 10).await.unwrap().unwrap().lease;
        let id = &lease.render_id;
        let task = |number| ChunkTask { file: 0, number, changes: 10, name: format!("chunk-{number}") };
        let tasks: Vec<ChunkTask> = (0..3).map(task).collect();
        db.store.offer_chunks(&lease, &tasks, &HashSet::new()).await.unwrap();
        let take = async || db.store.take_chunk(id, 0, Hand::Lead, LEASE * 10).await.unwrap();
        assert_eq!([take().await, take().await], [Taken::Task(task(0)), Taken::Task(task(1))]);
        // A second for as many frames, so three more are allowed, and five for the transfer.
        db.store.finish_chunk(id, "chunk-0", Some(Duration::from_secs(1))).await.unwrap();
        assert_eq!(take().await, Taken::Task(task(2)));
        db.store.finish_chunk(id, "chunk-2", Some(Duration::from_secs(1))).await.unwrap();
        db.pass(Duration::from_millis(8001));
        assert_eq!(take().await, Taken::Later, "no process competes with itself");
        db.sql("UPDATE chunk_task SET owner = 'another' WHERE name = 'chunk-1'".into()).await;
        db.turn_back(Duration::from_millis(1));
        assert_eq!(take().await, Taken::Later, "it is not slow yet");
        db.pass(Duration::from_millis(1));
        assert_eq!(take().await, Taken::Task(task(1)));
        // The slow one ends first after all; the other then changes nothing.
        for _ in 0..2 {
            db.store.finish_chunk(id, "chunk-1", Some(Duration::from_secs(9))).await.unwrap();
            assert_eq!(take().await, Taken::Nothing);
        }
    }
}
