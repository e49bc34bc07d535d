//! Projects, templates, uploads, previews and retention.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rondo_store::{
    Author, AuthorKind, Cause, Credits, MediaFilter, MediaKind, NewOutput, NewPreview, NewProject,
    NewTemplate, NewVoiceover, OldFile, OldOutput, Output, OutputFile, Page, Plan, ProjectChange,
    RenderFilter, StoreError, UploadFace,
};
use serde_json::{Value, json};

use crate::database::{LEASE, on_both, render_for};
use crate::money::output;

fn project(name: &str) -> NewProject {
    NewProject {
        name: name.into(),
        description: None,
        composition: json!({"overlays": [], "z": 1, "a": 2}),
        template_id: Some("tpl_x".into()),
        credits_per_minute: 3,
    }
}

fn template(name: &str, is_public: bool) -> NewTemplate {
    NewTemplate {
        name: name.into(),
        description: "d".into(),
        category: "BRANDING".into(),
        credits_per_minute: 2,
        composition: json!({"overlays": []}),
        is_public,
    }
}

on_both! {
    async fn projects_keep_their_composition_and_are_listed_newest_first(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let first = db.store.create_project(&account.id, &project("One\0"), None).await.unwrap();
        let second = db.store.create_project(&account.id, &project("Two"), None).await.unwrap();
        assert_eq!((first.name.as_str(), first.credits_per_minute), ("One\u{fffd}", 3));
        assert_eq!(first.composition.to_string(), r#"{"overlays":[],"z":1,"a":2}"#);
        let page = db.store.projects(&account.id, "", &Page { limit: Some(1), cursor: None }).await.unwrap();
        assert_eq!((page.items[0].id.as_str(), page.total), (second.id.as_str(), 2));
        let page = db.store.projects(&account.id, "", &Page { limit: Some(1), cursor: page.next_cursor }).await.unwrap();
        assert_eq!((page.items[0].id.as_str(), page.next_cursor), (first.id.as_str(), None));

        db.pass(Duration::from_secs(1));
        let ada = Author { kind: AuthorKind::Person, name: "Ada".into() };
        let film = json!({});
        let all = ProjectChange { name: Some(" New "), description: Some("text"), composition: Some(&film), title: None };
        let changed = db.store.change_project(&first.id, Some(first.revision), all, &ada).await.unwrap();
        assert_eq!((changed.name.as_str(), changed.description.as_deref()), ("New", Some("text")));
        assert_eq!((changed.revision, &changed.author), (2, &Some(ada.clone())));
        assert!(changed.updated_at > changed.created_at);
        let stale = db.store.change_project(&first.id, Some(1), ProjectChange::default(), &ada).await;
        assert!(matches!(stale, Err(StoreError::Stale { revision: 2 })), "{stale:?}");
        let no_description = ProjectChange { description: Some(" "), ..ProjectChange::default() };
        let changed = db.store.change_project(&first.id, None, no_description, &ada).await.unwrap();
        assert_eq!((changed.revision, changed.name.as_str(), changed.description), (3, "New", None));
        assert!(db.store.project("prj_\0").await.unwrap().is_none());
    }

    async fn a_render_shows_the_project_it_created(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let mut new = render_for(&account);
        new.new_project = Some(project("Film"));
        let render = db.store.create_render(&new, None).await.unwrap();
        let shown = render.project.unwrap();
        assert_eq!((shown.name.as_str(), shown.template_id.as_deref()), ("Film", Some("tpl_x")));
        assert_eq!(render.project_id.as_deref(), Some(shown.id.as_str()));
        assert!(db.store.project(&shown.id).await.unwrap().is_some());
    }

    async fn a_template_rendered_again_updates_its_project(db) {
        let account = db.account("a@b.c", Plan::None, 9).await;
        let render = async |name: &str, template: Option<&str>, text: &str| {
            let composition = json!({"overlays": [], "text": text});
            let template_id = template.map(str::to_owned);
            let mut new = render_for(&account);
            new.new_project = Some(NewProject { composition, template_id, ..project(name) });
            db.store.create_render(&new, None).await.unwrap().project_id.unwrap()
        };
        let first = render("Film", Some("tpl_x"), "one").await;
        db.pass(Duration::from_secs(1));
        assert_eq!(render("Film", Some("tpl_x"), "two").await, first);
        let updated = db.store.project(&first).await.unwrap().unwrap();
        assert_eq!(updated.composition["text"], "two");
        assert!(updated.updated_at > updated.created_at);
        let others = [
            render("Other", Some("tpl_x"), "three").await,
            render("Film", Some("tpl_y"), "four").await,
            render("Film", None, "five").await,
            render("Film", None, "six").await,
        ];
        assert_eq!(others.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
        assert!(!others.contains(&first));
    }

    async fn projects_are_found_and_deleted_without_their_renders(db) {
        let account = db.account("a@b.c", Plan::None, 9).await;
        let mut new = render_for(&account);
        new.new_project = Some(project("50 % off_now"));
        let render = db.store.create_render(&new, None).await.unwrap();
        let id = render.project_id.unwrap();
        let claimed = db.store.claim(Duration::from_secs(9)).await.unwrap().unwrap();
        db.store.complete(&claimed.lease, &output("film")).await.unwrap();
        db.store.create_project(&account.id, &project("Else"), None).await.unwrap();
        let found = async |text: &str| db.store.projects(&account.id, text, &Page::default()).await.unwrap();
        for (text, total) in [("", 2), ("OFF_", 1), ("50 %", 1), ("f!", 0), ("_", 1), ("lse", 1)] {
            assert_eq!(found(text).await.total, total, "{text}");
        }
        assert_eq!(found("off").await.items[0].poster_file.as_deref(), Some("film-poster.jpg"));
        let renders = async |search: &str| {
            let filter = RenderFilter { search: Some(search.to_owned()), ..RenderFilter::default() };
            db.store.renders(&account.id, &filter, &Page::default()).await.unwrap().total
        };
        assert_eq!((renders("% OFF").await, renders(&render.id).await, renders("nothing!").await), (1, 1, 0));

        db.store.delete_project(&id).await.unwrap();
        assert!(db.store.project(&id).await.unwrap().is_none());
        let kept = db.store.render(&render.id).await.unwrap().unwrap();
        assert_eq!((kept.project_id, kept.output_file.is_some()), (None, true));
        db.store.forget_output(&render.id).await.unwrap();
        assert_eq!(db.store.render(&render.id).await.unwrap().unwrap().poster_file, None);
    }

    async fn a_statement_shows_what_was_added_and_spent(db) {
        let account = db.account("a@b.c", Plan::None, 9).await;
        db.pass(Duration::from_secs(1));
        let spent = db.store.create_render(&render_for(&account), None).await.unwrap();
        let claimed = db.store.claim(Duration::from_secs(9)).await.unwrap().unwrap();
        db.store.complete(&claimed.lease, &output("film")).await.unwrap();
        db.pass(Duration::from_secs(1));
        let failed = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.store.cancel(&failed.id).await.unwrap();
        let now = db.store.now();
        let day = Duration::from_secs(86_400);
        let all = db.store.statement(&account.id, now.minus(day), now.plus(day), 10).await.unwrap();
        let lines: Vec<_> = all.iter().map(|entry| (entry.cause, entry.credits)).collect();
        let cost = spent.credits;
        assert_eq!(lines, [(Cause::Render, Credits::ZERO - cost), (Cause::Credit, Credits::from_whole(9))]);
        assert_eq!(all[0].reference, spent.id);
        assert!(db.store.statement(&account.id, now.plus(day), now.plus(day * 2), 10).await.unwrap().is_empty());
    }

    async fn templates_are_public_owned_or_granted(db) {
        let owner = db.account("a@b.c", Plan::None, 0).await;
        let guest = db.account("d@e.f", Plan::None, 0).await;
        assert!(db.store.ship_template("tpl_shipped", &template("Shipped", true)).await.unwrap());
        let private = db.store.publish_template(&owner.id, &template("Private", false)).await.unwrap();
        let visible = async |id: &str| {
            let page = db.store.templates_for(id, &Page::default()).await.unwrap();
            assert_eq!(page.total, page.items.len() as u64);
            page.items.into_iter().map(|template| template.name).collect::<Vec<_>>()
        };
        assert_eq!(visible(&guest.id).await, ["Shipped"]);
        assert!(db.store.template_for(&private.id, &guest.id).await.unwrap().is_none());
        assert!(db.store.template_for(&private.id, &owner.id).await.unwrap().is_some());
        for _ in 0..2 {
            db.store.grant_template(&private.id, &guest.id).await.unwrap();
        }
        assert_eq!(visible(&guest.id).await.len(), 2);
        assert!(db.store.template_for(&private.id, &guest.id).await.unwrap().is_some());
        assert!(db.store.grant_template("tpl_unknown", &guest.id).await.is_err());
    }

    async fn a_bundled_template_is_written_only_if_changed(db) {
        assert!(db.store.ship_template("tpl_a", &template("A", true)).await.unwrap());
        assert!(!db.store.ship_template("tpl_a", &template("A", true)).await.unwrap());
        let created = db.store.template("tpl_a").await.unwrap().unwrap().created_at;
        db.pass(Duration::from_secs(1));
        assert!(db.store.ship_template("tpl_a", &template("B", true)).await.unwrap());
        let changed = db.store.template("tpl_a").await.unwrap().unwrap();
        assert_eq!((changed.name.as_str(), changed.created_at), ("B", created));
    }

    async fn font_files_are_found_by_account_newest_first(db) {
        let (ada, bob) = (db.account("a@b.c", Plan::None, 5).await, db.account("b@b.c", Plan::None, 5).await);
        let until = db.store.now().plus(Duration::from_secs(60));
        let face = |family: &str| UploadFace { family: family.into(), weights: (100, 900), italic: true, widths: (75, 100) };
        let mut ids = Vec::new();
        for (account, family) in [(&ada, Some("One")), (&ada, Some("Two\0\"")), (&ada, None), (&bob, Some("Three"))] {
            let mut upload = db.store.create_upload(&account.id, "font/ttf", None, None, until).await.unwrap();
            upload.faces = family.map(face).into_iter().collect();
            let done = db.store.complete_upload(&upload, 9, async { Ok(()) }).await.unwrap();
            assert_eq!(done.faces.len(), usize::from(family.is_some()));
            ids.push(upload.id);
        }
        // One that has no file yet.
        db.store.create_upload(&ada.id, "font/ttf", None, None, until).await.unwrap();
        let found = db.store.uploaded_fonts(&ada.id).await.unwrap();
        let found: Vec<(&str, &str)> = found.iter().map(|it| (it.id.as_str(), it.faces[0].family.as_str())).collect();
        assert_eq!(found, [(ids[1].as_str(), "Two\u{fffd}\""), (ids[0].as_str(), "One")]);
        db.store.forget_upload(&ids[0]).await.unwrap();
        assert_eq!(db.store.uploaded_fonts(&ada.id).await.unwrap().len(), 1);
    }

    async fn expired_files_are_listed_until_forgotten(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let start = db.store.now();
        let unused = db.store.create_upload(&account.id, "image/png", None, None, start.plus(Duration::from_secs(60))).await.unwrap();
        let used = db.store.create_upload(&account.id, "video/mp4", None, None, start.plus(Duration::from_secs(60))).await.unwrap();
        let done = db.store.complete_upload(&used, 99, async { Ok(()) }).await.unwrap();
        assert_eq!((done.size, done.content_type.as_str()), (Some(99), "video/mp4"));
        let composition = json!({"overlays": []});
        let expires_at = start.plus(Duration::from_secs(86_400));
        let preview = db.store.create_preview(NewPreview { id: &rondo_store::id::new(rondo_store::id::Kind::Preview), account_id: &account.id, composition: &composition, expires_at, hold: None, charge: Credits::ZERO, used: &[], kept: None }).await.unwrap();
        db.store.set_preview_film(&preview.id, "prv_x.mp4").await.unwrap();
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        let gif = OutputFile { file: "film-2.gif".into(), size: 66, dimensions: Some((480, 270)) };
        let also = vec![NewOutput { made: gif, url: "https://films.test/film-2.gif".into() }];
        let render = db.store.complete(&lease, &Output { also, ..output("film") }).await.unwrap();
        assert_eq!(render.file_names().collect::<Vec<_>>(), ["film.mp4", "film-2.gif"]);
        assert_eq!(db.store.kept_bytes(&account.id).await.unwrap(), 99 + 1234 + 66);
        assert!(db.store.old_outputs(start, 10).await.unwrap().is_empty());
        assert!(db.store.old_uploads(start, 10).await.unwrap().is_empty());

        db.pass(Duration::from_secs(2 * 86_400));
        let now = db.store.now();
        assert_eq!(db.store.old_outputs(now, 10).await.unwrap(), [OldOutput { id: lease.render_id.clone(), files: vec!["film.mp4".into(), "film-2.gif".into()] }]);
        assert_eq!(db.store.old_uploads(start, 10).await.unwrap(), [OldFile { id: unused.id.clone(), file: None }]);
        assert_eq!(db.store.old_uploads(now, 10).await.unwrap().len(), 2);
        assert_eq!(db.store.old_previews(now, 10).await.unwrap(), [OldFile { id: preview.id.clone(), file: Some("prv_x.mp4".into()) }]);

        db.store.forget_output(&lease.render_id).await.unwrap();
        db.store.forget_upload(&used.id).await.unwrap();
        db.store.forget_preview(&preview.id).await.unwrap();
        assert!(db.store.old_outputs(now, 10).await.unwrap().is_empty());
        assert_eq!(db.store.old_uploads(now, 10).await.unwrap().len(), 1);
        assert!(db.store.upload(&used.id).await.unwrap().is_none());
        assert!(db.store.preview(&preview.id).await.unwrap().is_none());
        let render = db.store.render(&lease.render_id).await.unwrap().unwrap();
        assert_eq!((render.output_file, render.output_size, render.outputs), (None, Some(1234), Vec::new()));
        assert_eq!(db.store.kept_bytes(&account.id).await.unwrap(), 0);
    }

    async fn an_account_keeps_no_more_bytes_than_its_plan_allows(db) {
        let account = db.account("a@b.c", Plan::Creator, 5).await;
        let later = db.store.now().plus(Duration::from_secs(60));
        let quota = |error: StoreError, expected: u64| match error {
            StoreError::StorageQuota { used, allowed } => assert_eq!((used, allowed), (expected, 3000)),
            other => panic!("{other}"),
        };
        let (id, video) = (account.id.as_str(), "video/mp4");
        assert!(db.store.create_upload(id, video, None, Some(3000), later).await.is_ok());
        quota(db.store.create_upload(id, video, None, Some(3001), later).await.unwrap_err(), 0);

        let upload = db.store.create_upload(id, video, None, None, later).await.unwrap();
        let placed = AtomicBool::new(false);
        let place = async || { placed.store(true, Ordering::SeqCst); Ok(()) };
        quota(db.store.complete_upload(&upload, 3001, place()).await.unwrap_err(), 0);
        assert!(!placed.load(Ordering::SeqCst));
        db.store.complete_upload(&upload, 1000, place()).await.unwrap();
        assert!(placed.load(Ordering::SeqCst));
        let again = db.store.complete_upload(&upload, 1000, async { panic!("placed twice") }).await;
        assert!(matches!(again, Err(StoreError::UploadComplete)));

        let voice = NewVoiceover { file: "voi_1.wav".into(), language: "en".into(), duration_ms: 1, text: String::new(), size: 500, words: json!([]) };
        db.store.keep_voiceover(id, &voice).await.unwrap();
        db.store.create_render(&render_for(&account), None).await.unwrap();
        let lease = db.store.claim(LEASE).await.unwrap().unwrap().lease;
        db.store.complete(&lease, &output("film")).await.unwrap();
        assert_eq!(db.store.kept_bytes(id).await.unwrap(), 1000 + 500 + 1234);
        db.store.check_storage(id).await.unwrap();
        quota(db.store.create_upload(id, video, None, Some(267), later).await.unwrap_err(), 2734);
        let last = db.store.create_upload(id, video, None, Some(266), later).await.unwrap();
        db.store.complete_upload(&last, 266, async { Ok(()) }).await.unwrap();
        quota(db.store.check_storage(id).await.unwrap_err(), 3000);
        quota(db.store.create_render(&render_for(&account), None).await.unwrap_err(), 3000);
        quota(db.store.create_upload(id, video, None, None, later).await.unwrap_err(), 3000);
        assert_eq!(db.credits(&account).await, Credits::from_whole(4));

        let uploads = MediaFilter { kind: Some(MediaKind::Upload), ..MediaFilter::default() };
        let list = db.store.media(id, &uploads, &Page { limit: Some(1), cursor: None }).await.unwrap();
        assert_eq!((list.items[0].id.as_str(), list.total), (last.id.as_str(), 2));
        db.store.forget_output(&lease.render_id).await.unwrap();
        db.store.forget_upload(&last.id).await.unwrap();
        assert_eq!(db.store.kept_bytes(id).await.unwrap(), 1500);
        db.store.create_render(&render_for(&account), None).await.unwrap();
    }

    async fn uploads_and_narrations_are_one_list_by_time_with_names_to_search(db) {
        let account = db.account("ada@example.com", Plan::Business, 5).await;
        let (id, later) = (&account.id, db.store.now().plus(Duration::from_secs(60)));
        let mut made = Vec::new();
        for (name, text) in [("Beach 100%.png", "Hello there"), ("Logo.svg", "Good bye")] {
            let upload = db.store.create_upload(id, "image/png", Some(name), None, later).await.unwrap();
            db.store.complete_upload(&upload, 7, async { Ok(()) }).await.unwrap();
            let file = format!("voi_{}.wav", text.len());
            let voice = NewVoiceover { file, language: "en".into(), duration_ms: 900, text: text.into(), size: 5, words: json!([]) };
            made.extend([upload.id, db.store.keep_voiceover(id, &voice).await.unwrap().id]);
        }
        db.store.create_upload(id, "image/png", Some("not sent yet"), None, later).await.unwrap();
        made.reverse();
        let mut listed = Vec::new();
        let mut page = Page { limit: Some(3), cursor: None };
        loop {
            let part = db.store.media(id, &MediaFilter::default(), &page).await.unwrap();
            assert_eq!(part.total, 4);
            listed.extend(part.items.into_iter().map(|file| file.id));
            page.cursor = part.next_cursor;
            if page.cursor.is_none() { break }
        }
        assert_eq!(listed, made);
        for (kind, search, found) in [
            (None, "BEACH", vec!["Beach 100%.png"]), (None, "0%", vec!["Beach 100%.png"]), (None, "bye", vec!["Good bye"]),
            (Some(MediaKind::Narration), "", vec!["Good bye", "Hello there"]), (Some(MediaKind::Upload), "hello", vec![]),
            (None, "image/", vec!["Logo.svg", "Beach 100%.png"]),
        ] {
            let filter = MediaFilter { kind, search: search.to_owned() };
            let list = db.store.media(id, &filter, &Page::default()).await.unwrap();
            let names: Vec<String> = list.items.into_iter().filter_map(|file| file.name).collect();
            assert_eq!(names, found, "{filter:?}");
        }
        let other = db.account("eve@example.com", Plan::Business, 5).await;
        assert_eq!(db.store.media(&other.id, &MediaFilter::default(), &Page::default()).await.unwrap().total, 0);
    }

    async fn the_oldest_previews_end_when_an_account_has_too_many(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let start = db.store.now();
        let create = async |composition: &Value| {
            db.pass(Duration::from_secs(1));
            let expires_at = db.store.now().plus(Duration::from_secs(86_400));
            let id = rondo_store::id::new(rondo_store::id::Kind::Preview);
            let new = NewPreview { id: &id, account_id: &account.id, composition, expires_at, charge: Credits::ZERO, used: &[], hold: None, kept: None };
            db.store.create_preview(new).await.unwrap()
        };
        // By their number: a thousand that are there already.
        db.sql(format!(
            "INSERT INTO preview (id, account_id, composition, size, created_at, expires_at) \
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) \
             SELECT 'prv_' || i, '{}', '{{}}', 2, 0, {} + i FROM n",
            account.id, start.plus(Duration::from_secs(3600)).0
        )).await;
        create(&json!({})).await;
        let is_open = async |id: &str| db.store.preview(id).await.unwrap().unwrap().expires_at > db.store.now();
        assert!(!is_open("prv_1").await && is_open("prv_2").await);
        assert!(db.store.preview("prv_1").await.unwrap().unwrap().composition.is_null());

        // By their size: what is small ends before what is new and large.
        let large = json!({"text": "x".repeat(60_000_000)});
        let first = create(&large).await;
        let second = create(&large).await;
        assert!(!is_open("prv_1000").await && !is_open(&first.id).await && is_open(&second.id).await);

        // An expired preview keeps its row and loses its composition.
        db.pass(Duration::from_secs(2 * 86_400));
        assert_eq!(db.store.empty_expired_previews().await.unwrap(), 1);
        assert!(db.store.preview(&second.id).await.unwrap().unwrap().composition.is_null());
    }

    async fn a_signing_key_is_shared_by_all_processes(db) {
        let secret = db.store.secret("uploads").await.unwrap();
        assert_eq!(db.again().await.secret("uploads").await.unwrap(), secret);
        assert_ne!(db.store.secret("other").await.unwrap(), secret);
    }
}
