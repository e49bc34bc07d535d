//! Two versions on one database, as during a rolling update.

use std::collections::HashSet;

use rondo_store::{ChunkTask, EventName, Hand, Page, Plan, RenderFilter, RenderStatus, Taken, WebhookChange};

use crate::database::{LEASE, on_both, render_for};
use crate::money::output;

fn chunk(name: &str, number: u32) -> ChunkTask {
    ChunkTask { file: 0, number, changes: 60, name: name.to_owned() }
}

on_both! {
    async fn a_newer_schema_that_allows_this_version_is_used(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.migrate_further(25).await;
        db.store.check().await.unwrap();
        let late = db.again().await;
        late.check().await.unwrap();
        late.create_render(&render_for(&account), None).await.unwrap();
        let lease = late.claim(LEASE).await.unwrap().unwrap().lease;
        assert_eq!(late.complete(&lease, &output("x")).await.unwrap().status, RenderStatus::Completed);
        // It opens again: nothing holds the lock of migrations.
        db.again().await.check().await.unwrap();
    }

    async fn a_render_that_a_version_does_not_understand_waits_for_a_newer_worker(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.sql("UPDATE task SET made_by = 999000000".into()).await;
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(claimed.is_newer);
        db.store.leave_to_newer(&claimed.lease).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        assert!(!db.store.has_ready_renders().await.unwrap());
        // Nor does it wait for a worker of this version.
        assert_eq!(db.store.queue_depth().await.unwrap().ready, 0);

        // Those of this version do not wait for it.
        db.store.create_render(&render_for(&account), None).await.unwrap();
        assert!(db.store.has_ready_renders().await.unwrap());
        let own = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(!own.is_newer && own.render.id != render.id);
        db.store.complete(&own.lease, &output("own")).await.unwrap();

        // A worker that is new enough takes it, as if it had not been claimed before.
        db.sql("UPDATE task SET needs = 0, made_by = 1".into()).await;
        let newer = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(newer.render.id == render.id && !newer.is_newer);
        assert_eq!(db.store.complete(&newer.lease, &output("x")).await.unwrap().status, RenderStatus::Completed);
    }

    async fn a_row_with_a_value_of_a_newer_version_is_left_to_it(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let unknown = db.store.create_render(&render_for(&account), None).await.unwrap();
        let known = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.sql(format!("UPDATE render SET mode = 'hologram' WHERE id = '{}'", unknown.id)).await;
        db.sql(format!("UPDATE task SET made_by = 999000000 WHERE render_id = '{}'", unknown.id)).await;
        // The first one is left to others.
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(claimed.render.id, known.id);
        db.store.complete(&claimed.lease, &output("x")).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());

        // Lists show the rest, and go on behind it.
        let page = Page { limit: Some(1), cursor: None };
        let first = db.store.renders(&account.id, &RenderFilter::default(), &page).await.unwrap();
        assert_eq!((first.items.len(), first.items[0].id.as_str()), (1, known.id.as_str()));
        assert!(first.next_cursor.is_some());
        let page = Page { limit: Some(1), cursor: first.next_cursor };
        let second = db.store.renders(&account.id, &RenderFilter::default(), &page).await.unwrap();
        assert!(second.items.is_empty() && second.next_cursor.is_none());

        db.store.create_key(&account.id, None).await.unwrap();
        let key = db.store.create_key(&account.id, None).await.unwrap().key;
        db.sql(format!("UPDATE api_key SET access = 'dream' WHERE id = '{}'", key.id)).await;
        assert_eq!(db.store.keys(&account.id).await.unwrap().len(), 1);
    }

    async fn an_event_of_a_newer_version_does_not_keep_a_render_from_ending(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook =
            db.store.create_webhook(&account.id, "https://hooks.test/x", &EventName::DEFAULT).await.unwrap();
        let events = r#"["render.completed","render.imagined"]"#;
        db.sql(format!("UPDATE webhook SET events = '{events}'")).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.complete(&lease, &output("x")).await.unwrap();

        // This version keeps the event of the other, and sends what the other announces.
        let change = WebhookChange { is_active: Some(true), ..WebhookChange::default() };
        let changed = db.store.update_webhook(&account.id, &webhook.id, &change).await.unwrap();
        assert_eq!(changed.events, [EventName::RenderCompleted]);
        assert_eq!(db.text("SELECT events FROM webhook").await, events);
        db.sql("UPDATE delivery SET event = 'render.imagined'".into()).await;
        assert!(db.store.deliveries(&webhook.id, 10).await.unwrap().is_empty());
        assert_eq!(db.store.claim_deliveries(10, LEASE).await.unwrap().len(), 1);
    }

    async fn chunks_of_another_engine_are_not_taken(db) {
        let (old, new) = (db.with_engine("old").await, db.with_engine("new").await);
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let led = old.claim(LEASE).await.unwrap().unwrap();
        let (id, none) = (led.render.id.as_str(), HashSet::new());
        let offered = [chunk("a", 0), chunk("b", 1), chunk("c", 2)];
        old.offer_chunks(&led.lease, &offered, &none).await.unwrap();

        assert!(new.help(&none, LEASE).await.unwrap().is_none());
        assert!(!new.others_need_help("another").await.unwrap());
        assert_eq!(new.take_chunk(id, 0, Hand::Helper, LEASE).await.unwrap(), Taken::Later);
        let (_, helped) = old.help(&none, LEASE).await.unwrap().unwrap();
        assert_eq!(helped, offered[0]);
        old.finish_chunk(id, "a", None).await.unwrap();

        // Another version goes on with the film. It offers chunks of its own, and takes no other.
        old.hand_back(&led.lease).await.unwrap();
        let taken_over = new.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(taken_over.render.id, id);
        assert_eq!(new.take_chunk(id, 0, Hand::Lead, LEASE).await.unwrap(), Taken::Nothing);
        new.offer_chunks(&taken_over.lease, &[chunk("d", 0), chunk("e", 1)], &none).await.unwrap();
        assert_eq!(new.take_chunk(id, 0, Hand::Lead, LEASE).await.unwrap(), Taken::Task(chunk("d", 0)));
        assert_eq!(new.take_chunk(id, 0, Hand::Lead, LEASE).await.unwrap(), Taken::Task(chunk("e", 1)));
        assert!(old.help(&none, LEASE).await.unwrap().is_none());
        assert!(new.is_chunk_finished(id, "a").await.unwrap(), "what is done stays");
    }

    async fn a_lead_of_the_same_engine_offers_again_what_is_not_done(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        let (id, none) = (first.render.id.as_str(), HashSet::new());
        let offered = [chunk("a", 0), chunk("b", 1)];
        db.store.offer_chunks(&first.lease, &offered, &none).await.unwrap();
        db.store.finish_chunk(id, "a", None).await.unwrap();
        db.store.hand_back(&first.lease).await.unwrap();
        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        db.store.offer_chunks(&second.lease, &offered, &none).await.unwrap();
        assert_eq!(db.store.take_chunk(id, 0, Hand::Lead, LEASE).await.unwrap(), Taken::Task(chunk("b", 1)));
        db.store.finish_chunk(id, "b", None).await.unwrap();
        assert_eq!(db.store.take_chunk(id, 0, Hand::Lead, LEASE).await.unwrap(), Taken::Nothing);
    }
}
