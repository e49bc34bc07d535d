//! Accounts and their keys.

use std::path::Path;

use rondo_store::{
    Credits, KeySource, NewAccount, Plan, Revoke, Settings, Store, StoreError, Time, TransactionStatus,
    TransactionType, Used,
};

use crate::database::{all, master_key, on_both};

on_both! {
    async fn duplicate_email_is_rejected(db) {
        db.account("Ada@Example.org", Plan::None, 0).await;
        let again = NewAccount {
            email: "  ada@example.ORG ",
            name: "Other",
            plan: Plan::None,
            credits: Credits::ZERO,
            password_hash: None,
            is_operator: false,
        };
        assert!(matches!(db.store.create_account(again).await, Err(StoreError::EmailTaken { .. })));
        let found = db.store.account_by_email("ADA@example.org").await.unwrap().unwrap();
        assert_eq!((found.email.as_str(), found.name.as_str()), ("Ada@Example.org", "Ada"));
        assert_eq!(db.store.accounts().await.unwrap().len(), 1);
    }

    async fn initial_credits_are_a_completed_transaction(db) {
        let account = db.account("a@b.c", Plan::Creator, 25).await;
        assert_eq!(account.credits, Credits::from_whole(25));
        let transactions = db.store.transactions(&account.id).await.unwrap();
        assert_eq!(transactions.len(), 1);
        assert_eq!(transactions[0].status, TransactionStatus::Completed);
        assert_eq!(transactions[0].credits.whole(), 25);
        assert!(transactions[0].id.starts_with("txn_"));
        let poor = db.account("d@e.f", Plan::None, 0).await;
        assert!(db.store.transactions(&poor.id).await.unwrap().is_empty());
    }

    async fn credits_can_be_subtracted_but_not_below_zero(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        let kind = TransactionType::CreditPurchase;
        db.store.add_credits(&account.id, Credits::from_whole(3), kind).await.unwrap();
        db.store.add_credits(&account.id, Credits::from_whole(-8), kind).await.unwrap();
        let error = db.store.add_credits(&account.id, Credits::from_whole(-1), kind).await.unwrap_err();
        assert!(matches!(error, StoreError::InsufficientCredits { .. }), "{error}");
        assert_eq!(db.credits(&account).await, Credits::ZERO);
        assert_eq!(db.store.transactions(&account.id).await.unwrap().len(), 3);
    }

    async fn plan_and_password_can_be_changed(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        db.store.set_plan(&account.id, Plan::Business).await.unwrap();
        db.store.set_password_hash(&account.id, Some("$argon2id$…"), None, Revoke::default()).await.unwrap();
        let account = db.store.account(&account.id).await.unwrap().unwrap();
        assert_eq!((account.plan, account.password_hash.as_deref()), (Plan::Business, Some("$argon2id$…")));
        assert!(matches!(
            db.store.set_plan("usr_unknown", Plan::None).await,
            Err(StoreError::NotFound { what: "account", .. })
        ));
    }

    async fn a_key_authenticates_until_it_is_revoked(db) {
        let account = db.account("a@b.c", Plan::None, 7).await;
        let kept = db.store.create_key(&account.id, None).await.unwrap();
        let revoked = db.store.create_key(&account.id, None).await.unwrap();
        assert!(kept.secret.starts_with("rnd_") && kept.secret.len() == 44);
        assert_eq!(kept.key.prefix, kept.secret[..12]);

        let known = db.store.authenticate(&revoked.secret).await.unwrap().unwrap();
        assert_eq!((known.account.id.as_str(), known.account.credits.whole()), (account.id.as_str(), 7));
        assert_eq!(known.key.id, revoked.key.id);

        let other = db.account("d@e.f", Plan::None, 0).await;
        assert!(db.store.revoke_key(&revoked.key.prefix, Some(&other.id)).await.is_err());
        db.store.revoke_key(&revoked.key.prefix, Some(&account.id)).await.unwrap();
        assert!(db.store.authenticate(&revoked.secret).await.unwrap().is_none());
        assert!(db.store.authenticate(&kept.secret).await.unwrap().is_some());
        db.store.revoke_key(&kept.key.id, None).await.unwrap();
        assert!(db.store.authenticate(&kept.secret).await.unwrap().is_none());
        for unknown in ["", "rnd_", "rnd_\0", "Bearer x"] {
            assert!(db.store.authenticate(unknown).await.unwrap().is_none());
        }
        assert_eq!(db.store.keys(&account.id).await.unwrap().len(), 2);
    }

    async fn last_used_at_never_decreases(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let key = db.store.create_key(&account.id, None).await.unwrap().key;
        let used = Used::Key(key.id.clone());
        db.store.touch(&[(used.clone(), Time(2_000)), (used.clone(), Time(1_000))]).await.unwrap();
        assert_eq!(db.store.keys(&account.id).await.unwrap()[0].last_used_at, Some(Time(2_000)));
    }

    async fn a_database_of_an_earlier_version_is_migrated(db) {
        let account = db.account("a@b.c", Plan::None, 5).await;
        db.sql("DROP INDEX render_by_completion".into()).await;
        db.sql("DROP INDEX delivery_by_finish".into()).await;
        db.sql("DELETE FROM _sqlx_migrations WHERE version = 5".into()).await;
        // Descriptions are informative: earlier versions had others.
        db.sql("UPDATE _sqlx_migrations SET description = 'doors' WHERE version = 2".into()).await;
        let migrated = db.again().await;
        assert!(migrated.account(&account.id).await.unwrap().is_some());
        let applied = "SELECT CAST(COUNT(*) AS TEXT) FROM _sqlx_migrations WHERE version = 5";
        assert_eq!(db.text(applied).await, "1");
    }

    async fn a_database_can_be_opened_concurrently(db) {
        let url = db.url.clone();
        let stores = all((0..6).map(|_| {
            let url = url.clone();
            let settings = Settings { master_key: KeySource::Given(master_key()), ..Settings::default() };
            async move { Store::open(&url, settings).await }
        }))
        .await;
        for store in &stores {
            store.as_ref().unwrap().check().await.unwrap();
        }
        db.account("a@b.c", Plan::None, 0).await;
        let other = stores[0].as_ref().unwrap();
        assert!(other.account_by_email("a@b.c").await.unwrap().is_some());
    }
}

#[tokio::test]
async fn concurrent_first_starts_migrate_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data with % and ?");
    let stores = all((0..4).map(|_| {
        let path = path.clone();
        async move { Store::open_folder(&path, Settings::default()).await }
    }))
    .await;
    for store in stores {
        store.unwrap().check().await.unwrap();
    }
    assert!(path.join("rondo.db").exists());
}

#[tokio::test]
async fn an_unsupported_url_is_rejected_without_its_password() {
    let error =
        Store::open("mysql://me:secret@host/db", Settings::default()).await.err().unwrap().to_string();
    assert!(error.contains("mysql://…@host/db") && !error.contains("secret"), "{error}");
    let error = Store::open_folder(Path::new("/proc/none"), Settings::default()).await.err().unwrap();
    assert!(matches!(error, StoreError::File { .. }));
}
