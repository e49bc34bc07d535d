//! `rondo serve`.

use std::process::ExitCode;

use rondo_server::settings::{LogForm, Settings, Sources};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};

use crate::{Outcome, args, tell};

pub fn run(args: &args::Serve) -> Outcome {
    let settings = Settings::read(&Sources {
        flag: &|name| args.flags.iter().find(|(flag, _)| *flag == name).map(|(_, value)| value.clone()),
        variable: &|name| std::env::var(name).ok(),
        file: Sources::file(args.config.as_deref()).map_err(|e| e.to_string())?,
    })
    .map_err(|e| e.to_string())?;
    log(&settings);
    let runtime = tokio::runtime::Runtime::new().map_err(|e| format!("No threads can be started: {e}."))?;
    let ended = runtime.block_on(async {
        let running = rondo_server::start(settings).await.map_err(|e| e.to_string())?;
        match running.address {
            Some(address) => {
                tell(&format!("Rondo listens on http://{address} and is reached at {}.", running.public_url))
            }
            None => tell("Rondo renders what others accept."),
        }
        wait_for_signal().await.map_err(|e| format!("Signals cannot be waited for: {e}."))?;
        tell("Rondo ends; renders under way go on with the next start.");
        running.stop().await;
        Ok(ExitCode::SUCCESS)
    });
    // A render that does not stop at once must not hold the process up; its lease is handed back already.
    runtime.shutdown_background();
    ended
}

async fn wait_for_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

fn log(settings: &Settings) {
    // The library behind the MCP server tells of every request it is given.
    let others = LevelFilter::from_level(settings.log_level).min(LevelFilter::WARN);
    let filter = EnvFilter::new(format!("{},rmcp={others}", settings.log_level));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false);
    match settings.log {
        LogForm::Text => lines.init(),
        LogForm::Json => lines.json().init(),
    }
}
