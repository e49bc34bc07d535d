//! Sessions, invitations and OAuth grants.

use std::time::Duration;

use rondo_store::{
    AuthMethod, Credits, Exchange, IssuedTokens, NewAccount, NewGrant, Plan, SignUp, Start, StoreError, Time,
    Used,
};

use crate::database::{Database, all, on_both};

const DAY: Duration = Duration::from_secs(86_400);
const HOUR: Duration = Duration::from_secs(3600);

fn person(email: &str) -> NewAccount<'_> {
    NewAccount {
        email,
        name: "Ada",
        plan: Plan::None,
        credits: Credits::ZERO,
        password_hash: None,
        is_operator: false,
    }
}

/// A client with a grant of the account, and its tokens.
async fn issued(db: &Database, account_id: &str) -> (String, IssuedTokens) {
    let uris = ["http://127.0.0.1/cb".to_owned()];
    let client = db.store.register_client("App", &uris, AuthMethod::None).await.unwrap().client;
    let grant = NewGrant {
        account_id,
        client_id: &client.id,
        resource: "https://video.example.com",
        scopes: "account:read",
        redirect_uri: &uris[0],
        challenge: "challenge",
    };
    let code = db.store.allow(&grant).await.unwrap();
    match db.store.exchange_code(&code, &client.id, None, "challenge").await.unwrap() {
        Exchange::Issued(tokens) => (client.id, *tokens),
        Exchange::Refused(reason) => panic!("{reason}"),
    }
}

on_both! {
    async fn a_session_expires_when_unused_and_after_a_month(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let begun = db.store.create_session(&account.id, "192.0.2.1", "Browser", None).await.unwrap();
        assert_eq!(db.store.session(&begun.secret).await.unwrap().unwrap().account.email, "a@b.c");
        assert!(db.store.session("guessed").await.unwrap().is_none());
        for _ in 0..4 {
            db.pass(6 * DAY);
            assert!(db.store.session(&begun.secret).await.unwrap().is_some());
            let used = Used::Session(begun.session.id.clone());
            db.store.touch(&[(used, db.store.now())]).await.unwrap();
        }
        db.pass(6 * DAY);
        assert!(db.store.session(&begun.secret).await.unwrap().is_none(), "after thirty days");
        let idle = db.store.create_session(&account.id, "192.0.2.1", "Browser", None).await.unwrap();
        db.pass(7 * DAY);
        assert!(db.store.session(&idle.secret).await.unwrap().is_none(), "after seven days unused");
        assert!(db.store.sessions(&account.id).await.unwrap().is_empty());
        assert_eq!(db.store.purge_sessions().await.unwrap(), 2);
        let kept = db.text("SELECT CAST(COUNT(*) AS TEXT) FROM session").await;
        assert_eq!(kept, "0");
    }

    async fn one_of_many_concurrent_sign_ups_is_the_operator(db) {
        let stores = [db.store.clone(), db.again().await, db.again().await];
        let people = stores.into_iter().enumerate().map(|(i, store)| async move {
            let email = format!("{i}@example.com");
            store.sign_up(person(&email), SignUp::Closed).await
        });
        let results = all(people).await;
        let made: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
        assert_eq!(made.len(), 1);
        assert!(made[0].is_operator);
        let operator = made[0].id.clone();
        assert!(matches!(db.store.set_operator(&operator, false).await, Err(StoreError::LastOperator)));
        let second = db.store.sign_up(person("x@example.com"), SignUp::Open(None)).await.unwrap();
        assert!(!second.is_operator);
        db.store.set_operator(&second.id, true).await.unwrap();
        db.store.set_operator(&operator, false).await.unwrap();
    }

    async fn an_invitation_is_valid_once_for_a_week(db) {
        let operator = db.account("a@b.c", Plan::None, 0).await;
        let one = db.store.create_invite(&operator.id, None, Start::default()).await.unwrap();
        let late = db.store.create_invite(&operator.id, None, Start::default()).await.unwrap();
        let sign_up = async |email: &str, secret: &str| {
            db.store.sign_up(person(email), SignUp::Invited(secret)).await
        };
        sign_up("d@e.f", &one.secret).await.unwrap();
        assert!(matches!(sign_up("g@h.i", &one.secret).await, Err(StoreError::NotInvited)));
        db.pass(8 * DAY);
        assert!(matches!(sign_up("g@h.i", &late.secret).await, Err(StoreError::NotInvited)));
        assert_eq!(db.store.invites().await.unwrap().len(), 2);
        db.pass(31 * DAY);
        assert_eq!(db.store.purge_invites().await.unwrap(), 2);
    }

    async fn an_invitation_says_what_the_account_starts_with(db) {
        let operator = db.account("a@b.c", Plan::None, 0).await;
        let start = Start { plan: Some(Plan::Creator), credits: Some(Credits::from_whole(25)) };
        let invite = async || db.store.create_invite(&operator.id, None, start).await.unwrap().secret;
        let (one, two) = (invite().await, invite().await);
        let invited = db.store.sign_up(person("d@e.f"), SignUp::Invited(&one)).await.unwrap();
        // Where everyone may sign up, an invitation still counts, and a wrong one does not matter.
        let open = db.store.sign_up(person("g@h.i"), SignUp::Open(Some(&two))).await.unwrap();
        let plain = db.store.sign_up(person("j@k.l"), SignUp::Open(Some("wrong"))).await.unwrap();
        let starts = [&invited, &open, &plain].map(|account| (account.plan, account.credits));
        let given = (Plan::Creator, Credits::from_whole(25));
        assert_eq!(starts, [given, given, (Plan::None, Credits::ZERO)]);
        assert_eq!(db.store.invites().await.unwrap()[0].start, start);
        assert!(db.store.audit().await.unwrap().is_empty());
    }

    async fn a_code_is_exchanged_once(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let (client_id, _) = issued(db, &account.id).await;
        let grant = NewGrant {
            account_id: &account.id,
            client_id: &client_id,
            resource: "https://video.example.com",
            scopes: "account:read",
            redirect_uri: "http://127.0.0.1/cb",
            challenge: "challenge",
        };
        let code = db.store.allow(&grant).await.unwrap();
        let attempts = (0..6).map(|_| {
            let (store, code, client_id) = (db.store.clone(), code.clone(), client_id.clone());
            async move { store.exchange_code(&code, &client_id, None, "challenge").await.unwrap() }
        });
        let results = all(attempts).await;
        let issued: Vec<_> = results
            .iter()
            .filter_map(|result| match result {
                Exchange::Issued(tokens) => Some(tokens),
                Exchange::Refused(_) => None,
            })
            .collect();
        assert_eq!(issued.len(), 1);
        assert!(db.store.token(&issued[0].access).await.unwrap().is_none(), "the others were replays");

        let late = db.store.allow(&grant).await.unwrap();
        db.pass(Duration::from_secs(61));
        let exchange = db.store.exchange_code(&late, &client_id, None, "challenge").await.unwrap();
        assert!(matches!(exchange, Exchange::Refused(_)));
    }

    async fn access_tokens_last_an_hour_and_refresh_tokens_a_month(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let (client_id, first) = issued(db, &account.id).await;
        let found = db.store.token(&first.access).await.unwrap().unwrap();
        assert_eq!((found.account.id, found.token.client_id), (account.id.clone(), client_id.clone()));
        db.store
            .touch(&[(Used::Token { id: found.token.id, grant_id: found.token.grant_id }, Time(2_000_000_000_000))])
            .await
            .unwrap();
        let apps = db.store.apps(&account.id).await.unwrap();
        assert_eq!(apps[0].last_used_at, Some(Time(2_000_000_000_000)));
        db.pass(HOUR);
        assert!(db.store.token(&first.access).await.unwrap().is_none());
        let second = match db.store.exchange_refresh_token(&first.refresh, &client_id).await.unwrap() {
            Exchange::Issued(tokens) => tokens,
            Exchange::Refused(reason) => panic!("{reason}"),
        };
        assert!(db.store.token(&second.access).await.unwrap().is_some());
        db.pass(30 * DAY);
        let exchange = db.store.exchange_refresh_token(&second.refresh, &client_id).await.unwrap();
        assert!(matches!(exchange, Exchange::Refused(_)));
        assert!(db.store.apps(&account.id).await.unwrap().is_empty());
        db.pass(31 * DAY);
        db.store.purge_apps().await.unwrap();
        assert!(db.store.client(&client_id).await.unwrap().is_none(), "forgotten with its last token");
    }

    async fn secrets_are_stored_as_hashes(db) {
        let account = db.account("a@b.c", Plan::None, 0).await;
        let begun = db.store.create_session(&account.id, "192.0.2.1", "Browser", None).await.unwrap();
        let (_, tokens) = issued(db, &account.id).await;
        let stored = [
            db.text("SELECT hash FROM session").await,
            db.text("SELECT hash FROM oauth_code").await,
            db.text("SELECT hash FROM oauth_token WHERE kind = 'access'").await,
            db.text("SELECT hash FROM oauth_token WHERE kind = 'refresh'").await,
        ];
        for hash in stored {
            assert_eq!(hash.len(), 64);
            assert!(![&begun.secret, &tokens.access, &tokens.refresh].contains(&&hash));
        }
    }

    async fn a_process_is_listed_while_it_reports(db) {
        db.store.report_process("all", db.store.now()).await.unwrap();
        assert_eq!(db.store.workers().await.unwrap()[0].role, "all");
        db.pass(Duration::from_secs(91));
        assert!(db.store.workers().await.unwrap().is_empty());
        db.store.report_process("all", db.store.now()).await.unwrap();
        db.store.retire_process().await.unwrap();
        assert!(db.store.workers().await.unwrap().is_empty());
    }
}
