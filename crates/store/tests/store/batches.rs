//! Batches: all renders or none, one end, and no credit lost.

use rondo_store::{
    Account, Answer, Begin, Credits, EventName, Kept, NewBatch, NewRender, Plan, RenderFilter, StoreError,
    new_batch_id,
};
use serde_json::json;

use crate::database::{Database, LEASE, on_both, render_for};
use crate::money::output;

fn batch(db: &Database, account: &Account, count: usize) -> NewBatch {
    let prepare = |number: usize| {
        let new = NewRender { metadata: Some(json!({"number": number})), ..render_for(account) };
        db.store.prepare_render(new).unwrap()
    };
    NewBatch {
        id: new_batch_id(),
        account_id: account.id.clone(),
        template_id: None,
        project_id: None,
        metadata: Some(json!({"campaign": "spring"})),
        webhook_url: Some("https://hooks.test/whole".into()),
        renders: (0..count).map(prepare).collect(),
    }
}

on_both! {
    async fn a_batch_is_created_whole_or_not_at_all(db) {
        let account = db.account("a@b.c", Plan::Creator, 7).await;
        let large = batch(db, &account, 8);
        let refused = db.store.create_batch(&large, None).await;
        assert!(matches!(refused, Err(StoreError::InsufficientCredits { needed, available })
            if needed == Credits::from_whole(8) && available == Credits::from_whole(7)));
        assert!(db.store.batch(&large.id).await.unwrap().is_none());
        assert_eq!(db.store.renders_waiting().await.unwrap(), 0);

        assert_eq!(db.store.begin_idempotent(&account.id, "key", "x").await.unwrap(), Begin::Fresh);
        let answer = Answer { status: 200, body: "accepted".into() };
        let new = batch(db, &account, 7);
        db.store.create_batch(&new, Some(Kept { key: "key", answer: &answer })).await.unwrap();
        assert_eq!(db.store.begin_idempotent(&account.id, "key", "x").await.unwrap(), Begin::Replay(answer));
        assert_eq!(db.credits(&account).await, Credits::ZERO);
        let state = db.store.batch_state(&new.id).await.unwrap();
        assert_eq!((state.pending, state.processing, state.credits), (2, 5, Credits::from_whole(7)));
        let filter = RenderFilter { batch_id: Some(new.id.clone()), ..Default::default() };
        assert_eq!(db.store.renders(&account.id, &filter, &Default::default()).await.unwrap().total, 7);
        let page = db.store.batch_renders(&new.id, 5, 10).await.unwrap();
        let listed: Vec<&str> = page.iter().map(|render| render.id.as_str()).collect();
        assert_eq!(listed, [new.renders[5].id.as_str(), new.renders[6].id.as_str()]);
        db.balanced().await;
    }

    async fn the_last_render_ends_the_batch_and_announces_it_once(db) {
        let account = db.account("a@b.c", Plan::Creator, 3).await;
        db.store.create_webhook(&account.id, "https://hooks.test/x", &[EventName::BatchCompleted]).await.unwrap();
        let new = batch(db, &account, 3);
        db.store.create_batch(&new, None).await.unwrap();
        for number in 0..3 {
            assert!(db.store.claim_deliveries(10, LEASE).await.unwrap().is_empty());
            assert!(db.store.batch(&new.id).await.unwrap().unwrap().completed_at.is_none());
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            match number {
                1 => db.store.fail(&claimed.lease, "No.").await.map(drop).unwrap(),
                _ => db.store.complete(&claimed.lease, &output(&format!("{number}.mp4"))).await.map(drop).unwrap(),
            }
        }
        let batch = db.store.batch(&new.id).await.unwrap().unwrap();
        assert_eq!((batch.total, batch.completed_at), (3, Some(db.store.now())));
        let state = db.store.batch_state(&new.id).await.unwrap();
        assert_eq!((state.completed, state.failed, state.progress), (2, 1, 100));
        let due = db.store.claim_deliveries(10, LEASE).await.unwrap();
        let urls: Vec<&str> = due.iter().map(|delivery| delivery.url.as_str()).collect();
        assert_eq!(urls, ["https://hooks.test/x", "https://hooks.test/whole"]);
        for delivery in due {
            let body: serde_json::Value = serde_json::from_str(&delivery.body).unwrap();
            assert_eq!((&body["event"], &body["data"]["batchId"]), (&json!("batch.completed"), &json!(new.id)));
            assert_eq!((&body["data"]["completed"], &body["data"]["failed"]), (&json!(2), &json!(1)));
        }
        db.balanced().await;
    }

    async fn a_cancelled_batch_ends_every_render_and_starts_none(db) {
        let account = db.account("a@b.c", Plan::None, 250).await;
        let new = batch(db, &account, 230);
        db.store.create_batch(&new, None).await.unwrap();
        let running = db.store.claim(LEASE).await.unwrap().unwrap();
        let first = db.store.batch(&new.id).await.unwrap().unwrap();
        assert_eq!(db.store.cancel_batch(&first).await.unwrap().len(), 230);
        assert!(matches!(
            db.store.complete(&running.lease, &output("x.mp4")).await,
            Err(StoreError::LostLease { .. })
        ));
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        assert!(db.store.cancel_batch(&first).await.unwrap().is_empty());
        let state = db.store.batch_state(&new.id).await.unwrap();
        assert_eq!((state.failed, state.credits), (230, Credits::ZERO));
        assert!(db.store.batch(&new.id).await.unwrap().unwrap().completed_at.is_some());
        assert_eq!(db.credits(&account).await, Credits::from_whole(250));
        db.balanced().await;
    }
}
