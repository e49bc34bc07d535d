//! Connections: reads, write transactions that leave no connection in an unknown state, and the detection of a server
//! that does not answer.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::any::{AnyConnectOptions, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Connection, Either, Execute, Executor, SqlStr};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

/// How long a pool may wait before the server is asked.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long the server may take to accept a connection.
const ANSWER: Duration = Duration::from_millis(600);
/// How long an answer of the server counts.
const FRESH: Duration = Duration::from_millis(500);
/// How long a rollback may take before the connection is closed instead.
const ROLLBACK: Duration = Duration::from_secs(5);
/// SQLSTATE of a server that accepts no further connections. It is there.
const TOO_MANY_CONNECTIONS: &str = "53300";

/// A pool, and for a server a way to find out whether it answers: a pool waits for a server that is away as it does for
/// a busy one.
#[derive(Debug)]
pub(crate) struct Connections {
    pub pool: AnyPool,
    probe: Option<Probe>,
}

impl Connections {
    pub fn of_file(pool: AnyPool) -> Self {
        Self { pool, probe: None }
    }

    pub fn of_server(pool: AnyPool, options: AnyConnectOptions) -> Self {
        Self { pool, probe: Some(Probe { options, last: Mutex::new(None) }) }
    }

    pub async fn acquire(&self) -> sqlx::Result<PoolConnection<Any>> {
        let Some(probe) = &self.probe else { return self.pool.acquire().await };
        tokio::select! {
            biased;
            acquired = self.pool.acquire() => acquired,
            cause = probe.outage() => Err(sqlx::Error::Io(std::io::Error::other(cause))),
        }
    }
}

#[derive(Debug)]
struct Probe {
    options: AnyConnectOptions,
    /// When the server was last asked, and why it did not answer. All waiting requests share it.
    last: Mutex<Option<(Instant, Option<String>)>>,
}

impl Probe {
    /// Returns with the cause once the server does not answer.
    async fn outage(&self) -> String {
        loop {
            sleep(PATIENCE).await;
            let mut last = self.last.lock().await;
            let fresh = last.take().filter(|(at, _)| at.elapsed() < FRESH);
            let (at, cause) = match fresh {
                Some(fresh) => fresh,
                None => (Instant::now(), self.ask().await),
            };
            *last = Some((at, cause.clone()));
            if let Some(cause) = cause {
                return cause;
            }
        }
    }

    async fn ask(&self) -> Option<String> {
        match timeout(ANSWER, self.options.connect()).await {
            Ok(Ok(connection)) => {
                // A server that answers is available, even if this connection is closed.
                let _ = timeout(ANSWER, connection.close()).await;
                None
            }
            Ok(Err(sqlx::Error::Database(error)))
                if error.code().as_deref() == Some(TOO_MANY_CONNECTIONS) =>
            {
                None
            }
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the server does not answer".to_owned()),
        }
    }
}

/// Runs single statements, each on a connection of the pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reads<'a>(pub &'a Connections);

impl Reads<'_> {
    pub async fn acquire(self) -> sqlx::Result<PoolConnection<Any>> {
        self.0.acquire().await
    }
}

impl<'c> Executor<'c> for Reads<'c> {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, sqlx::Result<Either<AnyQueryResult, AnyRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let all = async move {
            let mut connection = self.0.acquire().await?;
            let items: Vec<_> = connection.fetch_many(query).collect().await;
            Ok::<_, sqlx::Error>(stream::iter(items))
        };
        stream::once(all).try_flatten().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<AnyRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(async move { self.0.acquire().await?.fetch_optional(query).await })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, sqlx::Result<AnyStatement>>
    where
        'c: 'e,
    {
        Box::pin(async move { self.0.acquire().await?.prepare_with(sql, parameters).await })
    }
}

/// A write transaction. Unless it is committed, it is rolled back when dropped, and the connection is closed if it may
/// not have been.
///
/// sqlx's own transactions do not notice that SQLite rolled back by itself because the disk is full, and leave a
/// PostgreSQL transaction open if their caller stops waiting for BEGIN.
#[derive(Debug)]
pub(crate) struct Write {
    /// Present until dropped.
    connection: Option<PoolConnection<Any>>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// BEGIN or COMMIT was sent: whether a transaction is open is unknown.
    Unknown,
    Open,
    Committed,
}

impl Write {
    pub async fn begin(connection: PoolConnection<Any>, statement: &'static str) -> sqlx::Result<Self> {
        let mut write = Self { connection: Some(connection), state: State::Unknown };
        sqlx::raw_sql(statement).execute(&mut *write).await?;
        write.state = State::Open;
        Ok(write)
    }

    pub async fn commit(mut self) -> sqlx::Result<()> {
        self.state = State::Unknown;
        sqlx::raw_sql("COMMIT").execute(&mut *self).await?;
        self.state = State::Committed;
        Ok(())
    }
}

impl Deref for Write {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        // Only `drop` takes it.
        self.connection.as_ref().expect("a transaction without a connection")
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        // Only `drop` takes it.
        self.connection.as_mut().expect("a transaction without a connection")
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        match (self.state, Handle::try_current()) {
            (State::Committed, _) => {}
            (State::Open, Ok(runtime)) => {
                runtime.spawn(async move {
                    let rollback = sqlx::raw_sql("ROLLBACK").execute(&mut *connection);
                    if !matches!(timeout(ROLLBACK, rollback).await, Ok(Ok(_))) {
                        connection.close_on_drop();
                    }
                });
            }
            (State::Open | State::Unknown, _) => connection.close_on_drop(),
        }
    }
}
