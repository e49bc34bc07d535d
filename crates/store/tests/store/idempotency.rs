//! Idempotency keys.

use std::time::Duration;

use rondo_store::{Answer, Begin, Idempotent, Plan, StoreError};

use crate::database::{all, on_both, render_for};
use crate::work::token_of_a_killed_process;

fn answered<'a>(key: &'a str) -> Idempotent<'a> {
    Idempotent { key, answer: Box::new(|render| Answer { status: 200, body: render.id.clone() }) }
}

on_both! {
    async fn a_repeated_request_gets_the_stored_response(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let begin = async |fingerprint: &'static str| {
            db.store.begin_idempotent(&account.id, "key", fingerprint).await.unwrap()
        };
        assert_eq!(begin("one").await, Begin::Fresh);
        assert_eq!(begin("one").await, Begin::Running);
        assert_eq!(begin("two").await, Begin::Reused);
        let render = db.store.create_render(&render_for(&account), Some(answered("key"))).await.unwrap();
        assert_eq!(begin("one").await, Begin::Replay(Answer { status: 200, body: render.id.clone() }));
        assert_eq!(begin("two").await, Begin::Reused);
        let second = db.store.create_render(&render_for(&account), Some(answered("key"))).await;
        assert!(matches!(second, Err(StoreError::LostIdempotencyKey)));
        assert_eq!(db.credits(&account).await.whole(), 4);

        let other = db.account("d@e.f", Plan::None, 5).await;
        assert_eq!(db.store.begin_idempotent(&other.id, "key", "two").await.unwrap(), Begin::Fresh);
        db.pass(Duration::from_secs(86_400));
        assert_eq!(begin("two").await, Begin::Fresh);
    }

    async fn a_rejected_request_releases_its_key(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        assert_eq!(db.store.begin_idempotent(&account.id, "key", "one").await.unwrap(), Begin::Fresh);
        assert!(db.store.create_render(&render_for(&account), Some(answered("key"))).await.is_err());
        db.store.abandon_idempotent(&account.id, "key").await.unwrap();
        assert_eq!(db.store.begin_idempotent(&account.id, "key", "two").await.unwrap(), Begin::Fresh);
        let answer = Answer { status: 200, body: "{}".into() };
        db.store.finish_idempotent(&account.id, "key", &answer).await.unwrap();
        db.store.abandon_idempotent(&account.id, "key").await.unwrap();
        assert_eq!(db.store.begin_idempotent(&account.id, "key", "two").await.unwrap(), Begin::Replay(answer));
    }

    async fn one_of_many_concurrent_requests_runs(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let begins = all((0..20).map(|_| {
            let (store, id) = (db.store.clone(), account.id.clone());
            async move { store.begin_idempotent(&id, "key", "one").await.unwrap() }
        }))
        .await;
        assert_eq!(begins.iter().filter(|begin| **begin == Begin::Fresh).count(), 1);
        assert_eq!(begins.iter().filter(|begin| **begin == Begin::Running).count(), 19);
    }

    async fn the_key_of_a_crashed_process_is_released(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let dead = token_of_a_killed_process(db).await;
        db.store.begin_idempotent(&account.id, "key", "one").await.unwrap();
        db.sql(format!("UPDATE idempotency SET owner = '{dead}' WHERE key = 'key'")).await;
        assert_eq!(db.store.begin_idempotent(&account.id, "key", "one").await.unwrap(), Begin::Fresh);

        db.store.begin_idempotent(&account.id, "far", "one").await.unwrap();
        db.sql("UPDATE idempotency SET owner = 'another-machine' WHERE key = 'far'".into()).await;
        assert_eq!(db.store.begin_idempotent(&account.id, "far", "one").await.unwrap(), Begin::Running);
        db.pass(Duration::from_secs(120));
        assert_eq!(db.store.begin_idempotent(&account.id, "far", "one").await.unwrap(), Begin::Fresh);
        db.pass(Duration::from_secs(86_401));
        assert_eq!(db.store.purge_idempotency().await.unwrap(), 3);
    }
}
