//! Holds, settlements and charges.

use std::time::Duration;

use rondo_store::{
    AI_HOLD_LEASE, AiUse, AiUsed, Cancellation, Credits, NewOutput, NewRender, NewVoiceover, Output,
    OutputFile, Plan, RenderStatus, Revision, StoreError, Time,
};
use serde_json::json;

use crate::database::{LEASE, all, on_both, render_for};
use crate::work::token_of_a_killed_process;

pub fn output(name: &str) -> Output {
    let file = format!("{name}.mp4");
    let url = format!("https://films.test/{file}");
    let made = OutputFile { file, size: 1234, dimensions: Some((1920, 1080)) };
    let poster = Some(format!("{name}-poster.jpg"));
    Output { main: NewOutput { made, url }, also: Vec::new(), credits: None, poster, has_stream: true }
}

on_both! {
    async fn concurrent_renders_never_overdraw_the_balance(db) {
        let account = db.account("a@b.c", Plan::Business, 10).await;
        let results = all((0..200).map(|_| {
            let (store, new) = (db.store.clone(), render_for(&account));
            async move { store.create_render(&new, None).await }
        }))
        .await;
        let accepted = results.iter().filter(|result| result.is_ok()).count();
        assert_eq!(accepted, 10);
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            let StoreError::InsufficientCredits { needed, available } = error else { panic!("{error}") };
            assert_eq!((needed.whole(), available.whole()), (1, 0));
        }
        assert_eq!(db.credits(&account).await, Credits::ZERO);
        let page = db.store.renders(&account.id, &Default::default(), &Default::default()).await.unwrap();
        assert_eq!(page.total, 10);
    }

    async fn a_rejected_render_leaves_no_rows(db) {
        let account = db.account("a@b.c", Plan::None, 1).await;
        let mut new = render_for(&account);
        new.credits = Credits::from_whole(2);
        new.new_project = Some(rondo_store::NewProject {
            name: "Film".into(),
            description: None,
            composition: json!({}),
            template_id: None,
            credits_per_minute: 1,
        });
        let error = db.store.create_render(&new, None).await.unwrap_err();
        assert_eq!(error.to_string(), "Insufficient credits: 2 needed, 1 available.");
        assert_eq!(db.store.projects(&account.id, "", &Default::default()).await.unwrap().total, 0);
        assert!(db.store.claim(LEASE).await.unwrap().is_none());
    }

    async fn a_render_is_settled_once(db) {
        let account = db.account("a@b.c", Plan::None, 10).await;
        let mut new = render_for(&account);
        new.credits = Credits::from_whole(4);
        db.store.create_render(&new, None).await.unwrap();
        assert_eq!(db.credits(&account).await.whole(), 6);
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        let results = all((0..8).map(|_| {
            let (store, lease) = (db.store.clone(), lease.clone());
            let output = Output { credits: Some(Credits::from_whole(3)), ..output("film") };
            async move { store.complete(&lease, &output).await }
        }))
        .await;
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
        assert!(results.iter().flat_map(|result| result.as_ref().err()).all(|error| matches!(error, StoreError::LostLease { .. })));
        assert!(matches!(db.store.fail(&lease, "late").await, Err(StoreError::LostLease { .. })));
        assert_eq!(db.credits(&account).await.whole(), 7);
        let render = db.store.render(&lease.render_id).await.unwrap().unwrap();
        assert_eq!((render.status, render.credits.whole(), render.progress), (RenderStatus::Completed, 3, 100));
    }

    async fn failure_and_cancellation_release_the_hold(db) {
        let account = db.account("a@b.c", Plan::None, 2).await;
        for cancel in [false, true] {
            let render = db.store.create_render(&render_for(&account), None).await.unwrap();
            assert_eq!(render.credits.whole(), 1);
            let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
            let ended = if cancel {
                let Cancellation::Cancelled(ended) = db.store.cancel(&render.id).await.unwrap() else { panic!() };
                *ended
            } else {
                db.store.fail(&lease, "The picture is broken.").await.unwrap()
            };
            assert_eq!((ended.status, ended.credits), (RenderStatus::Failed, Credits::ZERO));
            let message = if cancel { "Cancelled" } else { "The picture is broken." };
            assert_eq!(ended.error_message.as_deref(), Some(message));
            assert!(ended.completed_at.is_some());
            assert_eq!(db.credits(&account).await.whole(), 2);
        }
    }

    async fn a_cancellation_racing_a_completion_leaves_one_final_state(db) {
        let account = db.account("a@b.c", Plan::None, 20).await;
        for _ in 0..20 {
            let render = db.store.create_render(&render_for(&account), None).await.unwrap();
            let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
            let before = db.credits(&account).await;
            let completing = tokio::spawn({
                let (store, lease) = (db.store.clone(), lease.clone());
                async move { store.complete(&lease, &output("film")).await.is_ok() }
            });
            let cancelling = tokio::spawn({
                let (store, id) = (db.store.clone(), render.id.clone());
                async move { matches!(store.cancel(&id).await.unwrap(), Cancellation::Cancelled(_)) }
            });
            let (completed, cancelled) = (completing.await.unwrap(), cancelling.await.unwrap());
            assert!(completed != cancelled, "completed: {completed}, cancelled: {cancelled}");
            let ended = db.store.render(&render.id).await.unwrap().unwrap();
            let expected = if completed { RenderStatus::Completed } else { RenderStatus::Failed };
            assert_eq!(ended.status, expected);
            let refund = if completed { Credits::ZERO } else { Credits::from_whole(1) };
            assert_eq!(db.credits(&account).await, before + refund);
        }
    }

    async fn a_render_is_pending_until_its_speech_is_generated(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let new = NewRender { speech: Some(json!({"voice": 1})), ..render_for(&account) };
        let render = db.store.create_render(&new, None).await.unwrap();
        assert_eq!(render.status, RenderStatus::Pending);
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.hand_back(&lease).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!((claimed.render.status, &claimed.render.speech), (RenderStatus::Pending, &new.speech));
        let used = vec![AiUsed { kind: AiUse::TranscribedSeconds, amount: 61 }];
        let revision = Revision { input_props: json!({}), duration_in_frames: 900, credits: Credits::from_whole(2), used };
        db.store.revise(&claimed.lease, &revision).await.unwrap();
        let render = db.store.render(&render.id).await.unwrap().unwrap();
        assert_eq!((render.status, render.speech, render.credits.whole()), (RenderStatus::Processing, None, 2));
        db.store.complete(&claimed.lease, &output("film")).await.unwrap();
        assert_eq!(db.credits(&account).await, Credits::from_whole(3));
        assert!(db.store.audit().await.unwrap().is_empty());
        let usage = db.store.usage(&account.id, Time(0), Time(i64::MAX)).await.unwrap();
        assert_eq!(usage.transcribed_seconds, 61);
    }

    async fn accounts_share_the_file_of_a_narration(db) {
        let (ada, eve) = (db.account("a@b.c", Plan::None, 0).await, db.account("e@b.c", Plan::None, 0).await);
        let new = NewVoiceover { file: "voi_1.wav".into(), language: "en".into(), duration_ms: 1200, text: "Hi".into(), size: 10, words: json!([["Hi", 0, 200, 1.0]]) };
        let hers = db.store.keep_voiceover(&ada.id, &new).await.unwrap();
        assert_eq!(db.store.keep_voiceover(&ada.id, &new).await.unwrap().id, hers.id);
        db.store.keep_voiceover(&eve.id, &new).await.unwrap();
        assert_eq!(db.store.voiceovers_in("voi_1.wav").await.unwrap().len(), 2);
        let old = db.store.old_voiceovers(Time(db.store.now().0 + 1), 10).await.unwrap();
        assert!(old.len() == 2 && old.iter().all(|old| old.file.as_deref() == Some("voi_1.wav")));
        assert!(db.store.old_voiceovers(db.store.now(), 10).await.unwrap().is_empty());
        db.store.forget_voiceover(&hers.id).await.unwrap();
        assert_eq!(db.store.voiceovers_in("voi_1.wav").await.unwrap().len(), 1);
        assert!(db.store.voiceover(&hers.id).await.unwrap().is_none());
    }

    async fn a_hold_grows_up_to_the_balance(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        let revision = |credits| Revision {
            input_props: json!({"overlays": [1]}),
            duration_in_frames: 900,
            credits: Credits::from_thousandths(credits),
            used: Vec::new(),
        };
        db.store.revise(&lease, &revision(3_500)).await.unwrap();
        assert_eq!(db.credits(&account).await, Credits::from_thousandths(1_500));
        let error = db.store.revise(&lease, &revision(6_000)).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }));
        let dear = Output { credits: Some(Credits::from_whole(6)), ..output("film") };
        let error = db.store.complete(&lease, &dear).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }));
        let render = db.store.render(&lease.render_id).await.unwrap().unwrap();
        assert_eq!((render.duration_in_frames, render.status), (900, RenderStatus::Processing));
        assert_eq!(render.input_props, Some(json!({"overlays": [1]})));
        db.store.fail(&lease, "Insufficient credits for the narration.").await.unwrap();
        assert_eq!(db.credits(&account).await.whole(), 5);
    }

    async fn a_hold_for_ai_work_is_charged_or_released_once(db) {
        let account = db.account("a@b.c", Plan::None, 1).await;
        let amount = Credits::from_thousandths(750);
        let hold = db.store.hold_ai(&account.id, amount).await.unwrap();
        assert_eq!(db.credits(&account).await, Credits::from_thousandths(250));
        let error = db.store.hold_ai(&account.id, amount).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }));

        let less = Credits::from_thousandths(500);
        db.store.settle_ai(&hold, less, &[], None).await.unwrap();
        assert!(matches!(db.store.settle_ai(&hold, less, &[], None).await, Err(StoreError::LostHold)));
        db.store.release_ai(&hold).await.unwrap();
        assert_eq!(db.credits(&account).await, less);

        let mut hold = db.store.hold_ai(&account.id, Credits::from_thousandths(100)).await.unwrap();
        db.store.raise_ai(&mut hold, Credits::from_thousandths(400)).await.unwrap();
        db.store.raise_ai(&mut hold, Credits::from_thousandths(200)).await.unwrap();
        assert_eq!(db.credits(&account).await, Credits::from_thousandths(100));
        let error = db.store.raise_ai(&mut hold, Credits::from_thousandths(600)).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }));
        for _ in 0..2 {
            db.store.release_ai(&hold).await.unwrap();
            assert_eq!(db.credits(&account).await, less);
        }
    }

    async fn the_credits_of_interrupted_ai_work_are_released_once(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let credits = async || db.credits(&account).await.whole();
        let hold = db.store.hold_ai(&account.id, Credits::from_whole(3)).await.unwrap();
        // A process that lives keeps its holds, however long the work takes.
        db.pass(AI_HOLD_LEASE * 2);
        assert_eq!((db.store.tend_ai_holds().await.unwrap(), credits().await), (0, 2));

        // It was killed on this machine.
        let dead = token_of_a_killed_process(db).await;
        db.sql(format!("UPDATE ai_hold SET owner = '{dead}'")).await;
        let other = db.again().await;
        let released = all([db.store.clone(), other].map(|store| async move { store.tend_ai_holds().await })).await;
        assert!(released.into_iter().all(|released| released.is_ok()));
        assert_eq!(credits().await, 5);
        assert!(matches!(db.store.settle_ai(&hold, Credits::from_whole(3), &[], None).await, Err(StoreError::LostHold)));
        assert_eq!(credits().await, 5);

        // It disappeared with another machine.
        db.store.hold_ai(&account.id, Credits::from_whole(2)).await.unwrap();
        db.sql("UPDATE ai_hold SET owner = 'another-machine.1.1.1'".into()).await;
        assert_eq!((db.store.tend_ai_holds().await.unwrap(), credits().await), (0, 3));
        db.pass(AI_HOLD_LEASE + Duration::from_millis(1));
        assert_eq!((db.store.tend_ai_holds().await.unwrap(), credits().await), (1, 5));
    }

    async fn one_of_two_concurrent_holds_gets_the_last_credits(db) {
        let account = db.account("a@b.c", Plan::None, 1).await;
        let holds = all((0..8).map(|_| {
            let (store, id) = (db.store.clone(), account.id.clone());
            async move { store.hold_ai(&id, Credits::from_whole(1)).await }
        }))
        .await;
        assert_eq!(holds.iter().filter(|hold| hold.is_ok()).count(), 1);
        assert_eq!(db.credits(&account).await, Credits::ZERO);
    }

    async fn a_render_holds_more_before_its_speech_is_made(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let render = db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        db.store.raise_hold(&claimed.lease, Credits::from_whole(4)).await.unwrap();
        db.store.raise_hold(&claimed.lease, Credits::from_whole(2)).await.unwrap();
        assert_eq!(db.credits(&account).await.whole(), 1);
        let error = db.store.raise_hold(&claimed.lease, Credits::from_whole(6)).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }));
        assert_eq!(db.store.render(&render.id).await.unwrap().unwrap().credits.whole(), 4);
        db.balanced().await;
        db.store.fail(&claimed.lease, "no").await.unwrap();
        assert_eq!(db.credits(&account).await.whole(), 5);
    }

    async fn the_audit_reports_a_balance_without_a_ledger_row(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.sql("UPDATE account SET balance = balance + 7".into()).await;
        let found = db.store.audit().await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].subject, account.id);
        assert_eq!((found[0].expected - found[0].found).thousandths(), 7);
        db.sql("UPDATE account SET balance = balance - 7".into()).await;
    }

    async fn usage_counts_by_day(db) {
        let account = db.account("a@b.c", Plan::Creator, 10).await;
        let from = db.store.now();
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.complete(&lease, &output("film")).await.unwrap();
        db.pass(Duration::from_secs(86_400));
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.fail(&lease, "no").await.unwrap();
        let used = [AiUsed { kind: AiUse::TtsCharacters, amount: 800 }];
        let hold = db.store.hold_ai(&account.id, Credits::from_thousandths(2_000)).await.unwrap();
        db.store.settle_ai(&hold, Credits::from_thousandths(1_500), &used, None).await.unwrap();
        db.pass(Duration::from_secs(1));

        let usage = db.store.usage(&account.id, from, db.store.now()).await.unwrap();
        assert_eq!((usage.renders, usage.rendered_seconds, usage.tts_characters), (2, 2.0, 800));
        assert_eq!(usage.credits_used, Credits::from_thousandths(2_500));
        let days: Vec<_> = usage.by_day.iter().map(|day| (day.date.as_str(), day.renders, day.credits_used.thousandths())).collect();
        assert_eq!(days, [("2027-01-15", 1, 1_000), ("2027-01-16", 1, 1_500)]);
    }
}
