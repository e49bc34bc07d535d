//! Faults of the machine: a full disk, callers that stop waiting, damaged files, other schemas and absent servers.

use std::io::{Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use rondo_store::{Outage, Plan, Settings, Store, StoreError};
use tokio::time::timeout;

use crate::database::{Database, LEASE, on_both, render_for};

/// SQLite rolls back by itself when the disk is full, as it does when a trigger asks for it.
#[tokio::test]
async fn writes_work_again_after_the_database_rolled_back_by_itself() {
    let db = Database::sqlite().await;
    let account = db.account("a@b.c", Plan::None, 5).await;
    db.sql("CREATE TRIGGER full BEFORE INSERT ON api_key BEGIN SELECT RAISE(ROLLBACK, 'full'); END".into())
        .await;
    for _ in 0..3 {
        assert!(db.store.create_key(&account.id, None).await.is_err());
        db.store.create_render(&render_for(&account), None).await.unwrap();
    }
    db.sql("DROP TRIGGER full".into()).await;
    db.store.create_key(&account.id, None).await.unwrap();
    db.balanced().await;
}

on_both! {
    async fn callers_that_stop_waiting_leave_no_transaction_open(db) {
        let account = db.account("a@b.c", Plan::Business, 200).await;
        for step in 0..150_u64 {
            let render = render_for(&account);
            let write = db.store.create_render(&render, None);
            // Stops before, within and after BEGIN, the statements and COMMIT.
            let _ = timeout(Duration::from_micros(step * 40), write).await;
        }
        let open = "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity \
             WHERE application_name = current_setting('application_name') AND state LIKE 'idle in transaction%'";
        let started = Instant::now();
        while db.url.starts_with("postgres") && db.text(open).await != "0" {
            assert!(started.elapsed() < Duration::from_secs(10), "a transaction stays open");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        db.store.create_render(&render_for(&account), None).await.unwrap();
    }

    async fn a_schema_that_needs_a_newer_version_is_refused_with_a_sentence(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        db.store.check().await.unwrap();
        db.migrate_further(9998).await;
        let running = db.store.check().await.unwrap_err();
        assert!(matches!(running, StoreError::NewerSchema { found: 9999, oldest: 9998, .. }), "{running}");
        let claim = db.store.claim(LEASE).await.unwrap_err();
        assert!(matches!(claim, StoreError::NewerSchema { .. }), "{claim}");
        let Err(start) = Store::open(&db.url, Settings::default()).await else { panic!("it was opened") };
        let sentence = "The database has schema version 9999, which needs a program of schema version 9998 or newer.";
        assert!(start.to_string().starts_with(sentence), "{start}");
    }
}

#[tokio::test]
async fn a_damaged_database_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rondo.db");
    let refused = async || {
        let started = Instant::now();
        let Err(error) = Store::open_folder(folder.path(), Settings::default()).await else {
            panic!("it was opened")
        };
        assert!(started.elapsed() < Duration::from_secs(10));
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().ends_with("Restore it from a backup."), "{error}");
    };
    std::fs::write(&path, "This is no database. ".repeat(1000)).unwrap();
    refused().await;

    std::fs::remove_file(&path).unwrap();
    let store = Store::open_folder(folder.path(), Settings::default()).await.unwrap();
    store.close().await;
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    let length = file.metadata().unwrap().len();
    assert!(length > 100_000, "{length}");
    file.seek(SeekFrom::Start(length / 2)).unwrap();
    file.write_all(&[0xa5; 40_000]).unwrap();
    drop(file);
    refused().await;
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_named_at_once() {
    let started = Instant::now();
    let Err(error) = Store::open("postgres://postgres@127.0.0.1:1/rondo", Settings::default()).await else {
        panic!("it was opened")
    };
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(error.to_string().contains("refused"), "{error}");
    assert_eq!(error.outage(), Some(Outage::DatabaseAway));
}
