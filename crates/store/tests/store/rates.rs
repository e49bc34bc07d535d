//! Counted requests, and attempts that must wait.

use std::time::Duration;

use rondo_store::{AttemptRule, Plan};

use crate::database::on_both;

const MINUTE: Duration = Duration::from_secs(60);

fn rule(sender: &str, free: u32) -> AttemptRule {
    AttemptRule { sender: sender.to_owned(), free, longest: MINUTE, memory: 15 * MINUTE }
}

on_both! {
    async fn requests_are_counted_until_their_window_ends(db) {
        let store = &db.store;
        for n in 1..=3 {
            let window = store.count_request("a", MINUTE).await.unwrap();
            assert_eq!((window.requests, window.left), (n, MINUTE));
        }
        db.pass(Duration::from_secs(40));
        assert_eq!(store.count_request("b", MINUTE).await.unwrap().requests, 1);
        let window = store.count_request("a", MINUTE).await.unwrap();
        assert_eq!((window.requests, window.left), (4, Duration::from_secs(20)));
        assert_eq!(store.requests_of("a").await.unwrap(), Some(window));
        db.pass(Duration::from_secs(20));
        assert_eq!(store.requests_of("a").await.unwrap(), None);
        let window = store.count_request("a", MINUTE).await.unwrap();
        assert_eq!((window.requests, window.left), (1, MINUTE));
        db.pass(2 * MINUTE);
        assert_eq!(store.purge_rates().await.unwrap(), 2);
    }

    async fn concurrent_requests_are_all_counted(db) {
        let counting: Vec<_> = (0..40)
            .map(|_| {
                let store = db.store.clone();
                tokio::spawn(async move { store.count_request("a", MINUTE).await.unwrap().requests })
            })
            .collect();
        let mut counts = Vec::new();
        for count in counting {
            counts.push(count.await.unwrap());
        }
        counts.sort_unstable();
        assert_eq!(counts, (1..=40).collect::<Vec<_>>());
    }

    async fn attempts_wait_longer_each_time_up_to_a_minute_and_are_forgotten(db) {
        let store = &db.store;
        let rules = [rule("address", 100), rule("email", 3)];
        for _ in 0..3 {
            assert_eq!(store.begin_attempt(&rules).await.unwrap(), None);
        }
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            let wait = store.begin_attempt(&rules).await.unwrap();
            assert_eq!(wait, Some(Duration::from_secs(seconds)));
            // Those that had to wait are not counted, also under the other rule.
            db.pass(Duration::from_secs(seconds) - Duration::from_millis(1));
            assert_eq!(store.begin_attempt(&rules).await.unwrap(), Some(Duration::from_millis(1)));
            db.pass(Duration::from_millis(1));
            assert_eq!(store.begin_attempt(&rules).await.unwrap(), None);
        }
        assert_eq!(store.requests_of("address").await.unwrap().unwrap().requests, 11);
        db.pass(15 * MINUTE);
        for _ in 0..3 {
            assert_eq!(store.begin_attempt(&rules).await.unwrap(), None);
        }
    }

    async fn a_success_takes_back_its_own_attempt_only(db) {
        let store = &db.store;
        let rules = [rule("email", 3)];
        for _ in 0..10 {
            assert_eq!(store.begin_attempt(&rules).await.unwrap(), None);
            store.forgive_attempt(&rules).await.unwrap();
        }
        for _ in 0..2 {
            store.begin_attempt(&rules).await.unwrap();
        }
        store.begin_attempt(&rules).await.unwrap();
        store.forgive_attempt(&rules).await.unwrap();
        assert_eq!(store.begin_attempt(&rules).await.unwrap(), None);
        assert!(store.begin_attempt(&rules).await.unwrap().is_some());
    }

    async fn many_attempts_at_once_get_no_more_than_the_free_ones(db) {
        let trying: Vec<_> = (0..30)
            .map(|n| {
                let store = db.store.clone();
                let rules = [rule("email", 5), rule(&format!("address {n}"), 5)];
                tokio::spawn(async move { store.begin_attempt(&rules).await.unwrap() })
            })
            .collect();
        let mut allowed = 0;
        for tried in trying {
            allowed += u32::from(tried.await.unwrap().is_none());
        }
        assert_eq!(allowed, 5);
    }

    async fn networks_are_known_to_the_account_that_used_them(db) {
        let account = db.account("ada@example.com", Plan::None, 0).await;
        db.store.know_network(&account.id, "192.0.2.1").await.unwrap();
        db.store.know_network(&account.id, "192.0.2.1").await.unwrap();
        assert!(db.store.knows_network(&account.id, "192.0.2.1").await.unwrap());
        assert!(!db.store.knows_network(&account.id, "192.0.2.2").await.unwrap());
        assert!(!db.store.knows_network("", "192.0.2.1").await.unwrap());
    }
}
