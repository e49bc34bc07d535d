//! Webhooks and deliveries.

use std::time::Duration;

use rondo_store::{
    ACTIVE_WEBHOOKS, Attempt, DeliveryState, DueDelivery, EventName, Outcome, Plan, StoreError, Time,
};
use serde_json::{Value, json};

use crate::database::{Database, LEASE, all, on_both, render_for};
use crate::money::output;
use crate::work::token_of_a_killed_process;

fn attempt(at: Time, status: u16) -> Attempt {
    Attempt { at, status: Some(status), error: None, ms: 12, response: Some("ok\0".into()) }
}

async fn due(db: &Database) -> Vec<DueDelivery> {
    db.store.claim_deliveries(100, LEASE).await.unwrap()
}

on_both! {
    async fn an_account_has_at_most_five_active_webhooks(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let results = all((0..20).map(|_| {
            let (store, id) = (db.store.clone(), account.id.clone());
            async move { store.create_webhook(&id, "https://hooks.test/x", &EventName::ALL).await }
        }))
        .await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), ACTIVE_WEBHOOKS as usize);
        let error = results.into_iter().find_map(Result::err).unwrap();
        assert!(matches!(error, StoreError::WebhookLimit { limit: 5, active: 5 }), "{error}");

        let webhooks = db.store.webhooks(&account.id).await.unwrap();
        assert!(webhooks.iter().all(|webhook| webhook.secret.starts_with("whsec_") && webhook.is_active));
        let other = db.account("d@e.f", Plan::None, 0).await;
        assert!(!db.store.delete_webhook(&other.id, &webhooks[0].id).await.unwrap());
        assert!(db.store.webhook(&other.id, &webhooks[0].id).await.unwrap().is_none());
        assert!(db.store.delete_webhook(&account.id, &webhooks[0].id).await.unwrap());
        let rotated = db.store.rotate_webhook_secret(&account.id, &webhooks[1].id).await.unwrap();
        assert_ne!(rotated.secret, webhooks[1].secret);
        db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
    }

    async fn a_replaced_secret_signs_for_a_day_and_is_then_cleared(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        let rotated = db.store.rotate_webhook_secret(&account.id, &webhook.id).await.unwrap();
        assert_eq!(rotated.old_secret.map(|(secret, _)| secret), Some(webhook.secret.clone()));
        for expected in [Some(webhook.secret.clone()), None] {
            db.store.create_render(&render_for(&account), None).await.unwrap();
            let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
            db.store.complete(&lease, &output("film")).await.unwrap();
            let delivery = due(db).await.remove(0);
            assert_eq!((delivery.secret, delivery.old_secret), (Some(rotated.secret.clone()), expected));
            db.pass(Duration::from_secs(24 * 3600));
        }
        assert_eq!(db.store.purge_old_secrets().await.unwrap(), 1);
        let webhook = db.store.webhook(&account.id, &webhook.id).await.unwrap().unwrap();
        assert!(webhook.old_secret.is_none() && webhook.secret == rotated.secret);
        assert_eq!(db.store.purge_old_secrets().await.unwrap(), 0);
    }

    async fn an_event_is_sent_to_its_subscribers_with_the_documented_body(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let both = db.store.create_webhook(&account.id, "https://hooks.test/both", &EventName::ALL).await.unwrap();
        db.store.create_webhook(&account.id, "https://hooks.test/failed", &[EventName::RenderFailed]).await.unwrap();
        let mut new = render_for(&account);
        new.webhook_url = Some("https://hooks.test/once".into());
        new.metadata = Some(json!({"order": 7}));
        let render = db.store.create_render(&new, None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.pass(Duration::from_millis(1500));
        db.store.complete(&lease, &output("film")).await.unwrap();

        let deliveries = due(db).await;
        let urls: Vec<_> = deliveries.iter().map(|delivery| delivery.url.as_str()).collect();
        assert_eq!(urls, ["https://hooks.test/both", "https://hooks.test/once"]);
        assert_eq!((&deliveries[0].webhook_id, &deliveries[0].secret), (&Some(both.id), &Some(both.secret)));
        assert_eq!((&deliveries[1].webhook_id, &deliveries[1].secret), (&None, &None));
        let expected = format!(
            r#"{{"event":"render.completed","deliveryId":"{}","timestamp":"2027-01-15T08:00:01.500Z","data":{{"jobId":"{}","status":"COMPLETED","outputUrl":"https://films.test/film.mp4","outputSize":1234,"outputs":[{{"format":"mp4","url":"https://films.test/film.mp4","size":1234,"width":1920,"height":1080}}],"durationInFrames":60,"width":1920,"height":1080,"fps":30,"creditsUsed":1,"duration":1500,"completedAt":"2027-01-15T08:00:01.500Z","metadata":{{"order":7}}}}}}"#,
            deliveries[0].id, render.id
        );
        assert_eq!(deliveries[0].body, expected);
        let once: Value = serde_json::from_str(&deliveries[1].body).unwrap();
        assert!(once.get("deliveryId").is_none());
        assert_eq!(once["data"]["jobId"], render.id);
    }

    async fn a_failure_event_has_no_output(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.fail(&lease, "No such picture.").await.unwrap();
        let delivery = &due(db).await[0];
        let body: Value = serde_json::from_str(&delivery.body).unwrap();
        assert_eq!(body["event"], "render.failed");
        assert_eq!(body["data"]["errorMessage"], "No such picture.");
        assert_eq!((&body["data"]["creditsUsed"], &body["data"]["status"]), (&json!(0), &json!("FAILED")));
        let fields = body["data"].as_object().unwrap();
        assert!(!fields.contains_key("outputUrl") && !fields.values().any(Value::is_null));
    }

    async fn an_abandoned_delivery_is_due_again_under_the_same_id(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.store.cancel(&render.id).await.unwrap();
        let first = due(db).await.remove(0);
        assert!(due(db).await.is_empty());
        db.pass(LEASE * 2);
        let second = due(db).await.remove(0);
        assert_eq!((&second.id, &second.body, second.attempt), (&first.id, &first.body, 1));
        let late = db.store.record_attempt(&first, &attempt(db.store.now(), 200), Outcome::Delivered).await;
        assert!(matches!(late, Err(StoreError::LostLease { .. })));

        db.sql(format!("UPDATE delivery SET owner = '{}'", token_of_a_killed_process(db).await)).await;
        let third = due(db).await.remove(0);
        assert_eq!(third.id, first.id);
        db.store.record_attempt(&third, &attempt(db.store.now(), 200), Outcome::Delivered).await.unwrap();
        assert!(due(db).await.is_empty());
        let deliveries = db.store.deliveries(&webhook.id, 10).await.unwrap();
        assert_eq!((deliveries.len(), deliveries[0].state), (1, DeliveryState::Delivered));
        assert_eq!(deliveries[0].render_id.as_deref(), Some(render.id.as_str()));
    }

    async fn every_attempt_is_recorded(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.store.cancel(&render.id).await.unwrap();
        let first = due(db).await.remove(0);
        let now = db.store.now();
        let refused = Attempt { status: None, error: Some("connection refused".into()), ..attempt(now, 0) };
        db.store.record_attempt(&first, &refused, Outcome::RetryAt(now.plus(Duration::from_secs(1)))).await.unwrap();
        assert!(due(db).await.is_empty());
        db.pass(Duration::from_secs(1));
        let second = due(db).await.remove(0);
        assert_eq!((&second.id, second.attempt), (&first.id, 2));
        db.store.record_attempt(&second, &attempt(db.store.now(), 500), Outcome::Failed).await.unwrap();
        assert!(due(db).await.is_empty());

        let delivery = db.store.deliveries(&webhook.id, 10).await.unwrap().remove(0);
        assert_eq!((delivery.state, delivery.attempts.len()), (DeliveryState::Failed, 2));
        assert_eq!(delivery.attempts[0].attempt.error.as_deref(), Some("connection refused"));
        assert_eq!((delivery.attempts[1].number, delivery.attempts[1].attempt.status), (2, Some(500)));
        assert_eq!(db.store.purge_deliveries(db.store.now().plus(Duration::from_secs(1))).await.unwrap(), 1);
        assert!(db.store.deliveries(&webhook.id, 10).await.unwrap().is_empty());
    }

    async fn deliveries_are_claimed_oldest_first_and_listed_with_their_own_attempts(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        let other = db.store.create_webhook(&account.id, "https://hooks.test/y", &EventName::ALL).await.unwrap();
        for _ in 0..3 {
            db.store.create_render(&render_for(&account), None).await.unwrap();
            let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
            db.pass(Duration::from_secs(1));
            db.store.fail(&lease, "x").await.unwrap();
        }
        let first = db.store.claim_deliveries(4, LEASE).await.unwrap();
        let second = db.store.claim_deliveries(4, LEASE).await.unwrap();
        let ids: Vec<_> = first.iter().chain(&second).map(|delivery| delivery.id.clone()).collect();
        assert!((first.len(), second.len()) == (4, 2) && ids.is_sorted());
        assert!(first.iter().all(|delivery| delivery.secret.is_some() && delivery.attempt == 1));
        for (count, delivery) in (200..).zip(first.iter().chain(&second)) {
            db.store.record_attempt(delivery, &attempt(db.store.now(), count), Outcome::Delivered).await.unwrap();
        }
        let statuses = async |webhook_id: &str, limit| -> Vec<_> {
            let listed = db.store.deliveries(webhook_id, limit).await.unwrap();
            listed.iter().map(|one| (one.attempts.len(), one.attempts[0].attempt.status)).collect()
        };
        assert_eq!(statuses(&webhook.id, 2).await, [(1, Some(204)), (1, Some(202))]);
        assert_eq!(statuses(&other.id, 9).await, [(1, Some(205)), (1, Some(203)), (1, Some(201))]);
        assert!(db.store.deliveries("whk_unknown", 9).await.unwrap().is_empty());
    }

    async fn deleting_a_webhook_never_blocks_an_ending_render(db) {
        let account = db.account("a@b.c", Plan::Business, 20).await;
        for _ in 0..10 {
            let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
            db.store.create_render(&render_for(&account), None).await.unwrap();
            let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
            let ending = tokio::spawn({
                let store = db.store.clone();
                async move { store.complete(&lease, &output("film")).await }
            });
            let deleting = tokio::spawn({
                let (store, account_id) = (db.store.clone(), account.id.clone());
                async move { store.delete_webhook(&account_id, &webhook.id).await }
            });
            ending.await.unwrap().unwrap();
            assert!(deleting.await.unwrap().unwrap());
        }
        assert!(due(db).await.is_empty());
    }

    async fn a_webhook_is_deactivated_after_twenty_failures_over_five_days(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let webhook = db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::ALL).await.unwrap();
        let data = rondo_store::EventData {
            job_id: "job_test".into(),
            project_id: None,
            status: rondo_store::RenderStatus::Completed,
            output_url: None,
            output_size: None,
            outputs: Vec::new(),
            duration_in_frames: 1,
            width: 2,
            height: 2,
            fps: 30,
            credits_used: 0,
            duration: None,
            completed_at: None,
            error_message: None,
            metadata: None,
            batch_id: None,
            test: false,
        };
        let fail = async |outcome| {
            let id = db.store.enqueue_test(&webhook, EventName::RenderCompleted, Some("job_test"), &data).await.unwrap();
            let delivery = due(db).await.remove(0);
            assert_eq!(delivery.id, id);
            db.store.record_attempt(&delivery, &attempt(db.store.now(), 500), outcome).await.unwrap();
        };
        let active = async || db.store.webhook(&account.id, &webhook.id).await.unwrap().unwrap().is_active;
        for _ in 0..25 {
            fail(Outcome::Failed).await;
        }
        assert!(active().await, "twenty-five failures within a moment");
        fail(Outcome::Delivered).await;
        for _ in 0..19 {
            fail(Outcome::Failed).await;
        }
        db.pass(Duration::from_secs(5 * 86_400));
        assert!(active().await);
        fail(Outcome::Failed).await;
        assert!(!active().await, "twenty failures over five days");
        db.store.reactivate_webhook(&webhook.id).await.unwrap();
        assert!(active().await);
        fail(Outcome::Failed).await;
        assert!(active().await);
    }
}
