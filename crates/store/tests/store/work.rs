//! The queue: leases, crashes, fairness, plan limits and lists.

use std::time::Duration;

use rondo_store::{
    Cancellation, MAX_CHILD_CRASHES_IN_ALL, MAX_CRASHES, MAX_FAILURES, Mode, NewRender, Page, Plan,
    QueueDepth, RenderChange, RenderFilter, RenderStatus, Retry, SUSPECT_PATIENCE, Signal, StoreError,
};
use serde_json::json;

use crate::database::{Database, LEASE, all, on_both, render_for};
use crate::money::output;

async fn status(db: &Database, id: &str) -> RenderStatus {
    db.store.render(id).await.unwrap().unwrap().status
}

on_both! {
    async fn a_worker_without_its_lease_changes_nothing(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        db.pass(LEASE + Duration::from_millis(1));
        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!((second.attempt, &second.render.id), (2, &first.render.id));

        assert!(matches!(db.store.complete(&first.lease, &output("x")).await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.fail(&first.lease, "x").await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.renew(&first.lease, LEASE).await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.set_progress(&first.lease, 50).await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.hand_back(&first.lease).await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.note_chunk_finished(&first.lease).await, Err(StoreError::LostLease { .. })));
        assert_eq!(db.store.render(&first.render.id).await.unwrap().unwrap().progress, 0);

        let done = db.store.complete(&second.lease, &output("x")).await.unwrap();
        assert_eq!(done.status, RenderStatus::Completed);
        assert_eq!(done.duration_ms(), Some(30_001));
    }

    async fn the_queue_is_counted_by_state_and_the_oldest_render_that_could_run_gives_its_age(db) {
        assert_eq!(db.store.queue_depth().await.unwrap(), QueueDepth::default());
        let slow = db.account("a@b.c", Plan::None, 9).await;
        let suspended = db.account("d@e.f", Plan::None, 9).await;
        db.store.create_render(&render_for(&suspended), None).await.unwrap();
        db.store.set_suspended(&suspended.id, true).await.unwrap();
        db.pass(Duration::from_secs(60));
        for _ in 0..4 {
            db.store.create_render(&render_for(&slow), None).await.unwrap();
            db.pass(Duration::from_secs(10));
        }
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(claimed.render.account_id, slow.id);
        // An account without a plan has two renders at a time. The second render has waited for 30 seconds.
        let oldest = Some(Duration::from_secs(30));
        assert_eq!(db.store.queue_depth().await.unwrap(), QueueDepth { waiting: 2, ready: 2, running: 1, oldest });
    }

    async fn progress_is_read_without_the_composition(db) {
        let account = db.account("a@b.c", Plan::Business, 50).await;
        let mut ids = Vec::new();
        for _ in 0..20 {
            ids.push(db.store.create_render(&render_for(&account), None).await.unwrap().id);
        }
        db.pass(Duration::from_secs(1));
        let since = db.store.now();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        db.store.set_progress(&claimed.lease, 40).await.unwrap();

        let one = db.store.render_progress(&claimed.render.id).await.unwrap().unwrap();
        assert_eq!((one.status, one.progress), (RenderStatus::Processing, 40));
        assert_eq!(db.store.render_progress("job_unknown").await.unwrap(), None);

        ids.push("job_unknown".to_owned());
        let mut many = db.store.render_progress_of(&ids).await.unwrap();
        many.sort_by(|one, other| one.id.cmp(&other.id));
        assert!(many.iter().map(|render| &render.id).eq(&ids[..20]));
        assert!(many.contains(&one));
        assert_eq!(db.store.render_progress_of(&[]).await.unwrap(), []);

        let changes = db.store.render_changes(&account.id, since, 10).await.unwrap();
        assert_eq!(changes, [RenderChange { render: one, updated_at: since }]);
        let summary = db.store.render_summary(&claimed.render.id).await.unwrap().unwrap();
        assert_eq!((summary.progress, summary.input_props), (40, None));
    }

    async fn a_renewed_lease_does_not_expire(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        for _ in 0..5 {
            db.pass(LEASE / 2);
            db.store.renew(&claimed.lease, LEASE).await.unwrap();
            assert!(db.store.claim(LEASE).await.unwrap().is_none());
        }
        db.store.complete(&claimed.lease, &output("x")).await.unwrap();
    }

    async fn a_render_fails_and_is_refunded_after_too_many_crashes(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        for attempt in 1..=MAX_CRASHES {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            assert_eq!(claimed.attempt, attempt);
            db.pass(LEASE * 2);
        }
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        let ended = db.store.render(&render.id).await.unwrap().unwrap();
        assert_eq!(ended.status, RenderStatus::Failed);
        assert!(ended.error_message.unwrap().contains("exited unexpectedly 5 times"));
        assert_eq!(db.credits(&account).await.whole(), 5);
    }

    async fn a_finished_chunk_resets_the_crash_count(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        for _ in 0..3 {
            for crash in 1..MAX_CRASHES {
                let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
                if crash == 1 {
                    db.store.note_chunk_finished(&claimed.lease).await.unwrap();
                }
                db.pass(LEASE * 2);
            }
        }
        assert!(db.store.claim(LEASE).await.unwrap().is_some());
        assert_eq!(status(db, &render.id).await, RenderStatus::Processing);
    }

    async fn handing_back_does_not_count_as_a_crash(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        for _ in 0..3 * MAX_CRASHES {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            db.store.hand_back(&claimed.lease).await.unwrap();
            assert!(matches!(db.store.renew(&claimed.lease, LEASE).await, Err(StoreError::LostLease { .. })));
        }
        assert_eq!(status(db, &render.id).await, RenderStatus::Processing);
    }

    async fn the_renders_of_a_killed_process_are_ready_immediately(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        db.sql(format!("UPDATE task SET owner = '{}'", token_of_a_killed_process(db).await)).await;
        let again = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!((again.render.id, again.attempt), (claimed.render.id, 2));
    }

    async fn transient_failures_are_retried_a_few_times(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        for count in 1..=MAX_FAILURES {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            let retry = db.store.retry(&claimed.lease, "The disk is full.", Duration::from_secs(5)).await.unwrap();
            assert!(matches!(retry, Retry::Again { failures } if failures == count));
            assert!(db.store.claim(LEASE).await.unwrap().is_none());
            db.pass(Duration::from_secs(5));
        }
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        let retry = db.store.retry(&claimed.lease, "The disk is full.", Duration::ZERO).await.unwrap();
        let Retry::GivenUp(ended) = retry else { panic!("{retry:?}") };
        assert_eq!((ended.id, ended.error_message.as_deref()), (render.id, Some("The disk is full.")));
        assert_eq!(db.credits(&account).await.whole(), 5);
    }

    async fn a_second_crash_of_a_renders_own_process_without_progress_is_final(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        let retry = db.store.crashed(&first.lease, "The film crashed.", Duration::from_secs(1)).await.unwrap();
        assert!(matches!(retry, Retry::Again { failures: 1 }), "{retry:?}");
        let late = db.store.crashed(&first.lease, "The film crashed.", Duration::ZERO).await;
        assert!(matches!(late, Err(StoreError::LostLease { .. })), "a crash is counted once");
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
        db.pass(Duration::from_secs(1));

        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!((second.attempt, &second.render.id), (2, &render.id));
        let retry = db.store.crashed(&second.lease, "The film crashed.", Duration::ZERO).await.unwrap();
        let Retry::GivenUp(ended) = retry else { panic!("{retry:?}") };
        assert_eq!((ended.status, ended.error_message.as_deref()), (RenderStatus::Failed, Some("The film crashed.")));
        assert_eq!(db.credits(&account).await.whole(), 5);
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
    }

    async fn a_finished_chunk_excuses_a_crash_but_not_without_end(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        for count in 1..=MAX_CHILD_CRASHES_IN_ALL {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            db.store.note_chunk_finished(&claimed.lease).await.unwrap();
            let retry = db.store.crashed(&claimed.lease, "The film crashed.", Duration::ZERO).await.unwrap();
            match retry {
                Retry::Again { failures } => assert!(failures == count && count < MAX_CHILD_CRASHES_IN_ALL),
                Retry::GivenUp(_) => assert_eq!(count, MAX_CHILD_CRASHES_IN_ALL),
            }
        }
        assert_eq!(db.credits(&account).await.whole(), 5);
    }

    async fn only_the_render_that_kills_its_process_is_given_up(db) {
        let account = db.account("a@b.c", Plan::Business, 9).await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(db.store.create_render(&render_for(&account), None).await.unwrap().id);
        }
        let dead = token_of_a_killed_process(db).await;
        // The second one kills every process it runs in; the others finish when they run alone.
        for _ in 0..20 {
            let mut claimed = Vec::new();
            while let Some(next) = db.store.claim(LEASE).await.unwrap() {
                claimed.push(next);
            }
            let dies = claimed.iter().any(|claimed| claimed.render.id == ids[1]);
            for claimed in claimed.iter().filter(|_| !dies) {
                db.store.complete(&claimed.lease, &output("x")).await.unwrap();
            }
            if dies {
                db.sql(format!("UPDATE task SET owner = '{dead}' WHERE state = 'running'")).await;
            }
        }
        let mut ends = Vec::new();
        for id in &ids {
            ends.push(status(db, id).await);
        }
        assert_eq!(ends, [RenderStatus::Completed, RenderStatus::Failed, RenderStatus::Completed]);
        assert_eq!(db.credits(&account).await.whole(), 7);
    }

    async fn a_suspect_runs_alone_and_does_not_wait_without_end(db) {
        let account = db.account("a@b.c", Plan::Business, 9).await;
        let suspect = db.store.create_render(&render_for(&account), None).await.unwrap();
        for _ in 0..2 {
            db.store.claim(LEASE).await.unwrap().unwrap();
            db.pass(LEASE * 2);
        }
        let other = db.account("d@e.f", Plan::Business, 9).await;
        db.store.create_render(&render_for(&other), None).await.unwrap();
        db.store.create_render(&render_for(&other), None).await.unwrap();
        // Counts the second crash. The other account was served longer ago.
        let busy = db.store.claim(LEASE * 9).await.unwrap().unwrap();
        let busy_too = db.store.claim(LEASE * 9).await.unwrap().unwrap();
        assert_eq!([&busy.render.account_id, &busy_too.render.account_id], [&other.id, &other.id]);
        db.store.create_render(&render_for(&other), None).await.unwrap();
        db.pass(SUSPECT_PATIENCE);
        assert!(db.store.claim(LEASE).await.unwrap().is_none(), "the suspect has waited long enough");
        db.store.complete(&busy.lease, &output("x")).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_none(), "it would not be alone");
        db.store.complete(&busy_too.lease, &output("x")).await.unwrap();

        let other_turn = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(other_turn.render.id, suspect.id);
        assert!(db.store.claim(LEASE).await.unwrap().is_none(), "a suspect runs alone");
        db.store.note_chunk_finished(&other_turn.lease).await.unwrap();
        assert!(db.store.claim(LEASE).await.unwrap().is_some(), "progress clears it");
    }

    async fn a_single_render_waits_for_one_render_of_a_long_queue_at_most(db) {
        let many = db.account("many@b.c", Plan::Business, 600).await;
        for _ in 0..500 {
            db.store.create_render(&render_for(&many), None).await.unwrap();
        }
        let few = db.account("few@b.c", Plan::None, 20).await;
        // One worker: nothing runs when it claims.
        let turn = async || {
            let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
            db.store.complete(&claimed.lease, &output("x")).await.unwrap();
            claimed.render.account_id
        };
        for _ in 0..3 {
            assert_eq!(turn().await, many.id);
        }
        for _ in 0..3 {
            db.store.create_render(&render_for(&few), None).await.unwrap();
            assert_eq!(turn().await, few.id);
            // Served last, the account waits for one of the other's.
            db.store.create_render(&render_for(&few), None).await.unwrap();
            assert_eq!([turn().await, turn().await], [many.id.clone(), few.id.clone()]);
            assert_eq!(turn().await, many.id);
        }
    }

    async fn a_clock_that_is_set_back_gives_no_negative_duration(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        db.turn_back(Duration::from_secs(3600));
        let done = db.store.complete(&claimed.lease, &output("x")).await.unwrap();
        assert_eq!(done.duration_ms(), Some(0));
    }

    async fn accounts_take_turns(db) {
        let many = db.account("many@b.c", Plan::Business, 20).await;
        let few = db.account("few@b.c", Plan::None, 5).await;
        for _ in 0..10 {
            db.store.create_render(&render_for(&many), None).await.unwrap();
        }
        for _ in 0..2 {
            db.store.create_render(&render_for(&few), None).await.unwrap();
        }
        let mut owners = Vec::new();
        for _ in 0..5 {
            owners.push(db.store.claim(LEASE).await.unwrap().unwrap().render.account_id);
        }
        // Of accounts that were never served, the newest comes first.
        let expected = [&few, &many, &few, &many, &many].map(|account| account.id.clone());
        assert_eq!(owners, expected);
    }

    async fn renders_beyond_the_plan_limit_wait_as_pending(db) {
        let account = db.account("a@b.c", Plan::None, 10).await;
        let mut ids = Vec::new();
        for expected in ["PROCESSING", "PROCESSING", "PENDING", "PENDING"] {
            let render = db.store.create_render(&render_for(&account), None).await.unwrap();
            assert_eq!(render.status.as_str(), expected);
            ids.push(render.id);
        }
        let first = db.store.claim(LEASE).await.unwrap().unwrap();
        let second = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!([&first.render.id, &second.render.id], [&ids[0], &ids[1]]);
        assert!(db.store.claim(LEASE).await.unwrap().is_none());

        db.store.complete(&first.lease, &output("x")).await.unwrap();
        assert_eq!(status(db, &ids[2]).await, RenderStatus::Processing);
        assert_eq!(status(db, &ids[3]).await, RenderStatus::Pending);
        assert_eq!(db.store.claim(LEASE).await.unwrap().unwrap().render.id, ids[2]);
        db.store.set_plan(&account.id, Plan::Creator).await.unwrap();
        assert_eq!(status(db, &ids[3]).await, RenderStatus::Processing);
    }

    async fn a_waiting_render_can_be_cancelled_but_not_a_final_one(db) {
        let account = db.account("a@b.c", Plan::None, 3).await;
        let mut last = None;
        for _ in 0..3 {
            last = Some(db.store.create_render(&render_for(&account), None).await.unwrap());
        }
        let waiting = last.unwrap();
        assert_eq!(waiting.status, RenderStatus::Pending);
        assert!(matches!(db.store.cancel(&waiting.id).await.unwrap(), Cancellation::Cancelled(_)));
        assert!(matches!(db.store.cancel(&waiting.id).await.unwrap(), Cancellation::AlreadyFinal(_)));
        assert_eq!(db.credits(&account).await.whole(), 1);
        assert!(matches!(db.store.cancel("job_unknown").await, Err(StoreError::NotFound { .. })));
    }

    async fn cancelling_revokes_the_lease(db) {
        let account = db.account("a@b.c", Plan::None, 3).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        db.store.cancel(&render.id).await.unwrap();
        assert!(matches!(db.store.renew(&claimed.lease, LEASE).await, Err(StoreError::LostLease { .. })));
        assert!(matches!(db.store.complete(&claimed.lease, &output("x")).await, Err(StoreError::LostLease { .. })));
    }

    async fn progress_only_rises_and_stays_below_hundred_until_completion(db) {
        let account = db.account("a@b.c", Plan::None, 3).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        let mut shown = Vec::new();
        for percent in [10, 40, 30, 150] {
            db.store.set_progress(&claimed.lease, percent).await.unwrap();
            shown.push(db.store.render(&render.id).await.unwrap().unwrap().progress);
        }
        assert_eq!(shown, [10, 40, 40, 99]);
        db.store.complete(&claimed.lease, &output("x")).await.unwrap();
        assert_eq!(db.store.render(&render.id).await.unwrap().unwrap().progress, 100);
    }

    async fn concurrent_workers_never_claim_the_same_render(db) {
        let account = db.account("a@b.c", Plan::Business, 20).await;
        for _ in 0..20 {
            db.store.create_render(&render_for(&account), None).await.unwrap();
        }
        let other = db.again().await;
        let claims = all((0..30).map(|worker| {
            let store = if worker % 2 == 0 { db.store.clone() } else { other.clone() };
            async move { store.claim(LEASE).await.unwrap() }
        }))
        .await;
        let mut taken: Vec<_> = claims.into_iter().flatten().map(|claimed| claimed.render.id).collect();
        // A claim may skip renders that are locked for a moment, so the rest are claimed afterwards.
        while let Some(claimed) = db.store.claim(LEASE).await.unwrap() {
            taken.push(claimed.render.id);
        }
        taken.sort();
        taken.dedup();
        assert_eq!(taken.len(), 20);
    }

    async fn renders_are_listed_newest_first_in_pages_by_filter(db) {
        let account = db.account("a@b.c", Plan::None, 10).await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let mut new = render_for(&account);
            new.metadata = Some(json!({"number": number}));
            if number == 3 {
                new.mode = Mode::Project;
                new.project_id = Some("prj_x".into());
            }
            ids.insert(0, db.store.create_render(&new, None).await.unwrap().id);
            db.pass(Duration::from_secs(1));
        }
        let mut page = Page { limit: Some(2), cursor: None };
        let mut listed = Vec::new();
        loop {
            let part = db.store.renders(&account.id, &RenderFilter::default(), &page).await.unwrap();
            assert_eq!(part.total, 5);
            assert!(part.items.iter().all(|render| render.input_props.is_none()));
            listed.extend(part.items.into_iter().map(|render| render.id));
            page.cursor = part.next_cursor;
            if page.cursor.is_none() {
                break;
            }
        }
        assert_eq!(listed, ids);

        let everything = Page::default();
        let count = async |filter: RenderFilter| {
            let part = db.store.renders(&account.id, &filter, &everything).await.unwrap();
            assert_eq!(part.total, part.items.len() as u64);
            let first = Page { limit: Some(1), cursor: None };
            assert_eq!(db.store.renders(&account.id, &filter, &first).await.unwrap().total, part.total);
            part.total
        };
        let third = db.store.render(&ids[2]).await.unwrap().unwrap().created_at;
        assert_eq!(count(RenderFilter { mode: Some(Mode::Project), ..Default::default() }).await, 1);
        assert_eq!(count(RenderFilter { project_id: Some("prj_x".into()), ..Default::default() }).await, 1);
        assert_eq!(count(RenderFilter { status: Some(RenderStatus::Pending), ..Default::default() }).await, 3);
        assert_eq!(count(RenderFilter { created_after: Some(third), ..Default::default() }).await, 2);
        assert_eq!(count(RenderFilter { created_before: Some(third), ..Default::default() }).await, 2);
        assert_eq!(count(RenderFilter { template_id: Some("tpl_x".into()), ..Default::default() }).await, 0);
        let with = |pairs: &[(&str, &str)]| RenderFilter {
            metadata: pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            ..Default::default()
        };
        let metadata = json!({"order": 7, "paid": true, "nul": "a\u{0}", "quote'\"": "\\u0000", "list": [1]});
        let new = NewRender {
            metadata: Some(metadata),
            template_id: Some("tpl_x".into()),
            ..render_for(&account)
        };
        db.store.create_render(&new, None).await.unwrap();
        assert_eq!(count(RenderFilter { template_id: Some("tpl_x".into()), ..Default::default() }).await, 1);
        assert_eq!(count(with(&[("order", "7")])).await, 1);
        assert_eq!(count(with(&[("order", "7"), ("paid", "true")])).await, 1);
        assert_eq!(count(with(&[("order", "7"), ("paid", "false")])).await, 0);
        assert_eq!(count(with(&[("quote'\"", "\\u0000")])).await, 1);
        assert_eq!(count(with(&[("unknown", "\u{0}")])).await, 0);
        let other = db.account("d@e.f", Plan::None, 0).await;
        let none = db.store.renders(&other.id, &RenderFilter::default(), &everything).await.unwrap();
        assert_eq!(none.total, 0);
    }

    async fn the_cursor_carries_the_total_of_the_first_page(db) {
        let account = db.account("a@b.c", Plan::None, 10).await;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.insert(0, db.store.create_render(&render_for(&account), None).await.unwrap().id);
        }
        let page = async |cursor| {
            let page = Page { limit: Some(2), cursor };
            db.store.renders(&account.id, &RenderFilter::default(), &page).await.unwrap()
        };
        let first = page(None).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let second = page(first.next_cursor).await;
        assert_eq!((second.total, &second.items[0].id), (5, &ids[2]));
        let by_id = page(Some(ids[1].clone())).await;
        assert_eq!((by_id.total, &by_id.items[0].id), (6, &ids[2]));
    }
}

/// The process token of a process that has ended.
pub async fn token_of_a_killed_process(db: &Database) -> String {
    let account = db.account("token@b.c", Plan::None, 0).await;
    db.store.begin_idempotent(&account.id, "token", "x").await.unwrap();
    let row = db.text("SELECT owner FROM idempotency WHERE key = 'token'").await;
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    let mut parts: Vec<&str> = row.split('.').collect();
    let pid = pid.to_string();
    parts[2] = &pid;
    parts.join(".")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signals_reach_the_other_processes_on_a_server() {
    assert!(Database::sqlite().await.store.signals().await.unwrap().is_none());
    let Some(db) = Database::postgres().await else { return };
    let mut heard = db.again().await.signals().await.unwrap().unwrap();
    let cancelled = Signal::Cancelled(rondo_store::id::secret(16));
    let chunk = Signal::Chunk(rondo_store::id::secret(16));
    for signal in [Signal::Renders, Signal::Deliveries, chunk.clone(), cancelled.clone()] {
        db.store.send(&signal).await.unwrap();
    }
    // Other tests send signals on the same server.
    for expected in [chunk, cancelled] {
        while heard.next().await.unwrap() != expected {}
    }
}

on_both! {
    async fn public_urls_are_kept_with_the_latest_first(db) {
        assert!(db.store.public_urls().await.unwrap().is_empty());
        for url in ["https://a.example.com", "https://b.example.com", "https://a.example.com"] {
            db.store.set_public_url(url).await.unwrap();
            db.pass(Duration::from_secs(1));
        }
        assert_eq!(db.again().await.public_urls().await.unwrap(), ["https://a.example.com", "https://b.example.com"]);
    }

    async fn the_first_folder_is_the_one_of_the_service(db) {
        assert_eq!(db.store.files_id("one").await.unwrap(), "one");
        assert_eq!(db.again().await.files_id("two").await.unwrap(), "one");
    }
}
