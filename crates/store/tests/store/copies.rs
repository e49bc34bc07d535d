//! Destinations, and the outbox of copies.

use std::time::Duration;

use rondo_store::{
    Account, CopyOutcome, CopyState, Destination, DueCopy, MOST_DESTINATIONS, MasterKey, NewDestination,
    Plan, Render, RenderCopy, StoreError,
};
use serde_json::{Value, json};

use crate::database::{Database, LEASE, all, on_both, render_for};
use crate::money::output;
use crate::work::token_of_a_killed_process;

fn secret() -> Value {
    json!({"key": "hunter2"})
}

async fn destination(db: &Database, account: &Account, name: &str) -> Destination {
    let credentials = secret();
    let new =
        NewDestination { name, url: "s3://films", endpoint: None, region: None, credentials: &credentials };
    db.store.create_destination(&account.id, new).await.unwrap()
}

/// Completes a render that names the destination `films`.
async fn completed(db: &Database, account: &Account) -> Render {
    let mut new = render_for(account);
    new.output = Some(json!({"destination": "films"}));
    db.store.create_render(&new, None).await.unwrap();
    let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
    db.store.complete(&claimed.lease, &output("film")).await.unwrap()
}

async fn claim(db: &Database) -> Option<DueCopy> {
    db.store.claim_copy(LEASE).await.unwrap()
}

async fn copy_of(db: &Database, render: &Render) -> RenderCopy {
    db.store.render(&render.id).await.unwrap().unwrap().copy.unwrap()
}

on_both! {
    async fn an_account_has_at_most_twenty_destinations_each_with_a_name_of_its_own(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let results = all((0..30).map(|index| {
            let (store, id) = (db.store.clone(), account.id.clone());
            async move {
                let (name, credentials) = (format!("films-{index}"), secret());
                let new = NewDestination { name: &name, url: "s3://films", endpoint: None, region: None, credentials: &credentials };
                store.create_destination(&id, new).await
            }
        }))
        .await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), MOST_DESTINATIONS as usize);
        let error = results.into_iter().find_map(Result::err).unwrap();
        assert!(matches!(error, StoreError::DestinationLimit { limit: 20 }), "{error}");
        let known = db.store.destinations(&account.id).await.unwrap();
        let other = db.account("d@e.f", Plan::None, 0).await;
        assert!(db.store.delete_destination(&other.id, &known[0].id).await.unwrap().is_none());
        assert!(db.store.destination_named(&other.id, &known[0].name).await.unwrap().is_none());
        assert_eq!(db.store.delete_destination(&account.id, &known[0].id).await.unwrap().as_ref(), Some(&known[0]));
        assert!(db.store.delete_destination(&account.id, &known[1].name).await.unwrap().is_some());
        destination(db, &account, "films").await;
        destination(db, &other, "films").await;
        let credentials = secret();
        let new = NewDestination { name: "films", url: "s3://x", endpoint: None, region: None, credentials: &credentials };
        let error = db.store.create_destination(&account.id, new).await.unwrap_err();
        assert!(matches!(error, StoreError::DestinationExists { .. }), "{error}");
    }

    async fn credentials_are_encrypted_and_survive_a_new_master_key(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        destination(db, &account, "films").await;
        completed(db, &account).await;
        let stored = db.text("SELECT credentials FROM destination").await;
        assert!(stored.starts_with("enc1:") && !stored.contains("hunter2"), "{stored}");
        let key = MasterKey::generate();
        db.store.rotate_master_key(&key).await.unwrap();
        let store = db.open_with(key).await.unwrap();
        assert_eq!(store.claim_copy(LEASE).await.unwrap().unwrap().credentials, secret());
    }

    async fn a_copy_is_made_once_by_whoever_holds_its_lease(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let to = destination(db, &account, "films").await;
        let render = completed(db, &account).await;
        assert_eq!(render.copy, Some(RenderCopy { state: CopyState::Due, urls: Vec::new(), error: None }));
        let mut first = claim(db).await.unwrap();
        assert_eq!((&first.destination, &first.files, first.attempt), (&to, &vec!["film.mp4".to_owned()], 1));
        assert!(claim(db).await.is_none());
        db.pass(LEASE / 2);
        db.store.renew_copy(&first, LEASE).await.unwrap();
        db.pass(LEASE / 2 + Duration::from_secs(1));
        assert!(claim(db).await.is_none(), "the lease was renewed");
        first.urls.push("s3://films/film.mp4".to_owned());
        first.segments = 7;
        db.store.note_copied(&first).await.unwrap();

        // Its process hangs, then another one is killed.
        db.pass(LEASE);
        let second = claim(db).await.unwrap();
        assert_eq!((&second.urls, second.segments, second.attempt), (&first.urls, 7, 2));
        for late in [
            db.store.finish_copy(&first, &CopyOutcome::Copied).await,
            db.store.note_copied(&first).await,
            db.store.renew_copy(&first, LEASE).await,
        ] {
            assert!(matches!(late, Err(StoreError::LostLease { .. })));
        }
        db.sql(format!("UPDATE render_copy SET owner = '{}'", token_of_a_killed_process(db).await)).await;
        let third = claim(db).await.unwrap();
        let at = db.store.now().plus(Duration::from_secs(60));
        db.store.finish_copy(&third, &CopyOutcome::RetryAt(at, "away\0".to_owned())).await.unwrap();
        let copy = copy_of(db, &render).await;
        assert_eq!((copy.state, copy.error.as_deref()), (CopyState::Due, Some("away\u{fffd}")));
        assert!(claim(db).await.is_none());
        db.pass(Duration::from_secs(61));
        let last = claim(db).await.unwrap();
        db.store.finish_copy(&last, &CopyOutcome::Copied).await.unwrap();
        let copy = copy_of(db, &render).await;
        assert_eq!((copy.state, &copy.urls, &copy.error), (CopyState::Copied, &first.urls, &None));
        db.pass(LEASE * 9);
        assert!(claim(db).await.is_none());
    }

    async fn one_account_does_not_hold_up_the_copies_of_others(db) {
        let (many, one) = (db.account("a@b.c", Plan::Business, 9).await, db.account("d@e.f", Plan::None, 9).await);
        for account in [&many, &one] {
            destination(db, account, "films").await;
        }
        for _ in 0..4 {
            completed(db, &many).await;
        }
        completed(db, &one).await;
        let mut owners = Vec::new();
        while let Some(copy) = claim(db).await {
            owners.push(copy.destination.account_id);
        }
        assert_eq!(owners, [many.id.clone(), many.id, one.id]);
    }

    async fn deleting_a_destination_or_the_files_fails_copies_that_are_not_made(db) {
        let account = db.account("a@b.c", Plan::None, 9).await;
        destination(db, &account, "films").await;
        let made = completed(db, &account).await;
        let copy = claim(db).await.unwrap();
        db.store.finish_copy(&copy, &CopyOutcome::Copied).await.unwrap();
        let (due, without_files) = (completed(db, &account).await, completed(db, &account).await);
        let claimed = claim(db).await.unwrap();
        assert_eq!(claimed.render_id, due.id);
        db.store.forget_output(&without_files.id).await.unwrap();
        db.store.forget_output(&made.id).await.unwrap();
        let copy = copy_of(db, &without_files).await;
        assert_eq!(copy.state, CopyState::Failed);
        assert!(copy.error.unwrap().contains("were deleted"));
        assert_eq!(copy_of(db, &made).await.state, CopyState::Copied);

        let mut new = render_for(&account);
        new.output = Some(json!({"destination": "films"}));
        let running = db.store.create_render(&new, None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.delete_destination(&account.id, "films").await.unwrap().unwrap();
        let late = db.store.finish_copy(&claimed, &CopyOutcome::Copied).await;
        assert!(matches!(late, Err(StoreError::LostLease { .. })));
        let ended = db.store.complete(&lease, &output("film")).await.unwrap();
        assert_eq!(ended.id, running.id);
        for render in [due, ended] {
            let copy = copy_of(db, &render).await;
            assert_eq!((copy.state, copy.error.as_deref()), (CopyState::Failed, Some("The destination was deleted.")));
        }
        assert!(claim(db).await.is_none());
        let mut failed = render_for(&account);
        failed.output = Some(json!({"destination": "films"}));
        let failed = db.store.create_render(&failed, None).await.unwrap();
        db.store.cancel(&failed.id).await.unwrap();
        assert_eq!(db.store.render(&failed.id).await.unwrap().unwrap().copy, None);
        db.balanced().await;
    }
}
