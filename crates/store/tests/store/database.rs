//! A new database for each test, with a clock that the test controls.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rondo_store::{
    Account, Clock, ConcurrentRenders, Credits, KeySource, MasterKey, Mode, NewAccount, NewRender, Plan,
    Settings, StorageLimits, Store, StoreError, Time, id,
};
use serde_json::json;
use sqlx::{AnyConnection, Connection, Row};
use tempfile::TempDir;

pub const LEASE: Duration = Duration::from_secs(30);

/// Runs one test body on both databases.
macro_rules! on_both {
    ($(async fn $name:ident($db:ident) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports, reason = "not every body uses them")]
            use super::*;

            async fn body($db: &$crate::database::Database) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let database = $crate::database::Database::sqlite().await;
                body(&database).await;
                database.balanced().await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let Some(database) = $crate::database::Database::postgres().await else { return };
                body(&database).await;
                database.balanced().await;
            }
        }
    )+};
}
pub(crate) use on_both;

pub struct Database {
    pub store: Store,
    pub url: String,
    now: Arc<AtomicI64>,
    _folder: TempDir,
}

impl Database {
    pub async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self::open(url, folder).await
    }

    /// A new schema on the server, if `RONDO_TEST_POSTGRES` is set.
    pub async fn postgres() -> Option<Self> {
        let Ok(server) = std::env::var("RONDO_TEST_POSTGRES") else {
            println!("RONDO_TEST_POSTGRES is not set: skipped on PostgreSQL. ./test starts a server.");
            return None;
        };
        sqlx::any::install_default_drivers();
        let schema = format!("test_{}", id::secret(16).to_lowercase());
        let mut connection = AnyConnection::connect(&server).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}")))
            .execute(&mut connection)
            .await
            .unwrap();
        let joint = if server.contains('?') { '&' } else { '?' };
        let url = format!("{server}{joint}application_name={schema}&options=-c%20search_path%3D{schema}");
        Some(Self::open(url, tempfile::tempdir().unwrap()).await)
    }

    async fn open(url: String, folder: TempDir) -> Self {
        let now = Arc::new(AtomicI64::new(1_800_000_000_000));
        let store = Store::open(&url, settings(&now)).await.unwrap();
        Self { store, url, now, _folder: folder }
    }

    /// A second connection pool to the same database.
    pub async fn again(&self) -> Store {
        Store::open(&self.url, settings(&self.now)).await.unwrap()
    }

    /// A worker of another engine on the same database.
    pub async fn with_engine(&self, engine: &str) -> Store {
        let settings = Settings { engine: engine.to_owned(), ..settings(&self.now) };
        Store::open(&self.url, settings).await.unwrap()
    }

    /// Writes a migration that this version does not know. `oldest` is the oldest schema whose programs can work with it.
    pub async fn migrate_further(&self, oldest: i64) {
        self.sql(
            "INSERT INTO _sqlx_migrations (version, description, installed_on, success, checksum, execution_time) \
             SELECT 9999, description, installed_on, success, checksum, execution_time FROM _sqlx_migrations \
             WHERE version = 1"
                .into(),
        )
        .await;
        self.sql(format!("UPDATE schema_floor SET oldest = {oldest}")).await;
    }

    /// Opens the database with another master key.
    pub async fn open_with(&self, key: MasterKey) -> Result<Store, StoreError> {
        let settings = Settings { master_key: KeySource::Given(key), ..settings(&self.now) };
        Store::open(&self.url, settings).await
    }

    pub fn pass(&self, time: Duration) {
        self.now.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the clock back.
    pub fn turn_back(&self, time: Duration) {
        self.now.fetch_sub(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Runs SQL without the store.
    pub async fn sql(&self, sql: String) {
        let mut connection = AnyConnection::connect(&self.url).await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }

    /// Reads one text without the store.
    pub async fn text(&self, sql: &'static str) -> String {
        let mut connection = AnyConnection::connect(&self.url).await.unwrap();
        sqlx::query(sql).fetch_one(&mut connection).await.unwrap().get(0)
    }

    pub async fn account(&self, email: &str, plan: Plan, credits: i64) -> Account {
        let credits = Credits::from_whole(credits);
        let new = NewAccount { email, name: "Ada", plan, credits, password_hash: None, is_operator: false };
        self.store.create_account(new).await.unwrap()
    }

    pub async fn credits(&self, account: &Account) -> Credits {
        self.store.account(&account.id).await.unwrap().unwrap().credits
    }

    pub async fn balanced(&self) {
        assert_eq!(self.store.audit().await.unwrap(), []);
    }
}

/// The master key of all test databases.
pub fn master_key() -> MasterKey {
    MasterKey::from_hex(&"5a".repeat(32)).unwrap()
}

fn settings(now: &Arc<AtomicI64>) -> Settings {
    let now = now.clone();
    Settings {
        concurrent_renders: ConcurrentRenders::default(),
        storage_limits: StorageLimits { creator: Some(3000), ..StorageLimits::default() },
        clock: Clock::new(move || Time(now.load(Ordering::SeqCst))),
        master_key: KeySource::Given(master_key()),
        engine: "engine".to_owned(),
    }
}

/// A render of two seconds that costs one credit.
pub fn render_for(account: &Account) -> NewRender {
    NewRender {
        account_id: account.id.clone(),
        mode: Mode::Direct,
        project_id: None,
        new_project: None,
        template_id: None,
        input_props: json!({"overlays": [], "durationInFrames": 60}),
        width: 1920,
        height: 1080,
        fps: 30,
        duration_in_frames: 60,
        credits: Credits::from_whole(1),
        output: None,
        audio: None,
        metadata: None,
        webhook_url: None,
        draft: false,
        speech: None,
        request: None,
        is_test: false,
    }
}

/// Runs futures concurrently and waits for all of them.
pub async fn all<T: Send + 'static>(
    futures: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let running: Vec<_> = futures.into_iter().map(tokio::spawn).collect();
    let mut results = Vec::with_capacity(running.len());
    for task in running {
        results.push(task.await.unwrap());
    }
    results
}
