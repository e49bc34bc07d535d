//! `rondo serve`.

use std::process::ExitCode;

use rondo_service::settings::{LogForm, Settings, Sources};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};

use crate::{Outcome, args, print_stderr};

/// The settings from flags, variables and the file.
pub fn settings(args: &args::Serve) -> Result<Settings, String> {
    Settings::read(&Sources {
        flag: &|name| args.flags.iter().find(|(flag, _)| *flag == name).map(|(_, value)| value.clone()),
        variable: &|name| std::env::var(name).ok(),
        file: Sources::file(args.config.as_deref()).map_err(|e| e.to_string())?,
    })
    .map_err(|e| e.to_string())
}

pub fn run(args: &args::Serve) -> Outcome {
    let settings = settings(args)?;
    log(&settings);
    let runtime =
        tokio::runtime::Runtime::new().map_err(|e| format!("Failed to start the async runtime: {e}."))?;
    let ended = runtime.block_on(async {
        let running = rondo_server::start(settings).await.map_err(|e| e.to_string())?;
        match running.address {
            Some(address) => print_stderr(&format!(
                "Rondo is listening on http://{address} (public URL: {}).",
                running.public_url
            )),
            None => print_stderr("Rondo is running as a render worker."),
        }
        wait_for_signal().await.map_err(|e| format!("Failed to install the signal handlers: {e}."))?;
        print_stderr("Rondo is shutting down. Unfinished renders resume at the next start.");
        running.stop().await;
        Ok(ExitCode::SUCCESS)
    });
    // Does not wait for renders that are still stopping: their leases are already released.
    runtime.shutdown_background();
    ended
}

/// Returns at SIGTERM or Ctrl-C.
pub async fn wait_for_signal() -> std::io::Result<()> {
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
    // The MCP library logs every request at the info level.
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
