//! Prints how many renders per second the store creates, claims and completes, one after another.
//!
//!     cargo run --release -p rondo-store --example throughput -- sqlite:/path/to/new.db
//!
//! Each render takes three write transactions.

use std::time::{Duration, Instant};

use rondo_store::{
    Credits, KeySource, MasterKey, Mode, NewAccount, NewOutput, NewRender, Output, OutputFile, Plan,
    Settings, Store, StoreError,
};

const RENDERS: u32 = 500;

#[tokio::main]
async fn main() -> Result<(), StoreError> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "sqlite:throughput.db".to_owned());
    let master_key = KeySource::Given(MasterKey::generate());
    let settings = Settings { master_key, ..Settings::default() };
    let store = Store::open(&url, settings).await?;
    let account = NewAccount {
        email: &format!("{}@example.com", rondo_store::id::secret(12)),
        name: "Throughput",
        plan: Plan::Business,
        credits: Credits::from_whole(i64::from(RENDERS)),
        password_hash: None,
        is_operator: false,
    };
    let account = store.create_account(account).await?;
    let new = NewRender {
        account_id: account.id,
        mode: Mode::Direct,
        project_id: None,
        new_project: None,
        template_id: None,
        input_props: serde_json::json!({"overlays": [], "text": "x".repeat(20_000)}),
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
    };
    let made = OutputFile { file: "film.mp4".to_owned(), size: 1, dimensions: Some((1920, 1080)) };
    let main = NewOutput { made, url: "/films/film.mp4".to_owned() };
    let output = Output { main, also: Vec::new(), credits: None, poster: None, has_stream: false };
    let mut slowest = Duration::ZERO;
    let started = Instant::now();
    for _ in 0..RENDERS {
        let render_started = Instant::now();
        store.create_render(&new, None).await?;
        if let Some(claimed) = store.claim(Duration::from_secs(60)).await? {
            store.complete(&claimed.lease, &output).await?;
        }
        slowest = slowest.max(render_started.elapsed());
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{:.0} renders per second, {:.2} ms each, slowest {:.1} ms",
        f64::from(RENDERS) / seconds,
        1000.0 * seconds / f64::from(RENDERS),
        1000.0 * slowest.as_secs_f64()
    );
    Ok(())
}
