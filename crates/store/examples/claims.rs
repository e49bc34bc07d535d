//! Prints how long workers wait for the next render while very many are queued.
//!
//!     cargo run --release -p rondo-store --example claims -- postgres://… [--tasks 100000] [--accounts 1000] [--workers 64]
//!
//! The renders are inserted with SQL, all of them ready. The workers, of sixteen processes, claim a render and work on it for half a
//! second on average; then it fails. Then an account that is new gets one, and it is told how many were claimed before it.

#![allow(clippy::unwrap_used, reason = "a tool for measuring")]

use std::time::{Duration, Instant};

use rondo_store::{
    ConcurrentRenders, Credits, KeySource, Lease, MasterKey, Mode, NewAccount, NewRender, Plan, Settings,
    Store,
};
use sqlx::{AnyConnection, Connection, Row};

const LEASE: Duration = Duration::from_secs(600);
const CLAIMS_EACH: u32 = 40;
/// Workers of one process claim one at a time.
const PROCESSES: usize = 16;

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).expect("the address of an empty database");
    let number = |name: &str, default: u32| {
        let mut rest = std::env::args().skip_while(|given| given != name).skip(1);
        rest.next().map_or(default, |value| value.parse().unwrap())
    };
    let (tasks, accounts, workers) =
        (number("--tasks", 100_000), number("--accounts", 1000), number("--workers", 64));
    let key = MasterKey::generate();
    let settings = || Settings {
        master_key: KeySource::Given(key.clone()),
        concurrent_renders: ConcurrentRenders { none: u32::MAX, creator: u32::MAX, business: u32::MAX },
        ..Settings::default()
    };
    let store = Store::open(&url, settings()).await.unwrap();
    fill(&store, &url, tasks, accounts).await;

    let mut at_work = tokio::task::JoinSet::new();
    let mut stores = Vec::new();
    for _ in 0..PROCESSES {
        stores.push(Store::open(&url, settings()).await.unwrap());
    }
    for worker in 0..workers {
        let store = stores[worker as usize % stores.len()].clone();
        at_work.spawn(async move {
            let mut times = Vec::new();
            let mut running: Option<Lease> = None;
            for turn in 0..CLAIMS_EACH {
                let pause = u64::from((worker * 7919 + turn * 104_729) % 1000);
                tokio::time::sleep(Duration::from_millis(pause)).await;
                let started = Instant::now();
                let claimed = store.claim(LEASE).await.unwrap().unwrap();
                times.push(started.elapsed());
                if let Some(before) = running.replace(claimed.lease) {
                    // As many renders run as there are workers.
                    store.fail(&before, "Measured.").await.unwrap();
                }
            }
            times
        });
    }
    let mut times: Vec<Duration> = at_work.join_all().await.into_iter().flatten().collect();
    times.sort();
    let at = |share: f64| 1000.0 * times[((times.len() - 1) as f64 * share) as usize].as_secs_f64();
    println!(
        "{tasks} renders of {accounts} accounts, {workers} workers, {} claims: median {:.1} ms, p99 {:.1} ms, slowest {:.1} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let fresh = account(&store).await;
    store.create_render(&render(&fresh), None).await.unwrap();
    let claimed = store.claim(LEASE).await.unwrap().unwrap();
    println!(
        "a new account's render is claimed {}",
        if claimed.render.account_id == fresh { "first" } else { "LATER" }
    );
}

async fn account(store: &Store) -> String {
    let account = NewAccount {
        email: &format!("{}@example.com", rondo_store::id::secret(12)),
        name: "Claims",
        plan: Plan::Business,
        credits: Credits::from_whole(1_000_000),
        password_hash: None,
        is_operator: false,
    };
    store.create_account(account).await.unwrap().id
}

fn render(account_id: &str) -> NewRender {
    NewRender {
        account_id: account_id.to_owned(),
        mode: Mode::Direct,
        project_id: None,
        new_project: None,
        template_id: None,
        input_props: serde_json::json!({"overlays": [], "text": "x".repeat(2000)}),
        width: 1920,
        height: 1080,
        fps: 30,
        duration_in_frames: 300,
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

/// Makes one render for each account, and copies it.
async fn fill(store: &Store, url: &str, tasks: u32, accounts: u32) {
    let mut connection = AnyConnection::connect(url).await.unwrap();
    let columns = |table: &str| {
        format!(
            "SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns WHERE table_name = '{table}' \
             AND table_schema = current_schema() ORDER BY ordinal_position"
        )
    };
    let mut lists = Vec::new();
    for table in ["render", "task"] {
        let rows = sqlx::query(sqlx::AssertSqlSafe(columns(table))).fetch_all(&mut connection).await.unwrap();
        lists.push(rows.iter().map(|row| row.get::<String, _>("name")).collect::<Vec<_>>());
    }
    for _ in 0..accounts {
        store.create_render(&render(&account(store).await), None).await.unwrap();
    }
    let copies = tasks / accounts - 1;
    for (table, id, columns) in [("render", "id", &lists[0]), ("task", "render_id", &lists[1])] {
        let copied: Vec<String> = columns
            .iter()
            .map(|column| if column == id { format!("{id} || 'c' || copy") } else { column.clone() })
            .collect();
        let insert = format!(
            "INSERT INTO {table} ({}) SELECT {} FROM {table}, generate_series(1, {copies}) AS copy",
            columns.join(", "),
            copied.join(", ")
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(insert)).execute(&mut connection).await.unwrap();
    }
    // A queue that grew over time has neither dead rows by the thousand nor a disk that is still writing it.
    for command in ["VACUUM ANALYZE", "CHECKPOINT"] {
        sqlx::raw_sql(command).execute(&mut connection).await.unwrap();
    }
}
