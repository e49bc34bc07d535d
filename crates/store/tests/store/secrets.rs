//! Secrets are encrypted in the database.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rondo_store::master_key::{next_file, write_key};
use rondo_store::{
    Answer, Begin, Credits, EventName, MasterKey, NewPreview, NewProject, Plan, Settings, Store, StoreError,
};
use serde_json::{Value, json};

use crate::database::{Database, LEASE, master_key, on_both, render_for};

const SECRET_URL: &str = "https://me:hunter2@media.test/a.png";
const SHOWN_URL: &str = "https://***@media.test/a.png";

fn film() -> Value {
    json!({"overlays": [{"src": SECRET_URL}]})
}

fn project() -> NewProject {
    NewProject {
        name: "p".into(),
        description: None,
        composition: film(),
        template_id: None,
        credits_per_minute: 1,
    }
}

async fn is_encrypted(db: &Database, sql: &'static str) {
    let value = db.text(sql).await;
    assert!(value.starts_with("enc1:"), "{sql}: {value}");
}

on_both! {
    async fn secrets_are_stored_encrypted(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let signing = db.store.secret("signing").await.unwrap();
        assert_eq!(signing.len(), 43);
        assert_eq!(db.again().await.secret("signing").await.unwrap(), signing);
        is_encrypted(db, "SELECT value FROM secret WHERE name = 'signing'").await;

        let webhook = db.store.create_webhook(&account.id, "https://h.test", &EventName::ALL).await.unwrap();
        is_encrypted(db, "SELECT secret FROM webhook").await;
        let read = db.store.webhook(&account.id, &webhook.id).await.unwrap().unwrap();
        assert_eq!(read.secret, webhook.secret);
        let rotated = db.store.rotate_webhook_secret(&account.id, &webhook.id).await.unwrap().secret;
        assert!(rotated.starts_with("whsec_") && rotated != webhook.secret);
        is_encrypted(db, "SELECT secret FROM webhook").await;
        is_encrypted(db, "SELECT old_secret FROM webhook").await;
        let read = db.again().await.webhook(&account.id, &webhook.id).await.unwrap().unwrap();
        assert_eq!(read.old_secret.unwrap().0, webhook.secret);

        assert!(matches!(db.store.begin_idempotent(&account.id, "k", "f").await.unwrap(), Begin::Fresh));
        let answer = Answer { status: 200, body: "whsec_answer".into() };
        db.store.finish_idempotent(&account.id, "k", &answer).await.unwrap();
        is_encrypted(db, "SELECT body FROM idempotency").await;
        let Begin::Replay(replayed) = db.store.begin_idempotent(&account.id, "k", "f").await.unwrap() else {
            panic!("not replayed");
        };
        assert_eq!(replayed.body, answer.body);
    }

    async fn credentials_in_urls_reach_the_worker_alone(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let mut new = render_for(&account);
        new.input_props = film();
        new.request = Some(json!({"replacements": {"logo": SECRET_URL}}));
        new.new_project = Some(project());
        let render = db.store.create_render(&new, None).await.unwrap();
        assert_eq!(render.input_props.unwrap()["overlays"][0]["src"], SHOWN_URL);
        let stored = db.store.render(&render.id).await.unwrap().unwrap();
        assert_eq!(stored.request.unwrap()["replacements"]["logo"], SHOWN_URL);
        for sql in ["SELECT input_props FROM render", "SELECT request FROM render", "SELECT composition FROM project"] {
            assert!(!db.text(sql).await.contains("hunter2"), "{sql}");
        }
        is_encrypted(db, "SELECT credentials FROM render").await;
        is_encrypted(db, "SELECT credentials FROM project").await;

        let project = db.store.project(&render.project_id.unwrap()).await.unwrap().unwrap();
        assert_eq!(project.composition["overlays"][0]["src"], SHOWN_URL);
        assert_eq!(project.composition_to_render(), film());
        assert!(!format!("{project:?}").contains("hunter2"));
        let preview = NewPreview {
            id: "prv_1", account_id: &account.id, composition: &film(), expires_at: db.store.now(),
            hold: None,
            charge: Credits::ZERO, used: &[], kept: None,
        };
        let preview = db.store.create_preview(preview).await.unwrap();
        assert_eq!(preview.composition["overlays"][0]["src"], SHOWN_URL);
        assert_eq!(preview.composition_to_draw(), film());
        is_encrypted(db, "SELECT credentials FROM preview").await;

        let claimed = db.store.claim(LEASE).await.unwrap().unwrap();
        assert_eq!(claimed.render.input_props.unwrap(), film());
        let failed = db.store.fail(&claimed.lease, &format!("{SECRET_URL} is no picture.")).await.unwrap();
        assert_eq!(failed.error_message.unwrap(), format!("{SHOWN_URL} is no picture."));
        assert_eq!(db.text("SELECT COALESCE(credentials, 'none') FROM render").await, "none");
    }

    async fn secrets_of_earlier_versions_are_encrypted_at_start(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://h.test", &EventName::ALL).await.unwrap();
        db.store.secret("signing").await.unwrap();
        let queued = db.store.create_render(&render_for(&account), None).await.unwrap();
        db.sql("DELETE FROM secret WHERE name <> 'signing'".into()).await;
        db.sql("UPDATE secret SET value = 'plain-signing-key'".into()).await;
        db.sql("UPDATE webhook SET secret = 'whsec_plain'".into()).await;
        db.sql(format!("UPDATE render SET input_props = '{}'", film())).await;

        let store = db.again().await;
        assert_eq!(store.secret("signing").await.unwrap(), "plain-signing-key");
        let read = store.webhook(&account.id, &webhook.id).await.unwrap().unwrap();
        assert_eq!(read.secret, "whsec_plain");
        let render = store.render(&queued.id).await.unwrap().unwrap();
        assert_eq!(render.input_props.unwrap()["overlays"][0]["src"], SHOWN_URL);
        assert_eq!(store.claim(LEASE).await.unwrap().unwrap().render.input_props.unwrap(), film());
        is_encrypted(db, "SELECT secret FROM webhook").await;
        is_encrypted(db, "SELECT value FROM secret WHERE name = 'signing'").await;
    }

    async fn an_encrypted_value_is_useless_in_another_row(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let one = db.store.create_webhook(&account.id, "https://h.test/1", &EventName::ALL).await.unwrap();
        let two = db.store.create_webhook(&account.id, "https://h.test/2", &EventName::ALL).await.unwrap();
        let sql = "UPDATE webhook SET secret = (SELECT secret FROM webhook WHERE id = '{1}') WHERE id = '{2}'";
        db.sql(sql.replace("{1}", &one.id).replace("{2}", &two.id)).await;
        let error = db.store.webhook(&account.id, &two.id).await.unwrap_err();
        assert!(matches!(error, StoreError::Undecryptable { .. }), "{error}");
    }

    async fn a_rotated_database_opens_with_the_new_key_alone(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let webhook = db.store.create_webhook(&account.id, "https://h.test", &EventName::ALL).await.unwrap();
        let mut new = render_for(&account);
        new.input_props = film();
        db.store.create_render(&new, None).await.unwrap();
        let key = MasterKey::generate();
        // Two rows of `secret` that the store keeps for itself, the webhook and the credentials of the render.
        assert_eq!(db.store.rotate_master_key(&key).await.unwrap(), 4);
        let refused = db.open_with(master_key()).await.err().unwrap();
        assert!(matches!(refused, StoreError::WrongMasterKey), "{refused}");
        let store = db.open_with(key).await.unwrap();
        let read = store.webhook(&account.id, &webhook.id).await.unwrap().unwrap();
        assert_eq!(read.secret, webhook.secret);
        assert_eq!(store.claim(LEASE).await.unwrap().unwrap().render.input_props.unwrap(), film());
    }
}

async fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open_folder(folder, Settings::default()).await
}

#[tokio::test]
async fn the_key_file_is_private_and_needed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let signing = open(folder.path()).await.unwrap().secret("signing").await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let key = fs::read_to_string(&path).unwrap();
    assert_eq!(key.trim().len(), 64);
    assert_eq!(open(folder.path()).await.unwrap().secret("signing").await.unwrap(), signing);

    fs::remove_file(&path).unwrap();
    let error = open(folder.path()).await.err().unwrap().to_string();
    assert!(error.contains("master.key does not exist and RONDO_MASTER_KEY is not set"), "{error}");
    assert!(!path.exists(), "a new key would hide that the old one is lost");
    write_key(&path, &MasterKey::generate()).unwrap();
    let error = open(folder.path()).await.err().unwrap();
    assert!(matches!(error, StoreError::WrongMasterKey), "{error}");
    fs::write(&path, "not a key").unwrap();
    let error = open(folder.path()).await.err().unwrap().to_string();
    assert!(error.contains("64 hexadecimal digits"), "{error}");
    fs::write(&path, key).unwrap();
    open(folder.path()).await.unwrap();
}

#[tokio::test]
async fn a_rotation_interrupted_before_or_after_its_transaction_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let store = open(folder.path()).await.unwrap();
    let signing = store.secret("signing").await.unwrap();
    let new = MasterKey::generate();
    write_key(&next_file(&path), &new).unwrap();
    assert_eq!(open(folder.path()).await.unwrap().secret("signing").await.unwrap(), signing);

    store.rotate_master_key(&new).await.unwrap();
    assert_eq!(open(folder.path()).await.unwrap().secret("signing").await.unwrap(), signing);
    assert_eq!(fs::read_to_string(&path).unwrap().trim(), new.to_hex());
    assert!(!next_file(&path).exists());
}
