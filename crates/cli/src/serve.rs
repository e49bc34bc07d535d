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

/// Libraries that log what is not worth a line at the info level: the MCP library every request, the client of buckets every
/// attempt to reach one that does not answer.
const QUIET: [&str; 2] = ["rmcp", "object_store"];

/// The lines to write at this level. Quiet libraries begin at warnings.
fn filter(level: tracing::Level) -> String {
    let quiet = LevelFilter::from_level(level).min(LevelFilter::WARN);
    QUIET.iter().fold(level.to_string(), |all, library| format!("{all},{library}={quiet}"))
}

fn log(settings: &Settings) {
    let filter = EnvFilter::new(filter(settings.log_level));
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

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex, PoisonError};

    use tracing::Level;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn libraries_that_log_every_attempt_are_heard_from_warnings_on() {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new(filter(Level::INFO)))
            .with_writer(move || writer.clone());
        tracing::subscriber::with_default(log.finish(), || {
            tracing::info!("a line of the service");
            tracing::info!(target: "object_store::client::retry", "an attempt failed");
            tracing::warn!(target: "object_store::client::retry", "no attempt is left");
            tracing::info!(target: "rmcp::service", "a request");
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert!(text.contains("a line of the service") && text.contains("no attempt is left"), "{text}");
        assert!(!text.contains("an attempt failed") && !text.contains("a request"), "{text}");
        assert_eq!(filter(Level::ERROR), "ERROR,rmcp=error,object_store=error");
    }
}
