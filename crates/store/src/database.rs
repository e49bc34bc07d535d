//! Opening the database: a pool for reads, which never wait for writes, and write transactions.

use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection, Row};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::connection::{Connections, Reads, Write};
use crate::master_key::KeySource;
use crate::migrate;
use crate::plan::{ConcurrentRenders, Plan, StorageLimits};
use crate::process::Process;
use crate::seal::MasterKey;
use crate::{Clock, Result, StoreError, Time};

/// The service's database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    dialect: Dialect,
    /// The address of a server.
    server_url: Option<String>,
    reads: Connections,
    writes: Connections,
    settings: Settings,
    process: Process,
    /// Held by the worker of this process that claims a render.
    claiming: Mutex<()>,
    /// When this process last looked for workers that have disappeared, and for accounts that nobody has marked.
    last_reaping: LastTime,
    last_marking: LastTime,
    master_key: OnceLock<MasterKey>,
}

/// When something was done last.
#[derive(Default)]
struct LastTime(std::sync::Mutex<Option<Time>>);

impl LastTime {
    /// Whether it was done longer ago; then it is done now.
    fn is_past(&self, every: Duration, now: Time) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_past = last.is_none_or(|last| now < last || last.plus(every) <= now);
        if is_past {
            *last = Some(now);
        }
        is_past
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

#[derive(Clone, Default)]
pub struct Settings {
    pub concurrent_renders: ConcurrentRenders,
    pub storage_limits: StorageLimits,
    pub clock: Clock,
    pub master_key: KeySource,
    /// What decides the bytes of chunks. Workers take chunks of their own engine only.
    pub engine: String,
}

/// A query with a locking clause for PostgreSQL. SQLite needs none: its write transactions run one at a time.
macro_rules! locking {
    ($store:expr, $sql:literal, $clause:literal) => {
        $crate::database::locking!($store, $sql, $clause, "")
    };
    ($store:expr, $sql:literal, $clause:literal, $rest:literal) => {
        match $store.dialect() {
            $crate::database::Dialect::Sqlite => concat!($sql, $rest),
            $crate::database::Dialect::Postgres => concat!($sql, " ", $clause, $rest),
        }
    };
}
pub(crate) use locking;

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;
/// How long a start waits for a server.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a start waits for the check of a file. A longer check goes on beside the service.
const CHECK: Duration = Duration::from_secs(2);

impl Store {
    /// Opens `rondo.db` in the folder. Creates both if missing.
    pub async fn open_folder(folder: &Path, mut settings: Settings) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        let path = folder.join("rondo.db");
        let mut url = String::from("sqlite:");
        for byte in path.to_string_lossy().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                    url.push(char::from(byte))
                }
                _ => url.push_str(&format!("%{byte:02X}")),
            }
        }
        if matches!(settings.master_key, KeySource::DataFolder) {
            settings.master_key = KeySource::in_folder(folder);
        }
        Self::open(&url, settings).await
    }

    /// Opens `sqlite:PATH` (created if missing) or `postgres://…`, applies pending migrations and finds the master key.
    pub async fn open(url: &str, settings: Settings) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let scheme = url.split_once(':').map(|(scheme, _)| scheme);
        let (dialect, reads, writes) = match scheme {
            Some("sqlite") => {
                let (reads, writes) = open_sqlite(url).await?;
                (Dialect::Sqlite, reads, writes)
            }
            Some("postgres" | "postgresql") => {
                let options = quiet(url)?;
                reach(&options).await?;
                let pool = AnyPoolOptions::new()
                    .max_connections(POSTGRES_CONNECTIONS)
                    .acquire_timeout(Duration::from_secs(20))
                    .connect_lazy_with(options.clone());
                let reads = Connections::of_server(pool.clone(), options.clone());
                (Dialect::Postgres, reads, Connections::of_server(pool, options))
            }
            _ => return Err(StoreError::UnknownDatabase { url: without_password(url) }),
        };
        let store = Self {
            shared: Arc::new(Shared {
                dialect,
                server_url: (dialect == Dialect::Postgres).then(|| url.to_owned()),
                reads,
                writes,
                settings,
                process: Process::current(),
                claiming: Mutex::new(()),
                last_reaping: LastTime::default(),
                last_marking: LastTime::default(),
                master_key: OnceLock::new(),
            }),
        };
        store.migrate().await?;
        let key = store.unlock(&store.shared.settings.master_key).await?;
        store.shared.master_key.get_or_init(|| key);
        Ok(store)
    }

    /// Fails if the database cannot be written, or has a schema that this version cannot work with.
    pub async fn check(&self) -> Result<()> {
        let mut tx = self.write().await?;
        migrate::schema(&mut tx).await?;
        sqlx::query(
            "INSERT INTO readiness (id, checked_at) VALUES (1, $1) \
             ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at",
        )
        .bind(self.now().0)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Writes a consistent copy of a SQLite database to a new file, while others write to it.
    pub async fn copy_to(&self, path: &Path) -> Result<()> {
        sqlx::query("VACUUM INTO $1").bind(path.to_string_lossy().into_owned()).execute(self.reads()).await?;
        Ok(())
    }

    /// Closes every connection after running statements have ended.
    pub async fn close(&self) {
        self.shared.reads.pool.close().await;
        self.shared.writes.pool.close().await;
    }

    pub fn now(&self) -> Time {
        self.shared.settings.clock.now()
    }

    /// Whether the database is a server that several machines may share.
    pub fn is_server(&self) -> bool {
        self.dialect() == Dialect::Postgres
    }

    pub(crate) fn server_url(&self) -> Option<&str> {
        self.shared.server_url.as_deref()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.shared.dialect
    }

    pub(crate) fn concurrent_renders(&self, plan: Plan) -> u32 {
        self.shared.settings.concurrent_renders.of(plan)
    }

    pub(crate) fn master_key(&self) -> &MasterKey {
        self.shared.master_key.get().expect("`open` sets it before it returns the store")
    }

    pub fn storage_limits(&self) -> StorageLimits {
        self.shared.settings.storage_limits
    }

    pub(crate) fn engine(&self) -> &str {
        &self.shared.settings.engine
    }

    pub(crate) fn process(&self) -> &Process {
        &self.shared.process
    }

    pub(crate) fn claiming(&self) -> &Mutex<()> {
        &self.shared.claiming
    }

    /// Whether it is time to look for workers that have disappeared.
    pub(crate) fn is_reaping_due(&self, every: Duration) -> bool {
        self.shared.last_reaping.is_past(every, self.now())
    }

    /// Whether it is time to look for accounts that nobody has marked.
    pub(crate) fn is_marking_due(&self, every: Duration) -> bool {
        self.shared.last_marking.is_past(every, self.now())
    }

    /// Whether no process has begun this work for so long. Then this one begins it for all of them.
    pub(crate) async fn begins_for_all(&self, work: &'static str, every: Duration) -> Result<bool> {
        let now = self.now();
        // A clock that was set back does not delay it.
        let first = sqlx::query(
            "INSERT INTO shared_work (name, begun_at) VALUES ($1, $2) ON CONFLICT (name) \
             DO UPDATE SET begun_at = excluded.begun_at WHERE shared_work.begun_at <= $3 OR shared_work.begun_at > $2 \
             RETURNING name",
        )
        .bind(work)
        .bind(now.0)
        .bind(now.minus(every).0)
        .fetch_optional(self.single_writes())
        .await?;
        Ok(first.is_some())
    }

    pub(crate) fn reads(&self) -> Reads<'_> {
        Reads(&self.shared.reads)
    }

    /// For writes of one statement, which need no transaction.
    pub(crate) fn single_writes(&self) -> Reads<'_> {
        Reads(&self.shared.writes)
    }

    pub(crate) fn writes(&self) -> &AnyPool {
        &self.shared.writes.pool
    }

    /// Begins a write transaction. It is rolled back unless committed.
    pub(crate) async fn write(&self) -> Result<Write> {
        let connection = self.shared.writes.acquire().await?;
        let begin = match self.dialect() {
            Dialect::Sqlite => "BEGIN IMMEDIATE",
            Dialect::Postgres => "BEGIN",
        };
        Ok(Write::begin(connection, begin).await?)
    }
}

/// Fails with the cause if the server does not answer. A pool would wait for it.
async fn reach(options: &AnyConnectOptions) -> Result<()> {
    let connecting = async { options.connect().await?.close().await };
    match timeout(CONNECT, connecting).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(StoreError::Unreachable { cause: error.to_string() }),
        Err(_) => {
            let cause = format!("no answer within {} seconds", CONNECT.as_secs());
            Err(StoreError::Unreachable { cause })
        }
    }
}

/// Fails if the file is not an intact database.
async fn check_file(options: &AnyConnectOptions) -> Result<()> {
    let mut connection = options.connect().await?;
    configure_sqlite(&mut connection).await?;
    let mut checking = tokio::spawn(async move {
        let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
        let found: String = row.try_get(0)?;
        if found == "ok" { Ok(()) } else { Err(StoreError::Damaged { problem: found.replace('\n', " ") }) }
    });
    match timeout(CHECK, &mut checking).await {
        Ok(Ok(checked)) => checked,
        Ok(Err(panic)) => Err(StoreError::Damaged { problem: panic.to_string() }),
        Err(_) => {
            tokio::spawn(async move {
                if let Ok(Err(error)) = checking.await {
                    tracing::error!(%error, "the check of the database failed");
                }
            });
            Ok(())
        }
    }
}

/// Opens the file. A process that creates it at the same moment locks it briefly, without regard to the busy time-out.
async fn open_sqlite(url: &str) -> Result<(Connections, Connections)> {
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        match try_open_sqlite(url).await {
            Err(StoreError::Database(sqlx::Error::Database(error)))
                if error.message().contains("locked") && std::time::Instant::now() < deadline =>
            {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            opened => return opened,
        }
    }
}

async fn try_open_sqlite(url: &str) -> Result<(Connections, Connections)> {
    let mut url = url.to_owned();
    if !url.contains("mode=") {
        url.push_str(if url.contains('?') { "&mode=rwc" } else { "?mode=rwc" });
    }
    let options = quiet(&url)?;
    check_file(&options).await.map_err(StoreError::or_damaged)?;
    let pool = |connections| {
        AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_secs(30))
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .after_connect(|connection, _| Box::pin(configure_sqlite(connection)))
    };
    let writes = pool(1).connect_with(options.clone()).await?;
    let reads = pool(SQLITE_READERS).connect_with(options).await?;
    Ok((Connections::of_file(reads), Connections::of_file(writes)))
}

/// With a write-ahead log, reads run beside a write. `synchronous = FULL` syncs the log at every commit: the ledger loses
/// nothing when the machine fails.
async fn configure_sqlite(connection: &mut AnyConnection) -> sqlx::Result<()> {
    sqlx::raw_sql(
        "PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
         PRAGMA foreign_keys = ON;",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Connection options without a log line per statement.
fn quiet(url: &str) -> Result<AnyConnectOptions> {
    let options = AnyConnectOptions::from_str(url)
        .map_err(|_| StoreError::UnknownDatabase { url: without_password(url) })?;
    Ok(options.disable_statement_logging())
}

fn without_password(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}…{}", &url[..scheme + 3], &url[at..]),
        _ => url.to_owned(),
    }
}
